//! `searched: true` on `/v1/eval-breakdown`: the leaf of the main line.

use serde_json::{Value, json};

use crate::client::{post, post_text, turned_sentence};

const PATH: &str = "/v1/eval-breakdown";

fn searched(fields: Value) -> Value {
    let mut fields = fields;
    fields["searched"] = json!(true);
    post(PATH, &fields).ok()
}

#[test]
fn the_leaf_explains_the_score() {
    let positions = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
        "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 4 8",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "2r2rk1/1bq2ppp/p3pn2/1pb5/3B4/P1N1P3/1PQ1BPPP/2R2RK1 w - - 31 17",
    ];
    for fen in positions {
        for pov in ["white", "turn"] {
            let body = searched(json!({ "fen": fen, "pov": pov, "depth": 5, "deterministic": true }));
            // A short search has learnt little; what it has, it says.
            assert!(remainder(&body).abs() <= 30, "{fen} {pov} {}", body["remainder"]);
            assert_eq!(body["line"]["moves"], body["search"]["pvs"][0]["moves"], "{fen}");
            assert_eq!(body["line"]["san"], body["search"]["pvs"][0]["san"], "{fen}");
            check_leaf(&body, fen);
        }
    }
}

/// What the search says beyond the leaf, which is named if it is anything.
fn remainder(body: &Value) -> i64 {
    let remainder = body["remainder"]["cp"].as_i64().unwrap();
    let score = body["search"]["pvs"][0]["cp"].as_i64().unwrap();
    assert_eq!(remainder, score - body["cp"].as_i64().unwrap(), "{body}");
    let reason = if remainder == 0 { "none" } else { "correction" };
    assert_eq!(body["remainder"]["reason"], reason, "{body}");
    remainder
}

/// The reply is the breakdown of `leafFen`, which the line reaches, and the change leads there.
fn check_leaf(body: &Value, fen: &str) {
    assert_eq!(body["fen"], fen);
    let line = json!({ "fen": fen, "moves": body["line"]["moves"] });
    let leaf = post(PATH, &line).ok();
    assert_eq!(body["leafFen"], leaf["fen"], "{fen}");
    let sign = if body["pov"] == "turn" && body["turn"] == "black" { -1 } else { 1 };
    assert_eq!(body["cp"].as_i64().unwrap(), sign * leaf["cp"].as_i64().unwrap(), "{fen}");
    for field in ["inCheck", "phase", "status", "winner"] {
        assert_eq!(body[field], leaf[field], "{fen} {field}");
    }
    let sentences = leaf["summary"].as_array().unwrap().iter();
    let summary: Value =
        sentences.map(|it| if sign < 0 { turned_sentence(it) } else { it.clone() }).collect();
    assert_eq!(body["summary"], summary, "{fen}");
    let change = &body["change"];
    assert_eq!((&change["before"]["fen"], &change["after"]["fen"]), (&body["fen"], &body["leafFen"]));
    assert_eq!(change["after"]["cp"], body["cp"]);
    let terms = change["terms"].as_array().unwrap();
    let sum: i64 = terms.iter().map(|term| term["change"]["cp"].as_i64().unwrap()).sum();
    assert_eq!(change["change"]["cp"], sum, "{fen}");
    let (before, after) = (&change["before"]["cp"], &change["after"]["cp"]);
    assert_eq!(sum, after.as_i64().unwrap() - before.as_i64().unwrap(), "{fen}");
}

#[test]
fn a_mate_has_no_remainder_in_centipawns() {
    // Deeper than an empty table needs, as other tests share the table.
    let body = searched(json!({ "fen": "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", "depth": 14 }));
    assert_eq!((&body["remainder"]["cp"], &body["remainder"]["reason"]), (&Value::Null, &json!("mate")));
    assert_eq!((&body["search"]["pvs"][0]["mate"], &body["status"]), (&json!(2), &json!("checkmate")));
    assert!(body["remainder"]["text"].as_str().unwrap().contains("checkmate"), "{}", body["remainder"]);
    check_leaf(&body, "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1");
}

#[test]
fn what_the_search_has_learnt_is_told() {
    let positions = [
        "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
        "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 4 8",
        "4k3/5p2/8/3PB3/2P5/8/K3p3/8 w - - 0 1",
        "r2q1rk1/pp2ppbp/2np1np1/8/3NP1b1/2N1B3/PPP1BPPP/R2QR1K1 w - - 6 10",
        "r5k1/1p3pp1/p1p4p/3pP3/3P4/2P1RN1P/PP3PP1/6K1 b - - 0 25",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    ];
    // Where a search has learnt something depends on the weights; one of these will do.
    let told = positions.map(|fen| {
        let body = searched(json!({ "fen": fen, "depth": 11, "deterministic": true }));
        check_leaf(&body, fen);
        let learnt = remainder(&body) != 0;
        assert_eq!(learnt, body["remainder"]["text"].as_str().unwrap().contains("mean error"), "{fen}");
        learnt
    });
    assert!(told.contains(&true), "{told:?}");
}

