//! Reviews of games that come as PGN and go as PGN, as pictures and compressed; and those of Lichess beside ours.

use std::fs;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::{Duration, Instant};

use axum::body::Body;
use axum::http::{Request, header};
use centipawn::api::{AppState, service};
use centipawn::config::Limits;
use centipawn::engine::chess::Variant;
use centipawn::game::pgn::{self, Caps, Nag, Record};
use centipawn::pool::Client;
use serde_json::{Value, json};
use tower::ServiceExt;

use crate::client::{Reply, in_a_runtime, pools, post, send, send_to, state};
use crate::review::{PATH, TRAP};

const PGN: &str = "application/x-chess-pgn";

/// Sends a body of a type, and asks for one.
fn ask(query: &str, content_type: &str, accept: &str, body: &[u8]) -> Reply {
    let request = Request::post(format!("{PATH}{query}"))
        .header(header::CONTENT_TYPE, content_type)
        .header(header::ACCEPT, accept);
    send(request.body(Body::from(body.to_vec())).unwrap())
}

fn text_of(reply: &Reply, content_type: &str) -> String {
    assert_eq!(
        (reply.status.as_u16(), reply.header("content-type")),
        (200, content_type),
        "{:?}",
        reply.bytes
    );
    assert!(reply.header("vary").to_lowercase().contains("accept"));
    String::from_utf8(reply.bytes.to_vec()).unwrap()
}

fn annotated(query: &str, body: &str) -> (String, Vec<Record>) {
    let text = text_of(&ask(query, PGN, PGN, body.as_bytes()), PGN);
    let games = read(&text);
    (text, games)
}

fn read(text: &str) -> Vec<Record> {
    let caps = Caps { games: 9, plies: 600, moves: 100_000, tags: 99, comments: 100_000, depth: 9 };
    let games = pgn::read(text, Variant::Standard, caps, &AtomicBool::new(false));
    games.unwrap_or_else(|error| panic!("{error}\n{text}"))
}

#[test]
fn a_body_of_games_is_as_good_as_one_of_json() {
    let games = format!("{TRAP}\n\n1. e4 {{ [%eval 0.2] }} *\n");
    let ours = post(PATH, &json!({ "pgn": games, "useEvals": true })).ok();
    for content_type in [PGN, "application/vnd.chess-pgn", "APPLICATION/X-CHESS-PGN; charset=utf-8"] {
        let reply = ask("?useEvals=true", content_type, "*/*", games.as_bytes()).ok();
        assert_eq!(reply, ours, "{content_type}");
    }
    let annotated = text_of(&ask("?useEvals=true", PGN, PGN, games.as_bytes()), PGN);
    let by_another_name = ask("?useEvals=true", PGN, "application/vnd.chess-pgn", games.as_bytes());
    assert_eq!(text_of(&by_another_name, PGN), annotated);
    let shallow = ask("?depth=1&variant=chess960&evaluator=psqt", PGN, "*/*", b"1. e4 e5 *").ok();
    assert_eq!(shallow["games"][0]["plies"].as_array().unwrap().len(), 2);
    // The name is in Latin-1.
    let latin = ask("?depth=1", PGN, "*/*", b"[White \"Jos\xE9\"]\n\n1. e4 *").ok();
    assert_eq!(latin["games"][0]["headers"]["White"], "José");
}

#[test]
fn what_is_wrong_with_a_body_of_games_is_said() {
    for (query, content_type, body, status, code, field) in [
        ("?deep=3", PGN, "1. e4 *", 400, "unknown_field", json!("deep")),
        ("?pgn=e4", PGN, "1. e4 *", 400, "unknown_field", json!("pgn")),
        ("?depth=many", PGN, "1. e4 *", 400, "invalid_field", json!("depth")),
        ("?depth=3&nodes=3", PGN, "1. e4 *", 400, "conflicting_fields", json!("nodes")),
        ("?useEvals=true&depth=3", PGN, TRAP, 400, "conflicting_fields", json!("useEvals")),
        ("?useEvals=true", PGN, "1. e4 *", 400, "conflicting_fields", json!("useEvals")),
        ("?pieceValues=euwe", PGN, "1. e4 *", 400, "conflicting_fields", json!("pieceValues")),
        ("?depth=3", "application/json", "{\"moves\":\"e4\"}", 400, "query_syntax", Value::Null),
        ("", PGN, "", 400, "pgn_syntax", json!("pgn")),
        ("", PGN, "1. e5 *", 422, "illegal_move", json!("pgn")),
        ("", "text/plain", "1. e4 *", 415, "unsupported_media_type", Value::Null),
    ] {
        let reply = ask(query, content_type, PGN, body.as_bytes());
        let problem = reply.json();
        assert_eq!(
            (reply.status.as_u16(), &problem["code"], &problem["field"]),
            (status, &json!(code), &field),
            "{query} {body}"
        );
    }
    let large = ask("", PGN, "*/*", &vec![b'x'; (4 << 20) + 1]);
    assert_eq!(large.json()["code"], "body_too_large");
}

