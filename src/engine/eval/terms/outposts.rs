//! Outposts: knights and bishops far forward that no pawn can drive away.

use crate::engine::chess::{Bitboard, PieceKind, Position, Rank, Side};
use crate::engine::eval::attack_map::Officer;
use crate::engine::eval::ledger::{Ledger, Posting};
use crate::engine::eval::survey::Survey;
use crate::engine::weights::Feature;

/// Posts a knight or bishop of side `S` that stands on an outpost.
#[inline]
pub(in crate::engine::eval) fn post_officer<S: Side>(
    position: &Position,
    outposts: Bitboard,
    officer: Officer,
    ledger: &mut impl Ledger,
) {
    let feature = match officer.kind {
        PieceKind::Knight => Feature::KnightOutpost,
        PieceKind::Bishop => Feature::BishopOutpost,
        _ => return,
    };
    let square = officer.square;
    if outposts.contains(square) {
        let slot = square.relative(S::COLOR).rank().index() - Rank::Four.index();
        let attackers_of_square = (!S::COLOR).pawn_attacks(Bitboard::from_square(square));
        let guards = attackers_of_square & position.pieces(S::COLOR, PieceKind::Pawn);
        ledger.post::<S>(Posting::of(feature).slot(slot).at(square).with(guards));
    }
}

/// Posts a knight or bishop of side `S` that can go to an outpost with its next move; `free` are the squares without an own
/// piece.
#[inline]
pub(in crate::engine::eval) fn post_reachable<S: Side>(
    outposts: Bitboard,
    free: Bitboard,
    officer: Officer,
    ledger: &mut impl Ledger,
) {
    let slot = match officer.kind {
        PieceKind::Knight => 0,
        PieceKind::Bishop => 1,
        _ => return,
    };
    let reachable = officer.attacks & outposts & free;
    let holds = reachable.any() && !outposts.contains(officer.square);
    let posting = Posting::of(Feature::ReachableOutpost).slot(slot).when(holds);
    ledger.post_if_any::<S>(posting.at(officer.square).with(reachable));
}

/// Squares on the fourth to sixth rank that a pawn of side `S` protects, beyond the reach of every enemy pawn, however
/// far it advances.
#[inline]
pub(in crate::engine::eval) fn outposts<S: Side>(survey: &Survey) -> Bitboard {
    let ranks = S::COLOR.rank(Rank::Four) | S::COLOR.rank(Rank::Five) | S::COLOR.rank(Rank::Six);
    ranks & survey.pawn_attacks::<S>() & !survey.pawn_reach::<S::Enemy>()
}
