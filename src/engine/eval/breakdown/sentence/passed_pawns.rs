//! Sentences about passed pawns.

use super::{alternatives, list, named};
use crate::engine::chess::{Color, Position};
use crate::engine::eval::Record;

fn pawn(record: &Record) -> String {
    format!("The passed pawn on {}", list(record.posting.squares))
}

pub(super) fn passed(record: &Record) -> String {
    format!("The pawn on {} is passed: no enemy pawn can stop or capture it.", list(record.posting.squares))
}

pub(super) fn blocked(record: &Record, position: &Position) -> String {
    format!("{} is blocked by {}.", pawn(record), named(record.posting.related, position))
}

pub(super) fn free_path(record: &Record) -> String {
    format!("{} has a free path: nothing stands on {}.", pawn(record), alternatives(record.posting.related))
}

pub(super) fn safe_path(record: &Record) -> String {
    let path = record.posting.related;
    let attacks = if path.more_than_one() { "attacks none of" } else { "does not attack" };
    format!("{} has a safe path: the enemy {attacks} {}.", pawn(record), list(path))
}

pub(super) fn safe_step(record: &Record) -> String {
    format!("{} can safely step forward to {}.", pawn(record), list(record.posting.related))
}

pub(super) fn defended_step(record: &Record) -> String {
    format!("{} has its step to {} protected by its own side.", pawn(record), list(record.posting.related))
}

pub(super) fn king_distance(record: &Record, owner: Color) -> String {
    let (king, square) = (list(record.posting.related), list(record.posting.squares));
    let distance = match record.posting.slot % 8 {
        0 => "stands on".to_owned(),
        1 => "is 1 move from".to_owned(),
        moves => format!("is {moves} moves from"),
    };
    let owner = owner.adjective();
    format!("The {owner} king on {king} {distance} the square ahead of the passed pawn on {square}.")
}

pub(super) fn rook_behind(record: &Record) -> String {
    let (rook, square) = (list(record.posting.related), list(record.posting.squares));
    let purpose = if record.posting.slot == 0 { "supports it" } else { "attacks it" };
    format!("The rook on {rook} stands behind the passed pawn on {square} and {purpose}.")
}

pub(super) fn unstoppable(record: &Record) -> String {
    let (pawn, enemy) = (pawn(record), (!record.side).adjective());
    format!("{pawn} is unstoppable: the {enemy} king is too far away to catch it.")
}
