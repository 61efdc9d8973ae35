//! The positions that broke other services, as the contract lists them.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::client::{get, post, query};

/// A position, the status it has to get, and what has to stand where in the reply.
type Case = (&'static str, u16, &'static [(&'static str, &'static str)]);

const CASES: &[Case] = &[
    ("8/8/8/8/8/8/4K3/8 w - - 0 1", 422, &[("/code", "missing_king"), ("/field", "fen")]),
    ("hello", 400, &[("/code", "fen_syntax"), ("/field", "fen")]),
    (
        "3qk1nb/1p3p2/p1r1p1p1/3p4/3P4/2N1BP2/PPPQ1P2/R3K3 w Qk - 0 15",
        200,
        &[("/warnings/0/code", "castling_rights_ignored"), ("/status", "ongoing")],
    ),
    ("k7/8/8/3pP3/8/7n/5K2/8 w - d6 0 1", 200, &[("/warnings/0/code", "ep_square_ignored")]),
    ("8/pp5p/kqp5/2P1Br2/5Pb1/P1NQ4/1P4PP/2K2BbR w - - 0 1", 422, &[("/code", "opposite_check")]),
    (
        "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
        200,
        &[("/status", "checkmate"), ("/winner", "black")],
    ),
    ("8/8/8/8/8/8/8/8 w - - 0 1", 422, &[("/code", "missing_king")]),
    ("k7/8/8/8/8/8/8/KK6 w - - 0 1", 422, &[("/code", "too_many_kings")]),
    ("k6P/8/8/8/8/8/8/K7 w - - 0 1", 422, &[("/code", "pawns_on_backrank")]),
    ("k7/8/8/QQQQQQQQ/QQQQQQQQ/8/8/K7 w - - 0 1", 422, &[("/code", "too_much_material")]),
    ("k6Q/8/8/8/R7/8/6B1/K7 b - - 0 1", 422, &[("/code", "impossible_check")]),
];

#[test]
fn every_endpoint_answers_them_alike() {
    for (fen, status, expected) in CASES {
        let fields = json!({ "fen": fen });
        for path in ["/v1/evaluate", "/v1/best-move", "/v1/eval-breakdown"] {
            for reply in [post(path, &fields), get(&format!("{path}?{}", query(&fields)))] {
                assert_eq!(reply.status.as_u16(), *status, "{path} {fen}: {:?}", reply.bytes);
                let body = reply.json();
                for (at, value) in *expected {
                    assert_eq!(body.pointer(at).and_then(Value::as_str), Some(*value), "{path} {fen} {at}");
                }
            }
        }
    }
}

#[test]
fn a_mated_side_is_mated_in_zero() {
    let mated = json!({ "fen": "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3" });
    let body = post("/v1/evaluate", &mated).ok();
    assert_eq!((&body["mate"], body.get("cp")), (&json!(0), None));
    assert_eq!(body["winPercent"], json!(0.0));
    assert_eq!(body["wdl"], json!({ "win": 0, "draw": 0, "loss": 1000 }));
    let body = post("/v1/best-move", &mated).ok();
    for field in ["bestmove", "san", "from", "to", "promotion", "ponder"] {
        assert_eq!(body[field], Value::Null, "{field}");
    }
    assert_eq!((&body["stopReason"], &body["pvs"]), (&json!("terminal"), &json!([])));
}

#[test]
fn an_explosion_of_captures_keeps_its_movetime() {
    let fen = "8/PPPPPPPP/nr4RN/qb4BQ/kb4BK/nr4RN/pppppppp/8 w - - 0 1";
    let begun = Instant::now();
    let body = post("/v1/best-move", &json!({ "fen": fen, "movetime": 300 })).ok();
    // The bound is loose because the tests share the machine; the thirty milliseconds are measured elsewhere.
    assert!(begun.elapsed() < Duration::from_millis(1500), "{:?}", begun.elapsed());
    assert_eq!(body["stopReason"], "movetime");
    assert!(body["bestmove"].is_string());
    assert!(post("/v1/evaluate", &json!({ "fen": fen, "quiescence": true })).ok()["quiescence"].is_object());
}

#[test]
fn repetition_is_seen_only_with_moves() {
    let fen = "6k1/5p2/p6P/1N6/1PP1b3/8/P2q4/5K2 b - - 13 59";
    let shuffle = ["d2d1", "f1f2", "d1d2", "f2f1"];
    let status = |rounds: usize| {
        let moves = shuffle.repeat(rounds);
        post("/v1/evaluate", &json!({ "fen": fen, "moves": moves })).ok()["status"].clone()
    };
    assert_eq!([status(0), status(1), status(2), status(4)], ["ongoing", "ongoing", "threefold", "fivefold"]);
    let reached = post("/v1/evaluate", &json!({ "fen": fen, "moves": shuffle.repeat(2) })).ok();
    assert_eq!(
        get(&format!("/v1/evaluate?{}", query(&json!({ "fen": reached["fen"] })))).ok()["status"],
        "ongoing"
    );
    let drawn = post("/v1/evaluate", &json!({ "fen": fen, "moves": shuffle.repeat(4) })).ok();
    assert_eq!(
        (&drawn["cp"], &drawn["static"], &drawn["wdl"]["draw"]),
        (&json!(0), &json!({ "cp": 0 }), &json!(1000))
    );
}
