//! Which moves give check, found once for all moves of a position.

use super::attacks::{bishop_attacks, knight_attacks, pawn_attacks, rook_attacks};
use super::{Bitboard, Move, Piece, PieceKind, Position, Square, lines};

/// From where the side to move attacks the enemy's king, and what stands in its own way.
#[derive(Clone, Copy, Debug)]
pub struct Checks {
    king: Square,
    /// By [`PieceKind::index`], the squares from which a piece of the kind attacks the king.
    direct: [Bitboard; 6],
    /// Pieces that open a line to the king when they leave it.
    screens: Bitboard,
}

impl Checks {
    fn of(position: &Position) -> Self {
        let (us, occupied) = (position.turn(), position.occupied());
        let king = position.king(!us);
        let (diagonal, straight) = (bishop_attacks(king, occupied), rook_attacks(king, occupied));
        let direct = PieceKind::ALL.map(|kind| match kind {
            PieceKind::Pawn => pawn_attacks(!us, king),
            PieceKind::Knight => knight_attacks(king),
            PieceKind::Bishop => diagonal,
            PieceKind::Rook => straight,
            PieceKind::Queen => diagonal | straight,
            PieceKind::King => Bitboard::EMPTY,
        });
        Self { king, direct, screens: position.screens(king, us, us) }
    }

    /// `true` if this legal move of the position attacks the enemy's king, itself or by opening a line.
    #[inline]
    #[must_use]
    pub fn gives(&self, position: &Position, mv: Move) -> bool {
        let (from, to) = (mv.from(), mv.to());
        // These change more squares than two, or the piece.
        if mv.is_castle() || mv.is_en_passant() || mv.promotion().is_some() {
            return position.gives_check(mv);
        }
        let arriving = position.piece_at(from).map(Piece::kind);
        arriving.is_some_and(|kind| self.direct[kind.index()].contains(to))
            || self.screens.contains(from) && !lines::line(self.king, from).contains(to)
    }
}

impl Position {
    /// Which moves of this position give check.
    #[inline]
    #[must_use]
    pub fn checks(&self) -> Checks {
        Checks::of(self)
    }
}
