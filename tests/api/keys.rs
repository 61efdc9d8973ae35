//! API keys: what they open, what happens without, and what an answer tells of them.

use axum::http::Method;
use centipawn::api::document;
use serde_json::Value;

use crate::client::send_to;
use crate::guarded::{entry, from, get, guarded, keys, options};

const PATH: &str = "/v1/evaluate";
const ALICE: (&str, &str) = ("x-api-key", "cpk_alice");

#[test]
fn without_settings_there_is_no_guard() {
    assert!(centipawn::api::Guard::new(&options(&[]), None).is_none());
}

#[test]
fn the_api_needs_a_key_and_what_explains_it_does_not() {
    let (_, service) = guarded(&[], Some(keys(&[entry("cpk_alice", "")])));
    let document: Value = serde_json::from_str(&document()).unwrap();
    for (path, operations) in document["paths"].as_object().unwrap() {
        let is_api = path.starts_with("/v1/") || path.starts_with("/api/");
        for method in operations.as_object().unwrap().keys() {
            let method: Method = method.to_uppercase().parse().unwrap();
            let reply = send_to(service.clone(), from("192.0.2.1", method.clone(), path, &[]));
            assert_eq!(reply.status == 401, is_api, "{method} {path}: {}", reply.status);
        }
    }
    for path in ["/", "/docs/", "/openapi.json", "/healthz", "/readyz", "/docs/swagger-ui.css"] {
        assert_eq!(get(&service, path, &[]).status, 200, "{path}");
    }
    for path in ["/v1/nothing", "/api/nothing", "/v1/"] {
        assert_eq!(
            get(&service, path, &[]).status,
            401,
            "{path}: what there is, is told to those with a key"
        );
        assert_eq!(get(&service, path, &[ALICE]).status, 404, "{path}");
    }
    assert_eq!(send_to(service.clone(), from("192.0.2.1", Method::HEAD, PATH, &[])).status, 401);
    for path in
        ["//v1/evaluate", "/V1/evaluate", "/%76%31/evaluate", "/./v1/evaluate", "/docs/../v1/evaluate"]
    {
        assert_eq!(get(&service, path, &[]).status, 404, "{path} is no way round");
    }
}

#[test]
fn a_key_is_sent_in_either_header() {
    let (_, service) = guarded(&[], Some(keys(&[entry("cpk_alice", ""), entry("cpk_bob", "")])));
    for headers in [
        &[ALICE][..],
        &[("x-api-key", "cpk_bob")],
        &[("authorization", "Bearer cpk_bob")],
        &[("authorization", "bearer   cpk_bob ")],
        &[("authorization", "Bearer cpk_alice"), ALICE],
        &[("authorization", "Basic dXNlcjpwYXNz"), ALICE],
    ] {
        assert_eq!(get(&service, PATH, headers).status, 200, "{headers:?}");
    }
    let long = "cpk_".repeat(1000);
    for headers in [
        &[][..],
        &[("authorization", "Basic dXNlcjpwYXNz")],
        &[("authorization", "cpk_alice")],
        &[("authorization", "Bearercpk_alice")],
        &[("authorization", "Bearer")],
        &[("authorization", "Bearer cpk_alicf")],
        &[("x-api-key", "")],
        &[("x-api-key", "cpk_alice2")],
        &[("x-api-key", "CPK_ALICE")],
        &[("x-api-key", "alice")],
        &[("x-api-key", &long)],
        &[ALICE, ("x-api-key", "cpk_bob")],
        &[("authorization", "Bearer cpk_bob"), ALICE],
    ] {
        let reply = get(&service, PATH, headers);
        assert_eq!(
            (reply.status.as_u16(), reply.json()["code"].as_str()),
            (401, Some("unauthorized")),
            "{headers:?}"
        );
        assert!(reply.header("www-authenticate").starts_with("Bearer realm="), "{headers:?}");
    }
    assert_eq!(
        get(&service, "/v1/evaluate?api_key=cpk_alice", &[]).status,
        401,
        "an address is no place for a key"
    );
}

#[test]
fn an_answer_does_not_tell_how_near_a_key_was() {
    let hash = centipawn::config::KeyHash::of(b"cpk_alice").hexadecimal();
    let (_, service) = guarded(&[], Some(keys(&[entry("cpk_alice", "")])));
    let answers = ["cpk_alicf", "x", "cpk_alice0", &hash].map(|key| {
        let reply = get(&service, PATH, &[("x-api-key", key), ("x-request-id", "the-same")]);
        let mut headers: Vec<_> =
            reply.headers.iter().map(|(name, value)| format!("{name}: {value:?}")).collect();
        headers.sort();
        (reply.status, headers, reply.bytes)
    });
    assert!(answers.windows(2).all(|pair| pair[0] == pair[1]), "{answers:?}");
}

