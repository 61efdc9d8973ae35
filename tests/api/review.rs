//! Games reviewed, from PGN and from moves, searched and by their own scores.

use std::sync::Arc;

use axum::body::Body;
use axum::http::{Request, header};
use centipawn::api::{AppState, service};
use centipawn::config::Limits;
use serde_json::{Value, json};

use crate::client::{Reply, pools, post, post_text, send, send_to};

pub(crate) const PATH: &str = "/v1/games/review";

/// Blackburne's trap, with the scores of a strong engine.
pub(crate) const TRAP: &str = "[White \"Anna\"]\n[Black \"Ben\"]\n\n1. e4 { [%eval 0.36] } e5 { [%eval 0.37] } 2. Nf3 { [%eval 0.24] } Nc6 \
    { [%eval 0.32] } 3. Bc4 { [%eval 0.16] } Nd4 { [%eval 1.25] } ( 3... Bc5 4. c3 ) 4. Nxe5 { [%eval -0.63] } \
    ( 4. Nxd4 exd4 ) Qg5 { [%eval -0.57] } 5. Nxf7 { [%eval -4.96] } ( 5. Bxf7+ Kd8 ) Qxg2 { [%eval -5.11] } 6. Rf1 \
    { [%eval -6.47] } Qxe4+ { [%eval -6.60] } 7. Be2 { [%eval #-1] } ( 7. Qe2 Nxe2 ) Nf3# 0-1\n";

fn review(body: &Value) -> Value {
    post(PATH, body).ok()
}

fn streamed(body: &Value, accept: &str) -> Reply {
    let request =
        Request::post(PATH).header(header::CONTENT_TYPE, "application/json").header(header::ACCEPT, accept);
    let reply = send(request.body(Body::from(body.to_string())).unwrap());
    assert_eq!(reply.status, 200, "{:?}", reply.bytes);
    assert_eq!(reply.header("content-type"), accept);
    reply
}

fn refused(body: &Value, status: u16, code: &str, field: &str) -> Value {
    let reply = post(PATH, body);
    let problem = reply.json();
    assert_eq!(
        (reply.status.as_u16(), &problem["code"], &problem["field"]),
        (status, &json!(code), &json!(field)),
        "{body}"
    );
    problem
}

#[test]
fn a_score_that_is_none_is_not_known() {
    let pgn = "1. e4 { [%eval 0.3] } e5 { [%eval #-2147483648] } 2. Nf3 { [%eval #-3] } *";
    let reply = review(&json!({ "pgn": pgn, "useEvals": true }));
    let mates: Vec<_> =
        reply["games"][0]["plies"].as_array().unwrap().iter().map(|ply| &ply["mate"]).collect();
    assert_eq!(mates, [&Value::Null, &Value::Null, &json!(-3)]);
    let pgn = "1. e4 { [%eval x] } e5 { [%eval 1e9] } 2. Nf3 { [%eval #] } Nc6 { [%eval #0] } 3. Bc4 { [%eval 0.2] } Nd4 *";
    let reply = review(&json!({ "pgn": pgn, "useEvals": true }));
    let [warning] = reply["games"][0]["warnings"].as_array().unwrap().as_slice() else { panic!("{reply}") };
    assert_eq!((&warning["code"], &warning["field"]), (&json!("evals_ignored"), &json!("pgn")));
    assert_eq!(
        warning["detail"],
        "Scores in `[%eval]` that could not be read: 4. Their moves count as having none."
    );
    // With the mate on the board nothing is missing.
    let mate = "1. f3 { [%eval 0.1] } e5 2. g4 Qh4# { [%eval #0] } *";
    assert_eq!(review(&json!({ "pgn": mate, "useEvals": true }))["games"][0]["warnings"], json!([]));
    let none = json!({ "pgn": "1. e4 { [%eval x] } *", "useEvals": true });
    let problem = refused(&none, 400, "conflicting_fields", "useEvals");
    assert!(problem["detail"].as_str().unwrap().ends_with("has none that can be read."), "{problem}");
}

