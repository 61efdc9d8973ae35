//! Passed pawns: how far they are, what helps them and what stops them.

use crate::engine::chess::attacks::rook_attacks;
use crate::engine::chess::{Bitboard, PieceKind, Rank, Square};
use crate::engine::eval::ledger::{Ledger, Posting};
use crate::engine::eval::spans;
use crate::engine::eval::survey::Survey;
use crate::engine::weights::Feature;

/// Posts how far the own passed pawns are, and how far both kings from them.
pub(in crate::engine::eval) fn post_pawns(survey: &Survey, ledger: &mut impl Ledger) {
    for square in survey.passed_pawns() {
        ledger.post(Posting::of(Feature::PassedPawn).slot(slot(square)).at(square));
        kings(survey, square, ledger);
    }
}

/// Posts what the other pieces do for and against the own passed pawns.
#[inline]
pub(in crate::engine::eval) fn post_pieces(survey: &Survey, ledger: &mut impl Ledger) {
    for square in survey.passed_pawns() {
        pawn(survey, square, ledger);
    }
}

/// 0 for the second rank to 5 for the seventh.
#[inline]
fn slot(square: Square) -> usize {
    square.rank().index() - 1
}

fn pawn(survey: &Survey, square: Square, ledger: &mut impl Ledger) {
    let pawn = Bitboard::from_square(square);
    let step = pawn.north();
    let path = spans::ahead(pawn);
    let (own, enemy) = (&survey.own.attacks, &survey.enemy.attacks);
    let enemies = survey.enemy.men;
    for (feature, holds, related) in [
        (Feature::BlockedPassedPawn, (step & enemies).any(), step),
        (Feature::FreePath, (path & survey.occupied).is_empty(), path),
        (Feature::SafePath, (path & (enemy.all | enemies)).is_empty(), path),
        (Feature::SafeStep, (step & (enemy.all | survey.occupied)).is_empty(), step),
        (Feature::DefendedStep, (step & own.all).any(), step),
    ] {
        let posting = Posting::of(feature).slot(slot(square)).when(holds);
        ledger.post_if_any(posting.at(square).with(related));
    }
    rooks(survey, square, ledger);
    if is_unstoppable(survey, square, path) {
        ledger.post(Posting::of(Feature::UnstoppablePawn).at(square));
    }
}

/// From the fourth rank on, how far both kings are from the square ahead.
fn kings(survey: &Survey, square: Square, ledger: &mut impl Ledger) {
    let rank = square.rank();
    if rank < Rank::Four {
        return;
    }
    let Some(target) = Bitboard::from_square(square).north().first() else { return };
    for (feature, king) in
        [(Feature::PassedPawnOwnKing, survey.own.king()), (Feature::PassedPawnEnemyKing, survey.enemy.king())]
    {
        let slot = 8 * (rank.index() - Rank::Four.index()) + king.distance(target) as usize;
        ledger.post(Posting::of(feature).slot(slot).at(square).with(king.into()));
    }
}

#[inline]
fn rooks(survey: &Survey, square: Square, ledger: &mut impl Ledger) {
    let (own, enemy) = (survey.own.kind(PieceKind::Rook), survey.enemy.kind(PieceKind::Rook));
    let behind = spans::behind(square.into()) & (own | enemy);
    if behind.is_empty() {
        return;
    }
    let in_sight = rook_attacks(square, survey.occupied) & behind;
    for (slot, rooks) in [own, enemy].into_iter().enumerate() {
        let rook = in_sight & rooks;
        if rook.any() {
            ledger.post(Posting::of(Feature::RookBehindPassedPawn).slot(slot).at(square).with(rook));
        }
    }
}

/// The enemy has only king and pawns, nothing stands in the way, and the king is too far from the square of promotion:
/// more moves than the pawn needs, one more still if the enemy is to move.
#[inline]
fn is_unstoppable(survey: &Survey, square: Square, path: Bitboard) -> bool {
    if survey.enemy.officers().any() || (path & survey.occupied).any() {
        return false;
    }
    let double_step = u32::from(square.rank() == Rank::Two);
    let moves = (Rank::Eight.index() - square.rank().index()) as u32 - double_step;
    let promotion = Square::new(square.file(), Rank::Eight);
    let to_move = u32::from(!survey.to_move());
    survey.enemy.king().distance(promotion) > moves + to_move
}
