//! Mobility: how many safe squares each knight, bishop, rook and queen can go to.

use crate::engine::chess::attacks::{bishop_attacks, knight_attacks, queen_attacks, rook_attacks};
use crate::engine::chess::{Bitboard, PieceKind, Side, Square};
use crate::engine::eval::ledger::{Ledger, Posting};
use crate::engine::eval::survey::Survey;
use crate::engine::weights::Feature;

/// Posts every piece of side `S` that has mobility, by the number of its [safe](Survey::safe) squares.
#[inline]
pub(in crate::engine::eval) fn post<S: Side>(survey: &Survey, ledger: &mut impl Ledger) {
    let occupied = survey.occupied;
    each::<S>(survey, ledger, PieceKind::Knight, Feature::KnightMobility, knight_attacks);
    each::<S>(survey, ledger, PieceKind::Bishop, Feature::BishopMobility, |square| {
        bishop_attacks(square, occupied)
    });
    each::<S>(survey, ledger, PieceKind::Rook, Feature::RookMobility, |square| {
        rook_attacks(square, occupied)
    });
    each::<S>(survey, ledger, PieceKind::Queen, Feature::QueenMobility, |square| {
        queen_attacks(square, occupied)
    });
}

#[inline]
fn each<S: Side>(
    survey: &Survey,
    ledger: &mut impl Ledger,
    kind: PieceKind,
    feature: Feature,
    attacks: impl Fn(Square) -> Bitboard,
) {
    let safe = survey.safe::<S>();
    for square in survey.own::<S>(kind) {
        let targets = attacks(square) & safe;
        ledger.post::<S>(Posting::of(feature).slot(targets.count() as usize).at(square).with(targets));
    }
}
