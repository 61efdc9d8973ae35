//! What is read, and what is written.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

use centipawn::engine::chess::{FenStyle, Move, Variant, fen, san, uci_move};
use centipawn::game::pgn::{self, Eval, Line, Nag, Notice, Record, Termination};

use crate::data::{CAPS, bytes, game, read, rows};

/// The position at the end of the main line.
fn last_position(record: &Record) -> String {
    let mut game = record.start.clone();
    record.moves.iter().for_each(|ply| game.play(ply.mv));
    fen::format(game.position(), FenStyle::XFen)
}

/// The main line in UCI.
fn moves(record: &Record) -> String {
    let variant = record.start.variant();
    record.moves.iter().map(|ply| uci_move::format(ply.mv, variant)).collect::<Vec<_>>().join(" ")
}

/// The moves of a side line in SAN.
fn side_line(record: &Record, ply: usize, index: usize) -> String {
    let mut position = *record.start.position();
    record.moves[..ply].iter().for_each(|ply| position.play(ply.mv));
    let mut words = Vec::new();
    for ply in &record.moves[ply].variations[index].moves {
        words.push(if ply.mv.is_some() { san::format(&position, ply.mv) } else { "--".to_owned() });
        if ply.mv.is_some() { position.play(ply.mv) } else { position.play_null() }
    }
    words.join(" ")
}

/// Where files are broken, and what of them another reader overlooks: it takes what of a word looks like a move.
const BROKEN: [(&str, &str); 3] = [
    (
        "black2move.pgn",
        "line 4, column 5 (game 1): '0-0-0' is not legal: castling is not possible here and now",
    ),
    ("corrupted.pgn", "line 57, column 25 (game 1): 'Kx' is neither a move nor a result"),
    ("pgnparser-sampleGameThrow.pgn", "line 2, column 13 (game 1): 'Sf3' is neither a move nor a result"),
];

#[test]
fn other_peoples_cases_are_read_as_expected() {
    let mut files: BTreeMap<String, Vec<Vec<String>>> = BTreeMap::new();
    for row in rows("pgn/expected.tsv") {
        files.entry(row[0].clone()).or_default().push(row);
    }
    assert_eq!(files.len(), 31);
    for (file, expected) in files {
        let bytes = bytes(&format!("pgn/{file}"));
        let games = read(&pgn::decode(&bytes));
        if let Some((_, error)) = BROKEN.iter().find(|(broken, _)| *broken == file) {
            assert_eq!(games.unwrap_err().to_string(), *error);
            continue;
        }
        let games = games.unwrap_or_else(|error| panic!("{file}: {error}"));
        assert_eq!(games.len(), expected.len(), "{file}");
        for (record, row) in games.iter().zip(&expected) {
            assert_eq!(record.moves.len().to_string(), row[2], "{file} {}", row[1]);
            // That reader notes en-passant squares only as the rules of FEN from 1994 have it.
            let placement = |fen: &str| fen.split(' ').take(2).collect::<Vec<_>>().join(" ");
            assert_eq!(placement(&last_position(record)), placement(&row[3]), "{file} {}", row[1]);
            assert_eq!(record.notices, [], "{file} {}", row[1]);
            let again = game(&pgn::write(record));
            assert_eq!((&again.moves, &again.preface), (&record.moves, &record.preface), "{file} {}", row[1]);
            assert_eq!(pgn::write(&again), pgn::write(record), "{file} {}", row[1]);
        }
    }
}

#[test]
fn moves_are_read_however_they_are_written() {
    let expected = "e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 e1g1";
    for text in [
        "1. e4 e5 2. Nf3 Nc6 3. Bc4 Nf6 4. O-O *",
        "1.e4 e5 2.Nf3 Nc6 3.Bc4 Nf6 4.0-0",
        "e4 e5 Nf3 Nc6 Bc4 Nf6 O-O",
        "1 e4 e5 2 Nf3 Nc6 3 Bc4 Nf6 4 o-o 1/2",
        "e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 e1h1 1-0",
        "1. e2-e4 e7-e5 2. Ng1-f3 Nb8-c6 3. Bf1-c4 Ng8-f6 4. O-O 0-1",
        "1. e4 1... e5 2. ♘f3 2... ♞c6 3. Bc4! 3... Nf6?! 4. O-O +- ½-½",
        "1. e4 $1 ! e5 (1... c5 2. Nf3 (2. c3)) 2. Nf3 {a (comment) [x} Nc6 ; 3. Bb5\r\n3. Bc4\r\n%3. Bb5\r\nNf6 4. O-O*",
        "\u{feff}\r[White \"x\"]\r\r1. e4 e5\r2. Nf3 Nc6 3. Bc4 Nf6 4. O-O\r",
        "[White \"x\"]\n1.e4 e5 2.Nf3\tNc6 3.Bc4(=)Nf6 4.O-O",
        "1. e4 e5 2. Nf3+ Nc6# 3. Bxc4 Nf6 = 4. O-O ± <reserved> *",
    ] {
        assert_eq!(moves(&game(text)), expected, "{text}");
    }
    let promotion = "[FEN \"7k/P2P4/8/4Pp2/8/8/8/K7 w - f6 0 1\"]\n1. exf6 e.p. Kg8 2. a8(Q) Kf7 3. d8=N+";
    assert_eq!(moves(&game(promotion)), "e5f6 h8g8 a7a8q g8f7 d7d8n");
}

