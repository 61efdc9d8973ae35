//! The bodies of the fuzz targets: on bounded random input, and on what fuzzing has found to reach all of the code.

use std::fs;
use std::panic::catch_unwind;
use std::path::Path;

use proptest::collection::vec;
use proptest::prelude::*;

use super::bodies;
use super::data::lines;

/// Feeds a body the inputs of its corpus.
fn replay(target: &str, body: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(target);
    let mut count = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let bytes = fs::read(&path).unwrap();
        assert!(catch_unwind(|| body(&bytes)).is_ok(), "{}", path.display());
        count += 1;
    }
    assert!(count > 100, "{target}: {count}");
}

#[test]
fn kept_fens() {
    replay("fen", bodies::fen);
}

#[test]
fn kept_games() {
    replay("moves", bodies::moves);
    replay("pgn", bodies::pgn);
}

#[test]
fn kept_words_and_conversations() {
    replay("san", bodies::words);
    replay("uci", bodies::conversation);
}

#[test]
fn kept_requests() {
    replay("json", bodies::json);
    replay("router", bodies::router);
}

#[test]
fn kept_breakdowns() {
    replay("breakdown", bodies::breakdown);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_as_a_fen(bytes in vec(any::<u8>(), 0..120)) {
        bodies::fen(&bytes);
    }

    #[test]
    fn letters_of_a_fen(text in "[pnbrqkPNBRQK1-8/]{15,71} [wb] [KQkqA-Ha-h-]{1,5} (-|[a-h][36]) [0-9]{1,3} [0-9]{1,3}") {
        bodies::fen(text.as_bytes());
    }

    #[test]
    fn damaged_fens(which in any::<prop::sample::Index>(), at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let fens = lines("perft/standard.epd");
        let mut bytes = fens[which.index(fens.len())].clone().into_bytes();
        let at = at.index(bytes.len());
        bytes[at] = byte;
        bodies::fen(&bytes);
    }

    #[test]
    fn words_of_a_game(words in vec(prop::sample::select(PGN_WORDS.to_vec()), 0..40)) {
        bodies::pgn(words.concat().as_bytes());
    }
}

/// What games are made of, and what should not be in them.
const PGN_WORDS: [&str; 36] = [
    " ",
    "\n",
    "\n\n",
    "1.",
    "1... ",
    "e4 ",
    "e5 ",
    "Nf3 ",
    "Nc6 ",
    "d4!? ",
    "d2d4 ",
    "O-O ",
    "0-0-0 ",
    "-- ",
    "$1 ",
    "!? ",
    "+- ",
    "(",
    ")",
    "{",
    "}",
    "{[%eval 0.3]}",
    ";",
    "%",
    "[White \"",
    "\"]",
    "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n",
    "[Variant \"Chess960\"]\n",
    "* ",
    "1-0 ",
    "1/2-1/2 ",
    "\\",
    "é",
    "\u{feff}",
    "<x>",
    "e8(Q)",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_words_as_a_move(start in any::<[u8; 2]>(), choices in vec(1..u8::MAX, 0..20), word in "[a-hNBRQKPx1-8=+#O0-]{1,8}") {
        bodies::words(&[start.as_slice(), &choices, b"\0", word.as_bytes()].concat());
    }

    #[test]
    fn any_conversation(lines in vec(prop::sample::select(UCI_LINES.to_vec()), 0..8), noise in "\\PC{0,20}") {
        bodies::conversation((lines.join("\n") + "\n" + &noise).as_bytes());
    }

    #[test]
    fn any_request(
        which in any::<prop::sample::Index>(),
        at in any::<prop::sample::Index>(),
        byte in any::<u8>(),
        path in any::<u8>(),
        head in "(GET|POST|PUT) /[a-z0-9/?=&+%._-]{0,40}\n(Accept: [a-z*/;=.0-9,]{0,20}\n)?\n.{0,40}",
    ) {
        let mut body = [&[path], BODIES[which.index(BODIES.len())].as_bytes()].concat();
        let at = at.index(body.len());
        body[at] = byte;
        bodies::json(&body);
        bodies::router(head.as_bytes());
    }

    #[test]
    fn evaluations_of_any_game(bytes in vec(any::<u8>(), 2..120)) {
        bodies::breakdown(&bytes);
    }
}

const UCI_LINES: [&str; 14] = [
    "uci",
    "isready",
    "ucinewgame",
    "position startpos moves e2e4 e7e5",
    "position fen 8/8/8/8/8/8/8/K1k5 w - - 0 1",
    "position fen 8/8/8/8/8/8/8/K7 w - - 0 1",
    "go depth 2",
    "go infinite",
    "go ponder wtime 50 btime 50",
    "ponderhit",
    "stop",
    "setoption name MultiPV value 3",
    "setoption name UCI_Elo value -1",
    "go perft 1",
];

const BODIES: [&str; 4] = [
    r#"{"moves":"e4 e5 Nf3","quiescence":true,"depth":1}"#,
    r#"{"fen":"8/8/4k3/8/8/4K3/4P3/8 w - - 0 1","nodes":50,"multiPv":2,"searchMoves":["Kd4"]}"#,
    r#"[{"id":1,"moves":["e2e4"]},{"evaluator":"count"}]"#,
    r#"{"pgn":"1. e4 e5 { [%eval 0.3] } 2. Nf3 *","useEvals":true,"moveA":"e4"}"#,
];
