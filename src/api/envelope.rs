//! What every request passes, in one layer: a request id, the catching of panics, conditions and one line of log.
//!
//! It is one service around the whole router, because layers cost: a router boxes every layer for every route and every
//! request, and eight of them double the price of a static evaluation (measured; see the README's figures). What only
//! some routes need stands at those routes.

use std::any::Any;
use std::convert::Infallible;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use pin_project_lite::pin_project;
use tower::Service;

use crate::api::account::{Account, Accounting};
use crate::api::problem::{Code, Fault, Problem};

/// A service whose requests are answered whatever happens inside, with their ids.
#[derive(Clone)]
pub struct Envelope<S> {
    inner: S,
    accounting: Accounting,
}

impl<S> Envelope<S> {
    pub(super) const fn new(inner: S, accounting: Accounting) -> Self {
        Self { inner, accounting }
    }
}

impl<S: Service<Request, Response = Response, Error = Infallible>> Service<Request> for Envelope<S> {
    type Response = Response;
    type Error = Infallible;
    type Future = Enveloped<S::Future>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request) -> Self::Future {
        let (account, request) = self.accounting.open(request);
        Enveloped { answer: self.inner.call(request), account: Some(account) }
    }
}

pin_project! {
    /// The answer on its way out.
    pub struct Enveloped<F> {
        #[pin]
        answer: F,
        account: Option<Account>,
    }

    impl<F> PinnedDrop for Enveloped<F> {
        fn drop(this: Pin<&mut Self>) {
            if let Some(account) = this.project().account.take() {
                account.abandon();
            }
        }
    }
}

impl<F: Future<Output = Result<Response, Infallible>>> Future for Enveloped<F> {
    type Output = Result<Response, Infallible>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.project();
        let _entered = this.account.as_ref().and_then(Account::enter);
        // The state that handlers share is behind locks that survive a panic, so going on is sound.
        let response = match catch_unwind(AssertUnwindSafe(|| this.answer.poll(context))) {
            Ok(poll) => match ready!(poll) {
                Ok(response) => response,
                Err(never) => match never {},
            },
            Err(panic) => panicked(panic.as_ref()),
        };
        Poll::Ready(Ok(match this.account.take() {
            Some(account) => account.close(response),
            None => response,
        }))
    }
}

/// The answer to a request whose handler panicked.
pub(super) fn panicked(panic: &(dyn Any + Send)) -> Response {
    let said =
        panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    let mut response =
        Problem::new(Code::Internal, "An internal fault; this request alone is lost.").into_response();
    let fault = format!("a handler panicked: {}", said.unwrap_or("with something that is not text"));
    response.extensions_mut().insert(Fault(fault.into()));
    response
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::sync::{Arc, Mutex};

    use axum::Router;
    use axum::body::Body;
    use axum::routing::get;
    use http_body_util::BodyExt;
    use tower::ServiceExt;
    use tracing::Level;
    use tracing::subscriber::set_default;

    use super::*;
    use crate::api::account::REQUEST_ID;
    use crate::api::metrics::Requests;
    use crate::api::thinking::draining;
    use crate::config::AccessLog;

    async fn panics() -> Response {
        panic!("a secret of the house")
    }

    fn enveloped(router: Router, access_log: AccessLog) -> Envelope<Router> {
        Envelope::new(router, Accounting::new(Arc::new(Requests::new()), access_log, None))
    }

    /// A log that is kept.
    #[derive(Clone, Default)]
    struct Log(Arc<Mutex<Vec<u8>>>);

    impl io::Write for Log {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    async fn fails() -> Problem {
        Problem::new(Code::Internal, "An engine fault.").because("square 64 of 63\nERROR forged".to_owned())
    }

    /// As where the answer is compressed: nobody knows the length of its body before its end.
    async fn fails_at_length() -> Response {
        fails().await.into_response().map(|body| Body::from_stream(body.into_data_stream()))
    }

    #[tokio::test]
    async fn each_log_has_the_lines_it_is_told_to_have() {
        let pending = get(async || -> Response { std::future::pending().await });
        let router = Router::new()
            .route("/fails", get(fails))
            .route("/fails/at/length", get(fails_at_length))
            .route("/refuses", get(async || draining()))
            .route("/healthz", get(async || "ok"))
            .route("/v1/limits", get(async || "ok"))
            .route("/waits", pending);
        let cases = [
            ("/fails", ["ERROR", "ERROR", "ERROR"], 500),
            ("/fails/at/length", ["ERROR", "ERROR", "ERROR"], 500),
            ("/refuses", ["", "INFO", "INFO"], 503),
            ("/v1/limits", ["", "", "INFO"], 200),
            ("/healthz", ["", "", "DEBUG"], 200),
            ("/waits", ["", "INFO", "INFO"], 499),
        ];
        let logs = [AccessLog::Faults, AccessLog::Errors, AccessLog::All];
        for (path, levels, status) in cases {
            for (access_log, level) in logs.into_iter().zip(levels) {
                let log = Log::default();
                let writer = log.clone();
                let subscriber = tracing_subscriber::fmt()
                    .with_max_level(Level::DEBUG)
                    .with_ansi(false)
                    .without_time()
                    .with_writer(move || writer.clone())
                    .finish();
                let _kept = set_default(subscriber);
                let request = Request::get(path).body(Body::empty()).unwrap();
                let mut answer = Box::pin(enveloped(router.clone(), access_log).oneshot(request));
                // The one that waits is left after a look; the others are answered at once.
                let look = std::future::poll_fn(|context| Poll::Ready(answer.as_mut().poll(context))).await;
                assert_eq!(look.is_pending(), path == "/waits");
                drop((look, answer));
                let text = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
                let line = text.lines().find(|line| line.contains(path));
                let begins = line.map_or("", |line| line.split_whitespace().next().unwrap());
                assert_eq!(begins, level, "{path} {access_log:?}: {text}");
                let told = format!("http.response.status_code={status}");
                assert!(line.is_none_or(|line| line.contains(&told)), "{text}");
                assert_eq!(
                    text.contains(r#"fault="square 64 of 63\nERROR forged""#),
                    status == 500,
                    "{text}"
                );
            }
        }
    }

    #[tokio::test]
    async fn a_panic_is_a_problem_for_its_request_alone() {
        let service = enveloped(Router::new().route("/", get(panics)), AccessLog::Faults);
        let request = || Request::get("/").header(REQUEST_ID, "mine").body(Body::empty()).unwrap();
        for _ in 0..2 {
            let response = service.clone().oneshot(request()).await.unwrap();
            assert_eq!(
                (response.status().as_u16(), &response.headers()[REQUEST_ID]),
                (500, &"mine".parse().unwrap())
            );
            let bytes = response.into_body().collect().await.unwrap().to_bytes();
            let text = String::from_utf8(bytes.to_vec()).unwrap();
            assert!(text.contains(r#""code":"internal""#) && !text.contains("secret"), "{text}");
        }
    }
}