#[test]
fn annotations_stay_with_their_moves() {
    let text = "[Event \"x\"]\n\n{Before all} 1. e4!? {[%eval 0.3,20]\n [%clk 0:03:00]} $14 (1. d4 {Queen's pawn} d5 (1... Nf6 2. -- $140 \
                d5) 2. c4) ({A comment alone}) ({First a comment} 1. c4) 1... e5 {One} {Two} ; Three\n2. Nf3 +- 1-0 {After all}";
    let record = game(text);
    assert_eq!(record.preface, ["Before all"]);
    let [first, second, third] = &record.moves[..] else { panic!("{record:?}") };
    assert_eq!(first.nags, [Nag(5), Nag(14)]);
    assert_eq!(first.comments, ["[%eval 0.3,20] [%clk 0:03:00]", "A comment alone"]);
    assert_eq!((first.eval(), second.eval()), (Some(Eval::Cp(30)), None));
    assert_eq!(first.variations.len(), 2);
    assert_eq!(side_line(&record, 0, 0), "d4 d5 c4");
    let Line { preface, moves } = &first.variations[1];
    assert_eq!((preface[0].as_str(), moves.len()), ("First a comment", 1));
    let nested = &first.variations[0].moves[1].variations[0];
    assert_eq!((nested.moves[1].mv, nested.moves[1].nags[0]), (Move::NONE, Nag(140)));
    assert_eq!(second.comments, ["One", "Two", "Three"]);
    assert_eq!((third.nags[0], third.comments[0].as_str()), (Nag(18), "After all"));
    assert_eq!(record.termination, Some(Termination::WhiteWins));
    let written = pgn::write(&record);
    assert_eq!(game(&written).moves, record.moves, "{written}");
    assert!(written.contains("(1. d4 { Queen's pawn } 1... d5 (1... Nf6 2. -- $140"), "{written}");
    assert!(written.lines().all(|line| line.chars().count() <= 80), "{written}");
}

