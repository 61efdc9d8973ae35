//! What may be kept, for how long, and what is said to who has it already.

use axum::http::Method;
use serde_json::json;

use crate::client::{Reply, get, post, send, with_headers};

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R_w_KQkq_-_0_1";
const PURE: &str = "public, max-age=3600";
const REVALIDATED: &str = "no-cache";

/// Every kind of reply that is a function of request and version alone, and how long it may be kept.
fn constants() -> Vec<(String, &'static str)> {
    let with_position = [
        "/v1/evaluate",
        "/v1/best-move?deterministic=true&nodes=500",
        "/v1/best-move?deterministic=true&strategy=greedy",
        "/v1/eval-breakdown",
        "/v1/eval-breakdown?searched=true&nodes=500&deterministic=true",
        "/v1/eval-breakdown/diff?move=O-O",
        "/v1/board.svg",
    ];
    let without = [
        ("/v1/eval-breakdown/terms", PURE),
        ("/v1/material/KRPvKR", PURE),
        ("/v1/limits", REVALIDATED),
        ("/openapi.json", REVALIDATED),
        ("/docs/", REVALIDATED),
        ("/docs/swagger-ui.css", REVALIDATED),
        ("/api/cloud-eval?fen=7k/8/8/8/8/8/1r6/K7_w_-_-_0_1", REVALIDATED),
        ("/v1/best-move?deterministic=true&elo=500", REVALIDATED),
        ("/v1/best-move?deterministic=true&elo=600&nodes=500", PURE),
    ];
    let joined = |path: &str| format!("{path}{}fen={KIWIPETE}", if path.contains('?') { "&" } else { "?" });
    let with_position = with_position.map(|path| (joined(path), PURE));
    with_position.into_iter().chain(without.map(|(path, kept)| (path.to_owned(), kept))).collect()
}

fn conditional(method: Method, path: &str, tag: &str) -> Reply {
    with_headers(method, path, &[("if-none-match", tag), ("origin", "https://example.org")])
}

#[test]
fn what_is_always_the_same_has_a_strong_validator() {
    let mut tags = Vec::new();
    for (path, kept) in constants() {
        let (first, second) = (get(&path), get(&path));
        assert_eq!((first.status.as_u16(), first.header("cache-control")), (200, kept), "{path}");
        let tag = first.header("etag").to_owned();
        assert!(tag.starts_with('"') && tag.ends_with('"') && tag.len() == 18, "{path}: {tag}");
        assert_eq!((tag.as_str(), &first.bytes), (second.header("etag"), &second.bytes), "{path}");
        assert!(!tags.contains(&tag), "{path}: other bytes have another tag");
        tags.push(tag);
    }
}

#[test]
fn who_has_it_is_told_so() {
    for (path, kept) in constants() {
        let whole = get(&path);
        let tag = whole.header("etag");
        for (method, theirs) in [
            (Method::GET, tag.to_owned()),
            (Method::HEAD, tag.to_owned()),
            (Method::GET, format!("W/{tag}")),
            (Method::GET, format!("\"other\", {tag}")),
            (Method::GET, "*".to_owned()),
        ] {
            let reply = conditional(method, &path, &theirs);
            assert_eq!((reply.status.as_u16(), reply.bytes.len()), (304, 0), "{path} {theirs}");
            assert_eq!((reply.header("etag"), reply.header("cache-control")), (tag, kept), "{path}");
            assert_eq!(reply.header("vary"), whole.header("vary"), "{path}");
            assert_eq!(reply.header("access-control-allow-origin"), "*", "{path}");
            for left_out in ["content-type", "content-length", "content-encoding"] {
                assert_eq!(reply.header(left_out), "", "{path} {left_out}");
            }
        }
        let reply = conditional(Method::GET, &path, "\"other\"");
        assert_eq!((reply.status.as_u16(), &reply.bytes), (200, &whole.bytes), "{path}");
    }
}

