//! `best-move` told while the search runs.

use std::thread;
use std::time::{Duration, Instant};

use axum::body::Body;
use axum::http::{Method, Request, header};
use centipawn::api::{Service, service};
use http_body_util::BodyExt;
use serde_json::{Value, json};
use tower::ServiceExt;

use crate::client::{Reply, get, send, send_to, state, with_headers};

const LINES: &str = "application/x-ndjson";
const EVENTS: &str = "text/event-stream";

fn streamed(path: &str, accept: &str) -> Reply {
    with_headers(Method::GET, path, &[("accept", accept)])
}

/// From a service of its own: what takes long would keep other tests waiting.
fn streamed_from(service: &Service, path: &str, accept: &str) -> Reply {
    send_to(service.clone(), Request::get(path).header(header::ACCEPT, accept).body(Body::empty()).unwrap())
}

fn posted(body: &Value, accept: &str) -> Reply {
    let request = Request::post("/v1/best-move")
        .header(header::CONTENT_TYPE, "application/json")
        .header(header::ACCEPT, accept);
    send(request.body(Body::from(body.to_string())).unwrap())
}

/// The objects of a stream of lines; heartbeats are left out.
fn lines(reply: &Reply) -> Vec<Value> {
    assert_eq!(reply.status, 200, "{:?}", reply.bytes);
    assert_eq!(reply.header("content-type"), LINES);
    let text = std::str::from_utf8(&reply.bytes).unwrap();
    assert!(text.ends_with('\n'));
    text.lines().filter(|line| !line.is_empty()).map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The objects of a stream of events, each of which has to have the name of its event.
fn events(reply: &Reply) -> Vec<Value> {
    assert_eq!(reply.status, 200, "{:?}", reply.bytes);
    assert_eq!(reply.header("content-type"), EVENTS);
    let text = std::str::from_utf8(&reply.bytes).unwrap();
    assert!(text.ends_with("\n\n"));
    let told = text.split_terminator("\n\n").filter(|piece| !piece.starts_with(':'));
    told.map(|piece| {
        let (name, data) = piece.split_once('\n').unwrap();
        let object: Value = serde_json::from_str(data.strip_prefix("data: ").unwrap()).unwrap();
        assert_eq!(name.strip_prefix("event: ").unwrap(), object["event"], "{piece}");
        object
    })
    .collect()
}

/// The last object, which has to be the reply that comes without a stream.
fn without_event(told: &[Value]) -> Value {
    let mut last = told.last().unwrap().clone();
    assert_eq!(last.as_object_mut().unwrap().shift_remove("event").unwrap(), "bestmove");
    last
}

#[test]
fn every_iteration_is_told_and_then_the_reply() {
    let path = "/v1/best-move?moves=e4+e5+Nf3&depth=6&multiPv=3&deterministic=true&pov=turn";
    let plain = get(path).ok();
    let told = lines(&streamed(path, LINES));
    assert_eq!(told, events(&streamed(path, EVENTS)), "two forms of the same");
    assert_eq!(without_event(&told), plain);
    let infos = &told[..told.len() - 1];
    assert_eq!(
        infos.iter().map(|info| info["depth"].as_u64().unwrap()).collect::<Vec<_>>(),
        [1, 2, 3, 4, 5, 6]
    );
    for info in infos {
        assert_eq!((&info["event"], &info["pov"]), (&json!("info"), &json!("turn")));
        assert_eq!((&info["nps"], &info["time"]), (&Value::Null, &Value::Null), "nobody looked at a clock");
        let ranks: Vec<_> = info["pvs"].as_array().unwrap().iter().map(|line| &line["multipv"]).collect();
        assert_eq!(ranks, [1, 2, 3], "all lines together");
        assert!(info["pvs"][0]["bound"].is_string() && info["pvs"][0]["san"][0].is_string());
    }
    assert_eq!(infos[5]["pvs"], plain["pvs"]);
    let body =
        json!({ "moves": "e4 e5 Nf3", "depth": 6, "multiPv": 3, "deterministic": true, "pov": "turn" });
    assert_eq!(lines(&posted(&body, LINES)), told);
}

#[test]
fn a_clock_runs_along() {
    let told = events(&streamed_from(&service(state(1, 4)), "/v1/best-move?movetime=300", EVENTS));
    assert!(told.len() > 5, "{told:?}");
    let numbers = |name: &str| told.iter().map(|it| it[name].as_u64().unwrap()).collect::<Vec<_>>();
    for name in ["nodes", "time", "depth"] {
        assert!(numbers(name).is_sorted(), "{name}: {:?}", numbers(name));
    }
    assert!(numbers("nps").iter().all(|nps| *nps > 0));
    assert_eq!(told.last().unwrap()["stopReason"], "movetime");
    assert!(numbers("time").last().unwrap() >= &250);
}

#[test]
fn nobody_keeps_a_stream_back() {
    for accept in [LINES, EVENTS] {
        let reply = streamed("/v1/best-move?depth=1", accept);
        assert_eq!(reply.header("x-accel-buffering"), "no");
        assert_eq!(reply.header("cache-control"), "no-store");
        assert_eq!(reply.header("content-length"), "");
        assert!(!reply.header("x-request-id").is_empty());
        assert!(reply.header("vary").to_ascii_lowercase().contains("accept"));
    }
    assert_eq!(get("/v1/best-move?depth=1").header("vary"), "Accept");
}

#[test]
fn what_needs_no_search_is_told_at_once() {
    for path in [
        "/v1/best-move?strategy=greedy",
        "/v1/best-move?fen=7k/5Q2/6K1/8/8/8/8/8_b_-_-_0_1",
        "/v1/best-move?fen=7k/6Q1/6K1/8/8/8/8/8_b_-_-_0_1&depth=3&deterministic=true",
    ] {
        let told = lines(&streamed(path, LINES));
        assert_eq!(told.len(), 1, "{path}");
        let (mut told, mut plain) = (without_event(&told), get(path).ok());
        for name in ["time", "nps"] {
            (told[name], plain[name]) = (Value::Null, Value::Null);
        }
        assert_eq!(told, plain);
        assert_eq!(events(&streamed(path, EVENTS)).len(), 1);
    }
}

#[test]
fn a_weaker_opponent_is_told_too() {
    let told = lines(&streamed("/v1/best-move?elo=900&deterministic=true", LINES));
    assert_eq!(without_event(&told), get("/v1/best-move?elo=900&deterministic=true").ok());
    assert!(told.len() > 1);
}

#[test]
fn what_never_begins_is_an_error_like_any_other() {
    for (path, status, code) in [
        ("/v1/best-move?fen=hello", 400, "fen_syntax"),
        ("/v1/best-move?depth=0", 400, "invalid_field"),
        ("/v1/best-move?moves=e4+e4", 422, "illegal_move"),
        ("/v1/best-move?depth=90&deterministic=true&timeoutMs=0", 400, "invalid_field"),
    ] {
        for accept in [LINES, EVENTS] {
            let reply = streamed(path, accept);
            assert_eq!((reply.status.as_u16(), &reply.json()["code"]), (status, &json!(code)), "{path}");
            assert_eq!(reply.header("content-type"), "application/problem+json");
        }
    }
    let state = state(1, 4);
    let service = service(state.clone());
    state.close();
    let reply = streamed_from(&service, "/v1/best-move?depth=1", LINES);
    assert_eq!((reply.status.as_u16(), &reply.json()["code"]), (503, &json!("draining")));
}

#[test]
fn who_waits_for_an_engine_in_vain_is_told_so() {
    let service = service(state(1, 4));
    let busy = service.clone();
    let long = thread::spawn(move || {
        send_to(busy, Request::get("/v1/best-move?movetime=1500").body(Body::empty()).unwrap())
    });
    thread::sleep(Duration::from_millis(200));
    let reply = streamed_from(&service, "/v1/best-move?depth=1&timeoutMs=300", EVENTS);
    assert_eq!((reply.status.as_u16(), &reply.json()["code"]), (503, &json!("queue_full")));
    assert!(!reply.header("retry-after").is_empty());
    assert_eq!(long.join().unwrap().status, 200);
}

#[test]
fn what_is_lost_on_the_way_is_told_as_an_error() {
    let told = lines(&streamed_from(
        &service(state(1, 4)),
        "/v1/best-move?depth=90&deterministic=true&timeoutMs=400",
        LINES,
    ));
    assert!(told.len() > 2, "{told:?}");
    let (error, infos) = told.split_last().unwrap();
    assert!(infos.iter().all(|info| info["event"] == "info"));
    assert_eq!(
        (&error["event"], &error["code"], &error["status"]),
        (&json!("error"), &json!("timeout"), &json!(504))
    );
    assert!(error["detail"].as_str().unwrap().contains("deterministic"));
}

#[test]
fn silence_is_broken_by_heartbeats() {
    let state = state(1, 4);
    let service = service(state.clone());
    let busy = service.clone();
    let long = thread::spawn(move || {
        send_to(busy, Request::get("/v1/best-move?movetime=6500").body(Body::empty()).unwrap())
    });
    while state.pools().interactive.snapshot().running == 0 {
        thread::sleep(Duration::from_millis(1));
    }
    let waiting =
        [(LINES, "\n{\"event\":\"info\""), (EVENTS, ":\n\nevent: info\n")].map(|(accept, beginning)| {
            let service = service.clone();
            thread::spawn(move || {
                let request = Request::get("/v1/best-move?depth=3").header(header::ACCEPT, accept);
                let reply = send_to(service, request.body(Body::empty()).unwrap());
                let text = std::str::from_utf8(&reply.bytes).unwrap();
                assert!(text.starts_with(beginning), "{text}");
                assert_eq!(if accept == LINES { lines(&reply) } else { events(&reply) }.len(), 4);
            })
        });
    for thread in waiting {
        thread.join().unwrap();
    }
    assert_eq!(long.join().unwrap().status, 200);
}

#[test]
fn a_client_that_leaves_a_stream_stops_its_search() {
    let service = service(state(1, 1));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let request = Request::get("/v1/best-move?movetime=20000").header(header::ACCEPT, LINES);
        let reply = service.clone().oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
        let mut body = reply.into_body();
        assert!(body.frame().await.unwrap().unwrap().is_data());
        drop(body);
        // The task that tells it has a turn.
        tokio::time::sleep(Duration::from_millis(50)).await;
    });
    let begun = Instant::now();
    let next = send_to(service, Request::get("/v1/best-move?depth=1").body(Body::empty()).unwrap());
    assert_eq!(next.status, 200);
    assert!(begun.elapsed() < Duration::from_secs(5), "the one thread is free again");
}
