//! What is said where there is more work than threads, and where the end is near.

use std::thread;
use std::time::{Duration, Instant};

use axum::body::Body;
use axum::http::Request;
use centipawn::api::{Service, service};

use crate::client::{Reply, send_to, state};

fn get_from(service: &Service, path: &str) -> Reply {
    send_to(service.clone(), Request::get(path).body(Body::empty()).unwrap())
}

/// Refused for now, with the time to come back.
fn assert_unavailable(reply: &Reply, code: &str) {
    assert_eq!((reply.status.as_u16(), &reply.json()["code"]), (503, &code.into()), "{:?}", reply.bytes);
    assert!(reply.header("retry-after").parse::<u64>().unwrap() >= 1);
}

#[test]
fn a_full_queue_refuses_searches_and_nothing_else() {
    let service = service(state(1, 1));
    let long = |service: Service| move || get_from(&service, "/v1/best-move?movetime=1500");
    let begun = Instant::now();
    let first = thread::spawn(long(service.clone()));
    thread::sleep(Duration::from_millis(200));
    let second = thread::spawn(long(service.clone()));
    thread::sleep(Duration::from_millis(200));
    for path in ["/v1/best-move?depth=1", "/v1/evaluate?depth=1", "/v1/evaluate?quiescence=true"] {
        assert_unavailable(&get_from(&service, path), "queue_full");
    }
    for path in ["/v1/evaluate", "/v1/eval-breakdown", "/v1/best-move?strategy=greedy", "/healthz", "/readyz"]
    {
        assert_eq!(get_from(&service, path).status, 200, "{path}");
    }
    assert!(begun.elapsed() < Duration::from_millis(1500), "nothing waited for the search");
    assert_eq!(first.join().unwrap().status, 200);
    // The second one's time was over before a thread was free, or it had next to nothing of it left.
    assert!([200, 503].contains(&second.join().unwrap().status.as_u16()));
}

#[test]
fn a_server_that_shuts_down_says_so() {
    let state = state(1, 4);
    let service = service(state.clone());
    state.close();
    assert_unavailable(&get_from(&service, "/v1/best-move?depth=1"), "draining");
    assert_unavailable(&get_from(&service, "/readyz"), "draining");
    for path in ["/v1/evaluate", "/healthz"] {
        assert_eq!(get_from(&service, path).status, 200, "{path}");
    }
}

#[test]
fn a_client_that_leaves_stops_its_search() {
    let service = service(state(1, 1));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let request = Request::get("/v1/best-move?movetime=20000").body(Body::empty()).unwrap();
        let left = tower::ServiceExt::oneshot(service.clone(), request);
        assert!(tokio::time::timeout(Duration::from_millis(100), left).await.is_err());
    });
    let begun = Instant::now();
    assert_eq!(get_from(&service, "/v1/best-move?depth=1").status, 200);
    assert!(begun.elapsed() < Duration::from_secs(5), "the one thread is free again");
}
