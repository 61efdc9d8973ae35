//! Moves in sixteen bits, and lists of them.

use std::fmt;
use std::ops::Deref;

use arrayvec::ArrayVec;

use super::{PieceKind, Square};

/// A move in 16 bits: six for the origin, six for the target, four for the kind.
///
/// Castling is written as king takes own rook, so that every Chess960 castling has one meaning; a move says nothing
/// about the piece that makes it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, bytemuck::Zeroable)]
pub struct Move(u16);

/// The four bits of a move's kind: bit 2 marks a capture, bit 3 a promotion, whose piece stands in bits 0 and 1.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u16)]
pub enum MoveKind {
    /// To an empty square, and nothing else happens.
    Quiet = 0,
    /// A pawn's first step over two squares.
    DoublePush = 1,
    /// King takes own rook.
    Castle = 2,
    /// Of the piece on the target.
    Capture = 4,
    /// Of a pawn in passing.
    EnPassant = 5,
    /// Without a capture.
    Promotion = 8,
    /// With one.
    PromotionCapture = 12,
}

impl Move {
    /// No move; never legal.
    pub const NONE: Self = Self(0);

    /// A move of any kind but the two of promotions.
    #[must_use]
    pub const fn new(from: Square, to: Square, kind: MoveKind) -> Self {
        Self(from.index() as u16 | (to.index() as u16) << 6 | (kind as u16) << 12)
    }

    /// A promotion, `kind` being one of the two promotion kinds.
    pub(super) const fn promoting(from: Square, to: Square, kind: MoveKind, piece: PieceKind) -> Self {
        let choice = piece as u16 - PieceKind::Knight as u16;
        Self(from.index() as u16 | (to.index() as u16) << 6 | (kind as u16 | choice) << 12)
    }

    /// The move whose [`Self::bits`] these are; it may be illegal or senseless anywhere.
    #[must_use]
    pub const fn from_bits(bits: u16) -> Self {
        Self(bits)
    }

    /// The sixteen bits, for a table.
    #[must_use]
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// `false` for [`Self::NONE`].
    #[must_use]
    pub const fn is_some(self) -> bool {
        self.0 != 0
    }

    /// Where the piece comes from.
    #[must_use]
    pub const fn from(self) -> Square {
        Square::from_index((self.0 & 63) as u8)
    }

    /// Where it goes; in castling, where the rook stands.
    #[must_use]
    pub const fn to(self) -> Square {
        Square::from_index((self.0 >> 6 & 63) as u8)
    }

    /// Captures, en passant among them.
    #[must_use]
    pub const fn is_capture(self) -> bool {
        self.0 & 0x4000 != 0
    }

    /// Neither a capture nor a promotion.
    #[must_use]
    pub const fn is_quiet(self) -> bool {
        self.0 & 0xc000 == 0
    }

    /// Castling, written as king takes rook.
    #[must_use]
    pub const fn is_castle(self) -> bool {
        self.kind_bits() == MoveKind::Castle as u16
    }

    /// A pawn's capture in passing.
    #[must_use]
    pub const fn is_en_passant(self) -> bool {
        self.kind_bits() == MoveKind::EnPassant as u16
    }

    /// A pawn's first step over two squares.
    #[must_use]
    pub const fn is_double_push(self) -> bool {
        self.kind_bits() == MoveKind::DoublePush as u16
    }

    /// What the pawn becomes.
    #[must_use]
    pub const fn promotion(self) -> Option<PieceKind> {
        if self.0 & 0x8000 == 0 {
            return None;
        }
        Some(match self.kind_bits() & 3 {
            0 => PieceKind::Knight,
            1 => PieceKind::Bishop,
            2 => PieceKind::Rook,
            _ => PieceKind::Queen,
        })
    }

    pub(super) const fn kind_bits(self) -> u16 {
        self.0 >> 12
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from(), self.to())?;
        if let Some(kind) = self.promotion() {
            write!(f, "{}", kind.letter().to_ascii_lowercase())?;
        }
        Ok(())
    }
}

/// Moves on the stack: no legal position has more than 218. A new list writes to none of its memory.
#[derive(Clone, Default)]
pub struct MoveList(ArrayVec<Move, { Self::CAPACITY }>);

impl MoveList {
    /// Room for the moves of any position.
    pub const CAPACITY: usize = 256;

    /// An empty list.
    #[must_use]
    pub fn new() -> Self {
        Self(ArrayVec::new())
    }

    /// Appends a move.
    ///
    /// # Panics
    /// After 256 moves, which no position reaches that passed validation.
    #[inline]
    pub fn push(&mut self, mv: Move) {
        self.0.push(mv);
    }

    /// Exchanges two moves.
    ///
    /// # Panics
    /// If there is no such move.
    #[inline]
    pub fn swap(&mut self, first: usize, second: usize) {
        self.0.swap(first, second);
    }

    /// Forgets all moves.
    #[inline]
    pub fn clear(&mut self) {
        self.0.clear();
    }
}

impl Deref for MoveList {
    type Target = [Move];

    #[inline]
    fn deref(&self) -> &[Move] {
        &self.0
    }
}

impl<'a> IntoIterator for &'a MoveList {
    type Item = &'a Move;
    type IntoIter = std::slice::Iter<'a, Move>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl fmt::Debug for MoveList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
