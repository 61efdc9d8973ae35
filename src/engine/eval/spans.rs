//! Squares ahead and behind, and files: what pawns are judged by.

use crate::engine::chess::{Bitboard, Side};

/// These squares and all ahead of them, towards the enemy of side `S`.
#[inline]
pub(super) fn from_here_on<S: Side>(squares: Bitboard) -> Bitboard {
    let mut filled = squares | S::COLOR.forward(squares);
    filled |= S::COLOR.forward(S::COLOR.forward(filled));
    filled | S::COLOR.forward(S::COLOR.forward(S::COLOR.forward(S::COLOR.forward(filled))))
}

/// All squares ahead of these.
#[inline]
pub(super) fn ahead<S: Side>(squares: Bitboard) -> Bitboard {
    S::COLOR.forward(from_here_on::<S>(squares))
}

/// All squares behind these.
#[inline]
pub(super) fn behind<S: Side>(squares: Bitboard) -> Bitboard {
    ahead::<S::Enemy>(squares)
}

/// The whole files of these squares.
#[inline]
pub(super) fn files<S: Side>(squares: Bitboard) -> Bitboard {
    from_here_on::<S>(squares) | behind::<S>(squares)
}

/// The squares right beside these.
#[inline]
pub(super) fn beside(squares: Bitboard) -> Bitboard {
    squares.east() | squares.west()
}

/// The passed pawns of side `S`: no enemy pawn ahead on its file or a file beside it, and no own pawn ahead on its file.
#[inline]
pub(super) fn passed<S: Side>(own: Bitboard, enemy: Bitboard) -> Bitboard {
    let guarded = from_here_on::<S::Enemy>((!S::COLOR).forward(enemy) | (!S::COLOR).pawn_attacks(enemy));
    own & !guarded & !behind::<S>(own)
}
