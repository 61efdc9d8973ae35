//! Mobility: how many safe squares each knight, bishop, rook and queen can go to.

use crate::engine::chess::{PieceKind, Side};
use crate::engine::eval::ledger::{Ledger, Posting};
use crate::engine::eval::survey::Survey;
use crate::engine::weights::Feature;

/// Posts every piece of side `S` that has mobility, by the number of its [safe](Survey::safe) squares.
#[inline]
pub(in crate::engine::eval) fn post<S: Side>(survey: &Survey, ledger: &mut impl Ledger) {
    let safe = survey.safe::<S>();
    for (kind, feature) in [
        (PieceKind::Knight, Feature::KnightMobility),
        (PieceKind::Bishop, Feature::BishopMobility),
        (PieceKind::Rook, Feature::RookMobility),
        (PieceKind::Queen, Feature::QueenMobility),
    ] {
        for square in survey.own::<S>(kind) {
            let targets = survey.attacks.from(square) & safe;
            ledger.post::<S>(Posting::of(feature).slot(targets.count() as usize).at(square).with(targets));
        }
    }
}
