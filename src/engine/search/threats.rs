//! Pieces attacked by cheaper ones: a quiet move out of such an attack is likely good.

use super::exchange;
use crate::engine::chess::attacks::{bishop_attacks, knight_attacks, rook_attacks};
use crate::engine::chess::{Bitboard, PieceKind, Position, Square};

/// What the side that is not to move attacks with pieces that are cheaper than a kind, by that kind. Pawns and kings have nothing
/// to fear.
pub(super) struct Threats([Bitboard; 6]);

impl Threats {
    pub(super) fn of(position: &Position) -> Self {
        let (enemy, occupied) = (!position.turn(), position.occupied());
        let squares = |kind| position.by_color(enemy) & position.by_kind(kind);
        let reach = |kind, attacks: fn(Square, Bitboard) -> Bitboard| {
            squares(kind).into_iter().fold(Bitboard::EMPTY, |all, square| all | attacks(square, occupied))
        };
        let minor = enemy.pawn_attacks(squares(PieceKind::Pawn));
        let knights = reach(PieceKind::Knight, |square, _| knight_attacks(square));
        let rook = minor | knights | reach(PieceKind::Bishop, bishop_attacks);
        let queen = rook | reach(PieceKind::Rook, rook_attacks);
        Self([Bitboard::EMPTY, minor, minor, rook, queen, Bitboard::EMPTY])
    }

    /// Where a piece escapes such an attack to by a quiet move, and what it is worth in exchanges.
    #[inline]
    pub(super) fn escapes(&self, kind: PieceKind, from: Square) -> (Bitboard, i32) {
        let attacked = self.0[kind.index()];
        let safe = if attacked.contains(from) { !attacked } else { Bitboard::EMPTY };
        (safe, exchange::worth(kind))
    }
}
