//! A client of the service within one process: the real router, without a socket.

use std::fmt::Write;
use std::num::NonZeroUsize;
use std::sync::{Arc, OnceLock};

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, Method, Request, StatusCode, header};
use centipawn::api::{self, AppState, Service};
use centipawn::config::Limits;
use centipawn::pool::{CrewSettings, PoolSettings, Pools};
use http_body_util::BodyExt;
use serde_json::Value;
use tower::ServiceExt;

/// A reply, read to its end.
pub(crate) struct Reply {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) bytes: Bytes,
}

impl Reply {
    /// The body as JSON.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.bytes).unwrap_or_else(|error| panic!("{error}: {:?}", self.bytes))
    }

    /// A header as text; empty if it is not there.
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// The body of a reply that has to be a 200.
    pub(crate) fn ok(&self) -> Value {
        assert_eq!(self.status, 200, "{:?}", self.bytes);
        self.json()
    }
}

/// Sends a request to the service that all tests share.
pub(crate) fn send(request: Request<Body>) -> Reply {
    send_to(service(), request)
}

/// Sends a request to a service.
pub(crate) fn send_to(service: Service, request: Request<Body>) -> Reply {
    // A runtime a request, because a test is a thread; the pool's threads are shared.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let (parts, body) = service.oneshot(request).await.unwrap().into_parts();
        let bytes = body.collect().await.unwrap().to_bytes();
        Reply { status: parts.status, headers: parts.headers, bytes }
    })
}

/// A `GET` of a path with its query string.
pub(crate) fn get(path: &str) -> Reply {
    send(Request::get(path).body(Body::empty()).unwrap())
}

/// A `POST` of a JSON body.
pub(crate) fn post(path: &str, body: &Value) -> Reply {
    post_text(path, &body.to_string())
}

/// A `POST` of a body that claims to be JSON.
pub(crate) fn post_text(path: &str, body: &str) -> Reply {
    post_bytes(path, body.as_bytes())
}

/// A `POST` of bytes that claim to be JSON.
pub(crate) fn post_bytes(path: &str, body: &[u8]) -> Reply {
    let request = Request::post(path).header(header::CONTENT_TYPE, "application/json");
    send(request.body(Body::from(body.to_vec())).unwrap())
}

/// A request without a body, with headers.
pub(crate) fn with_headers(method: Method, path: &str, headers: &[(&str, &str)]) -> Reply {
    let mut request = Request::builder().method(method).uri(path);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    send(request.body(Body::empty()).unwrap())
}

/// A sentence of a summary with the numbers' signs turned round.
pub(crate) fn turned_sentence(sentence: &Value) -> Value {
    let text = sentence.as_str().unwrap();
    Value::String(text.replace("(-", "(\0").replace("(+", "(-").replace("(\0", "(+"))
}

/// The fields of a request as a query string.
pub(crate) fn query(fields: &Value) -> String {
    let pairs = fields.as_object().unwrap().iter().map(|(name, value)| {
        let text = match value {
            Value::String(text) => text.clone(),
            Value::Array(items) => {
                items.iter().map(|item| item.as_str().unwrap()).collect::<Vec<_>>().join(" ")
            }
            other => other.to_string(),
        };
        let mut escaped = String::new();
        for byte in text.bytes() {
            write!(escaped, "%{byte:02x}").unwrap();
        }
        format!("{name}={escaped}")
    });
    pairs.collect::<Vec<_>>().join("&")
}

fn service() -> Service {
    static SERVICE: OnceLock<Service> = OnceLock::new();
    SERVICE.get_or_init(|| api::service(state(2, 64))).clone()
}

/// A service of its own, with so many threads in each pool and so much room in their queues, and without a cache.
pub(crate) fn state(threads: usize, queue: usize) -> AppState {
    AppState::new(Limits::DEFAULT, vec!["*".to_owned()], Arc::new(pools(threads, queue)))
}

/// Two pools of so many threads each, with so much room in their queues.
pub(crate) fn pools(threads: usize, queue: usize) -> Pools {
    let pool = |name| PoolSettings {
        crew: CrewSettings { name, threads, queue },
        hash_mebibytes: 8,
        search_threads: NonZeroUsize::MIN,
    };
    Pools::start(pool("interactive"), pool("bulk"), queue.max(1)).unwrap()
}

pub(crate) fn in_a_runtime<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(work)
}
