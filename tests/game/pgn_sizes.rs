//! Large texts: reading, what is asked of comments, and writing take a time that goes with the size, whatever the text.

use std::time::{Duration, Instant};

use centipawn::game::pgn::{self, Caps, without_eval};

use crate::data::read_within;

/// What the service takes in one request.
const BYTES: usize = 4 << 20;
const CAPS: Caps =
    Caps { games: 2_000, plies: 1_024, moves: 100_000, tags: 256, comments: 200_000, depth: 32 };

/// A text takes half a second of a processor; where the time goes with the square of the size, minutes.
const LONG: Duration = Duration::from_mins(1);

/// A text as large as may be: a part again and again, with something before and behind it.
fn large(before: &str, part: &str, behind: &str) -> String {
    let times = (BYTES - before.len() - behind.len()) / part.len();
    format!("{before}{}{behind}", part.repeat(times))
}

fn check(text: &str, expected: Result<usize, &str>) {
    let begun = Instant::now();
    let start: String = text.chars().take(32).collect();
    match (read_within(text, CAPS), expected) {
        (Ok(games), Ok(number)) => {
            assert_eq!(games.len(), number, "{start}");
            for game in &games {
                for ply in &game.moves {
                    let _ = ply.eval();
                    ply.comments.iter().for_each(|comment| drop(without_eval(comment)));
                }
                assert!(pgn::write(game).ends_with("*\n"), "{start}");
            }
        }
        (Err(error), Err(fault)) => {
            let said = error.to_string();
            assert!(said.ends_with(fault), "{start}: {said}");
        }
        (read, expected) => panic!("{start}: {:?}, not {expected:?}", read.map(|games| games.len())),
    }
    let took = begun.elapsed();
    assert!(took < LONG, "{start}: {took:?}");
}

#[test]
fn commands_in_a_comment() {
    for part in ["[%", "[%eval ", "[%eval 1]", "[% ]", "] "] {
        check(&large("1. e4 {", part, "} e5 *"), Ok(1));
    }
}

#[test]
fn tokens_on_a_line() {
    for part in ["$1 ", "() ", "{} ", ".", "1 ", "<x>", "! ", "é"] {
        let expected = if part == "é" { Err("is neither a move nor a result") } else { Ok(1) };
        check(&large("1. e4 ", part, " *"), expected);
    }
}

#[test]
fn tags_on_a_line() {
    for part in [r#"[a ""]"#, r#"[a "\"] "#] {
        check(&large("", part, "\n*"), Ok(1));
    }
    for part in ["\"", "\\\"", "\"] "] {
        check(&large("[a \"", part, "\"]\n*"), Ok(1));
    }
}

#[test]
fn lines() {
    for part in ["\r", "%\n", "{\n}", "[a \"\"]\n"] {
        check(&large("*\n", part, "\n*"), Ok(2));
    }
}

#[test]
fn what_is_no_move_in_a_side_line() {
    for part in ["y ", "() ", "(y)", ";\n"] {
        check(&large("1. e4 (d4 x ", part, ") *"), Ok(1));
    }
}

#[test]
fn more_than_is_kept() {
    for (before, part, fault) in [
        ("1. e4 ", "(x)", "more than 100000 half-moves together"),
        ("1. e4 ", "(d4)", "more than 100000 half-moves together"),
        ("1. e4 ", "(d4", "nested deeper than 32"),
        ("", "1. e4 * ", "more than 2000 games"),
        ("", "* ", "more than 2000 games"),
        ("1. e4 ", "{a}", "more than 200000 comments together"),
        ("", "{a}", "more than 200000 comments together"),
        ("1. e4 (d4 ", "{a}", "more than 200000 comments together"),
    ] {
        check(&large(before, part, ""), Err(fault));
    }
    let tags: Vec<_> = (0..400_000).map(|number| format!("[a{number} \"\"]")).collect();
    check(&tags.concat(), Err("more than 256 tags"));
}