#[test]
fn each_form_has_a_tag_of_its_own() {
    let path = format!("/v1/eval-breakdown?fen={KIWIPETE}");
    let forms = [
        vec![],
        vec![("accept-encoding", "gzip")],
        vec![("accept", "image/svg+xml")],
        vec![("accept", "image/svg+xml"), ("accept-encoding", "gzip")],
    ];
    let tag = |headers: &[(&str, &str)]| with_headers(Method::GET, &path, headers).header("etag").to_owned();
    let tags = forms.clone().map(|headers| tag(&headers));
    for (own, headers) in forms.iter().enumerate() {
        for (other, tag) in tags.iter().enumerate() {
            let headers: Vec<_> = headers.iter().copied().chain([("if-none-match", tag.as_str())]).collect();
            let reply = with_headers(Method::GET, &path, &headers);
            assert_eq!(reply.status, if own == other { 304 } else { 200 }, "{own} {tag}");
            let varies = format!("{:?}", reply.headers.get_all("vary").iter().collect::<Vec<_>>());
            assert!(varies.contains("\"Accept\"") && varies.contains("\"accept-encoding\""), "{varies}");
        }
    }
    assert_eq!(tags[1], format!("{}-gzip\"", tags[0].trim_end_matches('"')));
}

/// The address of a `POST` does not say what was asked, so a cache that went by it would give wrong answers.
#[test]
fn a_post_is_never_stored_and_never_304() {
    for (path, body) in [
        ("/v1/evaluate", json!({ "moves": "e4" })),
        ("/v1/best-move", json!({ "nodes": 100, "deterministic": true })),
        ("/v1/eval-breakdown", json!({})),
        ("/v1/eval-breakdown/diff", json!({ "move": "e4" })),
    ] {
        let reply = post(path, &body);
        assert_eq!((reply.status.as_u16(), reply.header("cache-control")), (200, "no-store"), "{path}");
        let tag = reply.header("etag").to_owned();
        assert!(tag.starts_with('"'), "{path}");
        let again = |theirs: &str| {
            let request = axum::http::Request::post(path).header("content-type", "application/json");
            send(request.header("if-none-match", theirs).body(body.to_string().into()).unwrap())
        };
        assert_eq!(again("\"other\"").bytes, reply.bytes, "{path}");
        let known = again(&tag);
        assert_eq!(known.status, 412, "{path}");
        assert_eq!(
            (known.header("content-type"), known.header("etag"), known.header("cache-control")),
            ("application/problem+json", tag.as_str(), "no-store"),
            "{path}"
        );
        assert_eq!(known.json()["code"], "precondition_failed");
    }
    let [read, posted] = [get("/v1/evaluate?moves=e4"), post("/v1/evaluate", &json!({ "moves": "e4" }))];
    assert_eq!((&read.bytes, read.header("etag")), (&posted.bytes, posted.header("etag")));
}

#[test]
fn what_is_another_answer_every_time_is_not_to_be_stored() {
    for path in [
        "/v1/evaluate?depth=2",
        "/v1/evaluate?quiescence=true",
        "/v1/best-move?depth=2",
        "/v1/best-move?strategy=greedy",
        "/v1/eval-breakdown?searched=true&depth=2",
        "/healthz",
        "/readyz",
        "/metrics",
        "/nowhere",
        "/docs/nowhere.js",
        "/v1/evaluate?fen=hello",
        "/api/cloud-eval?fen=hello",
    ] {
        let reply = conditional(Method::GET, path, "*");
        assert_ne!(reply.status, 304, "{path}");
        assert_eq!((reply.header("cache-control"), reply.header("etag")), ("no-store", ""), "{path}");
    }
    let batch = post("/v1/evaluate/batch", &json!([{}]));
    assert_eq!((batch.header("cache-control"), batch.header("etag")), ("no-store", ""));
    let stream = with_headers(
        Method::GET,
        "/v1/best-move?nodes=100&deterministic=true",
        &[("accept", "application/x-ndjson"), ("if-none-match", "*")],
    );
    assert_eq!((stream.status.as_u16(), stream.header("cache-control")), (200, "no-store"));
}
