//! The fields that all positions share: FEN, moves, variant, point of view, evaluator.

use serde_json::{Value, json};

use crate::client::{get, post, query, turned_sentence};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[test]
fn positions_are_read_leniently_and_told_canonically() {
    // Request, position in the reply.
    let cases = [
        (json!({}), START),
        (json!({ "fen": null, "moves": null }), START),
        (json!({ "moves": [] }), START),
        (json!({ "moves": "" }), START),
        (json!({ "fen": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha -" }), START),
        (json!({ "fen": "4k3/8/8/8/8/8/8/4K2R w K - hmvc 7; fmvn 20;" }), "4k3/8/8/8/8/8/8/4K2R w K - 7 20"),
        (
            json!({ "moves": ["e2e4", "e5", "g1f3", "Nc6", "Bb5", "a6"] }),
            "r1bqkbnr/1ppp1ppp/p1n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 0 4",
        ),
        (
            json!({ "moves": "e2e4 e5  g1f3 Nc6 Bb5 a6 O-O" }),
            "r1bqkbnr/1ppp1ppp/p1n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQ1RK1 b kq - 1 4",
        ),
        (
            json!({ "fen": "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "moves": ["e1h1"] }),
            "4k3/8/8/8/8/8/8/5RK1 b - - 1 1",
        ),
        (
            json!({ "fen": "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "moves": ["e1g1"] }),
            "4k3/8/8/8/8/8/8/5RK1 b - - 1 1",
        ),
        (
            json!({ "fen": "1k6/8/8/8/8/8/8/RK5R w HA - 0 1", "variant": "chess960", "moves": ["b1a1"] }),
            "1k6/8/8/8/8/8/8/2KR3R b - - 1 1",
        ),
    ];
    for (fields, fen) in cases {
        for path in ["/v1/evaluate", "/v1/eval-breakdown"] {
            assert_eq!(post(path, &fields).ok()["fen"], fen, "{path} {fields}");
        }
    }
}

#[test]
fn a_query_string_may_write_spaces_as_it_likes() {
    let expected = get("/v1/evaluate").ok();
    for fen in [START.replace(' ', "_"), START.replace(' ', "%20"), START.replace(' ', "+")] {
        assert_eq!(get(&format!("/v1/evaluate?fen={fen}")).ok(), expected, "{fen}");
    }
    let moved = get("/v1/evaluate?moves=e4+e5").ok();
    assert_eq!(moved, post("/v1/evaluate", &json!({ "moves": ["e4", "e5"] })).ok());
}

#[test]
fn get_and_post_say_the_same() {
    let requests = [
        (
            "/v1/evaluate",
            json!({ "moves": "e4", "pov": "turn", "evaluator": "count", "pieceValues": "euwe" }),
        ),
        ("/v1/evaluate", json!({ "quiescence": true, "evaluator": "psqt" })),
        ("/v1/best-move", json!({ "depth": 3, "multiPv": 2, "searchMoves": "e4 d4", "deterministic": true })),
        (
            "/v1/best-move",
            json!({ "nodes": 500, "multiPv": "all", "deterministic": true, "timeoutMs": 9000 }),
        ),
        ("/v1/eval-breakdown", json!({ "moves": ["Nf3"], "evaluator": "pieces" })),
    ];
    for (path, fields) in requests {
        assert_eq!(
            get(&format!("{path}?{}", query(&fields))).ok(),
            post(path, &fields).ok(),
            "{path} {fields}"
        );
    }
}

/// The reply seen from the other side: every score negated, wins and losses swapped.
fn turned(score: &Value) -> Value {
    match score {
        Value::Object(fields) => {
            let turn = |(name, value): (&String, &Value)| match (name.as_str(), value) {
                ("win", _) => ("loss".to_owned(), value.clone()),
                ("loss", _) => ("win".to_owned(), value.clone()),
                ("cp" | "mate" | "mg" | "eg" | "tapered" | "tempo", Value::Number(number)) => {
                    (name.clone(), json!(-number.as_i64().unwrap()))
                }
                ("winPercent", Value::Number(percent)) => {
                    (name.clone(), json!((1000.0 - (percent.as_f64().unwrap() * 10.0).round()) / 10.0))
                }
                ("summary", Value::Array(sentences)) => {
                    (name.clone(), sentences.iter().map(turned_sentence).collect())
                }
                // Both sides' own sums stay as they are.
                ("white" | "black", _) => (name.clone(), value.clone()),
                _ => (name.clone(), turned(value)),
            };
            Value::Object(fields.iter().map(turn).collect())
        }
        Value::Array(items) => Value::Array(items.iter().map(turned).collect()),
        other => other.clone(),
    }
}

#[test]
fn pov_turns_every_score() {
    let fen = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 2 3";
    let mate = "3r2k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1";
    for (path, own) in [
        ("/v1/evaluate", json!({ "fen": fen, "quiescence": true })),
        ("/v1/eval-breakdown", json!({ "fen": fen })),
        ("/v1/best-move", json!({ "fen": fen, "depth": 4, "multiPv": 3, "deterministic": true })),
        ("/v1/best-move", json!({ "fen": mate, "depth": 4, "multiPv": 3, "deterministic": true })),
    ] {
        let seen_from = |pov: &str| {
            let mut fields = own.clone();
            fields["pov"] = json!(pov);
            let mut body = post(path, &fields).ok();
            assert_eq!(body["pov"], pov);
            body["pov"] = Value::Null;
            body
        };
        assert_eq!(turned(&seen_from("white")), seen_from("turn"), "{path} {own}");
    }
}

#[test]
fn mirrored_positions_have_the_same_score_for_the_side_to_move() {
    let pairs = [
        (START, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1"),
        (
            "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
            "rnbqkb1r/pppp1ppp/5n2/4p3/4P3/2N5/PPPP1PPP/R1BQKBNR b KQkq - 2 3",
        ),
        ("8/5k2/8/3P4/8/8/5K2/8 w - - 0 1", "8/5k2/8/8/3p4/8/5K2/8 b - - 0 1"),
    ];
    for (fen, mirrored) in pairs {
        for evaluator in ["full", "pieces", "psqt", "material", "count"] {
            let of = |fen: &str| {
                let fields = json!({ "fen": fen, "pov": "turn", "evaluator": evaluator });
                let body = post("/v1/evaluate", &fields).ok();
                (body["cp"].clone(), body["winPercent"].clone(), body["wdl"].clone())
            };
            assert_eq!(of(fen), of(mirrored), "{evaluator} {fen}");
        }
    }
}

#[test]
fn piece_values_are_selectable() {
    let fen = "4k1nq/6pp/8/8/8/8/5PPP/2BQK3 w - - 0 1";
    let cp = |values: &str| {
        let fields = json!({ "fen": fen, "evaluator": "count", "pieceValues": values });
        post("/v1/evaluate", &fields).ok()["cp"].clone()
    };
    // A pawn more: 3 + 9 + 3 against 3 + 9 + 2.
    assert_eq!((cp("classic"), cp("euwe")), (json!(100), json!(100)));
}
