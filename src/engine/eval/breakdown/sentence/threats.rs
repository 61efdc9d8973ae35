//! Sentences about threats and space.

use super::{alternatives, named, sentence_case, squares_counted, verb_ending};
use crate::engine::chess::{PieceKind, Position};
use crate::engine::eval::Record;

/// The pieces the entry is about attack its related ones.
pub(super) fn by_pieces(record: &Record, position: &Position) -> String {
    let (attackers, victims) = (record.posting.squares, record.posting.related);
    let ending = verb_ending(attackers);
    format!("{} attack{ending} {}.", sentence_case(&named(attackers, position)), named(victims, position))
}

pub(super) fn by_pawn_pushes(record: &Record, position: &Position) -> String {
    let squares = alternatives(record.posting.squares);
    let victim = named(record.posting.related, position);
    format!("{} can attack {victim} by a pawn move to {squares}.", record.side.name())
}

pub(super) fn hanging(record: &Record, position: &Position) -> String {
    let victims = record.posting.related;
    format!("{} is attacked and not protected.", sentence_case(&named(victims, position)))
}

pub(super) fn queen_attack_soon(record: &Record, position: &Position) -> String {
    let piece = [PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook][record.posting.slot].name();
    let squares = alternatives(record.posting.squares);
    let queen = named(position.pieces(!record.side, PieceKind::Queen), position);
    format!("{}'s {piece} can attack {queen} from {squares}.", record.side.name())
}

pub(super) fn restricted(record: &Record) -> String {
    let squares = squares_counted(record.posting.squares.count());
    format!("{} restricts {squares} that {} pieces attack.", record.side.name(), (!record.side).adjective())
}

pub(super) fn space(record: &Record) -> String {
    let squares = squares_counted(record.posting.squares.count());
    format!("{} has {squares} of safe space in the centre.", record.side.name())
}
