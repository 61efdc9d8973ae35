//! `/v1/eval-breakdown/diff`.

use std::fs;
use std::path::Path;

use centipawn::engine::chess::{Fen, Variant};
use serde_json::{Value, json};

use crate::client::{get, post, query};

const PATH: &str = "/v1/eval-breakdown/diff";

/// Every `step`-th position of a perft file.
fn positions(file: &str, step: usize) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/perft").join(file);
    let text = fs::read_to_string(path).unwrap();
    text.lines().step_by(step).map(|line| line.split(';').next().unwrap().trim().to_owned()).collect()
}

fn cp(value: &Value) -> i64 {
    value["cp"].as_i64().unwrap()
}

/// Terms, features and causes add up to the difference of the two evaluations, and so do the worths of each term.
fn check_sums(body: &Value, place: &str) {
    let change = cp(&body["change"]);
    assert_eq!(change, cp(&body["after"]) - cp(&body["before"]), "{place}");
    let causes = body["change"]["by"].as_object().unwrap().values();
    assert_eq!(causes.map(|cause| cause.as_i64().unwrap()).sum::<i64>(), change, "{place}");
    let terms = body["terms"].as_array().unwrap();
    assert_eq!(terms.iter().map(|term| cp(&term["change"])).sum::<i64>(), change, "{place}");
    for side in ["before", "after"] {
        assert_eq!(terms.iter().map(|term| cp(&term[side])).sum::<i64>(), cp(&body[side]), "{place}");
    }
    for term in terms {
        assert_eq!(cp(&term["change"]), cp(&term["after"]) - cp(&term["before"]), "{place}");
        for (part, phase) in [("white", "mg"), ("black", "eg"), ("total", "mg"), ("total", "eg")] {
            let number = |side: &str| term[side][part][phase].as_i64().unwrap();
            assert_eq!(number("change"), number("after") - number("before"), "{place} {part}");
        }
        let features = term["features"].as_array().unwrap();
        assert_eq!(features.iter().map(cp).sum::<i64>(), cp(&term["change"]), "{place} {}", term["term"]);
        for feature in features {
            let worth = |side: &str| feature[side]["cp"].as_i64().unwrap_or_default();
            assert_eq!(cp(feature), worth("after") - worth("before"), "{place} {feature}");
            let there = ["before", "after"].map(|side| !feature[side].is_null());
            let expected = match feature["kind"].as_str().unwrap() {
                "appeared" => [false, true],
                "vanished" => [true, false],
                _ => [true, true],
            };
            assert_eq!(there, expected, "{place} {feature}");
        }
    }
}

#[test]
fn moves_and_choices_add_up_in_many_positions() {
    for (index, fen) in positions("standard.epd", 3).iter().chain(&positions("edge-cases.epd", 5)).enumerate()
    {
        let Ok(Fen { position, .. }) = Fen::parse(fen, Variant::Standard) else { continue };
        let moves: Vec<String> = position.legal_moves().iter().map(|mv| format!("{mv:?}")).collect();
        let (Some(first), Some(last)) = (moves.first(), moves.last()) else { continue };
        let pov = if index % 2 == 0 { "white" } else { "turn" };
        for fields in
            [json!({ "move": first }), json!({ "move": last }), json!({ "moveA": first, "moveB": last })]
        {
            let mut fields = fields;
            fields["fen"] = json!(fen);
            fields["pov"] = json!(pov);
            let body = post(PATH, &fields).ok();
            check_sums(&body, &fields.to_string());
            assert!(!body["summary"].as_array().unwrap().is_empty(), "{fields}");
        }
    }
}

