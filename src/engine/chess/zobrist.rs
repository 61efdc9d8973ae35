//! Random numbers that make a position's key, each beside the piece-square value of the same piece and square.
//!
//! Source: Zobrist, "A New Hashing Method with Application for Game Playing" (1970).

use super::{CastlingRights, CastlingSide, Color, File, Piece, Square};
use crate::engine::weights::{PIECE_SQUARE, Score};

/// What a piece on a square adds to a position: 16 bytes, so that one cache line serves both.
#[derive(Clone, Copy)]
pub(super) struct PieceSquare {
    pub(super) key: u64,
    /// White minus Black.
    pub(super) value: Score,
}

/// `SplitMix64` (Steele, Lea and Flood 2014): the `number`-th output from a fixed seed.
const fn random(number: u64) -> u64 {
    let mut z = 0x2026_1121_c3e7_1a05_u64.wrapping_add((number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

/// A power of two above the 12 * 64 entries in use, so that masking an index replaces a bounds check.
const SIZE: usize = 1 << 10;

static PIECES: [PieceSquare; SIZE] = {
    let mut table = [PieceSquare { key: 0, value: Score::ZERO }; SIZE];
    let mut index = 0;
    while index < 12 * 64 {
        let (piece, square) = (Piece::ALL[index >> 6], Square::from_index(index as u8));
        let value = PIECE_SQUARE[piece.kind().index()][square.relative(piece.color()).index()];
        table[index].key = random(index as u64);
        table[index].value = match piece.color() {
            Color::White => value,
            Color::Black => value.negated(),
        };
        index += 1;
    }
    table
};

static EN_PASSANT: [u64; 8] = {
    let mut keys = [0; 8];
    let mut file = 0;
    while file < 8 {
        keys[file] = random(0x1000 + file as u64);
        file += 1;
    }
    keys
};

static CASTLING: [[u64; 64]; 4] = {
    let mut keys = [[0; 64]; 4];
    let mut index = 0;
    while index < 4 * 64 {
        keys[index >> 6][index & 63] = random(0x2000 + index as u64);
        index += 1;
    }
    keys
};

/// Added when Black is to move.
pub(super) const TURN: u64 = random(0x3000);

#[inline]
pub(super) fn piece(piece: Piece, square: Square) -> PieceSquare {
    PIECES[(piece.index() << 6 | square.index()) & (SIZE - 1)]
}

#[inline]
pub(super) fn en_passant(file: File) -> u64 {
    EN_PASSANT[file.index()]
}

/// The key of the rights, by the squares of their rooks: in Chess960 the same right may belong to another rook.
pub(super) fn castling(rights: CastlingRights) -> u64 {
    let mut key = 0;
    for color in Color::ALL {
        for side in CastlingSide::ALL {
            if let Some(rook) = rights.rook(color, side) {
                key ^= CASTLING[color.index() * 2 + side as usize][rook.index()];
            }
        }
    }
    key
}
