//! Outposts: knights and bishops far forward that no pawn can drive away.

use crate::engine::chess::{Bitboard, PieceKind, Rank, Side};
use crate::engine::eval::ledger::{Ledger, Posting};
use crate::engine::eval::survey::Survey;
use crate::engine::weights::Feature;

/// Posts the outposts of side `S`: on the fourth to sixth rank, protected by a pawn, and beyond the reach of every
/// enemy pawn, however far it advances.
#[inline]
pub(in crate::engine::eval) fn post<S: Side>(survey: &Survey, ledger: &mut impl Ledger) {
    let ranks = S::rank(Rank::Four) | S::rank(Rank::Five) | S::rank(Rank::Six);
    let outposts = ranks & survey.pawn_attacks::<S>() & !survey.pawn_reach::<S::Enemy>();
    for (kind, feature) in
        [(PieceKind::Knight, Feature::KnightOutpost), (PieceKind::Bishop, Feature::BishopOutpost)]
    {
        for square in survey.own::<S>(kind) & outposts {
            let slot = S::relative(square).rank().index() - Rank::Four.index();
            let attackers_of_square = S::Enemy::pawn_attacks(Bitboard::from_square(square));
            let guards = attackers_of_square & survey.own::<S>(PieceKind::Pawn);
            ledger.post::<S>(Posting::of(feature).slot(slot).at(square).with(guards));
        }
    }
}
