//! `POST /v1/evaluate/batch`: many positions at once.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use axum::body::{Body, Bytes};
use axum::http::{Request, header};
use centipawn::api::service;
use centipawn::pool::Client;
use futures_util::stream;
use http_body_util::BodyExt;
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tower::ServiceExt;

use crate::client::{Reply, in_a_runtime, post, post_text, send, send_to, state};

const PATH: &str = "/v1/evaluate/batch";
const LINES: &str = "application/x-ndjson";

fn request(path: &str, content_type: &str, accept: &str) -> axum::http::request::Builder {
    Request::post(path).header(header::CONTENT_TYPE, content_type).header(header::ACCEPT, accept)
}

fn post_lines(path: &str, text: impl Into<Body>) -> Reply {
    send(request(path, LINES, "*/*").body(text.into()).unwrap())
}

/// The answers of a reply in lines; heartbeats are left out.
fn lines(reply: &Reply) -> Vec<Value> {
    assert_eq!(reply.status, 200, "{:?}", reply.bytes);
    assert_eq!(reply.header("content-type"), LINES);
    let text = std::str::from_utf8(&reply.bytes).unwrap();
    text.lines().filter(|line| !line.is_empty()).map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn array(reply: &Reply) -> Vec<Value> {
    assert_eq!(reply.header("content-type"), "application/json");
    reply.ok().as_array().unwrap().clone()
}

/// An item and its answer without their ids.
fn without_id(object: &Value) -> Value {
    let mut object = object.clone();
    object.as_object_mut().unwrap().shift_remove("id");
    object
}

/// Every kind of item whose answer is the same each time.
fn items() -> Vec<Value> {
    vec![
        json!({}),
        json!({ "id": "moves", "moves": "e4 e5 Nf3 Nc6 Bc4 Nd4", "pov": "turn" }),
        json!({ "id": 7, "fen": "4k1n1/8/8/8/8/8/PPP5/2BQK3 w - - 0 1", "evaluator": "count", "pieceValues": "euwe" }),
        json!({ "id": -7, "fen": "4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1", "quiescence": true }),
        json!({ "id": u64::MAX, "fen": "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3" }),
        json!({ "id": "over", "fen": "8/8/8/4k3/8/8/4K3/8 w - - 0 1", "quiescence": true, "depth": 3 }),
        json!({ "fen": "k7/8/8/3pP3/8/7n/5K2/8 w - d6 0 1", "variant": "chess960" }),
        json!({ "id": "", "fen": "8/8/8/8/8/8/4K3/8 w - - 0 1" }),
        json!({ "id": "illegal", "moves": ["e4", "e5", "Ke3"] }),
        json!({ "id": "syntax", "fen": "hello" }),
        json!({ "id": "name", "evaluater": "full" }),
        json!({ "id": "both", "depth": 3, "nodes": 100 }),
        json!({ "id": "much", "nodes": 1_000_000_000_000_u64 }),
        json!({ "id": "wrong", "fen": 8 }),
    ]
}

#[test]
fn an_item_is_answered_as_a_request_of_its_own_is() {
    let items = items();
    let answers = array(&post(PATH, &Value::from(items.clone())));
    assert_eq!(answers.len(), items.len());
    for (item, answer) in items.iter().zip(&answers) {
        assert_eq!(answer.get("id"), item.get("id"));
        let single = post("/v1/evaluate", &without_id(item));
        assert_eq!(without_id(answer), single.json(), "{item}");
        if single.status == 200 {
            assert!(answer.get("code").is_none());
        } else {
            assert_eq!(answer["status"], single.status.as_u16());
        }
    }
    let text = items.iter().map(Value::to_string).collect::<Vec<_>>().join("\n");
    assert_eq!(lines(&post_lines(PATH, text)), answers);
}

#[test]
fn what_is_no_item_is_an_error_in_its_place() {
    let answers = lines(&post_lines(PATH, "{\"id\":1}\r\n\n7\nnull\n[]\n{\"id\":2\n \t\n{\"id\":3}"));
    let told: Vec<_> = answers.iter().map(|answer| (&answer["id"], &answer["code"])).collect();
    let (null, field, syntax) = (&Value::Null, &json!("invalid_field"), &json!("json_syntax"));
    assert_eq!(
        told,
        [(&json!(1), null), (null, field), (null, field), (null, field), (null, syntax), (&json!(3), null)]
    );
    for (id, valid) in [(json!("x".repeat(128)), true), (json!("x".repeat(129)), false), (json!(1.5), false)]
    {
        let answer = &array(&post(PATH, &json!([{ "id": id }])))[0];
        assert_eq!(answer["field"] == "id", !valid, "{answer}");
    }
    let long = format!("{{\"id\": 1, \"moves\": \"{}\"}}\n{{\"id\": 2}}\n", " ".repeat(70_000));
    let answers = lines(&post_lines(PATH, long));
    assert_eq!((&answers[0]["code"], &answers[1]["id"]), (&json!("body_too_large"), &json!(2)));
    assert_eq!(answers.len(), 2);
}

#[test]
fn the_client_chooses_the_form() {
    let (json, two) = ("application/json", "[{\"id\":1},{\"id\":2}]");
    let reply = send(request(PATH, json, LINES).body(two.into()).unwrap());
    assert_eq!(lines(&reply).len(), 2);
    assert_eq!((reply.header("x-accel-buffering"), reply.header("vary")), ("no", "Accept, Content-Type"));
    for content_type in [LINES, "application/jsonl", "application/ndjson; charset=utf-8"] {
        let reply = send(request(PATH, content_type, json).body("{\"id\":1}\n{\"id\":2}".into()).unwrap());
        assert_eq!(array(&reply).iter().map(|it| &it["id"]).collect::<Vec<_>>(), [1, 2]);
    }
    for accept in ["application/jsonl", "application/ndjson", "application/x-jsonlines"] {
        let reply = send(request(PATH, json, accept).body(two.into()).unwrap());
        assert_eq!((lines(&reply).len(), reply.header("content-type")), (2, LINES), "{accept}");
    }
    for no_matter in ["text/event-stream", "application/json, application/x-ndjson", "application/*"] {
        assert_eq!(lines(&send(request(PATH, LINES, no_matter).body("{}".into()).unwrap())).len(), 1);
        assert_eq!(array(&send(request(PATH, json, no_matter).body("[{}]".into()).unwrap())).len(), 1);
    }
    let lines_if_need_be = "application/x-ndjson;q=0.1, application/json";
    assert_eq!(array(&send(request(PATH, LINES, lines_if_need_be).body("{}".into()).unwrap())).len(), 1);
    assert_eq!(array(&post_text(PATH, " [ ] ")), Vec::<Value>::new());
    assert_eq!(lines(&post_lines(PATH, "")), Vec::<Value>::new());
    assert_eq!(lines(&post_lines(PATH, "\n\n")), Vec::<Value>::new());
}

#[test]
fn answers_come_in_the_order_of_the_items_or_as_they_are_done() {
    let slow = "{\"id\":0,\"movetime\":400}\n{\"id\":1,\"depth\":2}\n{\"id\":2}\n\n{\"id\":4}\n";
    let service = service(state(2, 4));
    let ask = |path| lines(&send_to(service.clone(), request(path, LINES, "*/*").body(slow.into()).unwrap()));
    let ordered = ask(PATH);
    assert_eq!(ordered.iter().map(|it| &it["id"]).collect::<Vec<_>>(), [0, 1, 2, 4]);
    assert_eq!(ordered[0]["search"]["stopReason"], "movetime");
    assert_eq!(ordered[1]["search"]["depth"], 2);
    assert!(ordered[0].get("index").is_none() && ordered[2]["search"].is_null());
    let unordered = ask("/v1/evaluate/batch?unordered=true");
    assert!(unordered.iter().all(|it| it["id"] == it["index"]), "{unordered:?}");
    assert_eq!(unordered.last().unwrap()["id"], 0, "the slow one is last");
    assert_eq!(unordered.len(), 4);
}

#[test]
fn nothing_is_lost_of_many() {
    let fens =
        ["8/8/3k4/2p1p3/8/3NK3/8/8 w - - 0 1", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"];
    let line = |id: usize| format!("{{\"id\":{id},\"fen\":\"{}\"}}", fens[id % 2]);
    let text = (0..20_000).map(line).collect::<Vec<_>>().join("\n");
    let answers = lines(&post_lines(PATH, text));
    assert_eq!(answers.len(), 20_000);
    for (id, answer) in answers.iter().enumerate() {
        assert_eq!((&answer["id"], &answer["fen"]), (&json!(id), &json!(fens[id % 2])));
    }
}

#[test]
fn a_batch_that_cannot_be_read_is_an_error() {
    let cases = [
        (PATH, "application/json", "{}", 400, "invalid_field"),
        (PATH, "application/json", "", 400, "json_syntax"),
        (PATH, "application/json", "hello", 400, "json_syntax"),
        (PATH, "application/json", "[{},", 400, "json_syntax"),
        (PATH, "application/json", "[{}] {}", 400, "json_syntax"),
        (PATH, "text/csv", "[]", 415, "unsupported_media_type"),
        ("/v1/evaluate/batch?ordered=false", LINES, "{}", 400, "unknown_field"),
        ("/v1/evaluate/batch?unordered=1", LINES, "{}", 400, "invalid_field"),
    ];
    for (path, content_type, body, status, code) in cases {
        let reply = send(request(path, content_type, "*/*").body(body.into()).unwrap());
        assert_eq!((reply.status.as_u16(), &reply.json()["code"]), (status, &json!(code)), "{body}");
    }
    let reply = post_text(PATH, &format!("[{}1]", "1,".repeat(100_000)));
    assert_eq!((reply.status.as_u16(), &reply.json()["code"]), (400, &json!("limit_exceeded")));
    let reply = post_text(PATH, &format!("[\"{}\"]", " ".repeat(8 << 20)));
    assert_eq!((reply.status.as_u16(), &reply.json()["code"]), (413, &json!("body_too_large")));
    let compressed = request(PATH, LINES, "*/*").header(header::CONTENT_ENCODING, "gzip");
    assert_eq!(send(compressed.body("{}".into()).unwrap()).status, 415);
}

/// Lines without end, each counted as it is taken.
fn endless(line: &'static str, taken: &Arc<AtomicUsize>) -> Body {
    let taken = Arc::clone(taken);
    Body::from_stream(stream::repeat_with(move || {
        taken.fetch_add(1, Ordering::Relaxed);
        Ok::<_, Infallible>(Bytes::from_static(line.as_bytes()))
    }))
}

#[test]
fn no_more_is_read_than_is_answered() {
    let taken = Arc::new(AtomicUsize::new(0));
    let service = service(state(2, 4));
    in_a_runtime(async {
        let body = endless("{\"id\":1}\n", &taken);
        let reply = service.oneshot(request(PATH, LINES, "*/*").body(body).unwrap()).await.unwrap();
        let mut answers = reply.into_body();
        let mut received = 0;
        for _ in 0..20 {
            let piece = answers.frame().await.unwrap().unwrap().into_data().unwrap();
            received += piece.split(|byte| *byte == b'\n').count() - 1;
            tokio::time::sleep(Duration::from_millis(2)).await;
            let ahead = taken.load(Ordering::Relaxed) - received;
            assert!(ahead <= 40_000, "{ahead} lines ahead");
        }
    });
}

#[test]
fn leaving_stops_the_work() {
    let state = state(1, 4);
    let (pools, service) = (state.clone(), service(state));
    in_a_runtime(async {
        let body = endless("{\"movetime\":30000}\n", &Arc::default());
        let reply = service.oneshot(request(PATH, LINES, "*/*").body(body).unwrap()).await.unwrap();
        let mut answers = reply.into_body();
        while pools.pools().bulk.snapshot().running == 0 {
            let waiting = tokio::time::timeout(Duration::from_millis(1), answers.frame()).await;
            assert!(waiting.is_err(), "the first search takes half a minute");
        }
    });
    let left = Instant::now();
    while pools.pools().bulk.snapshot().running > 0 {
        assert!(left.elapsed() < Duration::from_millis(500), "still searching");
        thread::sleep(Duration::from_millis(1));
    }
    assert!(pools.pools().begin_bulk(Client::UNKNOWN).is_ok(), "the place is free again");
}

#[test]
fn there_are_so_many_batches_at_once_and_no_more() {
    let state = state(1, 2);
    let places = [state.pools().begin_bulk(Client::UNKNOWN), state.pools().begin_bulk(Client::UNKNOWN)];
    assert!(places.iter().all(Result::is_ok));
    let service = service(state.clone());
    let ask = || send_to(service.clone(), request(PATH, LINES, "*/*").body("{}\n".into()).unwrap());
    let reply = ask();
    assert_eq!((reply.status.as_u16(), &reply.json()["code"]), (503, &json!("queue_full")));
    assert_eq!(reply.header("retry-after"), "1");
    drop(places);
    assert_eq!(ask().status, 200);
    state.close();
    let reply = ask();
    assert_eq!((reply.status.as_u16(), &reply.json()["code"]), (503, &json!("draining")));
}

#[test]
fn a_batch_under_way_is_answered_to_its_end_when_the_server_shuts_down() {
    let state = state(1, 2);
    let closing = state.clone();
    let text = "{\"id\":1,\"movetime\":300}\n{\"id\":2,\"movetime\":300}\n{\"id\":3}\n";
    let asked = thread::spawn(move || {
        send_to(service(state), request(PATH, LINES, "*/*").body(text.into()).unwrap())
    });
    thread::sleep(Duration::from_millis(150));
    closing.close();
    let answers = lines(&asked.join().unwrap());
    assert_eq!(answers.iter().map(|it| &it["id"]).collect::<Vec<_>>(), [1, 2, 3]);
    assert_eq!(answers[0]["search"]["stopReason"], "movetime", "what had begun is finished");
}

#[test]
fn blank_lines_have_no_answers_when_the_server_shuts_down_either() {
    for (text, expected) in [("\n", json!([])), ("\n{\"id\":1}\n", json!(["draining"]))] {
        let state = state(1, 2);
        let closing = state.clone();
        // It is read once the batch has begun.
        let body = stream::once(async move {
            closing.close();
            Ok::<_, Infallible>(Bytes::from_static(text.as_bytes()))
        });
        let request = request(PATH, LINES, "application/json").body(Body::from_stream(body)).unwrap();
        let answers = array(&send_to(service(state), request));
        let codes: Value = answers.iter().map(|it| it["code"].clone()).collect();
        assert_eq!(codes, expected, "{text:?}");
    }
}

#[test]
fn silence_is_broken_by_what_means_nothing() {
    let service = service(state(1, 4));
    let item = "{\"movetime\":5600}";
    let line = send_to(service.clone(), request(PATH, LINES, "*/*").body(item.into()).unwrap());
    assert!(line.bytes.starts_with(b"\n{"), "{:?}", line.bytes);
    assert_eq!(lines(&line)[0]["search"]["stopReason"], "movetime");
    let elements = request(PATH, "application/json", "*/*").body(format!("[{item}]").into()).unwrap();
    let elements = send_to(service, elements);
    assert!(elements.bytes.starts_with(b"[\n\n{"), "{:?}", elements.bytes);
    assert_eq!(array(&elements).len(), 1);
}

#[test]
fn who_waits_for_an_answer_has_all_the_time_that_it_takes() {
    let (line, lines) = mpsc::unbounded_channel();
    let body = stream::unfold(lines, |mut lines| async {
        lines.recv().await.map(|line: &str| (Ok::<_, Infallible>(Bytes::from(line.to_owned())), lines))
    });
    let request = request(PATH, LINES, "*/*").body(Body::from_stream(body)).unwrap();
    let told = in_a_runtime(async {
        // Longer than a pause may be.
        line.send("{\"id\":1,\"movetime\":10400}\n").unwrap();
        let mut answers = service(state(1, 4)).oneshot(request).await.unwrap().into_body();
        let mut told = String::new();
        while let Some(piece) = answers.frame().await {
            let piece = piece.unwrap().into_data().unwrap();
            told.push_str(std::str::from_utf8(&piece).unwrap());
            match told.matches("}\n").count() {
                1 if told.ends_with("}\n") => line.send("{\"id\":2}\n").unwrap(),
                2 => break,
                _ => {}
            }
        }
        told
    });
    let answers: Vec<Value> = told
        .split_terminator('\n')
        .filter(|line| !line.is_empty())
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(answers.iter().map(|it| &it["id"]).collect::<Vec<_>>(), [1, 2], "{told}");
}

#[test]
fn every_batch_that_is_taken_in_has_room_for_its_work() {
    let service = service(state(1, 8));
    // So many lines that sheaves wait while the searches of the ones before fill their part of the queue.
    let text = "{\"depth\":1}\n".repeat(6_000);
    let asked: Vec<_> = (0..8)
        .map(|_| {
            let (service, text) = (service.clone(), text.clone());
            thread::spawn(move || {
                lines(&send_to(service, request(PATH, LINES, "*/*").body(text.into()).unwrap()))
            })
        })
        .collect();
    for answers in asked {
        let answers = answers.join().unwrap();
        assert_eq!(answers.len(), 6_000);
        assert!(answers.iter().all(|answer| answer["search"]["depth"] == 1), "one was refused");
    }
}