#[test]
fn a_rook_is_worth_what_is_asked_for() {
    let start = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1";
    for (values, centipawns) in [("classic", 500), ("euwe", 450)] {
        let moves =
            json!({ "fen": start, "moves": "Kd2", "evaluator": "count", "pieceValues": values, "depth": 1 });
        let game = format!("[FEN \"{start}\"]\n\n1. Kd2 *");
        let query = format!("?evaluator=count&pieceValues={values}&depth=1");
        for reply in [post(PATH, &moves), ask(&query, PGN, "*/*", game.as_bytes())] {
            assert_eq!(reply.ok()["games"][0]["plies"][0]["cp"], centipawns, "{values}");
        }
    }
}

#[test]
fn games_come_back_with_annotations() {
    let (text, games) = annotated("?useEvals=true", TRAP);
    let [game] = games.as_slice() else { panic!("{text}") };
    for (name, value) in [("White", "Anna"), ("Black", "Ben"), ("Result", "0-1"), ("ECO", "C50")] {
        assert_eq!(game.tags.get(name), Some(value), "{text}");
    }
    assert!(game.tags.get("Annotator").unwrap().starts_with("centipawn "), "{text}");
    let asked = read(TRAP);
    let evals = |record: &Record| record.moves.iter().map(pgn::Ply::eval).collect::<Vec<_>>();
    assert_eq!(evals(game), evals(&asked[0]));
    let glyphs: Vec<_> = game.moves.iter().map(|ply| ply.nags.first().map(|nag| nag.0)).collect();
    let (none, dubious, blunder) = (None, Some(6), Some(4));
    assert_eq!(glyphs[..6], [none, none, none, none, none, dubious], "{text}");
    assert_eq!(glyphs[6..], [blunder, none, blunder, none, none, none, blunder, none], "{text}");
    assert_eq!(game.moves[6].comments, ["[%eval -0.63]", "Blunder. Nxd4 was best."], "{text}");
    assert_eq!(game.moves[6].variations.len(), 1, "the variation that was there is not said twice\n{text}");
    assert!(
        text.replace('\n', " ")
            .contains("4. Nxe5 $4 { [%eval -0.63] } { Blunder. Nxd4 was best. } (4. Nxd4 exd4)"),
        "{text}"
    );
    // To review it again by its own scores brings nothing new.
    assert_eq!(annotated("?useEvals=true", &text).0, text);
    let shown = TRAP.replace("( 4. Nxd4 exd4 )", "( 4. Nxe5 Qg5 ) ( 4. Nxd4 exd4 )");
    assert_eq!(annotated("?useEvals=true", &shown).1[0].moves[6].variations.len(), 2, "nor here");
}

#[test]
fn every_form_says_the_same_of_the_result() {
    // The tag, the mark behind the moves, what every form says, and whether that contradicts one of the two.
    for (tag, mark, said, contradiction) in [
        ("1-0", "0-1", "1-0", true),
        ("1-0", "*", "1-0", false),
        ("1-0", "1-0", "1-0", false),
        ("1-0", "", "1-0", false),
        ("*", "0-1", "0-1", false),
        ("?", "1/2-1/2", "1/2-1/2", false),
    ] {
        let game = format!("[Result \"{tag}\"]\n\n1. e4 {{ [%eval 0.2] }} {mark}");
        let ask = |form: &str| ask("?useEvals=true", PGN, form, game.as_bytes());
        let reply = &ask("application/json").ok()["games"][0];
        assert_eq!(reply["headers"]["Result"], said, "{tag} {mark}");
        let warnings = reply["warnings"].as_array().unwrap();
        assert_eq!(warnings.iter().any(|it| it["code"] == "result_ignored"), contradiction, "{tag} {mark}");
        let written = text_of(&ask(PGN), PGN);
        assert!(
            written.contains(&format!("[Result \"{said}\"]")) && written.trim().ends_with(said),
            "{written}"
        );
        let drawn = text_of(&ask("image/svg+xml"), "image/svg+xml");
        assert!(drawn.contains(&format!("White – Black  {said}")), "{drawn}");
    }
}

