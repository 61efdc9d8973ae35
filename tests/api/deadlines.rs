//! What becomes of a search that is out of time, or needs none.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::thread;
use std::time::{Duration, Instant};

use axum::body::{Body, Bytes, HttpBody};
use axum::http::{Request, header};
use centipawn::api::{Service, service};
use http_body::Frame;
use serde_json::{Value, json};
use tokio::time::{Sleep, sleep};

use crate::client::{Reply, query, send, send_to, state};

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
    let _ = state.pools().drain(Duration::ZERO);
    let reply = searching.join().unwrap();
    assert_eq!((reply.status.as_u16(), &reply.json()["code"]), (503, &json!("draining")));
    assert_eq!(reply.header("retry-after"), "1");
}

/// A body that comes some time after its head.
struct Late {
    text: Option<Bytes>,
    pause: Option<Pin<Box<Sleep>>>,
}

impl HttpBody for Late {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let pause = self.pause.get_or_insert_with(|| Box::pin(sleep(LATE)));
        pause.as_mut().poll(context).map(|()| self.text.take().map(|text| Ok(Frame::data(text))))
    }
}

const LATE: Duration = Duration::from_millis(250);

/// The time to think began with the head of the request: what the body takes is part of it.
#[test]
fn time_counts_from_the_arrival_of_the_head() {
    let cases = [
        ("/v1/best-move", json!({ "movetime": 300 }), "/time"),
        ("/v1/evaluate", json!({ "movetime": 300 }), "/search/time"),
        ("/v1/eval-breakdown", json!({ "movetime": 300, "searched": true }), "/search/time"),
    ];
    for (path, fields, time) in cases {
        let late = Late { text: Some(fields.to_string().into()), pause: None };
        let request = Request::post(path).header(header::CONTENT_TYPE, "application/json");
        let begun = Instant::now();
        let body = send(request.body(Body::new(late)).unwrap()).ok();
        let took = begun.elapsed();
        assert!(took < Duration::from_millis(300) + LATE, "{path}: {took:?}");
        assert!(body.pointer(time).and_then(Value::as_u64) >= Some(300), "{path}: {body}");
    }
}

#[test]
fn a_game_that_is_over_needs_no_engine() {
    let state = state(1, 1);
    let service = service(state.clone());
    state.close();
    // Position, score.
    let cases = [
        ("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", json!({ "mate": 0 })),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", json!({ "cp": 0 })),
    ];
    for (fen, score) in cases {
        let body =
            get_from(&service, "/v1/evaluate", &json!({ "fen": fen, "quiescence": true, "depth": 3 })).ok();
        assert_eq!((&body["quiescence"], &body["search"]["stopReason"]), (&score, &json!("terminal")));
        let body = get_from(&service, "/v1/best-move", &json!({ "fen": fen })).ok();
        assert_eq!((&body["bestmove"], &body["stopReason"]), (&Value::Null, &json!("terminal")));
        let fields = json!({ "fen": fen, "searched": true, "depth": 3, "deterministic": true });
        let body = get_from(&service, "/v1/eval-breakdown", &fields).ok();
        assert_eq!(body["search"]["stopReason"], "terminal");
    }
}

/// Waiting for a free engine takes time, but says nothing of how fast it is.
#[test]
fn the_speed_of_a_search_leaves_its_waiting_out() {
    let state = state(1, 1);
    let service = service(state.clone());
    let first = {
        let service = service.clone();
        thread::spawn(move || get_from(&service, "/v1/best-move", &json!({ "movetime": 500 })))
    };
    while state.pools().interactive.snapshot().running == 0 {
        thread::sleep(Duration::from_millis(1));
    }
    let body = get_from(&service, "/v1/best-move", &json!({ "depth": 1 })).ok();
    first.join().unwrap().ok();
    let number = |field: &str| body[field].as_u64().unwrap();
    assert!(number("time") >= 250, "it waited: {body}");
    assert!(number("nps") > 10 * number("nodes") * 1000 / number("time"), "{body}");
}
