//! Sentences about material.

use super::{list, pieces_on, quantity};
use crate::engine::chess::{PieceKind, Position};
use crate::engine::eval::Record;

pub(super) fn possession(record: &Record, kind: PieceKind) -> String {
    format!("{} has {}.", record.side.name(), quantity(record.posting.count, kind))
}

pub(super) fn knights_against_bishops(record: &Record, position: &Position) -> String {
    let posting = &record.posting;
    let knights = pieces_on(PieceKind::Knight, posting.squares);
    let bishops = pieces_on(PieceKind::Bishop, posting.related);
    let several = posting.squares.more_than_one();
    let (gain, lose) = if several { ("gain", "lose") } else { ("gains", "loses") };
    let change = match (record.worth.mg().signum(), record.worth.eg().signum()) {
        (1, 0 | 1) | (0, 1) => format!("{gain} in worth"),
        (-1, 0 | -1) | (0, -1) => format!("{lose} in worth"),
        (1, _) => format!("{gain} in worth in the middlegame and {lose} in the endgame"),
        (-1, _) => format!("{lose} in worth in the middlegame and {gain} in the endgame"),
        _ => format!("neither {gain} nor {lose} in worth"),
    };
    let board = match position.by_kind(PieceKind::Pawn).count() {
        0 => "no pawns".to_owned(),
        1 => "only 1 pawn".to_owned(),
        pawns @ 2..8 => format!("only {pawns} pawns"),
        pawns => format!("{pawns} pawns"),
    };
    format!("With {board} on the board, {knights} {change} against {bishops}.")
}

pub(super) fn bishop_pair(record: &Record) -> String {
    let bishops = list(record.posting.squares);
    format!("{} has the bishop pair: the bishops on {bishops}.", record.side.name())
}
