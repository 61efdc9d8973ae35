//! Any bytes as requests to the whole service.

use std::num::NonZeroUsize;
use std::sync::{Arc, OnceLock};

use axum::body::Body;
use axum::http::{Request, Response, StatusCode, header};
use centipawn::api::{self, AppState, Service};
use centipawn::config::Limits;
use centipawn::pool::{CrewSettings, PoolSettings, Pools};
use http_body_util::BodyExt;
use serde_json::Value;
use tokio::runtime::{Builder, Runtime};
use tower::ServiceExt;

/// Searches as short as they can be told.
const LIMITS: Limits = Limits {
    max_depth: 3,
    max_nodes: 400,
    max_movetime_ms: 20,
    default_movetime_ms: 10,
    cloud_eval_nodes: 200,
    ..Limits::DEFAULT
};

/// The media type of every error.
const PROBLEM: &str = "application/problem+json";

/// The endpoints that take a body.
const TAKE_A_BODY: [&str; 6] = [
    "/v1/evaluate",
    "/v1/best-move",
    "/v1/eval-breakdown",
    "/v1/eval-breakdown/diff",
    "/v1/evaluate/batch",
    "/v1/games/review",
];

/// The first byte chooses an endpoint, the rest is a body that claims to be JSON.
pub fn json(data: &[u8]) {
    let Some((choice, body)) = data.split_first() else { return };
    let path = TAKE_A_BODY[usize::from(*choice) % TAKE_A_BODY.len()];
    let request = Request::post(path).header(header::CONTENT_TYPE, "application/json");
    if let Ok(request) = request.body(Body::from(body.to_vec())) {
        check(request);
    }
}

/// The bytes are a request as it stands on the wire: method and target, headers, an empty line, the body.
pub fn router(data: &[u8]) {
    let mut rest = data;
    let mut line = || {
        let end = rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
        let (line, after) = rest.split_at(end);
        rest = after.get(1..).unwrap_or_default();
        line
    };
    let first = line();
    let mut words = first.splitn(2, |byte| *byte == b' ');
    let mut request = Request::builder().method(words.next().unwrap_or_default());
    request = request.uri(words.next().unwrap_or_default());
    loop {
        let header = line();
        let Some(colon) = header.iter().position(|byte| *byte == b':') else { break };
        request = request.header(&header[..colon], header[colon + 1..].trim_ascii());
    }
    // What no HTTP library takes for a request never comes to the router.
    if let Ok(request) = request.body(Body::from(rest.to_vec())) {
        check(request);
    }
}

/// Sends a request: it is answered to the end, never by a fault, with the shape that the status promises.
fn check(request: Request<Body>) {
    let asked = format!("{request:?}");
    let answer = runtime().block_on(async {
        let Ok(response) = service().oneshot(request).await;
        let (parts, body) = response.into_parts();
        let body = body.collect().await.unwrap_or_else(|error| panic!("{asked}: {error}"));
        Response::from_parts(parts, body.to_bytes())
    });
    let status = answer.status();
    assert_ne!(status, StatusCode::INTERNAL_SERVER_ERROR, "{asked}");
    let media_type = answer.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let compressed = answer.headers().contains_key(header::CONTENT_ENCODING);
    match media_type {
        Some(kind @ ("application/json" | PROBLEM)) if !compressed && !answer.body().is_empty() => {
            let told: Value = serde_json::from_slice(answer.body())
                .unwrap_or_else(|error| panic!("{asked}: {error}: {:?}", answer.body()));
            let is_problem = kind == PROBLEM;
            assert_eq!(is_problem, status.is_client_error() || status.is_server_error(), "{asked}: {told}");
            if is_problem {
                assert_eq!(told["status"], status.as_u16(), "{asked}: {told}");
                assert!(told["code"].is_string() && told["detail"].is_string(), "{asked}: {told}");
            }
        }
        _ => {}
    }
}

fn runtime() -> &'static Runtime {
    static RUNTIME: OnceLock<Runtime> = OnceLock::new();
    RUNTIME.get_or_init(|| {
        Builder::new_current_thread().enable_all().build().unwrap_or_else(|error| panic!("{error}"))
    })
}

fn service() -> Service {
    static SERVICE: OnceLock<Service> = OnceLock::new();
    let start = || {
        let pool = |name| PoolSettings {
            crew: CrewSettings { name, threads: 1, queue: 4 },
            hash_mebibytes: 1,
            search_threads: NonZeroUsize::MIN,
        };
        let pools = Pools::start(pool("interactive"), pool("bulk"), 4);
        let pools = pools.unwrap_or_else(|error| panic!("{error}")).with_result_cache(1 << 20);
        api::service(AppState::new(LIMITS, vec!["*".to_owned()], Arc::new(pools)))
    };
    SERVICE.get_or_init(start).clone()
}
