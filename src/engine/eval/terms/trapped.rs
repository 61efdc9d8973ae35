//! Trapped pieces: a bishop shut in at the edge, a rook shut in beside its king.

use crate::engine::chess::{Bitboard, File, PieceKind, Rank, Side, Square};
use crate::engine::eval::ledger::{Ledger, Posting};
use crate::engine::eval::survey::Survey;
use crate::engine::weights::Feature;

/// Posts the trapped pieces of side `S`.
#[inline]
pub(in crate::engine::eval) fn post<S: Side>(survey: &Survey, ledger: &mut impl Ledger) {
    bishops::<S>(survey, ledger);
    rooks::<S>(survey, ledger);
}

/// A white bishop on a7 with a black pawn on b6, or on h7 with one on g6; for Black on a2 and h2.
#[inline]
fn bishops<S: Side>(survey: &Survey, ledger: &mut impl Ledger) {
    let edge = Bitboard::file(File::A) | Bitboard::file(File::H);
    let bishops = survey.own::<S>(PieceKind::Bishop) & S::COLOR.rank(Rank::Seven) & edge;
    if bishops.is_empty() {
        return;
    }
    for (bishop, pawn) in [(Square::A7, Square::B6), (Square::H7, Square::G6)] {
        let [bishop, pawn] = [bishop.relative(S::COLOR), pawn.relative(S::COLOR)];
        let shut_in = bishops.contains(bishop) && survey.enemy::<S>(PieceKind::Pawn).contains(pawn);
        if shut_in {
            let jailer = Bitboard::from_square(pawn);
            ledger.post::<S>(Posting::of(Feature::TrappedBishop).at(bishop).with(jailer));
        }
    }
}

/// A rook on its first rank between the edge and its own king on b, c, f or g, behind a pawn of its own, when castling
/// can no longer free it.
#[inline]
fn rooks<S: Side>(survey: &Survey, ledger: &mut impl Ledger) {
    let king = survey.position.king(S::COLOR);
    if !S::COLOR.rank(Rank::One).contains(king) || survey.position.castling().any(S::COLOR) {
        return;
    }
    let king_square = Bitboard::from_square(king);
    let beyond = match king.file() {
        File::B | File::C => Bitboard(king_square.0 - 1),
        File::F | File::G => !Bitboard(king_square.0 | (king_square.0 - 1)),
        File::A | File::D | File::E | File::H => return,
    };
    for rook in survey.own::<S>(PieceKind::Rook) & S::COLOR.rank(Rank::One) & beyond {
        let pawns_ahead = Bitboard::file(rook.file()) & survey.own::<S>(PieceKind::Pawn);
        if pawns_ahead.any() {
            ledger.post::<S>(Posting::of(Feature::TrappedRook).at(rook).with(king_square));
        }
    }
}
