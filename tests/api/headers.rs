//! What browsers are told not to do.

use std::sync::Arc;

use axum::http::Method;
use centipawn::api::{self, AppState};
use centipawn::config::Limits;

use crate::client::{get, pools, send_to, with_headers};
use crate::guarded::from;

const HTML: &[&str] = &["/", "/docs/"];

#[test]
fn every_reply_says_what_not_to_do_with_it() {
    let preflight = [("origin", "https://example.org"), ("access-control-request-method", "POST")];
    let known = get("/v1/board.svg").header("etag").to_owned();
    let mut replies = vec![
        with_headers(Method::OPTIONS, "/v1/evaluate", &preflight),
        with_headers(Method::GET, "/v1/board.svg", &[("if-none-match", &known)]),
        with_headers(Method::HEAD, "/v1/evaluate", &[]),
        with_headers(Method::PUT, "/v1/evaluate", &[]),
    ];
    let paths = [
        "/v1/evaluate",
        "/v1/evaluate?fen=x",
        "/v1/nothing",
        "/healthz",
        "/metrics",
        "/openapi.json",
        "/v1/board.svg",
    ];
    replies.extend(paths.iter().chain(HTML).map(|path| get(path)));
    assert_eq!(replies[1].status, 304);
    for reply in replies {
        let headers = ["x-content-type-options", "referrer-policy", "cross-origin-resource-policy"];
        assert_eq!(
            headers.map(|name| reply.header(name)),
            ["nosniff", "no-referrer", "cross-origin"],
            "{:?}",
            reply.headers
        );
        assert_eq!(reply.header("strict-transport-security"), "", "that is for TLS alone");
    }
}

#[test]
fn pages_and_pictures_may_load_nothing_of_others() {
    for path in HTML {
        let page = get(path);
        let policy = page.header("content-security-policy");
        for rule in [
            "default-src 'none'",
            "script-src 'self'",
            "connect-src 'self'",
            "frame-ancestors 'none'",
            "base-uri 'none'",
        ] {
            assert!(policy.split("; ").any(|it| it == rule), "{path}: {rule} in {policy}");
        }
        assert_eq!(page.header("x-frame-options"), "DENY", "{path}");
        let text = String::from_utf8(page.bytes.to_vec()).unwrap();
        assert!(
            text.split("<script").skip(1).all(|tag| tag.split('>').next().unwrap().contains("src=")),
            "{path}: {text}"
        );
    }
    let known = get("/").header("etag").to_owned();
    let again = with_headers(Method::GET, "/", &[("if-none-match", &known)]);
    assert_eq!(again.status, 304);
    assert!(
        again.header("content-security-policy").contains("script-src"),
        "the copy that is kept has it too"
    );
    for (path, accept) in [("/v1/board.svg", "*/*"), ("/v1/eval-breakdown", "image/svg+xml")] {
        let picture = with_headers(Method::GET, path, &[("accept", accept)]);
        assert_eq!(picture.header("content-type"), "image/svg+xml", "{path}");
        assert_eq!(
            picture.header("content-security-policy"),
            "default-src 'none'; style-src 'unsafe-inline'",
            "{path}"
        );
        assert_eq!(picture.header("x-frame-options"), "");
    }
    assert_eq!(get("/v1/evaluate").header("content-security-policy"), "", "there is nothing to load in it");
}

#[test]
fn what_not_every_page_may_call_not_every_page_may_show() {
    let origins = vec!["https://example.org".to_owned()];
    let service = api::service(AppState::new(Limits::DEFAULT, origins, Arc::new(pools(1, 1))));
    let ask = |path: &str, headers: &[(&str, &str)]| {
        let reply = send_to(service.clone(), from("192.0.2.1", Method::GET, path, headers));
        assert!(reply.headers.get_all("vary").iter().any(|name| name == "origin"), "for caches");
        reply
    };
    for (origin, policy) in [("https://example.org", "cross-origin"), ("https://example.com", "same-origin")]
    {
        let reply = ask("/v1/evaluate", &[("origin", origin)]);
        assert_eq!(reply.header("cross-origin-resource-policy"), policy, "{origin}");
    }
    assert_eq!(ask("/v1/evaluate", &[]).header("cross-origin-resource-policy"), "same-origin");
    // An <img> says nothing of its page, and takes no picture that is not for it: neither a new one nor one that it has.
    let picture = ask("/v1/board.svg", &[]);
    let known = ask("/v1/board.svg", &[("if-none-match", picture.header("etag"))]);
    let explained = ask("/v1/eval-breakdown", &[("accept", "image/svg+xml,image/*;q=0.8")]);
    assert_eq!([&picture, &known, &explained].map(|reply| reply.status.as_u16()), [200, 304, 200]);
    for reply in [picture, known, explained] {
        assert_eq!(reply.header("cross-origin-resource-policy"), "cross-origin", "{:?}", reply.headers);
        assert_eq!(reply.header("access-control-allow-origin"), "", "to show is not to read");
    }
}
