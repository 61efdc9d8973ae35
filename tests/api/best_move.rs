//! `/v1/best-move`.

use axum::body::Body;
use axum::http::{Request, header};
use centipawn::api::service;
use serde_json::{Value, json};

use crate::client::{get, post, post_text, send_to, state};

#[test]
fn the_reply_has_the_fields_of_the_contract_in_their_order() {
    let text = String::from_utf8(post_text("/v1/best-move", r#"{"depth": 4}"#).bytes.to_vec()).unwrap();
    let fields = [
        "fen",
        "turn",
        "pov",
        "bestmove",
        "san",
        "from",
        "to",
        "promotion",
        "ponder",
        "depth",
        "seldepth",
        "nodes",
        "nps",
        "time",
        "hashfull",
        "tbhits",
        "stopReason",
        "pvs",
        "static",
        "status",
        "winner",
        "warnings",
        "engine",
    ];
    let places: Vec<_> = fields.iter().map(|field| text.find(&format!("\"{field}\":"))).collect();
    assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{places:?} {text}");
    let body: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(body.as_object().unwrap().len(), fields.len());
    assert_eq!((&body["stopReason"], &body["depth"]), (&json!("depth"), &json!(4)));
    let line = body["pvs"][0].as_object().unwrap();
    let expected = ["multipv", "cp", "bound", "depth", "moves", "san", "winPercent", "wdl"];
    assert_eq!(line.len(), expected.len());
    assert!(expected.iter().all(|field| line.contains_key(*field)), "{line:?}");
    assert_eq!(body["bestmove"], line["moves"][0]);
    assert_eq!(body["ponder"], line["moves"][1]);
    assert_eq!(body["san"], line["san"][0]);
}

#[test]
fn moves_are_written_as_the_variant_has_it() {
    // Fields, then bestmove, san, from, to, promotion.
    let castle = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    let only = |mv: &str, variant: &str| json!({ "fen": castle, "searchMoves": [mv], "depth": 1, "variant": variant });
    let promote = json!({ "fen": "8/P6k/8/8/8/8/8/K7 w - - 0 1", "searchMoves": "a8=N", "depth": 1 });
    let cases = [
        (only("O-O", "standard"), json!(["e1g1", "O-O", "e1", "g1", null])),
        (only("e1h1", "standard"), json!(["e1g1", "O-O", "e1", "g1", null])),
        (only("e1g1", "chess960"), json!(["e1h1", "O-O", "e1", "h1", null])),
        (promote, json!(["a7a8n", "a8=N", "a7", "a8", "n"])),
    ];
    for (fields, expected) in cases {
        let body = post("/v1/best-move", &fields).ok();
        let got = ["bestmove", "san", "from", "to", "promotion"].map(|field| body[field].clone());
        assert_eq!(json!(got), expected, "{fields}");
    }
}

#[test]
fn lines_are_as_many_as_asked_for() {
    let endgame = "8/8/8/8/8/2k5/2p5/2K5 b - - 0 1";
    let lines = |fields: &Value| post("/v1/best-move", fields).ok()["pvs"].as_array().unwrap().len();
    assert_eq!(lines(&json!({ "depth": 2 })), 1);
    assert_eq!(lines(&json!({ "depth": 2, "multiPv": 3 })), 3);
    assert_eq!(lines(&json!({ "depth": 2, "multiPv": "all" })), 20);
    assert_eq!(lines(&json!({ "depth": 2, "multipv": 100 })), 20);
    assert_eq!(lines(&json!({ "depth": 2, "searchmoves": "e4 d4 c4", "multipv": "all" })), 3);
    assert_eq!(lines(&json!({ "depth": 2, "fen": endgame, "multiPv": 5 })), 5);
    assert_eq!(
        get("/v1/best-move?depth=2&multipv=all&searchmoves=e4").ok()["pvs"].as_array().unwrap().len(),
        1
    );
}

#[test]
fn without_a_limit_it_thinks_shortly() {
    let body = post("/v1/best-move", &json!({})).ok();
    assert_eq!(body["stopReason"], "movetime");
    assert!(body["time"].as_u64().unwrap() >= 100, "{body}");
}

/// A free engine answers, however little time it is given: less than a thread may take to wake up is no refusal.
#[test]
fn the_shortest_time_to_think_gets_a_move() {
    let service = service(state(1, 4));
    let mut moves = 0;
    for _ in 0..50 {
        for fields in [json!({ "movetime": 1 }), json!({ "depth": 5, "timeoutMs": 1 })] {
            let request = Request::post("/v1/best-move").header(header::CONTENT_TYPE, "application/json");
            let reply = send_to(service.clone(), request.body(Body::from(fields.to_string())).unwrap());
            // A busy machine may take longer to wake a thread than that.
            assert!([200, 503].contains(&reply.status.as_u16()), "{:?}", reply.bytes);
            moves += usize::from(reply.json()["bestmove"].is_string());
        }
    }
    assert!(moves > 50, "{moves} of 100");
}

#[test]
fn the_only_move_has_a_real_score() {
    let fen = "7k/8/8/8/8/8/1r6/K7 w - - 0 1";
    let body = post("/v1/best-move", &json!({ "fen": fen, "movetime": 200 })).ok();
    assert_eq!((&body["bestmove"], &body["stopReason"]), (&json!("a1b2"), &json!("onlyMove")));
    assert!(body["pvs"][0]["cp"].is_i64());
}

#[test]
fn the_timeout_holds_whatever_the_limit() {
    let body = post("/v1/best-move", &json!({ "depth": 90, "timeoutMs": 150 })).ok();
    assert_eq!(body["stopReason"], "timeout");
    assert!(body["bestmove"].is_string());
}

#[test]
fn greedy_takes_the_first_of_the_best() {
    let fen = "4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1";
    let body = post("/v1/best-move", &json!({ "fen": fen, "strategy": "greedy", "evaluator": "count" })).ok();
    assert_eq!(
        (&body["bestmove"], &body["depth"], &body["pvs"][0]["cp"]),
        (&json!("e4d5"), &json!(1), &json!(100))
    );
    let over = json!({ "fen": "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "strategy": "greedy" });
    let body = post("/v1/best-move", &over).ok();
    assert_eq!((&body["bestmove"], &body["stopReason"]), (&Value::Null, &json!("terminal")));
}

#[test]
fn deterministic_replies_are_equal_to_the_byte() {
    for fields in
        [json!({ "depth": 6, "deterministic": true }), json!({ "nodes": 20_000, "deterministic": true })]
    {
        let (first, second) = (post("/v1/best-move", &fields), post("/v1/best-move", &fields));
        assert_eq!(first.bytes, second.bytes);
        let body = first.ok();
        assert_eq!((&body["time"], &body["nps"]), (&Value::Null, &Value::Null));
        let tag = first.header("etag");
        assert!(tag.starts_with('"') && tag == second.header("etag"), "{tag}");
    }
    assert_eq!(post("/v1/best-move", &json!({ "depth": 2 })).header("etag"), "");
}

#[test]
fn a_weaker_opponent_says_how_weak_it_is() {
    let fen = "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10";
    let body = post("/v1/best-move", &json!({ "fen": fen, "elo": 800, "multiPv": 4 })).ok();
    assert_eq!((&body["elo"], &body["stopReason"]), (&json!(800), &json!("nodes")));
    assert_eq!((&body["bestmove"], body["pvs"].as_array().unwrap().len()), (&body["pvs"][0]["moves"][0], 4));
    let body = get("/v1/best-move?elo=2000&depth=2").ok();
    assert_eq!((&body["elo"], &body["stopReason"]), (&json!(2000), &json!("depth")));
    assert!(body["depth"].as_u64().unwrap() <= 2, "{body}");
    let over = json!({ "fen": "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "elo": 800 });
    let body = post("/v1/best-move", &over).ok();
    assert_eq!((&body["bestmove"], &body["stopReason"]), (&Value::Null, &json!("terminal")));
    for path in ["/v1/evaluate", "/v1/eval-breakdown"] {
        let reply = post(path, &json!({ "elo": 800 }));
        assert_eq!((reply.status.as_u16(), &reply.json()["code"]), (400, &json!("unknown_field")), "{path}");
    }
}

#[test]
fn a_weaker_opponent_varies_unless_it_is_deterministic() {
    let moves = |fields: &Value| -> std::collections::HashSet<String> {
        (0..25).map(|_| post("/v1/best-move", fields).ok()["bestmove"].to_string()).collect()
    };
    assert!(moves(&json!({ "elo": 600 })).len() > 2);
    assert_eq!(moves(&json!({ "elo": 600, "deterministic": true })).len(), 1);
    for fields in [
        json!({ "elo": 1500, "deterministic": true }),
        json!({ "elo": 1500, "deterministic": true, "nodes": 99 }),
    ] {
        let (first, second) = (post("/v1/best-move", &fields), post("/v1/best-move", &fields));
        assert_eq!((&first.bytes, first.header("etag")), (&second.bytes, second.header("etag")));
        assert!(first.header("etag").starts_with('"') && first.ok()["time"].is_null());
    }
}