#[test]
fn what_annotators_have_said_stays() {
    let said = "1. e4! { [%clk 0:05:00] best by test } e5 $10 2. Qh5?! { [%eval 0.1] [%clk 0:04:55] } \
                (2. Nf3 { quiet } (2. Nc3)) 2... Nc6 3. Bc4 Nf6?! 4. Qxf7# 1-0";
    let (text, games) = annotated("?nodes=3000", said);
    let moves = &games[0].moves;
    let glyphs = |index: usize| moves[index].nags.clone();
    assert_eq!((glyphs(0), glyphs(1)), (vec![Nag(1)], vec![Nag(10)]), "{text}");
    assert!(
        moves[0].eval().is_some() && moves[0].comments[0].ends_with("[%clk 0:05:00] best by test"),
        "{text}"
    );
    assert_eq!(moves[2].comments[0].matches("%eval").count(), 1, "{text}");
    assert!(moves[2].variations.iter().any(|line| line.moves[0].comments == ["quiet"]), "{text}");
    assert_eq!(glyphs(5), [Nag::BLUNDER], "the review's glyph takes the place of theirs\n{text}");
    assert_eq!(moves[5].comments[0], "[%eval #1]", "{text}");
    assert!(!moves[5].variations.is_empty(), "{text}");
    assert!(moves[6].comments.is_empty(), "a mate on the board needs no score\n{text}");
}

/// As Lichess exports them: the scores are in front of the judgment, and other programs make one comment of several.
#[test]
fn judgments_of_lichess_make_way_for_those_of_the_review() {
    let export = "1. e4 { [%eval 0.3] } 1... e5?! { (0.30 → 0.25) Inaccuracy. c5 was best. } { [%eval 0.25] [%clk 0:03:00] } \
                  2. Nf3 { [%eval 0.25] } 2... f6?? { (0.25 → 3.10) Blunder. Nc6 was best. } { [%eval 3.1] } (2... Nc6 3. Bb5) \
                  3. Nxe5? { (3.10 → 0.10) Blunder. Best move was Bc4. [%eval 0.1] [%clk 0:02:50] My own fault. } \
                  3... fxe5?! { (0.10 → Mate in 9) Checkmate is now unavoidable. Qe7 was best. } { [%eval #9] } \
                  4. Qh5+ { [%eval #8] } { (It is no blunder) } 4... Ke7?! \
                  { (Mate in 8 → Mate in 1) Not the best checkmate sequence. g6 was best. } { [%eval #1] } *";
    let (text, games) = annotated("?useEvals=true", export);
    let told: Vec<_> =
        games[0].moves.iter().map(|ply| (ply.nags.as_slice(), ply.comments.join(" | "))).collect();
    let (none, blunder): (&[Nag], &[Nag]) = (&[], &[Nag::BLUNDER]);
    for (index, nags, comments) in [
        (1, none, "[%eval 0.25] [%clk 0:03:00]"),
        (3, blunder, "[%eval 3.10] | Blunder. Nc6 was best."),
        (4, blunder, "[%eval 0.10] [%clk 0:02:50] My own fault. | Blunder."),
        (5, blunder, "[%eval #9] | Checkmate is now unavoidable."),
        (6, none, "[%eval #8] (It is no blunder)"),
        (7, none, "[%eval #1]"),
    ] {
        assert_eq!(told[index], (nags, comments.to_owned()), "{index}\n{text}");
    }
    assert_eq!(annotated("?useEvals=true", &text).0, text);
}

