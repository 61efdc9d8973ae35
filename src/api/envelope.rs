//! What every request passes, in one layer: a request id, the catching of panics and one line of log.
//!
//! It is one function because layers cost: each boxes a future, and eight of them double the price of a static
//! evaluation (measured; see the README's figures). What only some routes need stands at those routes.

use std::any::Any;
use std::future::poll_fn;
use std::hash::{BuildHasher, RandomState};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::Poll;
use std::time::Instant;

use axum::extract::Request;
use axum::http::{HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::api::problem::{Code, Fault, Problem};

/// The header that carries the id of a request, in both directions.
pub(crate) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Runs the request, whatever happens inside, and sends its id back.
pub(crate) async fn envelope(request: Request, next: Next) -> Response {
    let arrived = Instant::now();
    let id = request.headers().get(REQUEST_ID).filter(|id| is_sane(id)).cloned().unwrap_or_else(fresh_id);
    let (method, uri) = (request.method().clone(), request.uri().clone());
    let mut answer = pin!(next.run(request));
    // The state that handlers share is behind locks that survive a panic, so going on is sound.
    let outcome = poll_fn(|context| match catch_unwind(AssertUnwindSafe(|| answer.as_mut().poll(context))) {
        Ok(poll) => poll.map(Ok),
        Err(panic) => Poll::Ready(Err(panic)),
    });
    let mut response = outcome.await.unwrap_or_else(|panic| panicked(panic.as_ref()));
    let status = response.status();
    let micros = arrived.elapsed().as_micros() as u64;
    let shown = id.to_str().unwrap_or_default();
    match response.extensions_mut().remove::<Fault>() {
        Some(Fault(fault)) => {
            tracing::error!(request = shown, %method, path = uri.path(), status = status.as_u16(), micros, %fault);
        }
        // Overload is no fault: under it, a line for each refusal would be one more load.
        None => {
            tracing::debug!(request = shown, %method, path = uri.path(), status = status.as_u16(), micros);
        }
    }
    response.headers_mut().insert(REQUEST_ID, id);
    response
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
    let digits: [u8; 16] =
        std::array::from_fn(|index| b"0123456789abcdef"[(scrambled >> (60 - 4 * index)) as usize & 15]);
    HeaderValue::from_bytes(&digits).unwrap_or_else(|_| HeaderValue::from_static("0"))
}

fn panicked(panic: &(dyn Any + Send)) -> Response {
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
    use axum::Router;
    use axum::body::Body;
    use axum::middleware::from_fn;
    use axum::routing::get;
    use http_body_util::BodyExt;
    use tower::ServiceExt;

    use super::*;

    async fn panics() -> Response {
        panic!("a secret of the house")
    }

    #[tokio::test]
    async fn a_panic_is_a_problem_for_its_request_alone() {
        let router = Router::new().route("/", get(panics)).layer(from_fn(envelope));
        let request = || Request::get("/").header(REQUEST_ID, "mine").body(Body::empty()).unwrap();
        for _ in 0..2 {
            let response = router.clone().oneshot(request()).await.unwrap();
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
