//! Threats: enemy pieces that are attacked, or can be with the next move, by something that costs less or that they
//! cannot well withstand.

use crate::engine::chess::attacks::knight_attacks;
use crate::engine::chess::{Bitboard, PieceKind, Rank, Square};
use crate::engine::eval::ledger::{Ledger, Posting};
use crate::engine::eval::spans;
use crate::engine::eval::survey::Survey;
use crate::engine::weights::Feature;

/// Victims of a pawn, in the order of the weights' slots.
const OFFICERS: [PieceKind; 4] = [PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen];
/// Victims of a piece, in the order of the weights' slots.
const VICTIMS: [PieceKind; 5] =
    [PieceKind::Pawn, PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen];

/// Posts the threats to the enemy.
#[inline]
pub(in crate::engine::eval) fn post(survey: &Survey, ledger: &mut impl Ledger) {
    pawns(survey, ledger);
    pieces(survey, ledger);
    queen(survey, ledger);
    restricted(survey, ledger);
}

/// Pawns that attack pieces, and pawns that can with a step; only pawns that stand safely there.
#[inline]
fn pawns(survey: &Survey, ledger: &mut impl Ledger) {
    let (own, enemy) = (&survey.own.attacks, &survey.enemy.attacks);
    let pawns = survey.own.kind(PieceKind::Pawn);
    let safe = own.all | !enemy.all;
    let attacked = spans::pawn_attacks(pawns & safe);
    each(survey, Feature::PawnThreat, &OFFICERS, attacked, ledger, |victim| {
        spans::enemy_pawn_attacks(victim.into()) & pawns & safe
    });
    let step = pawns.north() & !survey.occupied;
    let steps = step | (step & Bitboard::rank(Rank::Three)).north() & !survey.occupied;
    let steps = steps & safe & !survey.enemy.pawn_attacks();
    let attacked = spans::pawn_attacks(steps) & !survey.own.pawn_attacks();
    each(survey, Feature::PawnPushThreat, &OFFICERS, attacked, ledger, |victim| {
        spans::enemy_pawn_attacks(victim.into()) & steps
    });
}

/// Pieces that attack weakly protected ones or dearer ones, and what is not protected at all.
#[inline]
fn pieces(survey: &Survey, ledger: &mut impl Ledger) {
    let (own, enemy) = (&survey.own.attacks, &survey.enemy.attacks);
    let weak = survey.weak_targets();
    let queens = survey.enemy.kind(PieceKind::Queen);
    let by_minors = own.kind(PieceKind::Knight) | own.kind(PieceKind::Bishop);
    let for_minors = weak | queens | survey.enemy.kind(PieceKind::Rook);
    let by = |kinds: &'static [PieceKind]| move |victim| attackers(survey, kinds, victim);
    let minors = by(&[PieceKind::Knight, PieceKind::Bishop]);
    each(survey, Feature::MinorThreat, &VICTIMS, by_minors & for_minors, ledger, minors);
    let for_rooks = own.kind(PieceKind::Rook) & (weak | queens);
    each(survey, Feature::RookThreat, &VICTIMS, for_rooks, ledger, by(&[PieceKind::Rook]));
    let for_king = weak & own.kind(PieceKind::King);
    let king = survey.own.king();
    ledger.post_if_any(Posting::of(Feature::KingThreat).when(for_king.any()).at(king).with(for_king));
    let hanging = weak & !enemy.all;
    each(survey, Feature::HangingPiece, &VICTIMS, hanging, ledger, Bitboard::from_square);
}

/// Safe squares from which the only enemy queen can be attacked with the next move.
#[inline]
fn queen(survey: &Survey, ledger: &mut impl Ledger) {
    let queens = survey.enemy.kind(PieceKind::Queen);
    let Some(queen) = queens.first().filter(|_| !queens.more_than_one()) else { return };
    let own = survey.own.attacks;
    let safe = survey.own.safe(survey.enemy.pawn_attacks()) & !survey.held_by_enemy();
    let lines = survey.enemy.attacks.kind(PieceKind::Queen);
    let straight = Bitboard::file(queen.file()) | Bitboard::rank(queen.rank());
    let attacks = [
        knight_attacks(queen) & own.kind(PieceKind::Knight),
        lines & !straight & own.kind(PieceKind::Bishop) & own.twice,
        lines & straight & own.kind(PieceKind::Rook) & own.twice,
    ];
    for (slot, squares) in attacks.into_iter().enumerate() {
        let squares = squares & safe;
        let posting = Posting::of(Feature::QueenAttackSoon).slot(slot).times(squares.count() as i32);
        ledger.post_if_any(posting.on(squares));
    }
}

/// Squares that the enemy attacks but cannot use freely.
#[inline]
fn restricted(survey: &Survey, ledger: &mut impl Ledger) {
    let (own, enemy) = (&survey.own.attacks, &survey.enemy.attacks);
    let squares = enemy.all & own.all & !survey.held_by_enemy();
    let posting = Posting::of(Feature::RestrictedSquare).times(squares.count() as i32);
    ledger.post_if_any(posting.on(squares));
}

/// Posts each victim among the squares with what attacks it, by its kind.
#[inline]
fn each<L: Ledger>(
    survey: &Survey,
    feature: Feature,
    kinds: &[PieceKind],
    squares: Bitboard,
    ledger: &mut L,
    attackers: impl Fn(Square) -> Bitboard,
) {
    let victims = squares & survey.enemy.men;
    if victims.is_empty() {
        return;
    }
    for (slot, kind) in kinds.iter().enumerate() {
        let (posting, victims) = (Posting::of(feature).slot(slot), victims & survey.enemy.kind(*kind));
        if L::KEEPS_SQUARES {
            for victim in victims {
                ledger.post(posting.on(attackers(victim)).with(victim.into()));
            }
        } else {
            ledger.post_if_any(posting.times(victims.count() as i32));
        }
    }
}

/// The own pieces of these kinds that attack a square.
#[inline]
fn attackers(survey: &Survey, kinds: &[PieceKind], target: Square) -> Bitboard {
    let pieces = kinds.iter().fold(Bitboard::EMPTY, |pieces, kind| pieces | survey.own.kind(*kind));
    pieces.into_iter().filter(|piece| survey.attacks_from(*piece).contains(target)).collect()
}