#[test]
fn both_ends_are_what_a_breakdown_says_of_them() {
    let body = post(PATH, &json!({ "moves": "e4 e5 Nf3", "move": "Nc6" })).ok();
    for (side, moves) in [("before", "e4 e5 Nf3"), ("after", "e4 e5 Nf3 Nc6")] {
        let alone = post("/v1/eval-breakdown", &json!({ "moves": moves })).ok();
        for field in ["fen", "turn", "cp", "inCheck", "phase", "blend", "status"] {
            assert_eq!(body[side][field], alone[field], "{side} {field}");
        }
        for (term, line) in body["terms"].as_array().unwrap().iter().zip(alone["terms"].as_array().unwrap()) {
            assert_eq!(term["term"], line["term"]);
            for field in ["white", "black", "total", "cp"] {
                assert_eq!(term[side][field], line[field], "{side} {field}");
            }
        }
    }
    assert_eq!(body["move"], json!({ "uci": "b8c6", "san": "Nc6" }));
    assert_eq!((body.get("moveA"), body.get("moveB")), (None, None));
    assert_eq!((&body["fen"], &body["turn"]), (&body["before"]["fen"], &json!("black")));
}

#[test]
fn two_moves_are_compared_after_each() {
    let body = post(PATH, &json!({ "moveA": "e4", "moveB": "d2d4", "pov": "turn" })).ok();
    for (side, field, text) in [("before", "moveA", "e2e4"), ("after", "moveB", "d2d4")] {
        assert_eq!(body[field]["uci"], text);
        assert_eq!(body[side]["fen"], post("/v1/evaluate", &json!({ "moves": text })).ok()["fen"]);
    }
    assert_eq!(body.get("move"), None);
    let back = post(PATH, &json!({ "moveA": "d4", "moveB": "e4" })).ok();
    assert_eq!(cp(&back["change"]), -cp(&body["change"]));
    assert!(body["summary"][0].as_str().unwrap().starts_with("d2-d4 is "), "{}", body["summary"]);
    let same = post(PATH, &json!({ "moveA": "e4", "moveB": "e2e4" })).ok();
    assert!(same["terms"].as_array().unwrap().iter().all(|term| term["features"] == json!([])));
    assert_eq!(
        same["change"],
        json!({ "cp": 0, "by": { "features": 0, "phase": 0, "scale": 0, "rule50": 0 } })
    );
}

#[test]
fn two_lines_are_compared_at_their_ends() {
    let lines = json!({ "moves": "e4 e5", "lineA": ["Nf3", "Nc6", "Bb5"], "lineB": "f2f4 exf4" });
    let body = post(PATH, &lines).ok();
    assert_eq!(
        get(&format!(
            "{PATH}?{}",
            query(&json!({ "moves": "e4 e5", "lineA": "Nf3 Nc6 Bb5", "lineB": "f2f4 exf4" }))
        ))
        .ok(),
        body
    );
    for (side, moves) in [("before", "e4 e5 Nf3 Nc6 Bb5"), ("after", "e4 e5 f4 exf4")] {
        let alone = post("/v1/eval-breakdown", &json!({ "moves": moves })).ok();
        for field in ["fen", "turn", "cp"] {
            assert_eq!(body[side][field], alone[field], "{side} {field}");
        }
    }
    check_sums(&body, "lines");
    assert_eq!((&body["moveA"]["san"], &body["moveB"]["uci"]), (&json!("Nf3"), &json!("f2f4")));
    assert_eq!(body["lineA"], json!({ "moves": ["g1f3", "b8c6", "f1b5"], "san": ["Nf3", "Nc6", "Bb5"] }));
    assert_eq!(body["lineB"]["san"], json!(["f4", "exf4"]));
    let headline = body["summary"][0].as_str().unwrap();
    assert!(
        headline.contains("f2-f4 with its line is worse for White than Ng1-f3 with its line"),
        "{headline}"
    );
    // A line of one move is that move, and either candidate may be a line.
    let mixed = post(PATH, &json!({ "lineA": ["e4"], "moveB": "d4" })).ok();
    let plain = post(PATH, &json!({ "moveA": "e4", "moveB": "d4" })).ok();
    assert_eq!((&mixed["change"], &mixed["summary"]), (&plain["change"], &plain["summary"]));
    assert_eq!((mixed["lineA"]["san"][0].as_str(), mixed.get("lineB")), (Some("e4"), None));
}

