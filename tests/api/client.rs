//! A client of the service within one process: the real router, without a socket.

use std::sync::{Arc, OnceLock};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, Method, Request, StatusCode, header};
use centipawn::api::{AppState, router};
use centipawn::config::Limits;
use centipawn::pool::{CrewSettings, PoolSettings, Pools};
use clap::Parser;
use http_body_util::BodyExt;
use serde_json::Value;
use tower::ServiceExt;

/// A reply, read to its end.
pub struct Reply {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub bytes: Bytes,
}

impl Reply {
    /// The body as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.bytes).unwrap_or_else(|error| panic!("{error}: {:?}", self.bytes))
    }

    /// A header as text; empty if it is not there.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// The body of a reply that has to be a 200.
    pub fn ok(&self) -> Value {
        assert_eq!(self.status, 200, "{:?}", self.bytes);
        self.json()
    }
}

/// Sends a request to the service that all tests share.
pub fn send(request: Request<Body>) -> Reply {
    // A runtime a test, because a test is a thread; the pool's threads are shared.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let response = service().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        Reply {
            status: parts.status,
            headers: parts.headers,
            bytes: body.collect().await.unwrap().to_bytes(),
        }
    })
}

/// A `GET` of a path with its query string.
pub fn get(path: &str) -> Reply {
    send(Request::get(path).body(Body::empty()).unwrap())
}

/// A `POST` of a JSON body.
pub fn post(path: &str, body: &Value) -> Reply {
    post_text(path, &body.to_string())
}

/// A `POST` of a body that claims to be JSON.
pub fn post_text(path: &str, body: &str) -> Reply {
    post_bytes(path, body.as_bytes())
}

/// A `POST` of bytes that claim to be JSON.
pub fn post_bytes(path: &str, body: &[u8]) -> Reply {
    let request = Request::post(path).header(header::CONTENT_TYPE, "application/json");
    send(request.body(Body::from(body.to_vec())).unwrap())
}

/// A request without a body, with headers.
pub fn with_headers(method: Method, path: &str, headers: &[(&str, &str)]) -> Reply {
    let mut request = Request::builder().method(method).uri(path);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    send(request.body(Body::empty()).unwrap())
}

/// The fields of a request as a query string.
pub fn query(fields: &Value) -> String {
    let pairs = fields.as_object().unwrap().iter().map(|(name, value)| {
        let text = match value {
            Value::String(text) => text.clone(),
            Value::Array(items) => {
                items.iter().map(|item| item.as_str().unwrap()).collect::<Vec<_>>().join(" ")
            }
            other => other.to_string(),
        };
        let escaped: String = text.bytes().map(|byte| format!("%{byte:02x}")).collect();
        format!("{name}={escaped}")
    });
    pairs.collect::<Vec<_>>().join("&")
}

fn service() -> Router {
    static ROUTER: OnceLock<Router> = OnceLock::new();
    ROUTER.get_or_init(|| router(state())).clone()
}

fn state() -> AppState {
    let pool = |name| PoolSettings { crew: CrewSettings { name, threads: 2, queue: 64 }, hash_mebibytes: 8 };
    let pools = Pools::start(pool("interactive"), pool("bulk")).unwrap();
    AppState::new(limits(), vec!["*".to_owned()], Arc::new(pools))
}

/// The caps of a server without settings of its own.
fn limits() -> Limits {
    #[derive(Parser)]
    struct Flags {
        #[command(flatten)]
        limits: Limits,
    }
    Flags::parse_from(["centipawn"]).limits
}
