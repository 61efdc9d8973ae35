//! Pieces attacked by cheaper ones: a quiet move out of such an attack is likely good.

use super::parameters::ESCAPE_BONUS;
use crate::engine::chess::attacks::{bishop_attacks, knight_attacks, rook_attacks};
use crate::engine::chess::{Bitboard, Move, Piece, PieceKind, Position, Square};

/// What the side that is not to move attacks with pieces cheaper than a minor piece, a rook and a queen.
pub(super) struct Threats {
    minor: Bitboard,
    rook: Bitboard,
    queen: Bitboard,
}

impl Threats {
    pub(super) fn of(position: &Position) -> Self {
        let (enemy, occupied) = (!position.turn(), position.occupied());
        let squares = |kind| position.by_color(enemy) & position.by_kind(kind);
        let reach = |kind, attacks: fn(Square, Bitboard) -> Bitboard| {
            squares(kind).into_iter().fold(Bitboard::EMPTY, |all, square| all | attacks(square, occupied))
        };
        let pawns = squares(PieceKind::Pawn);
        let minor = enemy.pawn_attacks(pawns);
        let knights = reach(PieceKind::Knight, |square, _| knight_attacks(square));
        let rook = minor | knights | reach(PieceKind::Bishop, bishop_attacks);
        let queen = rook | reach(PieceKind::Rook, rook_attacks);
        Self { minor, rook, queen }
    }

    /// What a quiet move gains in the order of moves by leaving such an attack.
    pub(super) fn worth(&self, position: &Position, mv: Move) -> i32 {
        let (attacked, place) = match position.piece_at(mv.from()).map(Piece::kind) {
            Some(PieceKind::Knight | PieceKind::Bishop) => (self.minor, 0),
            Some(PieceKind::Rook) => (self.rook, 1),
            Some(PieceKind::Queen) => (self.queen, 2),
            _ => return 0,
        };
        let escapes = attacked.contains(mv.from()) && !attacked.contains(mv.to());
        if escapes { ESCAPE_BONUS[place] } else { 0 }
    }
}
