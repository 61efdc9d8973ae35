//! `/api/cloud-eval`: Lichess' shape, to the letter.

use centipawn::config::Limits;
use serde_json::{Value, json};

use crate::client::{Reply, get, query, with_headers};

const RUY_LOPEZ: &str = "r1bqkbnr/1ppp1ppp/p1n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 0 4";

fn ask(fields: &Value) -> Reply {
    get(&format!("/api/cloud-eval?{}", query(fields)))
}

fn fields(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

#[test]
fn the_reply_has_exactly_lichess_fields() {
    let reply = ask(&json!({ "fen": RUY_LOPEZ, "multiPv": 3, "variant": "standard" }));
    assert_eq!(reply.header("content-type"), "application/json");
    let body = reply.ok();
    assert_eq!(fields(&body), ["fen", "knodes", "depth", "pvs"]);
    assert_eq!(
        (&body["fen"], &body["knodes"]),
        (&json!(RUY_LOPEZ), &json!(Limits::DEFAULT.cloud_eval_nodes / 1000))
    );
    assert!(body["depth"].as_u64().unwrap() >= 5, "{body}");
    let lines = body["pvs"].as_array().unwrap();
    assert_eq!(lines.len(), 3);
    for line in lines {
        assert_eq!(fields(line), ["moves", "cp"]);
        let moves: Vec<_> = line["moves"].as_str().unwrap().split(' ').collect();
        assert!(moves.iter().all(|mv| [4, 5].contains(&mv.len())), "{line}");
        assert!(line["cp"].is_i64());
    }
    assert!(
        lines.iter().map(|line| line["cp"].as_i64()).is_sorted_by(|one, other| one >= other),
        "{lines:?}"
    );
}

#[test]
fn scores_are_white_s() {
    let best = |fen: &str| ask(&json!({ "fen": fen })).ok()["pvs"][0].clone();
    for turn in ["w", "b"] {
        assert!(
            best(&format!("3qk3/8/8/8/8/8/8/R3K3 {turn} - - 0 1"))["cp"].as_i64().unwrap() < -100,
            "{turn}"
        );
    }
    assert_eq!(best("7k/R7/1R6/8/8/8/8/K7 w - - 0 1"), json!({ "moves": "b6b8", "mate": 1 }));
    let lost = best("7k/R7/1R6/8/8/8/8/K7 b - - 0 1");
    assert_eq!((fields(&lost), &lost["mate"]), (vec!["moves", "mate"], &json!(1)));
    assert_eq!(best("k7/8/8/8/8/1r6/r7/7K b - - 0 1")["mate"], -1);
}

#[test]
fn the_position_comes_back_as_it_was_sent() {
    for (sent, back) in [
        ("k7/8/8/8/8/8/8/K6R_w_-_-_0_1", "k7/8/8/8/8/8/8/K6R w - - 0 1"),
        ("  k7/8/8/8/8/8/8/K6R w - -  ", "k7/8/8/8/8/8/8/K6R w - -"),
        ("k7/8/8/8/8/8/8/K6R w KQkq d6 0 1", "k7/8/8/8/8/8/8/K6R w KQkq d6 0 1"),
    ] {
        assert_eq!(ask(&json!({ "fen": sent })).ok()["fen"], back);
    }
}

#[test]
fn castling_is_king_takes_rook_whatever_the_variant() {
    // Castling is the one mate in one.
    let fen = "5k2/8/8/8/8/8/4R1R1/4K2R w K - 0 1";
    for variant in ["standard", "fromPosition", "chess960"] {
        let body = ask(&json!({ "fen": fen, "variant": variant })).ok();
        assert_eq!(body["pvs"], json!([{ "moves": "e1h1", "mate": 1 }]), "{variant}");
    }
    // Where king and rook stand elsewhere, in games that began from a position too.
    let fen = "5k2/8/8/8/8/8/4R1R1/5KR1 w G - 0 1";
    for variant in ["fromPosition", "chess960"] {
        let body = ask(&json!({ "fen": fen, "variant": variant })).ok();
        assert_eq!(body["pvs"], json!([{ "moves": "f1g1", "mate": 1 }]), "{variant}");
    }
}

#[test]
fn there_are_as_many_lines_as_asked_for_and_there_are_moves() {
    let lines = |fields: &Value| ask(fields).ok()["pvs"].as_array().unwrap().len();
    assert_eq!(lines(&json!({ "fen": RUY_LOPEZ })), 1);
    assert_eq!(lines(&json!({ "fen": RUY_LOPEZ, "multiPv": 5 })), 5);
    assert_eq!(lines(&json!({ "fen": "7k/8/8/8/8/8/1r6/K7 w - - 0 1", "multiPv": 5 })), 1);
    // As a client's form sends what was left empty.
    assert_eq!(lines(&json!({ "fen": RUY_LOPEZ, "multiPv": "", "variant": "" })), 1);
    // Lichess passes over what it does not know, and clients send it.
    assert_eq!(lines(&json!({ "fen": RUY_LOPEZ, "depth": 22, "cb": "x" })), 1);
}

#[test]
fn what_has_no_evaluation_is_lichess_404() {
    let none = "No cloud evaluation available for that position";
    for (fields, field, error) in [
        (json!({}), "fen", "Missing FEN"),
        (json!({ "fen": "" }), "fen", "Missing FEN"),
        (json!({ "fen": "hello" }), "fen", none),
        (json!({ "fen": "8/8/8/8/8/8/4K3/8 w - - 0 1" }), "fen", none),
        (json!({ "fen": "x".repeat(5000) }), "fen", none),
        // Checkmate, stalemate, and too little on the board.
        (json!({ "fen": "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3" }), "fen", none),
        (json!({ "fen": "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1" }), "fen", none),
        (json!({ "fen": "8/8/4k3/8/8/3NK3/8/8 w - - 0 1" }), "fen", none),
        (json!({ "fen": RUY_LOPEZ, "variant": "antichess" }), "variant", none),
        (json!({ "fen": RUY_LOPEZ, "variant": "Standard" }), "variant", none),
        (json!({ "fen": RUY_LOPEZ, "multiPv": 0 }), "multiPv", none),
        (json!({ "fen": RUY_LOPEZ, "multiPv": 6 }), "multiPv", none),
        (json!({ "fen": RUY_LOPEZ, "multiPv": -1 }), "multiPv", none),
        (json!({ "fen": RUY_LOPEZ, "multiPv": "two" }), "multiPv", none),
    ] {
        let reply = ask(&fields);
        let body = reply.json();
        assert_eq!((reply.status.as_u16(), &body["error"]), (404, &json!(error)), "{fields}");
        assert_eq!((&body["code"], &body["field"]), (&json!("no_evaluation"), &json!(field)), "{fields}");
    }
    for path in ["/api/cloud-eval?fen=%", "/api/cloud-eval?fen=a&fen=b"] {
        assert_eq!((get(path).status.as_u16(), &get(path).json()["error"]), (404, &json!(none)), "{path}");
    }
    let long = format!("/api/cloud-eval?fen={}", "x".repeat(61 << 10));
    assert_eq!(with_headers(axum::http::Method::GET, &long, &[]).status, 414);
}

#[test]
fn it_is_the_same_every_time() {
    let [first, second] = [0, 1].map(|_| ask(&json!({ "fen": RUY_LOPEZ, "multiPv": 2 })));
    assert_eq!((first.status.as_u16(), &first.bytes), (200, &second.bytes));
    assert!(first.header("etag").starts_with('"') && first.header("etag") == second.header("etag"));
}
