//! Rate limits: who is counted, by what, and what they are told. The rates are so low that nothing comes back during a test.

use std::iter;

use axum::http::Method;

use crate::client::{Reply, send_to};
use crate::guarded::{entry, from, get, get_from, guarded, keys};

const PATH: &str = "/v1/evaluate";
/// A request in a thousand seconds, and so many at once.
const THREE: &[&str] = &["--rate-limit", "0.001", "--rate-burst", "3"];
const ONE: &[&str] = &["--rate-limit", "0.001", "--rate-burst", "1"];

#[test]
fn who_asks_too_often_is_told_when_to_come_back() {
    let (_, service) = guarded(THREE, None);
    for left in [2, 1, 0] {
        let reply = get(&service, PATH, &[]);
        assert_eq!(
            (reply.status.as_u16(), reply.header("ratelimit-policy")),
            (200, "\"default\";q=3;w=3000")
        );
        let wait = if left == 0 { 1000 } else { (3 - left) * 1000 };
        assert_eq!(reply.header("ratelimit"), format!("\"default\";r={left};t={wait}"));
        assert_eq!(reply.header("ratelimit-limit"), "3");
        assert_eq!(reply.header("ratelimit-remaining"), left.to_string());
        assert_eq!(reply.header("ratelimit-reset"), wait.to_string());
    }
    let refused = get(&service, PATH, &[("origin", "https://example.org")]);
    assert_eq!((refused.status.as_u16(), refused.json()["code"].as_str()), (429, Some("rate_limited")));
    let wait: u64 = refused.header("retry-after").parse().unwrap();
    assert!((900..=1000).contains(&wait), "{wait}");
    assert_eq!(refused.header("ratelimit"), format!("\"default\";r=0;t={wait}"));
    assert_eq!(refused.header("ratelimit-reset"), wait.to_string());
    assert_eq!(refused.header("access-control-allow-origin"), "*");
    assert!(refused.header("access-control-expose-headers").contains("ratelimit-policy"));
    assert_eq!(refused.header("cache-control"), "no-store");
}

#[test]
fn every_answer_of_the_api_counts_and_nothing_else() {
    let (_, service) = guarded(THREE, None);
    for path in ["/", "/docs/", "/openapi.json", "/healthz", "/readyz", "/metrics", "/nothing"].repeat(3) {
        let reply = get(&service, path, &[]);
        assert_ne!(reply.status, 429, "{path}");
        assert_eq!(reply.header("ratelimit"), "", "{path}");
    }
    let preflight = [("origin", "https://example.org"), ("access-control-request-method", "POST")];
    for _ in 0..4 {
        assert_eq!(
            send_to(service.clone(), from("192.0.2.1", Method::OPTIONS, PATH, &preflight)).status,
            200
        );
    }
    let answers = [
        get(&service, "/v1/evaluate?fen=hello", &[]),
        get(&service, "/v1/nothing", &[]),
        send_to(service.clone(), from("192.0.2.1", Method::HEAD, PATH, &[])),
        get(&service, PATH, &[]),
    ];
    assert_eq!(answers.each_ref().map(|reply| reply.status.as_u16()), [400, 404, 200, 429]);
    assert!(answers.iter().all(|reply| reply.headers.contains_key("ratelimit")));
}

/// How many of four requests are answered.
fn answered(mut ask: impl FnMut() -> Reply) -> usize {
    iter::repeat_with(|| ask().status).take(4).filter(|status| *status == 200).count()
}

#[test]
fn each_address_is_a_client_and_of_ipv6_each_network() {
    let (_, service) = guarded(ONE, None);
    for (peer, expected) in [
        ("192.0.2.1", 1),
        ("192.0.2.2", 1),
        ("::ffff:192.0.2.1", 0),
        ("2001:db8::1", 1),
        ("2001:db8::ffff:ffff:ffff:ffff", 0),
        ("2001:db8:0:1::1", 1),
    ] {
        assert_eq!(answered(|| get_from(&service, peer, PATH, &[])), expected, "{peer}");
    }
}

