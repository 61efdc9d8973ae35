//! What is refused, and where it is said to be.

use std::sync::atomic::AtomicBool;

use centipawn::engine::chess::Variant;
use centipawn::game::pgn::{self, Caps, Fault};

use crate::data::{CAPS, read, read_within};

#[test]
fn what_cannot_be_read_has_a_place_and_a_reason() {
    for (text, error) in [
        ("hello", "line 1, column 1 (game 1): 'hello' is neither a move nor a result"),
        ("\n\n  {x} é", "line 3, column 7 (game 1): 'é' is neither a move nor a result"),
        ("[kj90trkm\"sdfsdf\"yl]", "line 1, column 1 (game 1): a tag is written [Name \"value\"], on a line"),
        ("[Event \"x]\n", "line 1, column 1 (game 1): a tag is written [Name \"value\"], on a line"),
        ("[Event]", "line 1, column 1 (game 1): a tag is written [Name \"value\"], on a line"),
        ("[]", "line 1, column 1 (game 1): a tag is written [Name \"value\"], on a line"),
        ("1. e4 {no end", "line 1, column 7 (game 1): this comment has no `}`"),
        ("1. e4 (1. d4 (1. c4)", "line 1, column 7 (game 1): this variation has no `)`"),
        ("1. e4 (1. d4\n[White \"x\"]", "line 1, column 7 (game 1): this variation has no `)`"),
        ("1. e4 }", "line 1, column 7 (game 1): `}` ends nothing here"),
        ("1. e4 )", "line 1, column 7 (game 1): `)` ends nothing here"),
        ("1. e4 ]", "line 1, column 7 (game 1): `]` ends nothing here"),
        (
            "(1. d4) 1. e4",
            "line 1, column 1 (game 1): a variation stands after the move that it replaces, and there is none",
        ),
        ("1. e4 $ e5", "line 1, column 7 (game 1): `$` is followed by a number from 0 to 255"),
        ("1. e4 $256", "line 1, column 7 (game 1): `$` is followed by a number from 0 to 255"),
        ("$1 e4", "line 1, column 1 (game 1): `$1` stands after the move that it judges, and there is none"),
        ("!? e4", "line 1, column 1 (game 1): `!?` stands after the move that it judges, and there is none"),
        ("1. e4 e5\n2. Ke3 Nf6", "line 2, column 4 (game 1): 'Ke3' is not legal: no king can go to e3"),
        ("1. e4 e5 2. -- *", "line 1, column 13 (game 1): '--' is not legal: a side cannot pass"),
        ("1. e4 e5 2. 0000 *", "line 1, column 13 (game 1): '0000' is not legal: a side cannot pass"),
        (
            "1. Nc3 d5 2. d3 a6 3. Nf3 a5 4. Nd2 a4 5. Ne4",
            "line 1, column 43 (game 1): 'Ne4' is ambiguous; write Nde4 or Nce4",
        ),
        ("1. f3 e5 2. g4 Qh4# 3. a3", "line 1, column 24 (game 1): 'a3' is not legal: the game is over"),
        (
            "1. e4 1-0\n\n[White \"x\"]\n1. e5",
            "line 4, column 4 (game 2): 'e5' is not legal: no pawn can go to e5",
        ),
        (
            "[Event \"x\"]\n[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n\n1. e4",
            "line 2, column 1 (game 1): the tag `FEN`: ",
        ),
        ("[FEN \"nonsense\"]", "line 1, column 1 (game 1): the tag `FEN`: "),
        (
            "[Event \"x\"]\n[Variant \"Crazyhouse\"]\n1. e4",
            "line 2, column 1 (game 1): the variant 'Crazyhouse' is not supported; it has to be standard chess or Chess960",
        ),
    ] {
        let found = read(text).unwrap_err().to_string();
        assert!(found.starts_with(error), "{text}: {found}");
    }
}

#[test]
fn there_is_an_end_to_everything() {
    let caps = Caps { games: 2, plies: 3, moves: 10, tags: 2, comments: 3, depth: 2 };
    let read =
        |text: &str| read_within(text, caps).map(|games| games.len()).map_err(|error| error.to_string());
    assert_eq!(read("e4 * d4 *"), Ok(2));
    assert_eq!(read("e4 * d4 * ; end"), Ok(2));
    assert_eq!(
        read("e4 * d4 * c4 *"),
        Err("line 1, column 11 (game 3): there are more than 2 games".to_owned())
    );
    assert_eq!(
        read("e4 * d4 * [White \"x\"]"),
        Err("line 1, column 11 (game 3): there are more than 2 games".to_owned())
    );
    assert_eq!(read("e4 e5 d4"), Ok(1));
    assert_eq!(
        read("e4 e5 d4 d5"),
        Err("line 1, column 10 (game 1): the game has more than 3 half-moves".to_owned())
    );
    assert_eq!(read("e4 (d4 (c4) d5 Nf3 Nf6 Nc3)"), Ok(1), "a side line may be longer");
    assert_eq!(
        read("e4 (d4 (c4 (b4)))"),
        Err("line 1, column 12 (game 1): variations are nested deeper than 2".to_owned())
    );
    let too_many_moves = |column| {
        Err(format!(
            "line 1, column {column} (game 1): the games and their variations have more than 10 half-moves together"
        ))
    };
    assert_eq!(read(&format!("e4 {}", "(d4 d5 c4)".repeat(3))), Ok(1));
    assert_eq!(read(&format!("e4 {}", "(d4 d5 c4)".repeat(4))), too_many_moves(35));
    assert_eq!(read(&format!("e4 {}", "(x y z)".repeat(9))), Ok(1), "what is cut is not read on");
    assert_eq!(read(&format!("e4 {}", "(x y z)".repeat(10))), too_many_moves(68));
    let tags = "[White \"x\"]\n[Black \"y\"]\n";
    assert_eq!(read(&format!("{tags}[White \"z\"]\n*\n{tags}*")), Ok(2), "a game has a tag once");
    assert_eq!(
        read(&format!("{tags}[Round \"1\"]")),
        Err("line 3, column 1 (game 1): the game has more than 2 tags".to_owned())
    );
    assert_eq!(read("{a} e4 {b} {} (x {c}) *"), Ok(1));
    assert_eq!(
        read("{a} e4 {b} {} (x {c}) ; d"),
        Err("line 1, column 23 (game 1): the games have more than 3 comments together".to_owned())
    );
    let long = "x".repeat(10_000);
    assert!(read_within(&long, CAPS).unwrap_err().to_string().len() < 100);
}

#[test]
fn who_is_told_to_stop_reads_no_further() {
    let stopped = pgn::read("1. e4 hello", Variant::Standard, CAPS, &AtomicBool::new(true)).unwrap_err();
    assert!(matches!(stopped.fault, Fault::Stopped), "{stopped}");
    assert_eq!((stopped.place.line, stopped.place.column), (1, 4));
}
