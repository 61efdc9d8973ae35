//! Outposts: knights and bishops far forward that no pawn can drive away.

use crate::engine::chess::{Bitboard, PieceKind, Rank};
use crate::engine::eval::camp::{Camp, Officer, Opposition};
use crate::engine::eval::ledger::{Ledger, Posting};
use crate::engine::eval::spans;
use crate::engine::weights::Feature;

/// Posts a knight or bishop that stands on an outpost.
#[inline]
pub(in crate::engine::eval) fn post_officer(
    own: &Camp,
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
        let slot = square.rank().index() - Rank::Four.index();
        let attackers_of_square = spans::enemy_pawn_attacks(Bitboard::from_square(square));
        let guards = attackers_of_square & own.kind(PieceKind::Pawn);
        ledger.post(Posting::of(feature).slot(slot).at(square).with(guards));
    }
}

/// Posts a knight or bishop that can go to an outpost with its next move.
#[inline]
pub(in crate::engine::eval) fn post_reachable(
    own: &Camp,
    outposts: Bitboard,
    officer: Officer,
    ledger: &mut impl Ledger,
) {
    let slot = match officer.kind {
        PieceKind::Knight => 0,
        PieceKind::Bishop => 1,
        _ => return,
    };
    let reachable = officer.attacks & outposts & !own.men;
    let holds = reachable.any() && !outposts.contains(officer.square);
    let posting = Posting::of(Feature::ReachableOutpost).slot(slot).when(holds);
    ledger.post_if_any(posting.at(officer.square).with(reachable));
}

/// Squares on the fourth to sixth rank that an own pawn protects, beyond the reach of every enemy pawn, however
/// far it advances.
#[inline]
pub(in crate::engine::eval) fn outposts(own: &Camp, opposition: &Opposition) -> Bitboard {
    let ranks = Bitboard::rank(Rank::Four) | Bitboard::rank(Rank::Five) | Bitboard::rank(Rank::Six);
    ranks & own.pawn_attacks() & !spans::from_here_back(opposition.pawn_attacks)
}
