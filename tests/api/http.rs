//! HTTP itself: health, request ids, CORS, `HEAD`, compression, limits.

use axum::http::Method;
use centipawn::config::Limits;
use serde_json::json;

use crate::client::{get, with_headers};

#[test]
fn it_is_alive_and_ready() {
    for path in ["/healthz", "/readyz"] {
        let reply = get(path);
        assert_eq!((reply.status.as_u16(), reply.json()), (200, json!({ "status": "ok" })));
    }
}

#[test]
fn request_ids_come_back_or_are_given() {
    let id = |headers: &[(&str, &str)]| {
        let reply = with_headers(Method::GET, "/healthz", headers);
        reply.header("x-request-id").to_owned()
    };
    assert_eq!(id(&[("x-request-id", "abc-1.2:3_4/5+6=")]), "abc-1.2:3_4/5+6=");
    let long = "x".repeat(65);
    let given = [
        id(&[]),
        id(&[]),
        id(&[("x-request-id", "a b")]),
        id(&[("x-request-id", "<x>")]),
        id(&[("x-request-id", &long)]),
    ];
    for (index, id) in given.iter().enumerate() {
        assert!(id.len() == 16 && id.bytes().all(|byte| byte.is_ascii_hexdigit()), "{id}");
        assert!(!given[..index].contains(id), "{id}");
    }
}

#[test]
fn pages_of_every_origin_may_call() {
    let origin = ("origin", "https://example.org");
    let preflight = with_headers(
        Method::OPTIONS,
        "/v1/evaluate",
        &[
            origin,
            ("access-control-request-method", "POST"),
            ("access-control-request-headers", "content-type"),
        ],
    );
    assert!(preflight.status.is_success());
    assert_eq!(preflight.header("access-control-allow-origin"), "*");
    assert!(preflight.header("access-control-allow-methods").contains("POST"));
    assert!(preflight.header("access-control-allow-headers").contains("content-type"));
    assert_eq!(preflight.header("access-control-max-age"), "86400");
    for path in ["/v1/evaluate", "/v1/nothing", "/v1/evaluate?fne=x"] {
        let reply = with_headers(Method::GET, path, &[origin]);
        assert_eq!(reply.header("access-control-allow-origin"), "*", "{path}");
        assert!(reply.header("access-control-expose-headers").contains("x-request-id"), "{path}");
    }
}

#[test]
fn head_is_get_without_a_body() {
    for path in ["/v1/evaluate", "/v1/limits", "/healthz", "/openapi.json", "/v1/eval-breakdown"] {
        let (head, get) = (with_headers(Method::HEAD, path, &[]), get(path));
        assert_eq!((head.status, head.bytes.len()), (get.status, 0), "{path}");
        assert_eq!(head.header("content-type"), get.header("content-type"), "{path}");
        assert_eq!(head.header("content-length"), get.bytes.len().to_string(), "{path}");
    }
}

#[test]
fn long_replies_are_compressed_where_the_client_can_read_it() {
    for (path, encoding) in [
        ("/openapi.json", "gzip"),
        ("/v1/eval-breakdown", "gzip"),
        ("/v1/eval-breakdown/terms", "gzip"),
        ("/docs/swagger-ui-bundle.js", "gzip"),
        ("/v1/evaluate", ""),
        ("/healthz", ""),
    ] {
        let reply = with_headers(Method::GET, path, &[("accept-encoding", "gzip, br")]);
        assert_eq!(reply.header("content-encoding"), encoding, "{path}");
        assert_eq!(get(path).header("content-encoding"), "", "{path}");
    }
}

#[test]
fn who_takes_no_coding_gets_the_reply_as_it_is() {
    let ask = |codings| with_headers(Method::GET, "/v1/eval-breakdown", &[("accept-encoding", codings)]);
    let plain = get("/v1/eval-breakdown").bytes;
    for codings in ["identity;q=0", "br, *;q=0", "*;q=0", "gzip;q=0, identity;q=0, *", "identity, gzip;q=0.5"]
    {
        let reply = ask(codings);
        assert_eq!((reply.status.as_u16(), reply.header("content-encoding")), (200, ""), "{codings}");
        assert_eq!(reply.bytes, plain, "{codings}");
    }
    for codings in ["gzip, identity;q=0", "gzip;q=0.5, *;q=0", "*"] {
        assert_eq!(ask(codings).header("content-encoding"), "gzip", "{codings}");
    }
}

#[test]
fn the_limits_are_published() {
    let (limits, caps) = (get("/v1/limits").ok(), Limits::DEFAULT);
    for (name, value) in [
        ("maxDepth", u64::from(caps.max_depth)),
        ("maxNodes", caps.max_nodes),
        ("maxMovetimeMs", caps.max_movetime_ms),
        ("defaultMovetimeMs", caps.default_movetime_ms),
        ("maxTimeoutMs", caps.request_timeout_ms),
        ("maxMultiPv", caps.max_multi_pv as u64),
        ("minElo", 500),
        ("maxElo", 2600),
        ("maxMoves", caps.max_moves as u64),
        ("maxBodyBytes", caps.max_body_bytes as u64),
        ("maxFenLength", 512),
        ("maxIdLength", 128),
        ("maxArrows", 64),
        ("maxCloudEvalMultiPv", 5),
        ("cloudEvalNodes", caps.cloud_eval_nodes),
    ] {
        assert_eq!(limits[name], value, "{name}");
    }
}