#[test]
fn variations_that_cannot_be_read_are_told_and_stay_as_comments() {
    let game = "1. e4 { [%eval 0.2] } (1. d4 d5 2. Kd3 $4 { no {way [%eval -9] } (2. c4 { better }) 2... c5) \
                (1. as in Morphy's games) 1... e5 { [%eval 0.2] } (1... c5 2. Nf6?) *";
    let reply = ask("?useEvals=true", PGN, "application/json", game.as_bytes()).ok();
    let warning = json!({
        "code": "variations_cut",
        "detail": "Variations that go on with what is no legal move: 3, the first at line 1, column 36. The rest of each is taken as a comment.",
        "field": "pgn"
    });
    assert_eq!(reply["games"][0]["warnings"], json!([warning]));
    let (text, games) = annotated("?useEvals=true", game);
    let [first, second] = games[0].moves.as_slice() else { panic!("{text}") };
    assert_eq!(first.comments, ["[%eval 0.20] as in Morphy's games"], "{text}");
    let said = &first.variations[0].moves[1].comments;
    assert_eq!(*said, ["Kd3 $4 ( no (way (%eval -9) ) (2. c4 ( better )) 2... c5"], "{text}");
    assert_eq!(second.variations[0].moves[0].comments, ["Nf6?"], "{text}");
    assert_eq!(annotated("?useEvals=true", &text).0, text);
    let reply = ask("?useEvals=true", PGN, "application/json", text.as_bytes()).ok();
    assert_eq!(reply["games"][0]["warnings"], json!([]), "{text}");
}

#[test]
fn positions_of_their_own_come_back_with_their_tags() {
    let body = json!({ "fen": "4k3/8/8/8/8/8/4P3/4K3 b - - 0 7", "moves": "Kd7 e4", "depth": 1 });
    let text = text_of(&ask("", "application/json", PGN, body.to_string().as_bytes()), PGN);
    assert!(text.contains("[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 7\"]"), "{text}");
    assert!(text.contains("7... Kd7") && text.contains("8. e4"), "{text}");
}

#[test]
fn the_course_of_games_is_drawn() {
    let svg = "image/svg+xml";
    let one = text_of(&ask("?useEvals=true", PGN, svg, TRAP.as_bytes()), svg);
    let document = roxmltree::Document::parse(&one).unwrap();
    let written = |name: &str| document.descendants().find(|node| node.has_tag_name(name)).unwrap().text();
    assert_eq!(written("title"), Some("Anna – Ben  0-1"));
    let description = written("desc").unwrap();
    for said in [
        "C50 Italian Game",
        "Anna (White): 0 inaccuracies, 0 mistakes, 3 blunders, average loss 162 centipawns",
        "3... Nd4: Inaccuracy. Bc5 was best.",
        "4. Nxe5: Blunder. Nxd4 was best.",
    ] {
        assert!(description.contains(said), "{said}: {description}");
    }
    let marks = document.descendants().filter(|node| {
        node.attribute("class").is_some_and(|class| class.starts_with("mark "))
            && node.children().any(|child| child.has_tag_name("title"))
    });
    assert_eq!(marks.count(), 4);
    let curve = document.descendants().find(|node| node.attribute("class") == Some("curve")).unwrap();
    assert_eq!(curve.attribute("points").unwrap().split(' ').count(), 15);
    // What is not known is a gap; several games are one below the other; no move is a game as well.
    let pgn =
        "1. e4 { [%eval 0.3] } e5 2. Nf3 { [%eval 0.3] } Nc6 { [%eval 0.2] } *\n\n[White \"<b>\"]\n\n*\n";
    let two = text_of(&ask("?useEvals=true", PGN, svg, pgn.as_bytes()), svg);
    let document = roxmltree::Document::parse(&two).unwrap();
    let curves = document.descendants().filter(|node| node.attribute("class") == Some("curve"));
    assert_eq!(curves.count(), 3);
    assert!(two.contains("2 games") && two.contains("&lt;b&gt; – Black"));
}

#[test]
fn a_whole_review_is_compressed_and_a_stream_is_not() {
    for (accept, encoding) in [
        ("application/json", "gzip"),
        ("image/svg+xml", "gzip"),
        (PGN, "gzip"),
        ("application/x-ndjson", ""),
        ("text/event-stream", ""),
    ] {
        let request = Request::post(format!("{PATH}?useEvals=true"))
            .header(header::CONTENT_TYPE, PGN)
            .header(header::ACCEPT_ENCODING, "gzip")
            .header(header::ACCEPT, accept);
        let reply = send(request.body(Body::from(TRAP)).unwrap());
        assert_eq!((reply.status.as_u16(), reply.header("content-encoding")), (200, encoding), "{accept}");
    }
}

