//! `/v1/eval-breakdown` and its terms.

use serde_json::{Value, json};

use crate::client::{get, post, post_text};

const POSITIONS: &[&str] = &[
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
    "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
    "rnbqkbnr/ppp2ppp/8/1B1pp3/4P3/8/PPPP1PPP/RNBQK1NR b KQkq - 1 3",
    "8/8/4k3/8/8/3NK3/8/8 w - - 0 1",
    "8/8/4k3/8/8/3QK3/8/8 w - - 77 100",
    "8/5k2/8/3P4/8/8/5K2/8 b - - 0 1",
    "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    "8/PPPPPPPP/nr4RN/qb4BQ/kb4BK/nr4RN/pppppppp/8 w - - 0 1",
];

fn sum(items: &Value) -> i64 {
    items.as_array().unwrap().iter().map(|item| item["cp"].as_i64().unwrap()).sum()
}

#[test]
fn it_adds_up_everywhere_from_both_points_of_view() {
    for fen in POSITIONS {
        for evaluator in ["full", "pieces", "psqt", "material", "count"] {
            for pov in ["white", "turn"] {
                let body =
                    post("/v1/eval-breakdown", &json!({ "fen": fen, "evaluator": evaluator, "pov": pov }))
                        .ok();
                assert_eq!(body["cp"], sum(&body["terms"]), "{evaluator} {pov} {fen}");
                for term in body["terms"].as_array().unwrap() {
                    assert_eq!(
                        term["cp"],
                        sum(&term["features"]),
                        "{evaluator} {pov} {fen} {}",
                        term["term"]
                    );
                }
            }
        }
    }
}

#[test]
fn it_explains_what_evaluate_says() {
    for fen in POSITIONS {
        let fields = json!({ "fen": fen });
        let (why, what) = (post("/v1/eval-breakdown", &fields).ok(), post("/v1/evaluate", &fields).ok());
        let shared = ["fen", "turn", "pov", "inCheck", "phase", "status", "winner", "warnings", "engine"];
        for field in shared {
            assert_eq!(why[field], what[field], "{fen} {field}");
        }
        if what["status"] != "checkmate" {
            assert_eq!(why["cp"], what["cp"], "{fen}");
        }
    }
}

#[test]
fn the_reply_has_the_fields_of_the_contract_in_their_order() {
    let text = String::from_utf8(post_text("/v1/eval-breakdown", "{}").bytes.to_vec()).unwrap();
    let fields = [
        "fen", "turn", "pov", "cp", "inCheck", "phase", "blend", "terms", "summary", "status", "winner",
        "warnings", "engine",
    ];
    let body: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(body.as_object().unwrap().len(), fields.len());
    assert!(fields.iter().all(|field| body.get(field).is_some()), "{text}");
    let blend = ["mg", "eg", "tapered", "scale", "tempo", "rule50"];
    assert!(blend.iter().all(|field| body["blend"].get(field).is_some()), "{text}");
    let feature = &body["terms"].as_array().unwrap().iter().find(|term| term["term"] == "mobility").unwrap()
        ["features"][0];
    for field in ["name", "side", "squares", "mg", "eg", "cp", "text"] {
        assert!(feature.get(field).is_some(), "{feature}");
    }
    assert!(!body["summary"].as_array().unwrap().is_empty());
}

#[test]
fn every_term_and_feature_of_every_evaluator_is_described() {
    for evaluator in ["full", "pieces", "psqt", "material", "count"] {
        let described = get(&format!("/v1/eval-breakdown/terms?evaluator={evaluator}")).ok();
        assert_eq!(described["evaluator"], evaluator);
        let terms = described["terms"].as_array().unwrap();
        for term in terms {
            for field in ["id", "title", "description", "unit"] {
                assert!(!term[field].as_str().unwrap().is_empty(), "{term}");
            }
            assert!(!term["weights"].as_array().unwrap().is_empty(), "{evaluator}: {term}");
        }
        for fen in POSITIONS {
            let body = post("/v1/eval-breakdown", &json!({ "fen": fen, "evaluator": evaluator })).ok();
            for line in body["terms"].as_array().unwrap() {
                let term = terms.iter().find(|term| term["id"] == line["term"]).unwrap();
                for feature in line["features"].as_array().unwrap() {
                    let names: Vec<_> =
                        term["weights"].as_array().unwrap().iter().map(|weight| &weight["name"]).collect();
                    assert!(names.contains(&&feature["name"]), "{evaluator}: {feature}");
                }
            }
        }
    }
}

#[test]
fn the_terms_are_those_of_full_unless_another_evaluator_is_named() {
    assert_eq!(get("/v1/eval-breakdown/terms").ok(), get("/v1/eval-breakdown/terms?evaluator=full").ok());
    for (query, code) in [("evaluator=pawns", "invalid_field"), ("evaluater=full", "unknown_field")] {
        let reply = get(&format!("/v1/eval-breakdown/terms?{query}"));
        assert_eq!((reply.status.as_u16(), &reply.json()["code"]), (400, &json!(code)), "{query}");
    }
}
