//! Sentences about the pawn structure.

use super::{list, pieces_on, verb_ending};
use crate::engine::chess::PieceKind;
use crate::engine::eval::Record;

pub(super) fn isolated(record: &Record) -> String {
    let exposed = if record.posting.slot < 4 { "" } else { ", and no enemy pawn stands ahead of it" };
    let pawn = list(record.posting.squares);
    format!("The pawn on {pawn} is isolated: its side has no pawn on the files beside it{exposed}.")
}

pub(super) fn doubled(record: &Record) -> String {
    let (pawn, front) = (list(record.posting.squares), pieces_on(PieceKind::Pawn, record.posting.related));
    let protection = if record.posting.slot == 0 { "protected by a pawn" } else { "not protected by a pawn" };
    format!("The pawn on {pawn} is doubled behind {front} and {protection}.")
}

pub(super) fn backward(record: &Record) -> String {
    let (pawn, guards) = (list(record.posting.squares), record.posting.related);
    let (ending, guards) = (verb_ending(guards), pieces_on(PieceKind::Pawn, guards));
    format!(
        "The pawn on {pawn} is backward: no pawn can protect it, {guards} guard{ending} the square in front of it, \
         and no enemy pawn stands ahead of it."
    )
}

pub(super) fn supported(record: &Record) -> String {
    let guards = record.posting.related;
    let by = pieces_on(PieceKind::Pawn, guards);
    format!("The pawn on {} is protected by {by}.", list(record.posting.squares))
}

pub(super) fn phalanx(record: &Record) -> String {
    let beside = pieces_on(PieceKind::Pawn, record.posting.related);
    format!("The pawn on {} stands side by side with {beside}.", list(record.posting.squares))
}

pub(super) fn candidate(record: &Record) -> String {
    let (pawn, sentries) = (list(record.posting.squares), record.posting.related);
    let (ending, sentries) = (verb_ending(sentries), pieces_on(PieceKind::Pawn, sentries));
    format!(
        "The pawn on {pawn} can become a passed pawn: only {sentries} guard{ending} its way, and as many pawns can help it."
    )
}

pub(super) fn rammed(record: &Record) -> String {
    let (pawn, front) = (list(record.posting.squares), list(record.posting.related));
    format!("The pawn on {pawn} is stopped by the enemy pawn on {front}.")
}

pub(super) fn islands(record: &Record) -> String {
    let side = record.side.name();
    match record.posting.slot {
        0 => format!("{side} has no pawns."),
        1 => format!("{side}'s pawns form a single island."),
        islands => format!("{side}'s pawns form {islands} islands."),
    }
}
