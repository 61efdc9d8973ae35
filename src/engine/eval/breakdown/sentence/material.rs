//! Sentences about material.

use super::{list, pieces_on, quantity};
use crate::engine::chess::{Bitboard, PieceKind, Position};
use crate::engine::eval::Record;

pub(super) fn possession(record: &Record, kind: PieceKind) -> String {
    format!("{} has {}.", record.side.name(), quantity(record.posting.count, kind))
}

pub(super) fn knights_against_bishops(record: &Record, position: &Position) -> String {
    let posting = &record.posting;
    let knights = pieces_on(PieceKind::Knight, posting.squares);
    let bishops = pieces_on(PieceKind::Bishop, posting.related);
    let change = match (posting.squares.more_than_one(), posting.count > 0) {
        (false, true) => "gains",
        (true, true) => "gain",
        (false, false) => "loses",
        (true, false) => "lose",
    };
    let board = match position.by_kind(PieceKind::Pawn).count() {
        0 => "no pawns".to_owned(),
        1 => "only 1 pawn".to_owned(),
        pawns @ 2..8 => format!("only {pawns} pawns"),
        pawns => format!("{pawns} pawns"),
    };
    format!("With {board} on the board, {knights} {change} in worth against {bishops}.")
}

pub(super) fn bishop_pair(record: &Record) -> String {
    let (side, squares) = (record.side.name(), record.posting.squares);
    let bishops = list(squares);
    let color = match (squares & Bitboard::LIGHT, squares & Bitboard::DARK) {
        (Bitboard::EMPTY, _) => "dark",
        (_, Bitboard::EMPTY) => "light",
        _ => return format!("{side} has the bishop pair: the bishops on {bishops}."),
    };
    let all = if squares.count() == 2 { "both" } else { "all" };
    format!("{side}'s bishops on {bishops} count as a pair, though {all} stand on {color} squares.")
}