#[test]
fn who_cannot_be_told_apart_is_counted_together() {
    let (_, service) = guarded(THREE, None);
    let nobody = || axum::http::Request::get(PATH).body(axum::body::Body::empty()).unwrap();
    assert_eq!(answered(|| send_to(service.clone(), nobody())), 3);
}

#[test]
fn nobody_is_another_by_saying_so() {
    let (_, service) = guarded(ONE, None);
    let mut number = 0;
    let claims = |number: usize| format!("203.0.113.{number}");
    let liar = || {
        number += 1;
        let claim = claims(number);
        let forwarded = format!("for={claim}");
        get(&service, PATH, &[("x-forwarded-for", &claim), ("forwarded", &forwarded), ("x-real-ip", &claim)])
    };
    assert_eq!(answered(liar), 1);
}

#[test]
fn a_trusted_proxy_says_whose_request_it_is() {
    let (_, service) = guarded(&[ONE, &["--trusted-proxies", "10.0.0.0/8,fd00::/8"]].concat(), None);
    let ask = |peer, hops: &str| get_from(&service, peer, PATH, &[("x-forwarded-for", hops)]);
    assert_eq!(answered(|| ask("10.0.0.1", "198.51.100.1")), 1);
    assert_eq!(answered(|| ask("10.0.0.2", "198.51.100.2")), 1, "another client of the same proxies");
    assert_eq!(answered(|| ask("10.0.0.2", "198.51.100.1")), 0, "the same client by another proxy");
    assert_eq!(answered(|| ask("198.51.100.1", "198.51.100.3")), 0, "the client itself, who is no proxy");
    // What a client writes into the header itself stands on the left.
    let mut number = 0;
    let liar = || {
        number += 1;
        ask("10.0.0.1", &format!("203.0.113.{number}, 198.51.100.4"))
    };
    assert_eq!(answered(liar), 1);
}

#[test]
fn a_key_has_its_own_limit_wherever_it_comes_from() {
    let entries = [
        entry("cpk_usual", ""),
        entry("cpk_own", "rate = 0.001\nburst = 2"),
        entry("cpk_free", "rate = 0"),
        entry("cpk_more", "burst = 3"),
    ];
    let (_, service) = guarded(&[ONE, &["--anonymous", "allow"]].concat(), Some(keys(&entries)));
    assert_eq!(answered(|| get(&service, PATH, &[])), 1);
    for (key, expected) in [("cpk_usual", 1), ("cpk_own", 2), ("cpk_free", 4), ("cpk_more", 3)] {
        let headers = [("x-api-key", key)];
        assert_eq!(answered(|| get(&service, PATH, &headers)), expected, "{key}");
        let elsewhere = if key == "cpk_free" { 4 } else { 0 };
        assert_eq!(
            answered(|| get_from(&service, "192.0.2.77", PATH, &headers)),
            elsewhere,
            "{key} from elsewhere"
        );
    }
    let wrong = [("x-api-key", "cpk_wrong")];
    assert_eq!(answered(|| get_from(&service, "192.0.2.78", PATH, &wrong)), 0);
    assert_eq!(
        answered(|| get_from(&service, "192.0.2.78", PATH, &[])),
        1,
        "what is refused for its key is not counted"
    );
    assert_eq!(get(&service, PATH, &wrong).status, 401, "and a wrong key is always that");
    assert!(!get(&service, PATH, &[("x-api-key", "cpk_free")]).headers.contains_key("ratelimit"));
}

#[test]
fn at_a_higher_rate_requests_are_let_in_again() {
    let (_, service) = guarded(&["--rate-limit", "20", "--rate-burst", "1"], None);
    // On a busy machine the next request comes so late that it is let in; one of a thousand does not.
    let refused =
        iter::repeat_with(|| get(&service, "/v1/nothing", &[])).take(1000).find(|reply| reply.status == 429);
    assert_eq!(refused.unwrap().header("retry-after"), "1");
    let mut again =
        iter::repeat_with(|| get(&service, "/v1/nothing", &[])).take_while(|reply| reply.status == 429);
    // Ends as soon as one is let in, which is so after 50 milliseconds.
    again.by_ref().for_each(drop);
}
