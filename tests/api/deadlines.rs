//! What becomes of a search that is out of time, or needs none.

use std::thread;
use std::time::Duration;

use axum::body::Body;
use axum::http::Request;
use centipawn::api::{Service, service};
use serde_json::{Value, json};

use crate::client::{Reply, query, send_to, state};

fn get_from(service: &Service, path: &str, fields: &Value) -> Reply {
    send_to(service.clone(), Request::get(format!("{path}?{}", query(fields))).body(Body::empty()).unwrap())
}

#[test]
fn a_deterministic_search_that_is_cut_short_says_by_what() {
    let fields = json!({ "depth": 90, "deterministic": true });
    let timed = json!({ "depth": 90, "deterministic": true, "timeoutMs": 100 });
    let state = state(1, 1);
    let service = service(state.clone());
    let reply = get_from(&service, "/v1/best-move", &timed);
    assert_eq!((reply.status.as_u16(), &reply.json()["code"]), (504, &json!("timeout")));
    let searching = {
        let service = service.clone();
        thread::spawn(move || get_from(&service, "/v1/best-move", &fields))
    };
    while state.pools().interactive.snapshot().running == 0 {
        thread::sleep(Duration::from_millis(1));
    }
    state.pools().drain(Duration::ZERO);
    let reply = searching.join().unwrap();
    assert_eq!((reply.status.as_u16(), &reply.json()["code"]), (503, &json!("draining")));
    assert_eq!(reply.header("retry-after"), "1");
}
