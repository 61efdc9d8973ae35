//! Squares ahead and behind, and files: what pawns are judged by. The own pawns go up the board, the enemy's down.

use crate::engine::chess::{Bitboard, Color};

/// What own pawns on these squares attack.
#[inline]
pub(super) fn pawn_attacks(pawns: Bitboard) -> Bitboard {
    Color::White.pawn_attacks(pawns)
}

/// What enemy pawns on these squares attack: also from where own pawns attack them.
#[inline]
pub(super) fn enemy_pawn_attacks(pawns: Bitboard) -> Bitboard {
    Color::Black.pawn_attacks(pawns)
}

/// These squares and all ahead of them.
#[inline]
pub(super) const fn from_here_on(squares: Bitboard) -> Bitboard {
    let squares = squares.0 | squares.0 << 8;
    let squares = squares | squares << 16;
    Bitboard(squares | squares << 32)
}

/// These squares and all behind them.
#[inline]
pub(super) const fn from_here_back(squares: Bitboard) -> Bitboard {
    let squares = squares.0 | squares.0 >> 8;
    let squares = squares | squares >> 16;
    Bitboard(squares | squares >> 32)
}

/// All squares ahead of these.
#[inline]
pub(super) const fn ahead(squares: Bitboard) -> Bitboard {
    from_here_on(squares).north()
}

/// All squares behind these.
#[inline]
pub(super) const fn behind(squares: Bitboard) -> Bitboard {
    from_here_back(squares).south()
}

/// The whole files of these squares.
#[inline]
pub(super) fn files(squares: Bitboard) -> Bitboard {
    from_here_on(squares) | behind(squares)
}
