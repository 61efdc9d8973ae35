//! Piece-square values: what a piece gains or loses by where it stands, beside its material worth.

use super::Score;

/// Centipawns by piece kind (pawn, knight, bishop, rook, queen, king) and square, from White's side (a1 = 0).
pub const PIECE_SQUARE: [[Score; 64]; 6] = [[Score::ZERO; 64]; 6];
