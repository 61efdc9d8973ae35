//! Commands in comments: `[%eval 0.17]`, `[%eval #-3]`, `[%clk 1:05:23]`.

use std::ops::Range;

use crate::engine::chess::Color;

/// What a position is worth, from White's point of view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Eval {
    /// Centipawns.
    Cp(i32),
    /// Mate in so many moves, negative if White is mated; never 0.
    Mate(i32),
    /// Checkmate is on the board, given by this side.
    Won(Color),
}

/// More centipawns than any evaluation has.
const MOST_CENTIPAWNS: f64 = 1e6;

/// More moves than any game has, and so than any mate takes.
const MOST_MOVES: u32 = 10_000;

/// The evaluation that a comment carries, if one: `[%eval 2.35]`, `[%eval 2.35,20]` with the depth, `[%eval #-3]`.
#[must_use]
pub fn eval(comment: &str) -> Option<Eval> {
    let value = command(comment, "eval")?.split(',').next()?.trim();
    if let Some(moves) = value.strip_prefix('#') {
        let moves: i32 = moves.trim().parse().ok()?;
        return (1..=MOST_MOVES).contains(&moves.unsigned_abs()).then_some(Eval::Mate(moves));
    }
    let pawns: f64 = value.parse().ok()?;
    let centipawns = (pawns * 100.0).round();
    (centipawns.abs() <= MOST_CENTIPAWNS).then_some(Eval::Cp(centipawns as i32))
}

/// Whether a comment has the command of an evaluation, readable or not.
#[must_use]
pub fn has_eval(comment: &str) -> bool {
    command(comment, "eval").is_some()
}

/// The time that a comment says is left to who has moved: `[%clk 1:05:23]`.
#[must_use]
pub fn clock(comment: &str) -> Option<&str> {
    command(comment, "clk")
}

/// A comment without its evaluation; other commands and words stay.
#[must_use]
pub fn without_eval(comment: &str) -> String {
    let mut text = String::new();
    let mut passed = 0;
    for place in places(comment, "eval") {
        text.push_str(&comment[passed..place.start]);
        passed = place.end;
    }
    if passed == 0 {
        return comment.to_owned();
    }
    text.push_str(&comment[passed..]);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A comment with an evaluation before it; checkmate needs none.
#[must_use]
pub fn add_eval(eval: Eval, comment: &str) -> String {
    let command = match eval {
        Eval::Cp(centipawns) => {
            let sign = if centipawns < 0 { "-" } else { "" };
            format!("[%eval {sign}{}.{:02}]", centipawns.abs() / 100, centipawns.abs() % 100)
        }
        Eval::Mate(moves) => format!("[%eval #{moves}]"),
        Eval::Won(_) => String::new(),
    };
    [command.as_str(), comment].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

/// What a command says, if the comment has it.
fn command<'c>(comment: &'c str, name: &'c str) -> Option<&'c str> {
    let place = places(comment, name).next()?;
    Some(comment[place.start + "[%".len() + name.len()..place.end - "]".len()].trim())
}

/// Where commands of this name stand, in order. Their end is looked for only behind their name: a comment is read once, however
/// many beginnings of commands it has.
fn places<'c>(comment: &'c str, name: &'c str) -> impl Iterator<Item = Range<usize>> + 'c {
    let mut from = 0;
    std::iter::from_fn(move || {
        loop {
            let start = from + comment[from..].find("[%")?;
            from = start + "[%".len();
            let behind = comment[from..].strip_prefix(name);
            if behind.is_some_and(|behind| behind.starts_with([' ', '\t', '\n', '\r'])) {
                from += comment[from..].find(']')? + "]".len();
                return Some(start..from);
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::{Eval, add_eval, clock, eval, has_eval, without_eval};

    #[test]
    fn commands_are_found() {
        for (comment, expected) in [
            ("[%eval 0.17] [%clk 1:30:49]", Some(Eval::Cp(17))),
            ("[%eval -0.05]", Some(Eval::Cp(-5))),
            ("good [%clk 0:00:03][%eval #-3] and more", Some(Eval::Mate(-3))),
            ("[%eval #12]", Some(Eval::Mate(12))),
            ("[%eval 2.35,20]", Some(Eval::Cp(235))),
            ("[%eval\n+2.3]", Some(Eval::Cp(230))),
            ("[%eval 12]", Some(Eval::Cp(1200))),
            ("[%eval 1.005]", Some(Eval::Cp(100))),
            ("[%evaluation 2]", None),
            ("[%eval]", None),
            ("[%eval #0]", None),
            ("[%eval #10000]", Some(Eval::Mate(10_000))),
            ("[%eval #-10001]", None),
            ("[%eval #-2147483648]", None),
            ("[%x [%eval 2] ]", Some(Eval::Cp(200))),
            ("[%[%eval [%eval 1]", None),
            ("[%eval NaN]", None),
            ("[%eval 1e300]", None),
            ("[%eval 2", None),
            ("eval 2", None),
            ("", None),
        ] {
            assert_eq!(eval(comment), expected, "{comment}");
            assert!(expected.is_none() || has_eval(comment), "{comment}");
        }
        for (comment, has_one) in
            [("[%eval x]", true), ("[%eval #0]", true), ("[%eval 1e9]", true), ("[%eval 2", false)]
        {
            assert_eq!(has_eval(comment), has_one, "{comment}");
        }
        assert_eq!(clock("[%eval 0.17] [%clk 1:30:49]"), Some("1:30:49"));
        assert_eq!(clock("\n[clk 1:05:23 ] no command"), None);
    }

    #[test]
    fn evaluations_are_exchanged() {
        for (comment, rest) in [
            ("[%eval 0.17] [%clk 1:30:49]", "[%clk 1:30:49]"),
            ("[%clk 0:01:00] [%eval 1,3] good\nmove [%eval #1]", "[%clk 0:01:00] good move"),
            ("  kept  as it is ", "  kept  as it is "),
            ("[%eval 1][%eval 2]", ""),
            ("a [%eval 1", "a [%eval 1"),
            ("é[%eval 1]é [%eval #2] [%x]", "éé [%x]"),
        ] {
            assert_eq!(without_eval(comment), rest, "{comment}");
        }
        for (value, comment, text) in [
            (Eval::Cp(-5), "", "[%eval -0.05]"),
            (Eval::Cp(1234), "[%clk 0:01:00]", "[%eval 12.34] [%clk 0:01:00]"),
            (Eval::Mate(-3), "x", "[%eval #-3] x"),
        ] {
            assert_eq!(add_eval(value, comment), text);
            assert_eq!(eval(text), Some(value));
        }
    }
}
