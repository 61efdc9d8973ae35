//! Sentences about material.

use super::{enumerate, list, name, pieces_on, quantity};
use crate::engine::chess::{Bitboard, Color, PieceKind, Position};
use crate::engine::eval::Record;

pub(super) fn possession(record: &Record, kind: PieceKind) -> String {
    format!("{} has {}.", name(record.side), quantity(record.posting.count, kind))
}

pub(super) fn knights_against_bishops(record: &Record, position: &Position) -> String {
    let posting = &record.posting;
    let knights = pieces_on(PieceKind::Knight, posting.squares);
    let bishops = pieces_on(PieceKind::Bishop, posting.related);
    let change = match (posting.count > 0, posting.squares.more_than_one()) {
        (true, true) => "gain",
        (true, false) => "gains",
        (false, true) => "lose",
        (false, false) => "loses",
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
    let bishops = list(record.posting.squares);
    format!("{} has the bishop pair: the bishops on {bishops}.", name(record.side))
}

pub(super) fn own_company(record: &Record, position: &Position) -> String {
    let pieces = count_kinds(record.posting.squares, record.side, position);
    format!("{} has {pieces} beside each other, which {}.", name(record.side), change(record))
}

pub(super) fn enemy_company(record: &Record, position: &Position) -> String {
    let own = count_kinds(record.posting.squares, record.side, position);
    let enemies = count_kinds(record.posting.related, !record.side, position);
    format!("{} has {own} against {enemies}, which {}.", name(record.side), change(record))
}

/// `2 bishops and 5 pawns`.
fn count_kinds(squares: Bitboard, side: Color, position: &Position) -> String {
    let kinds = PieceKind::ALL.into_iter().rev();
    let quantities = kinds.filter_map(|kind| {
        let count = (squares & position.pieces(side, kind)).count() as i32;
        (count > 0).then(|| quantity(count, kind))
    });
    enumerate(&quantities.collect::<Vec<_>>())
}

/// What a constellation adds to the worth of the pieces by themselves.
fn change(record: &Record) -> String {
    let (mg, eg) = (record.worth.mg(), record.worth.eg());
    format!("changes their worth by {mg:+} centipawns in the middlegame and {eg:+} in the endgame")
}
