//! Mobility: how many safe squares each knight, bishop, rook and queen can go to.

use crate::engine::chess::{Bitboard, PieceKind};
use crate::engine::eval::camp::Officer;
use crate::engine::eval::ledger::{Ledger, Posting};
use crate::engine::weights::Feature;

/// Posts an officer by the number of squares that it can go to, out of the
/// [safe](crate::engine::eval::camp::Camp::safe) ones.
#[inline]
pub(in crate::engine::eval) fn post(safe: Bitboard, officer: Officer, ledger: &mut impl Ledger) {
    let feature = match officer.kind {
        PieceKind::Knight => Feature::KnightMobility,
        PieceKind::Bishop => Feature::BishopMobility,
        PieceKind::Rook => Feature::RookMobility,
        PieceKind::Queen => Feature::QueenMobility,
        PieceKind::Pawn | PieceKind::King => return,
    };
    let targets = officer.attacks & safe;
    ledger.post(Posting::of(feature).slot(targets.count() as usize).at(officer.square).with(targets));
}