#[test]
fn searches_that_end_early_are_told() {
    let limits = Limits { request_timeout_ms: 1_000, max_movetime_ms: 500, ..Limits::DEFAULT };
    let service = service(AppState::new(limits, Vec::new(), Arc::new(pools(3, 4))));
    let asked = |body: &Value| {
        let request = Request::post(PATH).header(header::CONTENT_TYPE, "application/json");
        send_to(service.clone(), request.body(Body::from(body.to_string())).unwrap()).ok()
    };
    let reply = asked(&json!({ "moves": "e4 e5", "nodes": 1_000_000_000 }));
    let [warning] = reply["games"][0]["warnings"].as_array().unwrap().as_slice() else { panic!("{reply}") };
    assert_eq!((&warning["code"], &warning["field"]), (&json!("searches_cut_short"), &json!("nodes")));
    assert!(warning["detail"].as_str().unwrap().ends_with("was over: 3."), "{warning}");
    assert_eq!(asked(&json!({ "moves": "e4 e5", "depth": 1 }))["games"][0]["warnings"], json!([]));
}

/// Castling that is possible by the rules of Chess960 alone.
#[test]
fn chess960_that_is_not_named_is_told() {
    let fen = "bnrbkqrn/pppppppp/8/8/8/8/PPPPPPPP/BNRBKQRN w KQkq - 0 1";
    let moves = "f4 f5 Qf2 Qf7";
    for castling in ["O-O", "e1g1"] {
        let moves = format!("{moves} {castling}");
        let advises = |problem: &Value| {
            let detail = problem["detail"].as_str().unwrap();
            assert_eq!(problem["code"], "illegal_move");
            detail.contains("with `variant` `chess960` they count")
        };
        let game = json!({ "fen": fen, "moves": moves, "nodes": 10 });
        assert!(advises(&refused(&game, 422, "illegal_move", "moves")), "{castling}");
        let position = json!({ "fen": fen, "moves": moves });
        assert!(advises(&post("/v1/evaluate", &position).json()), "{castling}");
        let choice = json!({ "fen": fen, "moves": "f4 f5 Qf2 Qf7", "searchMoves": castling });
        assert!(advises(&post("/v1/best-move", &choice).json()), "{castling}");
        let change = json!({ "fen": fen, "moves": "f4 f5 Qf2 Qf7", "move": castling });
        assert!(advises(&post("/v1/eval-breakdown/diff", &change).json()), "{castling}");
        let other = json!({ "fen": fen, "moves": "f4 f5 a5" });
        assert!(!advises(&post("/v1/evaluate", &other).json()), "it is no castling");
        let usual = json!({ "moves": castling });
        assert!(!advises(&post("/v1/evaluate", &usual).json()), "no right was dropped");
    }
    let named = json!({ "fen": fen, "moves": format!("{moves} e1g1"), "variant": "chess960" });
    assert_eq!(post("/v1/evaluate", &named).status, 200);
    for (tag, told) in [("", true), ("[Variant \"Standard\"]", true), ("[Variant \"Chess960\"]", false)] {
        let pgn = format!("{tag}\n[FEN \"{fen}\"]\n\n1. f4 f5 2. Qf2 Qf7 3. O-O *");
        let reply = review(&json!({ "pgn": pgn, "nodes": 10 }));
        let codes: Vec<_> =
            reply["games"][0]["warnings"].as_array().unwrap().iter().map(|it| &it["code"]).collect();
        assert_eq!(codes, if told { vec!["taken_as_chess960"] } else { Vec::new() }, "{tag}");
    }
}

