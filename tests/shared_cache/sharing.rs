//! What one service has found, another one need not search for.

use std::sync::Barrier;
use std::thread;

use centipawn::pool::BreakerState;
use centipawn::shared_cache::Address;

use crate::house::{Embedded, House, question, settings};
use crate::server::{self, Server};

const ASKED: [&str; 6] = [
    "/v1/best-move?nodes=2000&deterministic=true",
    "/v1/best-move?depth=5&deterministic=true&multiPv=4",
    "/v1/best-move?depth=4&deterministic=true&searchMoves=a3+h3",
    "/v1/best-move?nodes=3000&deterministic=true&elo=1200",
    "/v1/best-move?depth=4&deterministic=true&fen=6k1/5ppp/8/8/8/8/q4PPP/3R2K1_w_-_-_0_30",
    "/v1/eval-breakdown?searched=true&nodes=1500&deterministic=true&evaluator=pieces",
];

#[test]
fn the_second_service_answers_from_the_cache_of_the_first() {
    if !server::is_there("sharing") {
        return;
    }
    let server = Server::start(&[]);
    let plain = House::alone();
    let [first, second] = [(); 2].map(|()| House::sharing(&server.url(), Embedded::Roomy));
    first.wait_for_the_cache();
    second.wait_for_the_cache();
    for path in ASKED {
        let searched = first.get(path);
        assert_eq!(
            (searched.status, searched.cache_status()),
            (200, "centipawn; fwd=miss; stored"),
            "{path}"
        );
        assert_eq!(searched.bytes, plain.get(path).bytes);
    }
    first.wait_for_writes(ASKED.len() as u64);
    for path in ASKED {
        let shared = second.get(path);
        assert_eq!((shared.status, shared.cache_status()), (200, "centipawn; hit; detail=shared"), "{path}");
        let searched = plain.get(path);
        assert_eq!(shared.bytes, searched.bytes, "byte for byte: {path}");
        assert_eq!(shared.header("etag"), searched.header("etag"));
        assert_eq!(second.get(path).cache_status(), "centipawn; hit", "from here on it is the service's own");
    }
    assert_eq!(second.searches(), 0);
    let (results, shared) = (second.results(), second.shared());
    assert_eq!((results.hits, results.shared_hits, results.misses, results.joined), (6, 6, 0, 0));
    assert_eq!((shared.hits, shared.misses, shared.rejected, shared.state), (6, 0, 0, BreakerState::Closed));
    let metrics = String::from_utf8(second.get("/metrics").bytes.to_vec()).unwrap();
    for line in [
        "centipawn_result_cache_requests_total{outcome=\"shared_hit\"} 6",
        "centipawn_shared_cache_lookups_total{outcome=\"hit\"} 6",
        "centipawn_shared_cache_writes_total{outcome=\"dropped\"} 0",
        "centipawn_shared_cache_breaker{state=\"closed\"} 1",
        "centipawn_shared_cache_breaker{state=\"open\"} 0",
    ] {
        assert!(metrics.lines().any(|told| told == line), "{line}\n{metrics}");
    }
}

#[test]
fn values_are_small_and_end_some_day() {
    if !server::is_there("values") {
        return;
    }
    let server = Server::start(&[]);
    let house = House::sharing(&server.url(), Embedded::Roomy);
    house.wait_for_the_cache();
    for path in ASKED {
        house.get(path);
    }
    house.wait_for_writes(ASKED.len() as u64);
    let keys = server.keys();
    assert_eq!(keys.len(), ASKED.len());
    for key in keys {
        let bytes: usize = server.ask(&["STRLEN", &key])[1..].trim().parse().unwrap();
        assert!((40..400).contains(&bytes), "{bytes} bytes");
        let seconds: i64 = server.ask(&["TTL", &key])[1..].trim().parse().unwrap();
        assert!((1..=60).contains(&seconds), "{seconds} seconds to live");
        assert!(key.starts_with(concat!("centipawn:1:", env!("CARGO_PKG_VERSION"), ":")), "{key}");
    }
}

#[test]
fn another_engine_reads_nothing_of_it() {
    if !server::is_there("versions") {
        return;
    }
    let server = Server::start(&[]);
    let ours = House::sharing(&server.url(), Embedded::Full);
    let address = Address::single(&[&server.url()], None).unwrap();
    let mut theirs = settings(address);
    theirs.engine = "another engine";
    let theirs = House::with_settings(theirs, Embedded::Full);
    ours.wait_for_the_cache();
    theirs.wait_for_the_cache();
    ours.get(ASKED[0]);
    ours.wait_for_writes(1);
    assert_eq!(theirs.get(ASKED[0]).cache_status(), "centipawn; fwd=miss; stored");
    theirs.wait_for_writes(1);
    assert_eq!((theirs.shared().misses, theirs.shared().rejected, server.keys().len()), (1, 0, 2));
    assert_eq!(ours.get(ASKED[0]).cache_status(), "centipawn; hit; detail=shared");
}

#[test]
fn many_equal_requests_are_one_look_up() {
    const CLIENTS: usize = 16;
    if !server::is_there("coalescing") {
        return;
    }
    let server = Server::start(&[]);
    let house = House::sharing(&server.url(), Embedded::Roomy);
    house.wait_for_the_cache();
    house.get(&question(0));
    let ask_all = |path: &str| {
        let before = (house.shared(), house.searches());
        let start = Barrier::new(CLIENTS);
        thread::scope(|scope| {
            let ask = || {
                start.wait();
                house.get(path)
            };
            let clients: Vec<_> = (0..CLIENTS).map(|_| scope.spawn(ask)).collect();
            for client in clients {
                assert_eq!(client.join().unwrap().status, 200);
            }
        });
        let after = house.shared();
        let look_ups = after.hits + after.misses - before.0.hits - before.0.misses;
        (look_ups, house.searches() - before.1)
    };
    assert_eq!(
        ask_all("/v1/best-move?nodes=20000&deterministic=true"),
        (1, 1),
        "looked up and searched once"
    );
    // What another service has written meanwhile is looked up once too.
    let other = House::sharing(&server.url(), Embedded::Roomy);
    other.wait_for_the_cache();
    other.get(&question(1));
    other.wait_for_writes(1);
    assert_eq!(ask_all(&question(1)), (1, 0), "looked up once, not searched");
}

#[test]
fn nothing_but_deterministic_searches_is_shared() {
    if !server::is_there("what is shared") {
        return;
    }
    let server = Server::start(&[]);
    let house = House::sharing(&server.url(), Embedded::Roomy);
    house.wait_for_the_cache();
    for path in ["/v1/best-move?nodes=500", "/v1/best-move?movetime=10", "/v1/evaluate", "/v1/terms"] {
        house.get(path);
    }
    let shared = house.shared();
    assert_eq!((shared.hits + shared.misses + shared.skipped, shared.written), (0, 0));
    assert_eq!(server.keys().len(), 0);
}