#[test]
fn anonymous_clients_may_be_let_in_but_no_wrong_key() {
    let (_, service) = guarded(&["--anonymous", "allow"], Some(keys(&[entry("cpk_alice", "")])));
    assert_eq!(get(&service, PATH, &[]).status, 200);
    assert_eq!(get(&service, PATH, &[ALICE]).status, 200);
    assert_eq!(get(&service, PATH, &[("authorization", "Basic dXNlcjpwYXNz")]).status, 200, "that is no key");
    let wrong = get(&service, PATH, &[("x-api-key", "cpk_mallory")]);
    assert_eq!(wrong.status, 401);
    assert!(wrong.header("www-authenticate").contains("error=\"invalid_token\""));
}

#[test]
fn a_key_expires() {
    let entries = [
        entry("cpk_old", "expires = 2020-01-01T00:00:00Z"),
        entry("cpk_new", "expires = 2999-01-01T00:00:00Z"),
    ];
    let (_, service) = guarded(&["--anonymous", "allow"], Some(keys(&entries)));
    assert_eq!(get(&service, PATH, &[("x-api-key", "cpk_new")]).status, 200);
    let expired = get(&service, PATH, &[("x-api-key", "cpk_old")]);
    assert_eq!(expired.status, 401);
    assert!(expired.json()["detail"].as_str().unwrap().contains("expired"));
}

#[test]
fn keys_are_replaced_while_the_service_runs() {
    let limited = |name, burst| entry(name, &format!("rate = 0.001\nburst = {burst}"));
    let (guard, service) =
        guarded(&[], Some(keys(&[limited("cpk_alice", 2), limited("cpk_bob", 2), entry("cpk_carol", "")])));
    let status = |key| get(&service, PATH, &[("x-api-key", key)]).status.as_u16();
    assert_eq!([status("cpk_alice"), status("cpk_alice"), status("cpk_alice")], [200, 200, 429]);
    assert_eq!([status("cpk_bob"), status("cpk_bob"), status("cpk_bob")], [200, 200, 429]);
    assert_eq!((status("cpk_carol"), status("cpk_dave")), (200, 401));
    guard.replace_keys(keys(&[limited("cpk_dave", 1), limited("cpk_bob", 4), limited("cpk_alice", 2)]));
    assert_eq!(status("cpk_alice"), 429, "a key that is kept does not begin anew");
    assert_eq!([status("cpk_bob"), status("cpk_bob")], [200, 200], "one whose limit was changed does");
    assert_eq!((status("cpk_carol"), status("cpk_dave")), (401, 200));
}

#[test]
fn a_page_can_read_why_it_is_refused() {
    let (_, service) = guarded(&["--rate-limit", "5"], Some(keys(&[entry("cpk_alice", "")])));
    let origin = ("origin", "https://example.org");
    let preflight = send_to(
        service.clone(),
        from(
            "192.0.2.1",
            Method::OPTIONS,
            PATH,
            &[
                origin,
                ("access-control-request-method", "POST"),
                ("access-control-request-headers", "authorization,x-api-key,content-type"),
            ],
        ),
    );
    assert_eq!(preflight.status, 200);
    let allowed = preflight.header("access-control-allow-headers").to_lowercase();
    assert!(allowed.contains("authorization") && allowed.contains("x-api-key"), "{allowed}");
    let refused = get(&service, PATH, &[origin]);
    assert_eq!((refused.status.as_u16(), refused.header("access-control-allow-origin")), (401, "*"));
    let exposed = refused.header("access-control-expose-headers");
    for name in ["ratelimit", "ratelimit-policy", "ratelimit-remaining", "retry-after", "www-authenticate"] {
        assert!(exposed.split(',').any(|it| it.trim() == name), "{name} in {exposed}");
    }
}

#[test]
fn what_needs_a_key_is_kept_by_its_owner_alone() {
    let (_, service) = guarded(&[], Some(keys(&[entry("cpk_alice", "")])));
    let control = |path| get(&service, path, &[ALICE]).header("cache-control").to_owned();
    assert_eq!(control(PATH), "private, max-age=3600");
    assert_eq!(control("/v1/board.svg"), "private, max-age=3600");
    assert_eq!(control("/v1/limits"), "no-cache");
    assert_eq!(control("/v1/best-move?depth=1"), "no-store");
    assert_eq!(get(&service, PATH, &[]).header("cache-control"), "no-store");
    let posted = send_to(service.clone(), from("192.0.2.1", Method::POST, PATH, &[ALICE]));
    assert_eq!(posted.header("cache-control"), "no-store");
}

#[test]
fn no_answer_repeats_a_key() {
    let (_, service) = guarded(&[], Some(keys(&[entry("cpk_alice", "")])));
    for (path, headers) in [
        ("/v1/evaluate?api_key=cpk_secret", &[ALICE][..]),
        ("/v1/evaluate?fen=cpk_other", &[("authorization", "Bearer cpk_secret")]),
        ("/v1/cpk_nothing", &[("x-api-key", "cpk_secret")]),
        ("/metrics", &[("x-api-key", "cpk_secret")]),
    ] {
        let reply = get(&service, path, headers);
        let text = format!("{:?} {:?}", reply.headers, reply.bytes);
        assert!(!text.contains("cpk_secret") && !text.contains("cpk_alice"), "{path}: {text}");
    }
}
