//! A position seen from the side that plays for a win.

use crate::engine::chess::attacks::king_attacks;
use crate::engine::chess::{Bitboard, Color, MoveList, PieceKind, Position, Square};

/// A position and what several endgames ask of it.
pub(super) struct Setting<'p> {
    pub(super) position: &'p Position,
    pub(super) strong: Color,
    pub(super) weak: Color,
    pub(super) strong_king: Square,
    pub(super) weak_king: Square,
}

impl<'p> Setting<'p> {
    pub(super) fn of(position: &'p Position, strong: Color) -> Self {
        Self {
            position,
            strong,
            weak: !strong,
            strong_king: position.king(strong),
            weak_king: position.king(!strong),
        }
    }

    /// Whether the strong side is to move.
    pub(super) fn strong_to_move(&self) -> bool {
        self.position.turn() == self.strong
    }

    /// The strong side's pieces of a kind.
    pub(super) fn own(&self, kind: PieceKind) -> Bitboard {
        self.position.pieces(self.strong, kind)
    }

    /// The other side's.
    pub(super) fn enemy(&self, kind: PieceKind) -> Bitboard {
        self.position.pieces(self.weak, kind)
    }

    /// The men of a side without the king.
    pub(super) fn men(&self, color: Color) -> Bitboard {
        self.position.by_color(color) & !Bitboard::from(self.position.king(color))
    }

    /// The square as the strong side would name it.
    pub(super) fn relative(&self, square: Square) -> Square {
        square.relative(self.strong)
    }

    /// What the weak king stands beside.
    pub(super) fn attacked_by_weak_king(&self) -> Bitboard {
        king_attacks(self.weak_king) & self.men(self.strong)
    }

    /// Whether the side to move has a quiet move and nothing to capture.
    pub(super) fn is_calm(&self) -> bool {
        let mut captures = MoveList::default();
        self.position.captures(&mut captures);
        captures.is_empty() && self.position.has_legal_move()
    }
}
