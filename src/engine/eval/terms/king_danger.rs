//! King danger: what the pieces of one side threaten the king of the other with. The causes are collected as units and
//! settled in one step.

use crate::engine::chess::attacks::{bishop_attacks, king_attacks, knight_attacks, rook_attacks};
use crate::engine::chess::{Bitboard, PieceKind, Rank, Square, lines};
use crate::engine::eval::camp::{Camp, Officer};
use crate::engine::eval::ledger::{Ledger, Posting};
use crate::engine::eval::spans;
use crate::engine::eval::survey::Survey;
use crate::engine::eval::terms::shelter::WINGS;
use crate::engine::weights::Feature;

/// Knights, bishops, rooks and queens, in the order of the weights' slots.
const OFFICERS: [PieceKind; 4] = [PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen];

/// Posts the danger to the enemy king, whose causes by [officer](post_officer) have been posted.
#[inline]
pub(in crate::engine::eval) fn post(survey: &Survey, ledger: &mut impl Ledger) {
    let king = survey.enemy.king();
    let zone = king_attacks(king);
    let (own, enemy) = (&survey.own.attacks, &survey.enemy.attacks);
    let by_king_or_queen = enemy.kind(PieceKind::King) | enemy.kind(PieceKind::Queen);
    // Protected by nothing, or once only and that by the king or the queen.
    let weak = own.all & !enemy.twice & (!enemy.all | by_king_or_queen);
    checks(survey, king, weak, ledger);
    let weak_zone = weak & zone;
    many(Feature::WeakKingZone, 0, weak_zone, ledger);
    many(Feature::PinnedToKing, 0, survey.pinned_enemies(), ledger);
    wing(survey, king, ledger);
    if (enemy.kind(PieceKind::Knight) & zone).any() {
        let guards = origins(survey, &survey.enemy, PieceKind::Knight, zone, ledger);
        ledger.menace(Posting::of(Feature::KnightGuard).at(king).with(guards));
    }
    let without_queen = survey.own.kind(PieceKind::Queen).is_empty();
    ledger.menace(Posting::of(Feature::WithoutQueen).when(without_queen).at(king));
    ledger.menace(Posting::of(Feature::KingExposure).at(king));
    ledger.settle();
}

/// The enemy king and the squares beside it.
#[inline]
pub(in crate::engine::eval) fn around(king: Square) -> Bitboard {
    king_attacks(king) | king.into()
}

/// Posts an officer that attacks squares around the enemy king, and how many.
#[inline]
pub(in crate::engine::eval) fn post_officer(around: Bitboard, officer: Officer, ledger: &mut impl Ledger) {
    let attacked = officer.attacks & around;
    let slot = officer.kind.index() - PieceKind::Knight.index();
    let posting = |feature| Posting::of(feature).at(officer.square).with(attacked);
    ledger.menace(posting(Feature::KingAttacker).slot(slot).when(attacked.any()));
    ledger.menace(posting(Feature::KingZoneAttack).times(attacked.count() as i32));
}

/// Squares from which the king can be checked with the next move, safely or not. The enemy queen counts as no obstacle,
/// because it cannot stand between without being lost.
#[inline]
fn checks(survey: &Survey, king: Square, weak: Bitboard, ledger: &mut impl Ledger) {
    let (own, enemy) = (&survey.own.attacks, &survey.enemy.attacks);
    let occupied = survey.occupied & !survey.enemy.kind(PieceKind::Queen);
    let (straight, diagonal) = (rook_attacks(king, occupied), bishop_attacks(king, occupied));
    let free = !survey.own.men;
    let safe = free & (!enemy.all | weak & own.twice);
    for (slot, kind) in OFFICERS.into_iter().enumerate() {
        let lines = match kind {
            PieceKind::Knight => knight_attacks(king),
            PieceKind::Bishop => diagonal,
            PieceKind::Rook => straight,
            _ => (straight | diagonal) & !enemy.kind(PieceKind::Queen),
        };
        let checks = lines & own.kind(kind) & free;
        let safe_checks = checks & safe;
        let (pieces, targets) = checkers(survey, kind, safe_checks, ledger);
        let several = if safe_checks.more_than_one() { 4 } else { 0 };
        let posting = Posting::of(Feature::SafeCheck).slot(slot + several).when(safe_checks.any());
        ledger.menace(posting.on(pieces).with(targets));
        if kind != PieceKind::Queen {
            let contested = safe_checks.is_empty() && checks.any();
            let (pieces, targets) = checkers(survey, kind, checks, ledger);
            let posting = Posting::of(Feature::ContestedCheck).slot(slot).when(contested);
            ledger.menace(posting.on(pieces).with(targets));
        }
    }
}

/// The pieces of a kind that can check and the squares they can check from, of those given: without the pieces that a pin
/// keeps from it, unless there are no others. Nothing for a ledger that keeps no squares.
#[inline]
fn checkers<L: Ledger>(
    survey: &Survey,
    kind: PieceKind,
    targets: Bitboard,
    ledger: &L,
) -> (Bitboard, Bitboard) {
    if !L::KEEPS_SQUARES {
        return (Bitboard::EMPTY, Bitboard::EMPTY);
    }
    let (own_king, pinned) = (survey.own.king(), survey.pinned());
    let (mut pieces, mut squares) = (Bitboard::EMPTY, Bitboard::EMPTY);
    for piece in survey.own.kind(kind) {
        let way = if pinned.contains(piece) { lines::line(own_king, piece) } else { !Bitboard::EMPTY };
        let checks = survey.attacks_from(piece) & targets & way;
        if checks.any() {
            pieces |= piece.into();
            squares |= checks;
        }
    }
    if pieces.any() {
        (pieces, squares)
    } else {
        (origins(survey, survey.own, kind, targets, ledger), targets)
    }
}

/// The pieces of a kind that attack one of the squares; nothing for a ledger that keeps no squares.
#[inline]
fn origins<L: Ledger>(survey: &Survey, camp: &Camp, kind: PieceKind, targets: Bitboard, _: &L) -> Bitboard {
    if !L::KEEPS_SQUARES {
        return Bitboard::EMPTY;
    }
    let pieces = camp.kind(kind).into_iter();
    pieces.filter(|piece| (survey.attacks_from(*piece) & targets).any()).collect()
}

/// The enemy's first five ranks on the three files of the wing its king stands on, and its files without a pawn.
#[inline]
fn wing(survey: &Survey, king: Square, ledger: &mut impl Ledger) {
    let (own, enemy) = (&survey.own.attacks, &survey.enemy.attacks);
    let wing = WINGS[king.file().index()];
    let far = [Rank::One, Rank::Two, Rank::Three].map(Bitboard::rank);
    let camp = wing & !(far[0] | far[1] | far[2]);
    many(Feature::FlankAttack, 0, camp & own.all, ledger);
    many(Feature::FlankAttack, 1, camp & own.twice, ledger);
    many(Feature::FlankDefence, 0, camp & enemy.all, ledger);
    let pawns = survey.enemy.kind(PieceKind::Pawn);
    let bare = wing & Bitboard::rank(Rank::One) & !spans::from_here_back(pawns);
    ledger.menace(Posting::of(Feature::BareKingFile).times(bare.count() as i32).at(king));
}

/// Posts a weight once for each square.
#[inline]
fn many(feature: Feature, slot: usize, squares: Bitboard, ledger: &mut impl Ledger) {
    let posting = Posting::of(feature).slot(slot).times(squares.count() as i32);
    ledger.menace(posting.on(squares));
}