#[test]
fn without_a_limit_it_is_what_the_server_allows() {
    let limits = Limits { max_nodes: 500, ..Limits::DEFAULT };
    let service = service(AppState::new(limits, Vec::new(), Arc::new(pools(1, 4))));
    let ask = |path: &str, body: &'static str| {
        let request = if body.is_empty() { Request::get(path) } else { Request::post(path) };
        send_to(service.clone(), request.header(header::CONTENT_TYPE, PGN).body(Body::from(body)).unwrap())
            .ok()
    };
    assert_eq!(ask("/v1/limits", "")["defaultReviewNodes"], 500);
    for path in [PATH.to_owned(), format!("{PATH}?useEvals=true")] {
        assert_eq!(ask(&path, TRAP)["games"][0]["plies"].as_array().unwrap().len(), 14);
    }
}

#[test]
fn leaving_stops_the_work() {
    let state = state(1, 4);
    let service = service(state.clone());
    in_a_runtime(async {
        let body = json!({ "moves": "e4 e5 Nf3", "movetime": 30_000 }).to_string();
        let request = Request::post(PATH).header(header::CONTENT_TYPE, "application/json");
        let mut asked = pin!(service.oneshot(request.body(Body::from(body)).unwrap()));
        while state.pools().bulk.snapshot().running == 0 {
            let waiting = tokio::time::timeout(Duration::from_millis(1), asked.as_mut()).await;
            assert!(waiting.is_err(), "the first search takes half a minute");
        }
    });
    let left = Instant::now();
    while state.pools().bulk.snapshot().running > 0 {
        assert!(left.elapsed() < Duration::from_millis(500), "still searching");
        thread::sleep(Duration::from_millis(1));
    }
    assert!(state.pools().begin_bulk(Client::UNKNOWN).is_ok(), "the place is free again");
}

/// More than can be read in no time at all: the clock ends it, and not the reader.
#[test]
fn a_review_that_is_not_ready_in_time_ends() {
    let limits = Limits { request_timeout_ms: 1, ..Limits::DEFAULT };
    let state = AppState::new(limits, Vec::new(), Arc::new(pools(1, 4)));
    let service = service(state.clone());
    let games = format!("1. e4 {} *", "$1 ".repeat(1_000_000));
    for query in ["", "?useEvals=true"] {
        let request = Request::post(format!("{PATH}{query}")).header(header::CONTENT_TYPE, PGN);
        let reply = send_to(service.clone(), request.body(Body::from(games.clone())).unwrap());
        assert_eq!((reply.status.as_u16(), &reply.json()["code"]), (504, &json!("timeout")));
    }
    assert!(state.pools().begin_bulk(Client::UNKNOWN).is_ok(), "the place is free again");
}

/// Games that Lichess has analysed: moves, scores, judgments and counts.
fn lichess_games() -> Vec<Vec<String>> {
    let text =
        fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/review/lichess-games.tsv"));
    text.unwrap().lines().skip(1).map(|line| line.split('\t').map(str::to_owned).collect()).collect()
}

#[test]
fn games_of_lichess_are_judged_as_there() {
    let rows = lichess_games();
    let game = |row: &Vec<String>| {
        let mut evals = row[2].split(' ').map(|eval| match eval.parse::<i32>() {
            Ok(centipawns) => format!("{:.2}", f64::from(centipawns) / 100.0),
            Err(_) => eval.to_owned(),
        });
        let scored = |san: &str| match evals.next() {
            Some(eval) => format!("{san} {{ [%eval {eval}] }}"),
            None => san.to_owned(),
        };
        let moves: Vec<String> = row[1].split(' ').map(scored).collect();
        format!("[Site \"{}\"]\n\n{} *\n\n", row[0], moves.join(" "))
    };
    let pgn: String = rows.iter().map(game).collect();
    let reply = ask("?useEvals=true", PGN, "*/*", pgn.as_bytes()).ok();
    let games = reply["games"].as_array().unwrap();
    assert_eq!((games.len(), rows.len()), (50, 50));
    for (game, row) in games.iter().zip(&rows) {
        assert_eq!(game["headers"]["Site"], row[0]);
        for (side, column) in [("white", 4), ("black", 5)] {
            let loss: u64 = row[column].split(' ').nth(3).unwrap().parse().unwrap();
            assert_eq!(game["players"][side]["acpl"], loss, "{} {side}", row[0]);
        }
        for judgment in row[3].split(' ') {
            let (ply, comment) = judgment.split_once(':').unwrap();
            let ours = &game["plies"][ply.parse::<usize>().unwrap()]["judgment"]["comment"];
            // Which move was best is not in these scores.
            let theirs = comment.replace('_', " ");
            let theirs = theirs.split_inclusive('.').next().unwrap();
            assert_eq!(ours, theirs, "{} {ply}", row[0]);
        }
    }
}
