//! The names of openings, found by position: whichever moves lead there.
//!
//! Source: lichess-org/chess-openings (CC0), `a.tsv` to `e.tsv`.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::engine::chess::{Move, Position, uci_move};

/// An opening that has a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opening {
    /// Its code in the Encyclopaedia of Chess Openings.
    pub eco: &'static str,
    /// Its name.
    pub name: &'static str,
}

/// The opening that has led to a position, if the position has a name.
#[must_use]
pub fn of(position: &Position) -> Option<Opening> {
    BY_KEY.get(&position.key()).copied()
}

/// The last named position of a game and how many half-moves lead to it.
#[must_use]
pub fn last_named(start: &Position, moves: &[Move]) -> Option<(Opening, usize)> {
    let mut position = *start;
    let mut last = of(&position).map(|opening| (opening, 0));
    for (index, mv) in moves.iter().enumerate() {
        position.play(*mv);
        last = of(&position).map(|opening| (opening, index + 1)).or(last);
    }
    last
}

/// In a line: how many half-moves it has in common with the line before, the others in UCI, the code and the name.
const TABLE: &str = include_str!("table.tsv");

/// Played through when the first name is asked for, in a few milliseconds.
static BY_KEY: LazyLock<HashMap<u64, Opening>> = LazyLock::new(|| {
    let mut way = vec![Position::start()];
    TABLE.lines().filter_map(|line| entry(line, &mut way)).collect()
});

/// Plays a line of the table on from where it leaves the line before, whose positions `way` has.
fn entry(line: &'static str, way: &mut Vec<Position>) -> Option<(u64, Opening)> {
    let mut columns = line.split('\t');
    let shared: usize = columns.next()?.parse().ok()?;
    way.truncate(shared + 1);
    for text in columns.next()?.split_ascii_whitespace() {
        let mut position = *way.last()?;
        position.play(uci_move::parse(&position, text).ok()?);
        way.push(position);
    }
    Some((way.last()?.key(), Opening { eco: columns.next()?, name: columns.next()? }))
}

#[cfg(test)]
mod tests {
    use super::{BY_KEY, TABLE, last_named};
    use crate::engine::chess::{Move, Position, parse_move};

    fn named(moves: &str) -> Option<(&'static str, &'static str, usize)> {
        let mut position = Position::start();
        let mut played: Vec<Move> = Vec::new();
        for text in moves.split_whitespace() {
            let mv = parse_move(&position, text).unwrap();
            position.play(mv);
            played.push(mv);
        }
        last_named(&Position::start(), &played).map(|(opening, ply)| (opening.eco, opening.name, ply))
    }

    #[test]
    fn every_line_of_the_table_is_a_position_of_its_own() {
        assert_eq!((TABLE.lines().count(), BY_KEY.len()), (3807, 3807));
    }

    #[test]
    fn names_are_found_by_position() {
        for (moves, expected) in [
            ("", None),
            ("e4", Some(("B00", "King's Pawn Game", 1))),
            ("e4 e5 Nf3 Nc6 Bb5 a6 Ba4 h5", Some(("C70", "Ruy Lopez: Morphy Defense", 6))),
            ("d4 d5 c4 e6 Nf3", Some(("D30", "Queen's Gambit Declined", 4))),
            ("c4 e6 d4 d5 a3", Some(("D30", "Queen's Gambit Declined", 4))),
        ] {
            assert_eq!(named(moves), expected, "{moves}");
        }
    }
}
