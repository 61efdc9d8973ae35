//! Passed pawns: how far they are, what helps them and what stops them.

use crate::engine::chess::attacks::rook_attacks;
use crate::engine::chess::{Bitboard, Color, PieceKind, Position, Rank, Side, Square};
use crate::engine::eval::ledger::{Ledger, Posting};
use crate::engine::eval::spans;
use crate::engine::eval::survey::Survey;
use crate::engine::weights::Feature;

/// Posts how far the passed pawns of side `S` are, and how far both kings from them.
pub(in crate::engine::eval) fn post_pawns<S: Side>(position: &Position, ledger: &mut impl Ledger) {
    for square in passed::<S>(position) {
        ledger.post::<S>(Posting::of(Feature::PassedPawn).slot(slot::<S>(square)).at(square));
        kings::<S>(position, square, ledger);
    }
}

/// Posts what the other pieces do for and against the passed pawns of side `S`.
#[inline]
pub(in crate::engine::eval) fn post_pieces<S: Side>(survey: &Survey, ledger: &mut impl Ledger) {
    for square in passed::<S>(survey.position) {
        pawn::<S>(survey, square, ledger);
    }
}

#[inline]
fn passed<S: Side>(position: &Position) -> Bitboard {
    let pawns = |color| position.pieces(color, PieceKind::Pawn);
    spans::passed::<S>(pawns(S::COLOR), pawns(<S::Enemy as Side>::COLOR))
}

/// 0 for the second rank of side `S` to 5 for the seventh.
#[inline]
fn slot<S: Side>(square: Square) -> usize {
    square.relative(S::COLOR).rank().index() - 1
}

fn pawn<S: Side>(survey: &Survey, square: Square, ledger: &mut impl Ledger) {
    let pawn = Bitboard::from_square(square);
    let step = S::COLOR.forward(pawn);
    let path = spans::ahead::<S>(pawn);
    let (own, enemy) = (survey.attacks.by::<S>(), survey.attacks.by::<S::Enemy>());
    let enemies = survey.position.by_color(<S::Enemy as Side>::COLOR);
    for (feature, holds, related) in [
        (Feature::BlockedPassedPawn, (step & enemies).any(), step),
        (Feature::FreePath, (path & survey.occupied).is_empty(), path),
        (Feature::SafePath, (path & (enemy.all | enemies)).is_empty(), path),
        (Feature::SafeStep, (step & (enemy.all | survey.occupied)).is_empty(), step),
        (Feature::DefendedStep, (step & own.all).any(), step),
    ] {
        let posting = Posting::of(feature).slot(slot::<S>(square)).when(holds);
        ledger.post_if_any::<S>(posting.at(square).with(related));
    }
    rooks::<S>(survey, square, ledger);
    if is_unstoppable::<S>(survey, square, path) {
        ledger.post::<S>(Posting::of(Feature::UnstoppablePawn).at(square));
    }
}

/// From the fourth rank on, how far both kings are from the square ahead.
fn kings<S: Side>(position: &Position, square: Square, ledger: &mut impl Ledger) {
    let rank = square.relative(S::COLOR).rank();
    if rank < Rank::Four {
        return;
    }
    let Some(target) = S::COLOR.forward(square.into()).first() else { return };
    for (feature, color) in
        [(Feature::PassedPawnOwnKing, S::COLOR), (Feature::PassedPawnEnemyKing, <S::Enemy as Side>::COLOR)]
    {
        let king = position.king(color);
        let slot = 8 * (rank.index() - Rank::Four.index()) + king.distance(target) as usize;
        ledger.post::<S>(Posting::of(feature).slot(slot).at(square).with(king.into()));
    }
}

#[inline]
fn rooks<S: Side>(survey: &Survey, square: Square, ledger: &mut impl Ledger) {
    let behind = spans::behind::<S>(square.into()) & survey.position.by_kind(PieceKind::Rook);
    if behind.is_empty() {
        return;
    }
    let in_sight = rook_attacks(square, survey.occupied) & behind;
    for (slot, color) in [S::COLOR, <S::Enemy as Side>::COLOR].into_iter().enumerate() {
        let rook = in_sight & survey.position.by_color(color);
        if rook.any() {
            ledger.post::<S>(Posting::of(Feature::RookBehindPassedPawn).slot(slot).at(square).with(rook));
        }
    }
}

/// The enemy has only king and pawns, nothing stands in the way, and the king is too far from the square of promotion:
/// more moves than the pawn needs, one more still if the enemy is to move.
#[inline]
fn is_unstoppable<S: Side>(survey: &Survey, square: Square, path: Bitboard) -> bool {
    if survey.officers::<S::Enemy>().any() || (path & survey.occupied).any() {
        return false;
    }
    let enemy: Color = <S::Enemy as Side>::COLOR;
    let relative = square.relative(S::COLOR);
    let double_step = u32::from(relative.rank() == Rank::Two);
    let moves = (Rank::Eight.index() - relative.rank().index()) as u32 - double_step;
    let promotion = Square::new(square.file(), Rank::Eight).relative(S::COLOR);
    let to_move = u32::from(survey.position.turn() == enemy);
    survey.position.king(enemy).distance(promotion) > moves + to_move
}
