//! The term of imbalance: what pieces gain or lose by the company they keep.

use super::Roster;
use crate::engine::chess::{Color, PieceKind};
use crate::engine::eval::ledger::{Ledger, Posting};
use crate::engine::weights::Feature;

/// Posts the pair of bishops and the knights against bishops of the side that posts.
#[inline]
pub(in crate::engine::eval) fn post(roster: &impl Roster, side: Color, ledger: &mut impl Ledger) {
    bishop_pair(roster, side, ledger);
    knights_against_bishops(roster, side, ledger);
}

/// Two bishops or more; counts alone do not know whether both colours are covered, and two bishops of one colour need
/// a promotion.
#[inline]
pub(in crate::engine::eval) fn bishop_pair(roster: &impl Roster, side: Color, ledger: &mut impl Ledger) {
    if roster.count(side, PieceKind::Bishop) >= 2 {
        let bishops = roster.squares(side, PieceKind::Bishop).relative(side);
        ledger.post(Posting::of(Feature::BishopPair).on(bishops));
    }
}

/// Each own knight for which the enemy has a bishop counts the pawns beyond eight: `(pawns - 8) * 2` centipawns.
/// Source: the chess programming wiki, "Bishop versus Knight".
#[inline]
fn knights_against_bishops(roster: &impl Roster, side: Color, ledger: &mut impl Ledger) {
    let enemy = !side;
    let knights = roster.count(side, PieceKind::Knight);
    let faced = knights.min(roster.count(enemy, PieceKind::Bishop));
    let pawns = roster.count(Color::White, PieceKind::Pawn) + roster.count(Color::Black, PieceKind::Pawn);
    if faced > 0 && pawns != 8 {
        let posting = Posting::of(Feature::KnightAgainstBishop)
            .times(faced * (pawns - 8))
            .on(roster.squares(side, PieceKind::Knight).relative(side))
            .with(roster.squares(enemy, PieceKind::Bishop).relative(side));
        ledger.post(posting);
    }
}
