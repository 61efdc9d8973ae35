//! The term of imbalance: what pieces gain or lose by the company they keep.

use super::Roster;
use crate::engine::chess::{Color, PieceKind, Side};
use crate::engine::eval::ledger::{Ledger, Posting};
use crate::engine::weights::Feature;

/// Posts the pair of bishops and the knights against bishops of side `S`.
#[inline]
pub(in crate::engine::eval) fn post<S: Side>(roster: &impl Roster, ledger: &mut impl Ledger) {
    bishop_pair::<S>(roster, ledger);
    knights_against_bishops::<S>(roster, ledger);
}

/// Two bishops or more; counts alone do not know whether both colours are covered, and two bishops of one colour need
/// a promotion.
#[inline]
pub(in crate::engine::eval) fn bishop_pair<S: Side>(roster: &impl Roster, ledger: &mut impl Ledger) {
    if roster.count(S::COLOR, PieceKind::Bishop) >= 2 {
        let bishops = roster.squares(S::COLOR, PieceKind::Bishop);
        ledger.post::<S>(Posting::of(Feature::BishopPair).on(bishops));
    }
}

/// Each own knight for which the enemy has a bishop counts the pawns beyond eight: `(pawns - 8) * 2` centipawns.
/// Source: the chess programming wiki, "Bishop versus Knight".
#[inline]
fn knights_against_bishops<S: Side>(roster: &impl Roster, ledger: &mut impl Ledger) {
    let enemy = <S::Enemy as Side>::COLOR;
    let knights = roster.count(S::COLOR, PieceKind::Knight);
    let faced = knights.min(roster.count(enemy, PieceKind::Bishop));
    let pawns = roster.count(Color::White, PieceKind::Pawn) + roster.count(Color::Black, PieceKind::Pawn);
    if faced > 0 && pawns != 8 {
        let posting = Posting::of(Feature::KnightAgainstBishop)
            .times(faced * (pawns - 8))
            .on(roster.squares(S::COLOR, PieceKind::Knight))
            .with(roster.squares(enemy, PieceKind::Bishop));
        ledger.post::<S>(posting);
    }
}