#[test]
fn a_side_line_is_cut_where_it_goes_wrong_and_its_rest_is_a_comment() {
    let record = game(
        "1. e4 (1. d4 Kd3 $1 {lost} (1. c4) 2. c4) (1. better was c4) 1... e5 (1... c5 2. Nf3 -- 3. x) *",
    );
    assert_eq!(side_line(&record, 0, 0), "d4");
    assert_eq!(record.moves[0].variations.len(), 1, "a side line without a move is none");
    assert_eq!(record.moves[0].variations[0].moves[0].comments, ["Kd3 $1 (lost) (1. c4) 2. c4"]);
    assert_eq!(record.moves[0].comments, ["better was c4"]);
    assert_eq!(side_line(&record, 1, 0), "c5 Nf3 --");
    assert_eq!(record.moves[1].variations[0].moves[2].comments, ["x"]);
    let places: Vec<_> = record
        .notices
        .iter()
        .map(|notice| match notice {
            Notice::SideLineCut { place, .. } => (place.line, place.column),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(places, [(1, 14), (1, 47), (1, 92)]);
    let again = game(&pgn::write(&record));
    assert_eq!((&again.moves, again.notices), (&record.moves, Vec::new()));
    // What is said of other moves is not said of this one.
    let scored =
        game("1. e4 (1. é5\n {[%eval\t 3]  [%clk 0:01:00] (} ;)\n x (1. d4 )) 1... e5 {[%eval 0.2]} *");
    assert_eq!(scored.moves[0].comments, ["é5 ((%eval 3) (%clk 0:01:00) () ;) x (1. d4 )"]);
    assert_eq!((scored.moves[0].eval(), scored.moves[0].has_eval_command()), (None, false));
    assert_eq!(game(&pgn::write(&scored)).moves, scored.moves);
}

#[test]
fn games_are_told_apart() {
    let players = |text: &str| {
        let games = read(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let told =
            games.iter().map(|game| (game.tags.get("White").unwrap_or("-").to_owned(), game.moves.len()));
        told.collect::<Vec<_>>()
    };
    let two = |first: (&str, usize), second: (&str, usize)| {
        [first, second].map(|(name, plies)| (name.to_owned(), plies)).to_vec()
    };
    for (text, expected) in [
        ("[White \"a\"]\n\n1. e4 *\n\n[White \"b\"]\n\n1. d4 d5 *", two(("a", 1), ("b", 2))),
        ("[White \"a\"]\n1. e4 e5\n[White \"b\"]\n1. d4", two(("a", 2), ("b", 1))),
        ("[White \"a\"]\n\n[Black \"x\"]\n\n[White \"b\"]\n1. d4", two(("a", 0), ("b", 1))),
        ("[White \"a\"]\n{nothing} 0-1\n[White \"b\"]\n*", two(("a", 0), ("b", 0))),
        ("1. e4 e5 1-0 1. d4 d5 2. c4 0-1", two(("-", 2), ("-", 3))),
        ("\u{feff}[White \"a\"]\n*\n\u{feff}[White \"b\"]\n*\n", two(("a", 0), ("b", 0))),
    ] {
        assert_eq!(players(text), expected, "{text}");
    }
    assert_eq!(players("[White \"a\"]\n[White \"b\"]\n1. e4"), [("b".to_owned(), 1)]);
    for nothing in ["", " \r\n\t", "; only a comment\n{and another}", "%"] {
        assert_eq!(players(nothing), [], "{nothing}");
    }
}

#[test]
fn games_start_where_their_tags_say() {
    let start = |tags: &str| {
        let record = game(&format!("{tags}\n\n*"));
        (fen::format(record.start.position(), FenStyle::XFen), record.start.variant())
    };
    let usual = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let endgame = "4k3/8/8/8/8/8/4P3/4K3 b - - 3 50";
    assert_eq!(start("[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 3 50\"]"), (endgame.to_owned(), Variant::Standard));
    assert_eq!(start(&format!("[SetUp \"1\"]\n[FEN \" {endgame} \"]")).0, endgame);
    assert_eq!(start(&format!("[SetUp \"0\"]\n[FEN \"{endgame}\"]")).0, usual);
    assert_eq!(start("[FEN \"\"]").0, usual);
    for name in ["Chess960", "chess 960", "Fischerandom", "Fischer Random Chess"] {
        let (_, variant) = start(&format!(
            "[Variant \"{name}\"]\n[FEN \"bqnbrnkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBRNKR w HEhe - 0 1\"]"
        ));
        assert_eq!(variant, Variant::Chess960, "{name}");
    }
    let unnamed =
        "[Variant \"From Position\"]\n[FEN \"bqnbrnkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBRNKR w HEhe - 0 1\"]";
    assert_eq!(start(unnamed).1, Variant::Chess960, "its castling rights mean nothing else");
    assert_eq!(game(unnamed).notices, [Notice::TakenAsChess960]);
    let castles = format!("{unnamed}\n1. Ng3 Ng6 2. O-O O-O");
    assert!(read(&castles).is_ok());
    let dropped = game("[FEN \"4k3/8/8/8/8/8/8/4K3 w KQ - 0 1\"]\n*");
    assert_eq!(dropped.notices.len(), 1);
    let other = pgn::read(
        "[FEN \"bqnbrnkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBRNKR w KQkq - 0 1\"]",
        Variant::Chess960,
        CAPS,
        &AtomicBool::new(false),
    );
    assert_eq!(other.unwrap()[0].start.variant(), Variant::Chess960);
}

#[test]
fn what_is_written_has_all_that_readers_need() {
    let start = "4k3/8/8/8/8/8/4P3/4K3 b - - 3 50";
    let mut record =
        game(&format!("[FEN \"{start}\"]\n[White \"say \\\"x\\\" \\\\ y\"]\n50... Kd7 51. e4 Kd6"));
    record.moves[1].nags.push(Nag::BLUNDER);
    record.moves[1].comments.push("a } b".to_owned());
    record.preface.push("c".to_owned());
    assert_eq!(
        pgn::write(&record),
        format!(
            "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"say \\\"x\\\" \\\\ y\"]\n[Black \"?\"]\n\
             [Result \"*\"]\n[FEN \"{start}\"]\n\n{{ c }} 50... Kd7 51. e4 $4 {{ a ) b }} 51... Kd6 *\n"
        )
    );
    let bare = Record::bare(record.start.clone(), &[]);
    assert!(pgn::write(&bare).contains(&format!("[SetUp \"1\"]\n[FEN \"{start}\"]")));
    assert_eq!(fen::format(game(&pgn::write(&bare)).start.position(), FenStyle::XFen), start);
}
