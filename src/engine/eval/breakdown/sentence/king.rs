//! Sentences about the safety of the kings.

use super::{alternatives, enumerate, file, list, named, pieces_on, sentence_case, squares_counted};
use crate::engine::chess::{Bitboard, PieceKind, Position, Square, lines};
use crate::engine::eval::Record;

/// A king and what there is of a pawn on one of its files.
fn on_file(record: &Record, position: &Position) -> (String, Option<String>, String) {
    let (king, found) = (list(record.posting.squares), record.posting.related);
    let pawn = found & position.by_kind(PieceKind::Pawn);
    let single = found.count() == 1 && pawn.any();
    (king, single.then(|| list(found)), file(found))
}

pub(super) fn shelter(record: &Record, position: &Position) -> String {
    match on_file(record, position) {
        (king, Some(pawn), _) => format!("The king on {king} has the shelter of the pawn on {pawn}."),
        (king, None, file) => format!("The king on {king} has no pawn of its own ahead on the {file}."),
    }
}

pub(super) fn storm(record: &Record, position: &Position) -> String {
    let stopped = if record.posting.slot >= 28 { ", but is stopped by a pawn" } else { "" };
    match on_file(record, position) {
        (king, Some(pawn), _) => {
            let rank = record.posting.squares.first().map(Square::rank);
            let level = record.posting.related.first().map(Square::rank) == rank;
            let place = if level { "level with" } else { "ahead of" };
            format!("The enemy pawn on {pawn} stands {place} the king on {king}{stopped}.")
        }
        (king, None, file) => format!("No enemy pawn stands ahead of the king on {king} on the {file}."),
    }
}

pub(super) fn castling_right(record: &Record) -> String {
    let wing = if record.posting.slot == 0 { "kingside" } else { "queenside" };
    format!("{} may still castle {wing}.", record.side.name())
}

pub(super) fn open_file(record: &Record) -> String {
    let king = record.posting.squares;
    let openness = if record.posting.slot == 0 { "open" } else { "semi-open" };
    format!(
        "The king on {} stands on the {openness} {} while the enemy has rooks or queens.",
        list(king),
        file(king)
    )
}

pub(super) fn pawn_distance(record: &Record) -> String {
    let (king, moves) = (list(record.posting.squares), record.posting.slot);
    let nearest = record.posting.related;
    let (plural, pawns) =
        (if moves == 1 { "" } else { "s" }, if nearest.more_than_one() { "pawns" } else { "pawn" });
    format!("The king on {king} is {moves} move{plural} away from the nearest {pawns}, on {}.", list(nearest))
}

/// `the white king on e1`, of the side that is attacked.
fn victim(record: &Record, position: &Position) -> String {
    format!("the {} king on {}", (!record.side).adjective(), position.king(!record.side))
}

/// The pieces the entry is about, at the beginning of a sentence.
fn subject(record: &Record, position: &Position) -> String {
    sentence_case(&named(record.posting.squares, position))
}

pub(super) fn attacker(record: &Record, position: &Position) -> String {
    format!("{} takes part in the attack on {}.", subject(record, position), victim(record, position))
}

pub(super) fn zone_attack(record: &Record, position: &Position) -> String {
    let king = Bitboard::from_square(position.king(!record.side));
    let beside = record.posting.related & !king;
    let mut targets = Vec::new();
    if (record.posting.related & king).any() {
        targets.push(victim(record, position));
    }
    if beside.any() {
        targets.push(format!(
            "{} beside {}",
            list(beside),
            if targets.is_empty() { victim(record, position) } else { "it".to_owned() }
        ));
    }
    format!("{} attacks {}.", subject(record, position), enumerate(&targets))
}

pub(super) fn weak_zone(record: &Record, position: &Position) -> String {
    let squares = record.posting.squares;
    let (is, square) = if squares.more_than_one() { ("are", "squares") } else { ("is", "square") };
    format!(
        "The {square} {} beside {} {is} attacked and weakly protected.",
        list(squares),
        victim(record, position)
    )
}

pub(super) fn safe_check(record: &Record, position: &Position) -> String {
    check(record, position, "safely check", "")
}

pub(super) fn contested_check(record: &Record, position: &Position) -> String {
    let it = if record.posting.squares.more_than_one() { "they" } else { "it" };
    check(record, position, "check", &format!(", where {it} can be taken"))
}

/// A check that is there, or what keeps it from being there: a pin, or the enemy queen between.
fn check(record: &Record, position: &Position, manner: &str, fate: &str) -> String {
    let (pieces, squares) = (record.posting.squares, record.posting.related);
    let (own_king, enemy_king) = (position.king(record.side), position.king(!record.side));
    let queens = position.pieces(!record.side, PieceKind::Queen);
    let screened = |square: &Square| (lines::between(*square, enemy_king) & queens).any();
    let direct: Bitboard = squares.into_iter().filter(|square| !screened(square)).collect();
    let stuck = |piece: Square| (lines::line(own_king, piece) & squares).is_empty();
    let is_pinned = (pieces & !position.pinned(record.side)).is_empty() && pieces.into_iter().all(stuck);
    let (subject, victim) = (subject(record, position), victim(record, position));
    let named = alternatives(if direct.any() { direct } else { squares });
    if direct.is_empty() {
        let queen = pieces_on(PieceKind::Queen, queens);
        format!("{subject} could {manner} {victim} from {named}{fate}, if {queen} were not in between.")
    } else if is_pinned {
        let they = if pieces.more_than_one() { "they" } else { "it" };
        format!("{subject} could {manner} {victim} from {named}{fate}, if {they} were not pinned.")
    } else {
        format!("{subject} can {manner} {victim} from {named}{fate}.")
    }
}

pub(super) fn pinned(record: &Record, position: &Position) -> String {
    let squares = record.posting.squares;
    let is = if squares.more_than_one() { "are" } else { "is" };
    format!("{} {is} pinned to {}.", subject(record, position), victim(record, position))
}

pub(super) fn flank_attack(record: &Record, position: &Position) -> String {
    let squares = squares_counted(record.posting.squares.count());
    let times = if record.posting.slot == 0 { "" } else { " more than once" };
    format!("{} attacks {squares} near {}{times}.", record.side.name(), victim(record, position))
}

pub(super) fn flank_defence(record: &Record, position: &Position) -> String {
    let squares = squares_counted(record.posting.squares.count());
    format!("{} protects {squares} near its king on {}.", (!record.side).name(), position.king(!record.side))
}

pub(super) fn bare_files(record: &Record) -> String {
    let enemy = (!record.side).name();
    format!("{enemy} has no pawn on {} of the 3 files at its king.", record.posting.count)
}

pub(super) fn knight_guard(record: &Record, position: &Position) -> String {
    let knights = record.posting.related;
    let guards = if knights.more_than_one() { "guard" } else { "guards" };
    let knights = sentence_case(&pieces_on(PieceKind::Knight, knights));
    format!("{knights} {guards} {}.", victim(record, position))
}

pub(super) fn without_queen(record: &Record) -> String {
    format!("{} has no queen to attack the king with.", record.side.name())
}

pub(super) fn exposure(record: &Record, position: &Position) -> String {
    format!("Before any attacker counts, {} is in some danger.", victim(record, position))
}
