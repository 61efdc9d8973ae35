//! A position as one of the two sides sees it.

use super::camp::Camp;
use super::spans;
use crate::engine::chess::attacks::{bishop_attacks, piece_attacks, rook_attacks};
use crate::engine::chess::{
    Bitboard, ByColor, CastlingSide, Color, Piece, PieceKind, Position, Square, lines,
};

/// A position from one side's view: every square is named as this side names it, so that its own pawns go up the board
/// whoever it is. So each term is written, and compiled, once for both sides.
pub(super) struct Survey<'p> {
    position: &'p Position,
    /// Who looks.
    side: Color,
    /// The men of the side that looks.
    pub(super) own: &'p Camp,
    /// The men of the other side.
    pub(super) enemy: Camp,
    /// All men.
    pub(super) occupied: Bitboard,
}

impl<'p> Survey<'p> {
    /// The view of a side, with the camps as each of them names its squares.
    #[inline]
    pub(super) fn of(position: &'p Position, camps: &'p ByColor<Camp>, side: Color) -> Self {
        let (own, enemy) = (&camps[side], camps[!side].flipped());
        Self { position, side, own, enemy, occupied: own.men | enemy.men }
    }

    /// What the piece on a square attacks.
    pub(super) fn attacks_from(&self, square: Square) -> Bitboard {
        let piece = self.position.piece_at(square.relative(self.side));
        let relative = |piece: Piece| {
            Piece::new(if piece.color() == self.side { Color::White } else { Color::Black }, piece.kind())
        };
        piece.map_or(Bitboard::EMPTY, |piece| piece_attacks(relative(piece), square, self.occupied))
    }

    /// The own men that may not leave the line to their king.
    pub(super) fn pinned(&self) -> Bitboard {
        self.position.pinned(self.side).relative(self.side)
    }

    /// The enemy's men that may not leave the line to their king.
    #[inline]
    pub(super) fn pinned_enemies(&self) -> Bitboard {
        let (king, men) = (self.enemy.king(), self.own.men);
        let queens = self.own.kind(PieceKind::Queen);
        let diagonal = bishop_attacks(king, men) & (self.own.kind(PieceKind::Bishop) | queens);
        let straight = rook_attacks(king, men) & (self.own.kind(PieceKind::Rook) | queens);
        lines::screens(king, self.enemy.men, diagonal | straight)
    }

    /// Whether the own side is to move.
    #[inline]
    pub(super) fn to_move(&self) -> bool {
        self.position.turn() == self.side
    }

    /// Whether the own king may still castle.
    #[inline]
    pub(super) fn may_castle(&self) -> bool {
        self.position.castling().any(self.side)
    }

    /// The rook with which the own king may still castle to a side.
    #[inline]
    pub(super) fn castling_rook(&self, to: CastlingSide) -> Option<Square> {
        self.position.castling().rook(self.side, to).map(|rook| rook.relative(self.side))
    }

    /// The own passed pawns: no enemy pawn ahead on its file or a file beside it, and no own pawn ahead on its file.
    #[inline]
    pub(super) fn passed_pawns(&self) -> Bitboard {
        let (own, enemy) = (self.own.kind(PieceKind::Pawn), self.enemy.kind(PieceKind::Pawn));
        let guarded = spans::from_here_back(enemy.south() | self.enemy.pawn_attacks());
        own & !guarded & !spans::behind(own)
    }

    /// What the enemy holds firmly: protected by a pawn, or protected twice and not attacked twice.
    #[inline]
    pub(super) fn held_by_enemy(&self) -> Bitboard {
        self.enemy.pawn_attacks() | self.enemy.attacks.twice & !self.own.attacks.twice
    }

    /// The enemy's pieces and pawns that are attacked and not held firmly.
    #[inline]
    pub(super) fn weak_targets(&self) -> Bitboard {
        let enemies = self.enemy.men & !self.enemy.kind(PieceKind::King);
        enemies & self.own.attacks.all & !self.held_by_enemy()
    }
}
