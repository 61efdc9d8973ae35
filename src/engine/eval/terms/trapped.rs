//! Trapped pieces: a bishop shut in at the edge, a rook shut in beside its king.

use crate::engine::chess::{Bitboard, File, PieceKind, Rank, Square};
use crate::engine::eval::ledger::{Ledger, Posting};
use crate::engine::eval::survey::Survey;
use crate::engine::weights::Feature;

/// Posts the own trapped pieces.
#[inline]
pub(in crate::engine::eval) fn post(survey: &Survey, ledger: &mut impl Ledger) {
    bishops(survey, ledger);
    rooks(survey, ledger);
}

/// A white bishop on a7 with a black pawn on b6, or on h7 with one on g6; for Black on a2 and h2.
#[inline]
fn bishops(survey: &Survey, ledger: &mut impl Ledger) {
    let edge = Bitboard::file(File::A) | Bitboard::file(File::H);
    let bishops = survey.own.kind(PieceKind::Bishop) & Bitboard::rank(Rank::Seven) & edge;
    if bishops.is_empty() {
        return;
    }
    for (bishop, pawn) in [(Square::A7, Square::B6), (Square::H7, Square::G6)] {
        let shut_in = bishops.contains(bishop) && survey.enemy.kind(PieceKind::Pawn).contains(pawn);
        if shut_in {
            let jailer = Bitboard::from_square(pawn);
            ledger.post(Posting::of(Feature::TrappedBishop).at(bishop).with(jailer));
        }
    }
}

/// f1 and g1.
const KINGSIDE: Bitboard = Bitboard(0x60);
/// b1 and c1.
const QUEENSIDE: Bitboard = Bitboard(0x06);

/// A rook on its first rank between the edge and its own king on b, c, f or g, behind a pawn of its own, when castling
/// can no longer free it.
#[inline]
fn rooks(survey: &Survey, ledger: &mut impl Ledger) {
    let king = survey.own.kind(PieceKind::King);
    let west = Bitboard(king.0 - 1);
    let beyond = if (king & KINGSIDE).any() {
        !(west | king)
    } else if (king & QUEENSIDE).any() {
        west
    } else {
        return;
    };
    let rooks = survey.own.kind(PieceKind::Rook) & Bitboard::rank(Rank::One) & beyond;
    if rooks.is_empty() || survey.may_castle() {
        return;
    }
    for rook in rooks {
        let pawns_ahead = Bitboard::file(rook.file()) & survey.own.kind(PieceKind::Pawn);
        if pawns_ahead.any() {
            ledger.post(Posting::of(Feature::TrappedRook).at(rook).with(king));
        }
    }
}
