//! Rooks: on open and semi-open files, and on the seventh rank.

use crate::engine::chess::{Bitboard, PieceKind, Rank};
use crate::engine::eval::ledger::{Ledger, Posting};
use crate::engine::eval::survey::Survey;
use crate::engine::weights::Feature;

/// Posts the rooks that stand well.
#[inline]
pub(in crate::engine::eval) fn post(survey: &Survey, ledger: &mut impl Ledger) {
    let rooks = survey.own.kind(PieceKind::Rook);
    for rook in rooks {
        let file = Bitboard::file(rook.file());
        let enemy_pawns = file & survey.enemy.kind(PieceKind::Pawn);
        let no_pawn = (file & survey.own.kind(PieceKind::Pawn)).is_empty();
        let open = Posting::of(Feature::RookOnOpenFile).when(no_pawn && enemy_pawns.is_empty());
        ledger.post_if_any(open.at(rook));
        let semi_open = Posting::of(Feature::RookOnSemiOpenFile).when(no_pawn && enemy_pawns.any());
        ledger.post_if_any(semi_open.at(rook).with(enemy_pawns));
    }
    let targets = targets_on_seventh(survey);
    if targets.any() {
        ledger
            .post_each(Posting::of(Feature::RookOnSeventh), rooks & Bitboard::rank(Rank::Seven), |_| targets);
    }
}

/// What makes the seventh rank worth holding: enemy pawns on it, or the enemy king behind it.
#[inline]
fn targets_on_seventh(survey: &Survey) -> Bitboard {
    survey.enemy.kind(PieceKind::Pawn) & Bitboard::rank(Rank::Seven)
        | survey.enemy.kind(PieceKind::King) & Bitboard::rank(Rank::Eight)
}