#[test]
fn a_draw_that_the_search_sees_is_told() {
    // White's only move repeats the position for the third time; every move of White is the hundredth without progress.
    let shuffle = "Kg1 Kb8 Kh1 Ka8 Kg1 Kb8 Kh1 Ka8";
    let cases = [
        ("k4r2/8/8/8/8/8/r7/7K w - - 0 1", shuffle, "repetition"),
        ("8/8/4k3/8/8/3QK3/8/7r w - - 99 100", "", "fiftyMoves"),
    ];
    for (fen, moves, reason) in cases {
        let body = searched(json!({ "fen": fen, "moves": moves, "depth": 1 }));
        let remainder = &body["remainder"];
        let score = body["search"]["pvs"][0]["cp"].as_i64().unwrap();
        assert_eq!(remainder["cp"].as_i64().unwrap(), score - body["cp"].as_i64().unwrap(), "{remainder}");
        assert_eq!((&remainder["reason"], score), (&json!(reason), 0), "{fen} {} {remainder}", body["line"]);
        assert_ne!(remainder["cp"], 0, "{fen}");
    }
}

#[test]
fn a_game_that_is_over_is_its_own_leaf() {
    for (fen, reason) in
        [("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "none"), ("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", "mate")]
    {
        let body = searched(json!({ "fen": fen, "depth": 3 }));
        assert_eq!((&body["leafFen"], &body["line"]["moves"]), (&json!(fen), &json!([])), "{fen}");
        assert_eq!(
            (&body["remainder"]["reason"], &body["search"]["pvs"]),
            (&json!(reason), &json!([])),
            "{fen}"
        );
        check_leaf(&body, fen);
    }
}

#[test]
fn what_was_not_searched_is_not_explained_as_if() {
    // A single position does not suffice for the first capture and the answers to it.
    let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let body = searched(json!({ "fen": fen, "nodes": 1 }));
    assert_eq!((&body["remainder"]["reason"], &body["remainder"]["cp"]), (&json!("notSearched"), &json!(0)));
    let line = &body["search"]["pvs"][0];
    assert_eq!((&line["depth"], &line["cp"]), (&json!(0), &body["cp"]));
    assert_eq!(body["line"]["moves"].as_array().map(Vec::len), Some(1), "{body}");
    check_leaf(&body, fen);
}

#[test]
fn every_limit_is_taken() {
    for limit in ["depth", "nodes", "movetime"] {
        let mut fields = json!({ "searched": true });
        fields[limit] = json!(match limit {
            "depth" => 3,
            "nodes" => 2000,
            _ => 50,
        });
        let body = post(PATH, &fields).ok();
        assert_eq!(body["search"]["stopReason"], limit, "{body}");
        assert!(body["search"]["time"].is_u64());
    }
}

#[test]
fn deterministic_replies_are_equal_to_the_byte() {
    let text = r#"{"searched": true, "depth": 4, "deterministic": true}"#;
    let (first, second) = (post_text(PATH, text), post_text(PATH, text));
    assert_eq!(first.bytes, second.bytes);
    assert!(first.header("etag").starts_with('"') && first.header("etag") == second.header("etag"));
    assert_eq!(post(PATH, &json!({ "searched": true, "depth": 1 })).header("etag"), "");
}

#[test]
fn without_a_search_the_reply_says_nothing_of_one() {
    for fields in [json!({}), json!({ "searched": false }), json!({ "deterministic": false })] {
        let body = post(PATH, &fields).ok();
        for field in ["leafFen", "line", "search", "remainder", "change"] {
            assert_eq!(body.get(field), None, "{fields} {field}");
        }
    }
}

#[test]
fn a_search_needs_its_limit_and_a_limit_its_search() {
    // Fields, code, the field at fault, what the detail has to mention.
    let cases = [
        (
            json!({ "searched": true }),
            "conflicting_fields",
            "searched",
            "one of `depth`, `nodes` and `movetime`",
        ),
        (json!({ "depth": 3 }), "conflicting_fields", "depth", "`searched`"),
        (json!({ "nodes": 3 }), "conflicting_fields", "nodes", "`searched`"),
        (json!({ "movetime": 3, "searched": false }), "conflicting_fields", "movetime", "`searched`"),
        (json!({ "deterministic": true }), "conflicting_fields", "deterministic", "`searched`"),
        (json!({ "searched": true, "depth": 3, "nodes": 3 }), "conflicting_fields", "nodes", "one of"),
        (
            json!({ "searched": true, "movetime": 3, "deterministic": true }),
            "conflicting_fields",
            "deterministic",
            "`depth` or `nodes`",
        ),
        (json!({ "searched": "yes" }), "invalid_field", "searched", "boolean"),
        (json!({ "searched": true, "depth": 0 }), "invalid_field", "depth", "1 to 127"),
        (json!({ "searched": true, "depth": 120 }), "limit_exceeded", "depth", "100"),
        (json!({ "searched": true, "nodes": 2_000_000_000 }), "limit_exceeded", "nodes", "1000000000"),
        (json!({ "searched": true, "movetime": 80_000_000 }), "limit_exceeded", "movetime", "30000"),
    ];
    for (fields, code, field, mention) in cases {
        let reply = post(PATH, &fields);
        let body = reply.json();
        assert_eq!((reply.status.as_u16(), &body["code"]), (400, &json!(code)), "{fields} {body}");
        assert_eq!(body["field"], field, "{fields}");
        assert!(body["detail"].as_str().unwrap().contains(mention), "{body}");
    }
}
