//! What every request passes, in one layer: a request id, the catching of panics, conditions and one line of log.
//!
//! It is one service around the whole router, because layers cost: a router boxes every layer for every route and every
//! request, and eight of them double the price of a static evaluation (measured; see the README's figures). What only
//! some routes need stands at those routes.

use std::any::Any;
use std::convert::Infallible;
use std::future::Future;
use std::hash::{BuildHasher, RandomState};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Instant;

use axum::extract::Request;
use axum::http::{HeaderName, HeaderValue, Method, Uri};
use axum::response::{IntoResponse, Response};
use pin_project_lite::pin_project;
use tower::Service;

use crate::api::problem::{Code, Fault, Problem};
use crate::api::validator::{Condition, hexadecimal};

/// The header that carries the id of a request, in both directions.
pub(super) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// A service whose requests are answered whatever happens inside, with their ids.
#[derive(Clone, Debug)]
pub struct Envelope<S>(pub(super) S);

impl<S: Service<Request, Response = Response, Error = Infallible>> Service<Request> for Envelope<S> {
    type Response = Response;
    type Error = Infallible;
    type Future = Enveloped<S::Future>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.0.poll_ready(context)
    }

    fn call(&mut self, request: Request) -> Self::Future {
        let account = Account::open(&request);
        Enveloped { answer: self.0.call(request), account }
    }
}

pin_project! {
    /// The answer on its way out.
    pub struct Enveloped<F> {
        #[pin]
        answer: F,
        account: Account,
    }
}

impl<F: Future<Output = Result<Response, Infallible>>> Future for Enveloped<F> {
    type Output = Result<Response, Infallible>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.project();
        // The state that handlers share is behind locks that survive a panic, so going on is sound.
        let mut response = match catch_unwind(AssertUnwindSafe(|| this.answer.poll(context))) {
            Ok(poll) => match ready!(poll) {
                Ok(response) => response,
                Err(never) => match never {},
            },
            Err(panic) => panicked(panic.as_ref()),
        };
        this.account.close(&mut response);
        Poll::Ready(Ok(response))
    }
}

/// What is remembered of a request until it is answered.
struct Account {
    arrived: Instant,
    id: HeaderValue,
    method: Method,
    uri: Uri,
    condition: Condition,
}

impl Account {
    fn open(request: &Request) -> Self {
        let theirs = request.headers().get(REQUEST_ID).filter(|id| is_sane(id));
        Self {
            arrived: Instant::now(),
            id: theirs.cloned().unwrap_or_else(fresh_id),
            method: request.method().clone(),
            uri: request.uri().clone(),
            condition: Condition::of(request.method(), request.headers()),
        }
    }

    /// Writes the line of log and sends the id back, with the reply or with the word that the client has it already.
    fn close(&self, response: &mut Response) {
        self.condition.settle(response);
        let (method, path) = (&self.method, self.uri.path());
        let shown = self.id.to_str().unwrap_or_default();
        let status = response.status().as_u16();
        // The clock is read once more only if the line is written.
        let micros = || self.arrived.elapsed().as_micros() as u64;
        // A full queue and a search that ran out of time are answers like others; only a fault is somebody's work.
        if let Some(Fault(fault)) = response.extensions_mut().remove() {
            tracing::error!(request = shown, %method, path, status, micros = micros(), %fault);
        } else {
            tracing::debug!(request = shown, %method, path, status, micros = micros());
        }
        response.headers_mut().insert(REQUEST_ID, self.id.clone());
    }
}

/// A client's id is kept if it is short and harmless in a log.
fn is_sane(id: &HeaderValue) -> bool {
    let bytes = id.as_bytes();
    (1..=64).contains(&bytes.len())
        && bytes.iter().all(|byte| byte.is_ascii_alphanumeric() || b"-_.:/+=".contains(byte))
}

/// An id that no other request of this or another process has: a counter, scrambled by the process's own entropy.
fn fresh_id() -> HeaderValue {
    static START: LazyLock<RandomState> = LazyLock::new(RandomState::new);
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let scrambled = START.hash_one(COUNT.fetch_add(1, Ordering::Relaxed));
    HeaderValue::from_bytes(&hexadecimal(scrambled)).unwrap_or_else(|_| HeaderValue::from_static("0"))
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
    use crate::api::thinking::draining;

    async fn panics() -> Response {
        panic!("a secret of the house")
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
        Problem::new(Code::Internal, "An engine fault.").because("square 64 of 63".to_owned())
    }

    #[tokio::test]
    async fn only_faults_are_errors_in_the_log() {
        let router = Router::new().route("/fails", get(fails)).route("/refuses", get(async || draining()));
        for (path, status, level) in [("/fails", 500, "ERROR"), ("/refuses", 503, "DEBUG")] {
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
            let response = Envelope(router.clone()).oneshot(request).await.unwrap();
            assert_eq!(response.status().as_u16(), status);
            let text = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
            let line = text.lines().find(|line| line.contains(path)).unwrap();
            assert!(line.trim_start().starts_with(level), "{line}");
            assert_eq!(line.contains("fault=square 64 of 63"), status == 500, "{line}");
        }
    }

    #[tokio::test]
    async fn a_panic_is_a_problem_for_its_request_alone() {
        let service = Envelope(Router::new().route("/", get(panics)));
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
