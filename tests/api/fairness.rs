//! Clients among each other, and what is told of the threads: over HTTP, told apart by the addresses they come from.

use std::net::IpAddr;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use axum::body::Body;
use axum::http::Request;
use centipawn::api::{AppState, Guard, Peer, Service, service};
use centipawn::config::Limits;
use centipawn::pool::{Client, Pools, Start, Timing};
use serde_json::Value;

use crate::client::{Reply, pools, send_to};
use crate::guarded::{self, entry, keys, options};

const ONE: &str = "192.0.2.1";
const OTHER: &str = "192.0.2.2";

fn state(pools: Pools) -> AppState {
    AppState::new(Limits::DEFAULT, vec!["*".to_owned()], Arc::new(pools))
}

fn get_as(service: &Service, address: &str, path: &str) -> Reply {
    let mut request = Request::get(path).body(Body::empty()).unwrap();
    request.extensions_mut().insert(Peer(address.parse::<IpAddr>().unwrap()));
    send_to(service.clone(), request)
}

/// A client that waits for its answer on a thread of its own.
fn ask_as(service: &Service, address: &'static str, path: &'static str) -> thread::JoinHandle<Reply> {
    let service = service.clone();
    thread::spawn(move || get_as(&service, address, path))
}

fn eventually(what: &str, condition: impl Fn() -> bool) {
    let begun = Instant::now();
    while !condition() {
        assert!(begun.elapsed() < Duration::from_secs(30), "{what} within 30 s");
        thread::sleep(Duration::from_millis(1));
    }
}

/// Refused for now, with the time to come back.
fn assert_refused(reply: &Reply, status: u16, code: &str) {
    assert_eq!((reply.status.as_u16(), &reply.json()["code"]), (status, &code.into()), "{:?}", reply.bytes);
    assert!(reply.header("retry-after").parse::<u64>().unwrap() >= 1);
}

#[test]
fn a_client_has_no_more_searches_than_it_may() {
    let state = state(pools(1, 8).with_searches_per_client(NonZeroUsize::new(1)));
    let service = service(state.clone());
    let first = ask_as(&service, ONE, "/v1/best-move?movetime=3000");
    eventually("it runs", || state.pools().interactive.snapshot().running == 1);
    for path in [
        "/v1/best-move?depth=1",
        "/v1/best-move?depth=1&deterministic=true",
        "/v1/evaluate?depth=1",
        "/v1/evaluate?quiescence=true",
        "/v1/eval-breakdown?searched=true&depth=1",
        "/api/cloud-eval?fen=r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R_w_KQkq_-_2_3",
    ] {
        assert_refused(&get_as(&service, ONE, path), 429, "too_many_searches");
    }
    assert_eq!(get_as(&service, ONE, "/v1/evaluate").status, 200, "what needs no search is free");
    assert_eq!(get_as(&service, OTHER, "/v1/best-move?movetime=10000&timeoutMs=10000").status, 200);
    assert_eq!(first.join().unwrap().status, 200);
}

#[test]
fn a_key_may_have_a_bound_of_its_own() {
    let keys = keys(&[entry("cpk_alice", "searches = 2"), entry("cpk_bob", "")]);
    let guard = Guard::new(&options(&["--api-keys", "keys.toml"]), Some(keys)).map(Arc::new);
    let state = state(pools(1, 8).with_searches_per_client(NonZeroUsize::new(1))).with_guard(guard);
    let service = service(state.clone());
    let ask = |key: &'static str, path: &'static str| {
        let service = service.clone();
        thread::spawn(move || guarded::get(&service, path, &[("x-api-key", key)]))
    };
    let seen = || state.pools().interactive.snapshot();
    let first = ask("cpk_alice", "/v1/best-move?movetime=3000");
    eventually("it runs", || seen().running == 1);
    let second = ask("cpk_alice", "/v1/best-move?depth=1");
    eventually("it waits", || seen().waiting == 1);
    let third = ask("cpk_alice", "/v1/best-move?depth=1").join().unwrap();
    assert_refused(&third, 429, "too_many_searches");
    assert!(third.json()["detail"].as_str().unwrap().contains("may have 2 of these"), "{:?}", third.bytes);
    let other = ask("cpk_bob", "/v1/best-move?depth=1");
    eventually("the other's waits too", || seen().waiting == 2);
    assert_refused(&ask("cpk_bob", "/v1/best-move?depth=1").join().unwrap(), 429, "too_many_searches");
    assert!([first, second, other].into_iter().all(|answer| answer.join().unwrap().status == 200));
}

