//! Pawn structure: what the pawns of a side are worth by each other and by the enemy's pawns, whatever else is on the
//! board.

use crate::engine::chess::{Bitboard, File, PieceKind, Position, Rank, Side, Square};
use crate::engine::eval::ledger::{Ledger, Posting};
use crate::engine::eval::spans;
use crate::engine::weights::Feature;

/// Posts the pawns of side `S`. Only the pawns count, so that the sum can be kept by the pawn key.
pub(in crate::engine::eval) fn post<S: Side>(position: &Position, ledger: &mut impl Ledger) {
    let own = position.pieces(S::COLOR, PieceKind::Pawn);
    let enemy = position.pieces(<S::Enemy as Side>::COLOR, PieceKind::Pawn);
    islands::<S>(own, ledger);
    formation::<S>(own, enemy, ledger);
    weaknesses::<S>(own, enemy, ledger);
    candidates::<S>(own, enemy, ledger);
}

/// Groups of neighbouring files that hold pawns: each begins with a file whose western neighbour holds none.
fn islands<S: Side>(own: Bitboard, ledger: &mut impl Ledger) {
    let files = spans::files::<S>(own);
    let beginnings = files & !files.east() & S::COLOR.rank(Rank::One);
    ledger.post::<S>(Posting::of(Feature::PawnIslands).slot(beginnings.count() as usize).with(own));
}

/// Pawns that protect each other, stand side by side, or are stopped by an enemy pawn.
fn formation<S: Side>(own: Bitboard, enemy: Bitboard, ledger: &mut impl Ledger) {
    for square in own & S::COLOR.pawn_attacks(own) {
        let guards = (!S::COLOR).pawn_attacks(square.into()) & own;
        post_by_rank::<S>(Feature::SupportedPawn, square, guards, ledger);
    }
    for square in own & spans::beside(own) {
        post_by_rank::<S>(Feature::PhalanxPawn, square, spans::beside(square.into()) & own, ledger);
    }
    for square in own & (!S::COLOR).forward(enemy) {
        post_by_rank::<S>(Feature::RammedPawn, square, S::COLOR.forward(square.into()), ledger);
    }
}

/// Isolated, doubled and backward pawns.
fn weaknesses<S: Side>(own: Bitboard, enemy: Bitboard, ledger: &mut impl Ledger) {
    let opposed = spans::behind::<S>(enemy);
    let isolated = own & !spans::beside(spans::files::<S>(own));
    for square in isolated {
        let unopposed = usize::from(!opposed.contains(square));
        let slot = 4 * unopposed + distance_from_edge(square.file());
        ledger.post::<S>(Posting::of(Feature::IsolatedPawn).slot(slot).at(square));
    }
    for square in own & spans::behind::<S>(own) {
        let unprotected = usize::from(!S::COLOR.pawn_attacks(own).contains(square));
        let front = spans::ahead::<S>(square.into()) & own;
        ledger.post::<S>(Posting::of(Feature::DoubledPawn).slot(unprotected).at(square).with(front));
    }
    let protectable = spans::from_here_on::<S>(S::COLOR.pawn_attacks(own));
    let stopped = (!S::COLOR).forward((!S::COLOR).pawn_attacks(enemy));
    for square in own & !isolated & !protectable & stopped & !opposed {
        let guards = S::COLOR.pawn_attacks(S::COLOR.forward(square.into())) & enemy;
        ledger.post::<S>(Posting::of(Feature::BackwardPawn).at(square).with(guards));
    }
}

/// Pawns that are not passed but that enough pawns can help to become so.
fn candidates<S: Side>(own: Bitboard, enemy: Bitboard, ledger: &mut impl Ledger) {
    let front = own & !spans::behind::<S>(own | enemy) & !spans::passed::<S>(own, enemy);
    for square in front {
        let pawn = Bitboard::from_square(square);
        let sentries = spans::ahead::<S>(spans::beside(pawn)) & enemy;
        let helpers = spans::from_here_on::<S::Enemy>(spans::beside(pawn)) & own;
        if helpers.count() >= sentries.count() {
            post_by_rank::<S>(Feature::CandidatePawn, square, sentries, ledger);
        }
    }
}

#[inline]
fn post_by_rank<S: Side>(feature: Feature, square: Square, related: Bitboard, ledger: &mut impl Ledger) {
    let slot = square.relative(S::COLOR).rank().index() - 1;
    ledger.post::<S>(Posting::of(feature).slot(slot).at(square).with(related));
}

/// 0 on the a- and h-file to 3 on the d- and e-file.
#[inline]
pub(in crate::engine::eval) const fn distance_from_edge(file: File) -> usize {
    let index = file.index();
    if index < 4 { index } else { 7 - index }
}
