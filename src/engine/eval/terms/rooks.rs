//! Rooks: on open and semi-open files, and on the seventh rank.

use crate::engine::chess::{Bitboard, PieceKind, Rank, Side};
use crate::engine::eval::ledger::{Ledger, Posting};
use crate::engine::eval::survey::Survey;
use crate::engine::weights::Feature;

/// Posts the rooks of side `S` that stand well.
#[inline]
pub(in crate::engine::eval) fn post<S: Side>(survey: &Survey, ledger: &mut impl Ledger) {
    let rooks = survey.own::<S>(PieceKind::Rook);
    for rook in rooks {
        let file = Bitboard::file(rook.file());
        let enemy_pawns = file & survey.enemy::<S>(PieceKind::Pawn);
        let no_pawn = (file & survey.own::<S>(PieceKind::Pawn)).is_empty();
        let open = Posting::of(Feature::RookOnOpenFile).when(no_pawn && enemy_pawns.is_empty());
        ledger.post_if_any::<S>(open.at(rook));
        let semi_open = Posting::of(Feature::RookOnSemiOpenFile).when(no_pawn && enemy_pawns.any());
        ledger.post_if_any::<S>(semi_open.at(rook).with(enemy_pawns));
    }
    let targets = targets_on_seventh::<S>(survey);
    if targets.any() {
        for rook in rooks & S::COLOR.rank(Rank::Seven) {
            ledger.post::<S>(Posting::of(Feature::RookOnSeventh).at(rook).with(targets));
        }
    }
}

/// What makes the seventh rank worth holding: enemy pawns on it, or the enemy king behind it.
#[inline]
fn targets_on_seventh<S: Side>(survey: &Survey) -> Bitboard {
    survey.enemy::<S>(PieceKind::Pawn) & S::COLOR.rank(Rank::Seven)
        | survey.enemy::<S>(PieceKind::King) & S::COLOR.rank(Rank::Eight)
}