#[test]
fn a_game_is_judged_by_its_own_scores() {
    let reply = review(&json!({ "pgn": TRAP, "useEvals": true }));
    let [game] = reply["games"].as_array().unwrap().as_slice() else { panic!("{reply}") };
    assert_eq!(game["headers"], json!({ "White": "Anna", "Black": "Ben" }));
    assert_eq!(game["opening"]["eco"], "C50");
    assert_eq!((&game["pov"], &game["winModel"]), (&json!("white"), &json!("lichess")));
    let plies = game["plies"].as_array().unwrap();
    let judged: Vec<_> = plies
        .iter()
        .filter(|ply| !ply["judgment"].is_null())
        .map(|ply| {
            (
                ply["san"].as_str().unwrap(),
                ply["judgment"]["comment"].as_str().unwrap(),
                ply["best"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        judged,
        [
            ("Nd4", "Inaccuracy. Bc5 was best.", "f8c5"),
            ("Nxe5", "Blunder. Nxd4 was best.", "f3d4"),
            ("Nxf7", "Blunder. Bxf7+ was best.", "c4f7"),
            ("Be2", "Checkmate is now unavoidable. Qe2 was best.", "d1e2"),
        ]
    );
    let mate = &plies[13];
    assert_eq!((&mate["san"], &mate["mate"], &mate["judgment"]), (&json!("Nf3#"), &json!(0), &Value::Null));
    assert_eq!(plies[5]["variation"], "Bc5 c3");
    assert_eq!(
        (&plies[5]["ply"], &plies[5]["cp"], &plies[5]["move"]),
        (&json!(6), &json!(125), &json!("c6d4"))
    );
    let white = &game["players"]["white"];
    assert_eq!(
        (&white["inaccuracy"], &white["mistake"], &white["blunder"]),
        (&json!(0), &json!(0), &json!(3))
    );
    // Drops of 0, 13, 16, 188, 439, 136 and 340 centipawns.
    assert_eq!(white["acpl"], 162);
}

#[test]
fn every_judgment_says_why_in_terms_of_the_evaluation() {
    let reply = review(&json!({ "pgn": TRAP, "useEvals": true }));
    for ply in reply["games"][0]["plies"].as_array().unwrap() {
        assert_eq!(ply["why"].is_null(), ply["judgment"].is_null(), "{ply}");
    }
    let bad = &reply["games"][0]["plies"][8]["why"];
    let (played, best) = (&bad["played"], &bad["best"]);
    assert_eq!((&played["san"][0], &best["san"][0]), (&json!("Nxf7"), &json!("Bxf7+")));
    // What follows the move that was played is the game, and then captures.
    assert_eq!(played["san"][1], "Qxg2");
    let moves = "e4 e5 Nf3 Nc6 Bc4 Nd4 Nxe5 Qg5";
    let fields = json!({ "moves": moves, "lineA": played["moves"], "lineB": best["moves"] });
    let diff = post("/v1/eval-breakdown/diff", &fields).ok();
    for side in ["lineA", "lineB"] {
        let told = if side == "lineA" { played } else { best };
        assert_eq!(&diff[side], told);
    }
    let sentences = |told: &Value| told["summary"].as_array().unwrap().clone();
    assert!(sentences(bad).ends_with(&sentences(&diff)), "{bad}");
    let sum: i64 = bad["terms"].as_array().unwrap().iter().map(|term| term["cp"].as_i64().unwrap()).sum();
    assert_eq!(sum, diff["change"]["cp"].as_i64().unwrap());
}

/// The best move seldom looks better at once; at the ends of the lines it does, or the reply says that it does not show yet.
#[test]
fn what_is_told_speaks_for_the_best_move() {
    let moves = "e4 e5 Nf3 d6 Bc4 Bg4 Nc3 g6 Nxe5 Bxd1 Bxf7 Ke7 Nd5";
    let reply = review(&json!({ "moves": moves, "nodes": 20_000 }));
    let plies = reply["games"][0]["plies"].as_array().unwrap();
    let explained: Vec<_> = plies.iter().filter(|ply| !ply["why"].is_null()).collect();
    assert!(!explained.is_empty(), "{reply}");
    for ply in explained {
        let headline = ply["why"]["summary"][0].as_str().unwrap();
        let speaks = ["is better for", "ends in checkmate", "lies beyond these lines"];
        assert!(speaks.iter().any(|claim| headline.contains(claim)), "{headline}");
    }
    let taken = &plies[9];
    assert_eq!(taken["why"]["played"]["san"].as_array().unwrap().last().unwrap(), "Nd5#");
    assert_eq!(taken["why"]["summary"][0], "Bg4xd1 with its line ends in checkmate.");
}

/// Annotators also show how the game could have gone on after the move that was played, or what it threatened.
#[test]
fn a_variation_without_another_move_is_no_better_line() {
    for (variations, best, comment) in [
        ("(2. g4 d5)", Value::Null, "Blunder."),
        ("(2. g4 d5) (2. d4)", json!("d2d4"), "Blunder. d4 was best."),
        ("(2. -- d5) (2. Nf3 (2. d4) Nc6)", json!("g1f3"), "Blunder. Nf3 was best."),
        ("(2. d4) (2. g4 d5)", json!("d2d4"), "Blunder. d4 was best."),
    ] {
        let pgn = format!(
            "1. e4 {{[%eval 0.2]}} e5 {{[%eval 0.2]}} 2. g4 {{[%eval -3.0]}} {variations} d5 {{[%eval -3]}} *"
        );
        let reply = review(&json!({ "pgn": pgn, "useEvals": true }));
        let ply = &reply["games"][0]["plies"][2];
        assert_eq!((&ply["best"], &ply["judgment"]["comment"]), (&best, &json!(comment)), "{variations}");
        assert_eq!(ply["variation"].is_null(), best.is_null(), "{variations}");
    }
}

/// The lines end with different sides to move: what the right to move is worth must not count for the best move.
#[test]
fn what_only_the_right_to_move_makes_better_does_not_show_yet() {
    let pgn = "1. e4 { [%eval 0.3] } e5 { [%eval 0.3] } 2. a4 { [%eval -3.0] } ( 2. c4 Nc6 ) *\n";
    let reply = review(&json!({ "pgn": pgn, "useEvals": true }));
    let summary = &reply["games"][0]["plies"][2]["why"]["summary"];
    assert_eq!(summary[0], "What makes c2-c4 better lies beyond these lines.");
    let next = summary[1].as_str().unwrap();
    assert!(next.starts_with("Apart from the right to move (+0."), "{next}");
    assert!(next.contains("is worse for White than a2-a4"), "{next}");
}

#[test]
fn a_searched_game_finds_the_blunder_and_what_was_better() {
    let reply = review(&json!({ "moves": "e4 e5 Bc4 Nc6 Qh5 Nf6 Qxf7", "depth": 7 }));
    let game = &reply["games"][0];
    let plies = game["plies"].as_array().unwrap();
    assert_eq!(plies.len(), 7);
    let blunder = &plies[5];
    assert_eq!((&blunder["san"], &blunder["mate"]), (&json!("Nf6"), &json!(1)));
    assert_eq!(blunder["judgment"]["name"], "Blunder");
    assert_ne!(blunder["best"], "g8f6");
    assert!(blunder["variation"].as_str().unwrap().split(' ').count() > 1);
    let mate = &plies[6];
    assert_eq!(
        (&mate["san"], &mate["mate"], &mate["winPercent"]),
        (&json!("Qxf7#"), &json!(0), &json!(97.54))
    );
    assert_eq!((&mate["judgment"], &mate["best"]), (&Value::Null, &json!("h5f7")));
    assert_eq!(game["players"]["black"]["blunder"], 1);
    assert_eq!(game["headers"], json!({}));
}

#[test]
fn several_games_and_games_from_positions_of_their_own() {
    let pgn = "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n[SetUp \"1\"]\n\n1. e4 Kd7 1/2-1/2\n\n\
               [Variant \"Chess960\"]\n[FEN \"nqbbrknr/pppppppp/8/8/8/8/PPPPPPPP/NQBBRKNR w HEhe - 0 1\"]\n\n1. d3 *\n\n1. e4 *\n";
    let reply = review(&json!({ "pgn": pgn, "depth": 2 }));
    let games = reply["games"].as_array().unwrap();
    let plies: Vec<_> = games.iter().map(|game| game["plies"].as_array().unwrap().len()).collect();
    assert_eq!(plies, [2, 1, 1]);
    assert_eq!(games[0]["fen"], "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
    assert!(games[0]["opening"].is_null());
    assert_eq!(games[2]["opening"], json!({ "eco": "B00", "name": "King's Pawn Game", "ply": 1 }));
}

#[test]
fn a_review_is_told_position_by_position() {
    let body = json!({ "pgn": TRAP, "useEvals": true });
    let whole = review(&body);
    let lines = streamed(&body, "application/x-ndjson");
    let told: Vec<Value> = std::str::from_utf8(&lines.bytes)
        .unwrap()
        .lines()
        .filter(|line| !line.is_empty())
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let (last, progress) = told.split_last().unwrap();
    for (ply, told) in progress.iter().enumerate() {
        assert_eq!(*told, json!({ "event": "progress", "game": 1, "ply": ply, "plies": 14 }));
    }
    assert_eq!(progress.len(), 15);
    assert_eq!((&last["event"], &last["games"]), (&json!("review"), &whole["games"]));
    let events = streamed(&body, "text/event-stream");
    let text = std::str::from_utf8(&events.bytes).unwrap();
    assert_eq!(text.matches("event: progress\n").count(), 15);
    assert_eq!(text.matches("event: review\n").count(), 1);
}

#[test]
fn what_cannot_be_reviewed_is_refused() {
    for (body, field) in [
        (json!({}), "pgn"),
        (json!({ "fen": "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1" }), "pgn"),
        (json!({ "pgn": TRAP, "moves": "e4" }), "moves"),
        (json!({ "pgn": TRAP, "fen": "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1" }), "fen"),
        (json!({ "moves": "e4", "useEvals": true }), "useEvals"),
        (json!({ "pgn": TRAP, "useEvals": true, "depth": 3 }), "useEvals"),
        (json!({ "pgn": "1. e4 e5 *", "useEvals": true }), "useEvals"),
        (json!({ "moves": "e4", "pieceValues": "euwe" }), "pieceValues"),
        (json!({ "pgn": "1. e4 *", "evaluator": "pieces", "pieceValues": "euwe" }), "pieceValues"),
    ] {
        refused(&body, 400, "conflicting_fields", field);
    }
    refused(&json!({ "pgn": "" }), 400, "pgn_syntax", "pgn");
    refused(&json!({ "moves": "e4", "depth": 101 }), 400, "limit_exceeded", "depth");
    let games = "1. e4 *\n\n".repeat(2_001);
    refused(&json!({ "pgn": games, "depth": 1 }), 400, "limit_exceeded", "pgn");
    let tags: Vec<_> = (0..257).map(|number| format!("[Tag{number} \"\"]\n")).collect();
    refused(&json!({ "pgn": tags.concat(), "depth": 1 }), 400, "limit_exceeded", "pgn");
    let comments = format!("1. e4 {}", "{a}".repeat(200_001));
    refused(&json!({ "pgn": comments, "depth": 1 }), 400, "limit_exceeded", "pgn");
    let side_lines = format!("1. e4 {}", "( 1. d4 d5 2. c4 c5 ) ".repeat(25_001));
    let refusal = refused(&json!({ "pgn": side_lines, "depth": 1 }), 400, "limit_exceeded", "pgn");
    assert!(refusal["detail"].as_str().unwrap().contains("more than 100000 half-moves"), "{refusal}");
    refused(&json!({ "pgn": "[FEN \"8/8/8/8/8/8/8/4K3 w - - 0 1\"]\n\n*" }), 422, "missing_king", "pgn");
    refused(&json!({ "moves": "e4 e5 e5" }), 422, "illegal_move", "moves");
    let syntax = refused(&json!({ "pgn": "1. e4 e5\n2. Nf3 { good" }), 400, "pgn_syntax", "pgn");
    assert!(syntax["detail"].as_str().unwrap().contains("ine 2, column 8"), "{syntax}");
    let illegal = refused(&json!({ "pgn": "1. e4 e5\n2. e5 *" }), 422, "illegal_move", "pgn");
    assert_eq!((&illegal["ply"], &illegal["move"]), (&json!(2), &json!("e5")));
    assert!(illegal["detail"].as_str().unwrap().contains("ine 2, column 4"), "{illegal}");
    assert_eq!(illegal["legalMoves"].as_array().unwrap().len(), 29);
}

#[test]
fn garbage_is_refused_early() {
    let large = format!("{{\"pgn\":\"{}\"}}", "e4 ".repeat(1_400_000));
    assert_eq!(post_text(PATH, &large).status, 413);
    let nonsense = format!("{{\"pgn\":\"{}\"}}", "xyzzy ".repeat(600_000));
    assert_eq!(post_text(PATH, &nonsense).status, 400);
    // Not each of them is looked at to find out what is wrong.
    let doubled = format!("{{{}\"pgn\":\"\"}}", "\"pgn\":\"\",".repeat(400_000));
    assert_eq!(post_text(PATH, &doubled).json()["code"], "duplicate_field");
    let nested = json!({ "pgn": format!("1. e4 {}", "( 1. d4 ".repeat(1_000)) });
    assert_eq!(refused(&nested, 400, "limit_exceeded", "pgn")["field"], "pgn");
}
