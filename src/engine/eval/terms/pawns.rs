//! Pawn structure: what the pawns of a side are worth by each other and by the enemy's pawns, whatever else is on the
//! board.

use crate::engine::chess::{Bitboard, File, PieceKind, Rank, Square};
use crate::engine::eval::ledger::{Ledger, Posting};
use crate::engine::eval::spans;
use crate::engine::eval::survey::Survey;
use crate::engine::weights::Feature;

/// Posts the own pawns. Only the pawns count, so that the sum can be kept by the pawn key.
pub(in crate::engine::eval) fn post(survey: &Survey, ledger: &mut impl Ledger) {
    islands(survey, ledger);
    formation(survey, ledger);
    weaknesses(survey, ledger);
    candidates(survey, ledger);
}

/// Groups of neighbouring files that hold pawns: each begins with a file whose western neighbour holds none.
fn islands(survey: &Survey, ledger: &mut impl Ledger) {
    let own = survey.own.kind(PieceKind::Pawn);
    let files = spans::files(own);
    let beginnings = files & !files.east() & Bitboard::rank(Rank::One);
    ledger.post(Posting::of(Feature::PawnIslands).slot(beginnings.count() as usize).with(own));
}

/// Pawns that protect each other, stand side by side, or are stopped by an enemy pawn.
fn formation(survey: &Survey, ledger: &mut impl Ledger) {
    let (own, enemy) = both(survey);
    for square in own & survey.own.pawn_attacks() {
        let guards = spans::enemy_pawn_attacks(square.into()) & own;
        post_by_rank(Feature::SupportedPawn, square, guards, ledger);
    }
    for square in own & own.beside() {
        post_by_rank(Feature::PhalanxPawn, square, Bitboard::from_square(square).beside() & own, ledger);
    }
    for square in own & enemy.south() {
        post_by_rank(Feature::RammedPawn, square, Bitboard::from_square(square).north(), ledger);
    }
}

/// Isolated, doubled and backward pawns.
fn weaknesses(survey: &Survey, ledger: &mut impl Ledger) {
    let (own, enemy) = both(survey);
    let opposed = spans::behind(enemy);
    let isolated = own & !spans::files(own).beside();
    for square in isolated {
        let unopposed = usize::from(!opposed.contains(square));
        let slot = 4 * unopposed + distance_from_edge(square.file());
        ledger.post(Posting::of(Feature::IsolatedPawn).slot(slot).at(square));
    }
    for square in own & spans::behind(own) {
        let unprotected = usize::from(!survey.own.pawn_attacks().contains(square));
        let front = spans::ahead(square.into()) & own;
        ledger.post(Posting::of(Feature::DoubledPawn).slot(unprotected).at(square).with(front));
    }
    let protectable = spans::from_here_on(survey.own.pawn_attacks());
    let stopped = survey.enemy.pawn_attacks().south();
    for square in own & !isolated & !protectable & stopped & !opposed {
        let guards = spans::pawn_attacks(Bitboard::from_square(square).north()) & enemy;
        ledger.post(Posting::of(Feature::BackwardPawn).at(square).with(guards));
    }
}

/// Pawns that are not passed but that enough pawns can help to become so.
fn candidates(survey: &Survey, ledger: &mut impl Ledger) {
    let (own, enemy) = both(survey);
    let front = own & !spans::behind(own | enemy) & !survey.passed_pawns();
    for square in front {
        let pawn = Bitboard::from_square(square);
        let sentries = spans::ahead(pawn.beside()) & enemy;
        let helpers = spans::from_here_back(pawn.beside()) & own;
        if helpers.count() >= sentries.count() {
            post_by_rank(Feature::CandidatePawn, square, sentries, ledger);
        }
    }
}

/// The own pawns and the enemy's.
#[inline]
const fn both(survey: &Survey) -> (Bitboard, Bitboard) {
    (survey.own.kind(PieceKind::Pawn), survey.enemy.kind(PieceKind::Pawn))
}

#[inline]
fn post_by_rank(feature: Feature, square: Square, related: Bitboard, ledger: &mut impl Ledger) {
    let slot = square.rank().index() - 1;
    ledger.post(Posting::of(feature).slot(slot).at(square).with(related));
}

/// 0 on the a- and h-file to 3 on the d- and e-file.
#[inline]
pub(in crate::engine::eval) const fn distance_from_edge(file: File) -> usize {
    let index = file.index();
    if index < 4 { index } else { 7 - index }
}