#[test]
fn a_line_may_end_the_game() {
    let body = post(PATH, &json!({ "moves": "f3 e5", "lineA": "g4 Qh4", "moveB": "e4" })).ok();
    let verdicts = ["g2-g4 with its line ends in checkmate.", "After g2-g4 with its line: ", "After e2-e4: "];
    let summary = body["summary"].as_array().unwrap();
    assert_eq!(summary.len(), verdicts.len(), "{summary:?}");
    for (sentence, verdict) in summary.iter().zip(verdicts) {
        assert!(sentence.as_str().unwrap().starts_with(verdict), "{sentence}");
    }
    check_sums(&body, "checkmate");
}

#[test]
fn a_piece_is_followed_to_its_new_square() {
    let fields = json!({ "moves": "e4 e5 Nf3 Nc6", "move": "Nxe5", "evaluator": "psqt" });
    let body = post(PATH, &fields).ok();
    let features =
        || body["terms"].as_array().unwrap().iter().flat_map(|term| term["features"].as_array().unwrap());
    let placement = features()
        .find(|feature| feature["name"] == "knightPlacement" && feature["kind"] == "changed")
        .unwrap();
    assert_eq!(
        (&placement["before"]["squares"], &placement["after"]["squares"]),
        (&json!(["f3"]), &json!(["e5"]))
    );
    assert!(placement["after"]["text"].as_str().unwrap().contains("knight on e5"), "{placement}");
    let pawn = features()
        .find(|feature| feature["name"] == "pawnPlacement" && feature["kind"] == "vanished")
        .unwrap();
    assert_eq!((&pawn["side"], &pawn["before"]["squares"]), (&json!("black"), &json!(["e5"])));
    // The other knights have not changed at all.
    assert!(!features().any(|feature| feature["before"]["squares"] == json!(["b1"])), "{body}");
}

#[test]
fn a_get_asks_the_same() {
    let fields = json!({ "moves": "e4 e5", "move": "Nf3", "evaluator": "pieces" });
    assert_eq!(get(&format!("{PATH}?{}", query(&fields))).ok(), post(PATH, &fields).ok());
}

#[test]
fn exactly_one_question_is_asked() {
    // Fields, the one at fault, what the detail has to mention.
    let cases = [
        (json!({}), "move", "`moveA` and `moveB`"),
        (json!({ "moveA": "e4" }), "moveB", "`moveA` goes with `moveB`"),
        (json!({ "moveB": "e4" }), "moveA", "`moveB` goes with `moveA`"),
        (json!({ "move": "e4", "moveA": "d4" }), "move", "not both"),
        (json!({ "move": "e4", "moveB": "d4" }), "move", "not both"),
        (json!({ "move": "e4", "moveA": "d4", "moveB": "c4" }), "move", "not both"),
        (json!({ "move": "e4", "lineA": "d4 d5" }), "move", "not both"),
        (json!({ "lineA": "d4 d5" }), "moveB", "`lineA` goes with `moveB`"),
        (json!({ "moveA": "d4", "lineA": "d4 d5", "moveB": "c4" }), "lineA", "either `moveA` or `lineA`"),
        (json!({ "moveA": "d4", "lineB": [] }), "lineB", "empty"),
    ];
    for (fields, field, mention) in cases {
        let reply = post(PATH, &fields);
        let body = reply.json();
        assert_eq!(reply.status, 400, "{fields}");
        assert_eq!((&body["code"], &body["field"]), (&json!("conflicting_fields"), &json!(field)), "{body}");
        assert!(body["detail"].as_str().unwrap().contains(mention), "{body}");
    }
    for (fields, code) in [
        (json!({ "move": 3 }), "invalid_field"),
        (json!({ "move": "a move that is too long" }), "invalid_field"),
        (json!({ "mvoe": "e4" }), "unknown_field"),
        (json!({ "move": "e4", "depth": 3 }), "unknown_field"),
        (json!({ "move": "e4", "pieceValues": "euwe" }), "conflicting_fields"),
        (json!({ "move": "e4", "fen": "hello" }), "fen_syntax"),
    ] {
        let reply = post(PATH, &fields);
        assert_eq!((reply.status.as_u16(), &reply.json()["code"]), (400, &json!(code)), "{fields}");
    }
}

