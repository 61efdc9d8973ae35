//! Sentences about knights, bishops, rooks, queens and where pieces stand.

use super::{alternatives, enumerate, file, list, named, pieces_on, sentence_case};
use crate::engine::chess::{Bitboard, Color, PieceKind, Position, Square, lines};
use crate::engine::eval::Record;

/// A square that gives or takes fewer centipawns than this is called ordinary.
const NOTABLE: i32 = 5;

pub(super) fn placement(record: &Record, kind: PieceKind) -> String {
    let worth = record.worth;
    let (mg, eg) = (worth.mg(), worth.eg());
    let verdict = |value: i32| if value.abs() < NOTABLE { 0 } else { value.signum() };
    let judgment = match (verdict(mg), verdict(eg)) {
        (0, 0) => "an ordinary square",
        (1, 0 | 1) | (0, 1) => "a good square",
        (-1, 0 | -1) | (0, -1) => "a poor square",
        (1, _) => "a good square for the middlegame but a poor one for the endgame",
        _ => "a poor square for the middlegame but a good one for the endgame",
    };
    let (piece, square) = (kind.name(), list(record.posting.squares));
    format!(
        "The {piece} on {square} stands on {judgment} ({mg:+} centipawns in the middlegame, {eg:+} in the endgame)."
    )
}

pub(super) fn mobility(record: &Record, kind: PieceKind, position: &Position) -> String {
    let subject = format!("The {} on {}", kind.name(), list(record.posting.squares));
    let count = record.posting.slot;
    let safe_squares = match count {
        0 => "no safe square".to_owned(),
        1 => "1 safe square".to_owned(),
        _ => format!("{count} safe squares"),
    };
    if (record.posting.squares & position.pinned(record.side)).any() {
        format!("{subject} is pinned; without the pin it could go to {safe_squares}.")
    } else {
        format!("{subject} can go to {safe_squares}.")
    }
}

pub(super) fn outpost(record: &Record, kind: PieceKind) -> String {
    let guards = pieces_on(PieceKind::Pawn, record.posting.related);
    let verb = if record.posting.related.more_than_one() { "protect" } else { "protects" };
    let enemy = (!record.side).adjective();
    let (piece, square) = (kind.name(), list(record.posting.squares));
    format!("The {piece} on {square} is an outpost: no {enemy} pawn can attack it and {guards} {verb} it.")
}

pub(super) fn semi_open_file(record: &Record) -> String {
    let posting = &record.posting;
    let (rook, file, enemy) = (list(posting.squares), file(posting.squares), (!record.side).name());
    let pawns = list(posting.related);
    let only = if posting.related.more_than_one() { "pawns on it are" } else { "pawn on it is" };
    format!("The rook on {rook} stands on the semi-open {file}: the only {only} {enemy}'s on {pawns}.")
}

pub(super) fn rook_on_seventh(record: &Record, position: &Position) -> String {
    let targets = record.posting.related;
    let mut against = Vec::new();
    for kind in [PieceKind::Pawn, PieceKind::King] {
        let squares = targets & position.by_kind(kind);
        if squares.any() {
            against.push(pieces_on(kind, squares));
        }
    }
    let rook = list(record.posting.squares);
    format!("The rook on {rook} stands on its seventh rank against {}.", enumerate(&against))
}

/// The queen first, then its partner, and the line they share.
pub(super) fn battery(record: &Record, partner: PieceKind, position: &Position) -> String {
    let pair = record.posting.squares;
    let queen = pair & position.by_kind(PieceKind::Queen);
    let other = pair & !queen;
    let line = match partner {
        PieceKind::Bishop => diagonal(queen.first(), other.first()),
        _ => format!("the {}", file(queen)),
    };
    format!("The queen on {} and {} form a battery on {line}.", list(queen), pieces_on(partner, other))
}

/// `the diagonal from b1 to h7`.
fn diagonal(first: Option<Square>, second: Option<Square>) -> String {
    let line = match (first, second) {
        (Some(first), Some(second)) => lines::line(first, second),
        _ => Bitboard::EMPTY,
    };
    match (line.into_iter().next(), line.into_iter().last()) {
        (Some(from), Some(to)) => format!("the diagonal from {from} to {to}"),
        _ => "a diagonal".to_owned(),
    }
}

pub(super) fn by_own_king(record: &Record, kind: PieceKind, position: &Position) -> String {
    with_king(record, kind, &format!("its own king on {}", position.king(record.side)))
}

pub(super) fn by_enemy_king(record: &Record, kind: PieceKind, position: &Position) -> String {
    let square = position.king(!record.side);
    let enemy = (!record.side).adjective();
    with_king(record, kind, &format!("the {enemy} king on {square}"))
}

fn with_king(record: &Record, kind: PieceKind, presence: &str) -> String {
    let (mg, eg) = (record.worth.mg(), record.worth.eg());
    let (piece, square) = (kind.name(), list(record.posting.squares));
    format!(
        "With {presence} the {piece} on {square} is worth {mg:+} centipawns in the middlegame and {eg:+} in the endgame."
    )
}

pub(super) fn reachable_outpost(record: &Record, position: &Position) -> String {
    let piece = sentence_case(&named(record.posting.squares, position));
    format!("{piece} can go to an outpost on {}.", alternatives(record.posting.related))
}

pub(super) fn behind_pawn(record: &Record, position: &Position) -> String {
    let piece = sentence_case(&named(record.posting.squares, position));
    let pawn = record.posting.related;
    if (pawn & position.by_color(record.side)).any() {
        format!("{piece} stands right behind its own pawn on {}.", list(pawn))
    } else {
        format!("{piece} has the {} pawn on {} right in front of it.", (!record.side).adjective(), list(pawn))
    }
}

/// Of the pawns of `owner` on the colour of the bishop.
pub(super) fn bishop_and_pawns(record: &Record, owner: Color) -> String {
    let (bishop, pawns) = (list(record.posting.squares), record.posting.related);
    let owner = owner.name();
    match pawns.count() {
        0 => format!("No pawn of {owner}'s stands on the colour of the bishop on {bishop}."),
        1 => format!("{owner}'s pawn on {} stands on the colour of the bishop on {bishop}.", list(pawns)),
        _ => format!("{owner}'s pawns on {} stand on the colour of the bishop on {bishop}.", list(pawns)),
    }
}

pub(super) fn long_diagonal(record: &Record) -> String {
    let (bishop, center) = (list(record.posting.squares), list(record.posting.related));
    format!("The bishop on {bishop} looks along the long diagonal at {center}.")
}

pub(super) fn open_file(record: &Record) -> String {
    let squares = record.posting.squares;
    format!("The rook on {} stands on the open {}.", list(squares), file(squares))
}

pub(super) fn trapped_bishop(record: &Record) -> String {
    let (bishop, pawn) = (list(record.posting.squares), list(record.posting.related));
    format!("The bishop on {bishop} is shut in by the pawn on {pawn}.")
}

pub(super) fn trapped_rook(record: &Record) -> String {
    let (rook, king) = (list(record.posting.squares), list(record.posting.related));
    format!("The rook on {rook} is shut in by its own king on {king}.")
}

pub(super) fn connected_rooks(record: &Record) -> String {
    format!("The rooks on {} protect each other.", list(record.posting.squares))
}
