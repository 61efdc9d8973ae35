//! Who is on the board: from the kept key, or counted on the board.

use crate::engine::chess::{Bitboard, Color, MaterialKey, PieceKind, Position};

/// Something that knows how many pieces of each kind a side has.
///
/// The material terms are written once over this: with a [`MaterialKey`] they fill the tables, with a [`Position`] they
/// count from scratch and name the squares.
pub trait Roster {
    /// How many pieces of this kind; kings are not asked for.
    fn count(&self, color: Color, kind: PieceKind) -> i32;

    /// Where they stand; nowhere if only the numbers are known.
    fn squares(&self, color: Color, kind: PieceKind) -> Bitboard;
}

impl Roster for MaterialKey {
    #[inline]
    fn count(&self, color: Color, kind: PieceKind) -> i32 {
        Self::count(*self, color, kind) as i32
    }

    #[inline]
    fn squares(&self, _: Color, _: PieceKind) -> Bitboard {
        Bitboard::EMPTY
    }
}

impl Roster for Position {
    #[inline]
    fn count(&self, color: Color, kind: PieceKind) -> i32 {
        self.pieces(color, kind).count() as i32
    }

    #[inline]
    fn squares(&self, color: Color, kind: PieceKind) -> Bitboard {
        self.pieces(color, kind)
    }
}