#[test]
fn illegal_moves_come_with_the_legal_ones() {
    // Fields, the one at fault, the move, its ply, number of legal moves.
    let cases = [
        (json!({ "move": "e2e5" }), "move", "e2e5", 0, 20),
        (json!({ "moves": "e4 e5", "move": "xyz" }), "move", "xyz", 2, 29),
        (json!({ "moveA": "e4", "moveB": "Ke2" }), "moveB", "Ke2", 0, 20),
        (json!({ "moveA": "0000", "moveB": "e4" }), "moveA", "0000", 0, 20),
        (json!({ "moves": "f3 e5 g4 Qh4", "move": "e4" }), "move", "e4", 4, 0),
        (json!({ "moves": "e2e5", "move": "e4" }), "moves", "e2e5", 0, 20),
        (json!({ "moves": "e4 e5", "moveA": "d4", "lineB": "Nf3 Nf3" }), "lineB", "Nf3", 3, 29),
    ];
    for (fields, field, text, ply, legal) in cases {
        let reply = post(PATH, &fields);
        let body = reply.json();
        assert_eq!((reply.status.as_u16(), &body["code"]), (422, &json!("illegal_move")), "{body}");
        assert_eq!((&body["field"], &body["move"], &body["ply"]), (&json!(field), &json!(text), &json!(ply)));
        assert_eq!(body["legalMoves"].as_array().unwrap().len(), legal, "{body}");
    }
}

#[test]
fn a_move_that_ends_the_game_says_so() {
    let mate = post(PATH, &json!({ "moves": "f3 e5 g4", "move": "Qh4" })).ok();
    assert_eq!((&mate["after"]["status"], &mate["after"]["inCheck"]), (&json!("checkmate"), &json!(true)));
    assert!(mate["summary"][0].as_str().unwrap().contains("ends in checkmate"), "{}", mate["summary"]);
    let stalemate = post(PATH, &json!({ "fen": "7k/8/5KQ1/8/8/8/8/8 w - - 0 1", "move": "Qf7" })).ok();
    check_sums(&stalemate, "stalemate");
    assert_eq!((&stalemate["after"]["status"], &stalemate["after"]["cp"]), (&json!("stalemate"), &json!(0)));
    assert_eq!(stalemate["after"]["blend"]["scale"]["reason"], "stalemate");
    assert!(stalemate["change"]["by"]["scale"].as_i64().unwrap() < 0, "{}", stalemate["change"]);
    // The third time that the position is on the board a draw may be claimed; the fifth time the game is over.
    let shuffle = "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1";
    let fifth = post(PATH, &json!({ "moves": shuffle, "move": "Ng8" })).ok();
    assert_eq!(fifth["after"]["status"], "fivefold");
}

#[test]
fn repairs_are_told() {
    let fen = "3qk1nb/1p3p2/p1r1p1p1/3p4/3P4/2N1BP2/PPPQ1P2/R3K3 w Qk - 0 15";
    let body = post(PATH, &json!({ "fen": fen, "move": "O-O-O" })).ok();
    assert_eq!(body["warnings"][0]["code"], "castling_rights_ignored");
    assert_eq!(body["move"], json!({ "uci": "e1c1", "san": "O-O-O" }));
    check_sums(&body, fen);
}
