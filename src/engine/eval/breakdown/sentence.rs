//! A sentence for every entry.

use crate::engine::chess::{Bitboard, Color, PieceKind, Position, Square, lines};
use crate::engine::eval::Record;
use crate::engine::weights::Feature;

/// Says of one entry what it is about, so that a reader can check it on the board.
pub(super) fn sentence(record: &Record, position: &Position) -> String {
    match record.posting.feature {
        Feature::PawnValue => possession(record, PieceKind::Pawn),
        Feature::KnightValue => possession(record, PieceKind::Knight),
        Feature::BishopValue => possession(record, PieceKind::Bishop),
        Feature::RookValue => possession(record, PieceKind::Rook),
        Feature::QueenValue => possession(record, PieceKind::Queen),
        Feature::BishopPair => {
            format!(
                "{} has the bishop pair: the bishops on {}.",
                name(record.side),
                list(record.posting.squares)
            )
        }
        Feature::KnightAgainstBishop => knights_against_bishops(record, position),
        Feature::PawnPlacement => placement(record, PieceKind::Pawn),
        Feature::KnightPlacement => placement(record, PieceKind::Knight),
        Feature::BishopPlacement => placement(record, PieceKind::Bishop),
        Feature::RookPlacement => placement(record, PieceKind::Rook),
        Feature::QueenPlacement => placement(record, PieceKind::Queen),
        Feature::KingPlacement => placement(record, PieceKind::King),
        Feature::KnightMobility => mobility(record, PieceKind::Knight, position),
        Feature::BishopMobility => mobility(record, PieceKind::Bishop, position),
        Feature::RookMobility => mobility(record, PieceKind::Rook, position),
        Feature::QueenMobility => mobility(record, PieceKind::Queen, position),
        Feature::KnightOutpost => outpost(record, PieceKind::Knight),
        Feature::BishopOutpost => outpost(record, PieceKind::Bishop),
        Feature::RookOnOpenFile => {
            format!(
                "The rook on {} stands on the open {}.",
                list(record.posting.squares),
                file(record.posting.squares)
            )
        }
        Feature::RookOnSemiOpenFile => semi_open_file(record),
        Feature::RookOnSeventh => rook_on_seventh(record, position),
        Feature::TrappedBishop => {
            let (bishop, pawn) = (list(record.posting.squares), list(record.posting.related));
            format!("The bishop on {bishop} is shut in by the pawn on {pawn}.")
        }
        Feature::TrappedRook => {
            let (rook, king) = (list(record.posting.squares), list(record.posting.related));
            format!("The rook on {rook} is shut in by its own king on {king}.")
        }
        Feature::ConnectedRooks => {
            format!("The rooks on {} protect each other.", list(record.posting.squares))
        }
        Feature::FileBattery => battery(record, PieceKind::Rook, position),
        Feature::DiagonalBattery => battery(record, PieceKind::Bishop, position),
        Feature::Tempo => format!("{} is to move.", name(record.side)),
    }
}

/// `White` or `Black`.
pub(super) const fn name(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}

/// `a knight` or `2 knights`.
pub(super) fn quantity(count: i32, kind: PieceKind) -> String {
    if count == 1 { format!("a {}", kind.name()) } else { format!("{count} {}s", kind.name()) }
}

/// `a`, `a and b`, `a, b and c`.
pub(super) fn enumerate(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

fn list(squares: Bitboard) -> String {
    enumerate(&squares.into_iter().map(|square| square.to_string()).collect::<Vec<_>>())
}

/// `the pawn on e4`, `the pawns on d4 and e4`.
fn pieces(kind: PieceKind, squares: Bitboard) -> String {
    let plural = if squares.more_than_one() { "s" } else { "" };
    format!("the {}{plural} on {}", kind.name(), list(squares))
}

/// `d-file`, of the first of the squares.
fn file(squares: Bitboard) -> String {
    squares.first().map_or_else(String::new, |square| format!("{}-file", square.file().letter()))
}

fn possession(record: &Record, kind: PieceKind) -> String {
    format!("{} has {}.", name(record.side), quantity(record.posting.count, kind))
}

fn knights_against_bishops(record: &Record, position: &Position) -> String {
    let posting = &record.posting;
    let knights = pieces(PieceKind::Knight, posting.squares);
    let bishops = pieces(PieceKind::Bishop, posting.related);
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

/// A square that gives or takes fewer centipawns than this is called ordinary.
const NOTABLE: i32 = 5;

fn placement(record: &Record, kind: PieceKind) -> String {
    let worth = record.posting.worth();
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

fn mobility(record: &Record, kind: PieceKind, position: &Position) -> String {
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

fn outpost(record: &Record, kind: PieceKind) -> String {
    let guards = pieces(PieceKind::Pawn, record.posting.related);
    let verb = if record.posting.related.more_than_one() { "protect" } else { "protects" };
    let enemy = name(!record.side).to_lowercase();
    let (piece, square) = (kind.name(), list(record.posting.squares));
    format!("The {piece} on {square} is an outpost: no {enemy} pawn can attack it and {guards} {verb} it.")
}

fn semi_open_file(record: &Record) -> String {
    let posting = &record.posting;
    let (rook, file, enemy) = (list(posting.squares), file(posting.squares), name(!record.side));
    let pawns = list(posting.related);
    let only = if posting.related.more_than_one() { "pawns on it are" } else { "pawn on it is" };
    format!("The rook on {rook} stands on the semi-open {file}: the only {only} {enemy}'s on {pawns}.")
}

fn rook_on_seventh(record: &Record, position: &Position) -> String {
    let targets = record.posting.related;
    let mut against = Vec::new();
    for kind in [PieceKind::Pawn, PieceKind::King] {
        let squares = targets & position.by_kind(kind);
        if squares.any() {
            against.push(pieces(kind, squares));
        }
    }
    let rook = list(record.posting.squares);
    format!("The rook on {rook} stands on its seventh rank against {}.", enumerate(&against))
}

/// The queen first, then its partner, and the line they share.
fn battery(record: &Record, partner: PieceKind, position: &Position) -> String {
    let pair = record.posting.squares;
    let queen = pair & position.by_kind(PieceKind::Queen);
    let other = pair & !queen;
    let line = match partner {
        PieceKind::Bishop => diagonal(queen.first(), other.first()),
        _ => format!("the {}", file(queen)),
    };
    format!("The queen on {} and {} form a battery on {line}.", list(queen), pieces(partner, other))
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