#[test]
fn a_bound_on_searches_is_none_on_those_of_a_batch_or_a_review() {
    let keys = keys(&[entry("cpk_alice", "searches = 1")]);
    let guard = Guard::new(&options(&["--api-keys", "keys.toml"]), Some(keys)).map(Arc::new);
    let state = state(pools(2, 8)).with_guard(guard);
    let service = service(state.clone());
    let post = |path: &str, body: String| {
        let request = Request::post(path).header("content-type", "application/json");
        send_to(service.clone(), request.header("x-api-key", "cpk_alice").body(Body::from(body)).unwrap())
    };
    let items = vec![r#"{"nodes": 2000}"#; 32].join(",");
    let answers = post("/v1/evaluate/batch", format!("[{items}]")).ok();
    let searched = |answer: &Value| answer["search"].is_object();
    assert!(answers.as_array().unwrap().iter().all(searched), "{answers}");
    let review =
        post("/v1/games/review", r#"{"moves": "e4 e5 Nf3 Nc6 Bb5 a6 Ba4", "nodes": 2000}"#.to_owned());
    assert_eq!(review.ok()["games"][0]["plies"].as_array().unwrap().len(), 7);
    let ask = |path: &'static str| {
        let service = service.clone();
        thread::spawn(move || guarded::get(&service, path, &[("x-api-key", "cpk_alice")]))
    };
    let single = ask("/v1/best-move?movetime=3000");
    eventually("it runs", || state.pools().interactive.snapshot().running == 1);
    assert_refused(&ask("/v1/best-move?depth=1").join().unwrap(), 429, "too_many_searches");
    assert_eq!(single.join().unwrap().status, 200);
}

#[test]
fn who_has_most_in_a_full_queue_makes_room() {
    let state = state(pools(1, 2));
    let service = service(state.clone());
    let seen = || state.pools().interactive.snapshot();
    let busy = ask_as(&service, ONE, "/v1/best-move?movetime=3000");
    eventually("it runs", || seen().running == 1);
    let [first, second] = [(); 2].map(|()| ask_as(&service, ONE, "/v1/best-move?depth=1"));
    eventually("they wait", || seen().waiting == 2);
    let newcomer = ask_as(&service, OTHER, "/v1/best-move?depth=1");
    eventually("one makes room", || seen().displaced == 1);
    let replies = [first, second].map(|client| client.join().unwrap());
    let (served, displaced): (Vec<_>, Vec<_>) = replies.iter().partition(|reply| reply.status == 200);
    assert_eq!((served.len(), displaced.len()), (1, 1));
    assert_refused(displaced[0], 503, "queue_full");
    assert_eq!(newcomer.join().unwrap().status, 200);
    assert_eq!(busy.join().unwrap().status, 200);
}

#[test]
fn a_client_has_no_more_than_its_share_of_batches() {
    let state = state(pools(1, 2));
    let service = service(state.clone());
    let batch = |address: &str| {
        let request = Request::post("/v1/evaluate/batch").header("content-type", "application/json");
        let mut request = request.body(Body::from("[{}]")).unwrap();
        request.extensions_mut().insert(Peer(address.parse::<IpAddr>().unwrap()));
        request
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let begun = tower::ServiceExt::oneshot(service.clone(), batch(ONE));
    let held = runtime.block_on(begun).unwrap();
    assert_eq!(held.status(), 200);
    assert_refused(&send_to(service.clone(), batch(ONE)), 429, "too_many_searches");
    assert_eq!(send_to(service.clone(), batch(OTHER)).status, 200);
    // Without a place the body of a review is not even read: this one is no JSON.
    let review = || {
        let request = Request::post("/v1/games/review").header("content-type", "application/json");
        let mut request = request.body(Body::from("hello")).unwrap();
        request.extensions_mut().insert(Peer(ONE.parse::<IpAddr>().unwrap()));
        request
    };
    assert_refused(&send_to(service.clone(), review()), 429, "too_many_searches");
    drop(held);
    assert_eq!(send_to(service.clone(), review()).status, 400);
    assert_eq!(send_to(service.clone(), batch(ONE)).status, 200, "the place is free again");
    let _others = [(); 2].map(|()| state.pools().begin_bulk(Client::UNKNOWN).map_err(|_| "refused").unwrap());
    assert_refused(&send_to(service, batch(ONE)), 503, "queue_full");
}

#[test]
fn a_review_keeps_its_place_until_it_is_taken() {
    let state = state(pools(1, 2));
    let service = service(state.clone());
    for (accept, body) in [
        ("application/json", r#"{"moves": "e4 e5", "depth": 1}"#),
        ("application/x-chess-pgn", r#"{"moves": "e4 e5", "depth": 1}"#),
    ] {
        let review = |address: &str| {
            let request = Request::post("/v1/games/review").header("content-type", "application/json");
            let mut request = request.header("accept", accept).body(Body::from(body)).unwrap();
            request.extensions_mut().insert(Peer(address.parse::<IpAddr>().unwrap()));
            request
        };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let untaken = runtime.block_on(tower::ServiceExt::oneshot(service.clone(), review(ONE))).unwrap();
        assert_eq!(untaken.status(), 200);
        assert_refused(&send_to(service.clone(), review(ONE)), 429, "too_many_searches");
        drop(untaken);
        assert_eq!(send_to(service.clone(), review(ONE)).status, 200, "the place is free again");
    }
}

#[test]
fn readiness_knows_of_threads_that_are_lost() {
    let state = state(pools(1, 2));
    let service = service(state.clone());
    let release = Arc::new(AtomicBool::new(false));
    let released = Arc::clone(&release);
    let timing = Timing { start: Start::Work, movetime: None, timeout: Duration::from_millis(10) };
    let deaf = state.pools().bulk.run(Client::UNKNOWN, timing, move |_| {
        while !released.load(Ordering::SeqCst) {
            thread::sleep(Duration::from_millis(1));
        }
    });
    let ready = || get_as(&service, ONE, "/readyz");
    assert_eq!(ready().status, 200, "it may still hear");
    eventually("it is missed", || ready().status != 200);
    assert_refused(&ready(), 503, "no_workers");
    assert_eq!(get_as(&service, ONE, "/healthz").status, 200);
    release.store(true, Ordering::SeqCst);
    assert_eq!(deaf.unwrap().wait(), Ok(()));
    eventually("it is back", || ready().status == 200);
}
