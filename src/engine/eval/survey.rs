//! What several terms ask of a position, found once.

use super::attack_map::{AttackMap, Officer, OfficerKind};
use super::spans;
use crate::engine::chess::attacks::piece_attacks;
use crate::engine::chess::{Bitboard, PieceKind, Position, Side, Square};

/// A position and the sets of squares that more than one term needs.
pub(super) struct Survey<'p> {
    pub(super) position: &'p Position,
    pub(super) occupied: Bitboard,
    pub(super) attacks: AttackMap,
}

impl<'p> Survey<'p> {
    /// A position with the attacks of its pawns and kings. The officers of both sides are to be added.
    #[inline]
    pub(super) fn of(position: &'p Position) -> Self {
        Self { position, occupied: position.occupied(), attacks: AttackMap::of_footmen(position) }
    }

    /// Adds the attacks of one side's officers of one kind, and shows each on the way.
    #[inline]
    pub(super) fn add<S: Side, K: OfficerKind>(&mut self, visit: impl FnMut(Officer)) {
        self.attacks.add::<S, K>(self.position, visit);
    }

    /// What the piece on a square attacks.
    pub(super) fn attacks_from(&self, square: Square) -> Bitboard {
        let piece = self.position.piece_at(square);
        piece.map_or(Bitboard::EMPTY, |piece| piece_attacks(piece, square, self.occupied))
    }

    /// The pieces of one kind of side `S`.
    #[inline]
    pub(super) fn own<S: Side>(&self, kind: PieceKind) -> Bitboard {
        self.position.pieces(S::COLOR, kind)
    }

    /// The pieces of one kind of the other side.
    #[inline]
    pub(super) fn enemy<S: Side>(&self, kind: PieceKind) -> Bitboard {
        self.own::<S::Enemy>(kind)
    }

    /// Knights, bishops, rooks and queens of side `S`.
    #[inline]
    pub(super) fn officers<S: Side>(&self) -> Bitboard {
        let footmen = self.position.by_kind(PieceKind::Pawn) | self.position.by_kind(PieceKind::King);
        self.position.by_color(S::COLOR) & !footmen
    }

    /// What the pawns of side `S` attack now.
    #[inline]
    pub(super) fn pawn_attacks<S: Side>(&self) -> Bitboard {
        self.attacks.by::<S>().kind(PieceKind::Pawn)
    }

    /// What the pawns of side `S` attack now or can attack after advancing, whatever stands in their way.
    #[inline]
    pub(super) fn pawn_reach<S: Side>(&self) -> Bitboard {
        spans::from_here_on::<S>(self.pawn_attacks::<S>())
    }

    /// Where a piece of side `S` can go safely: no own piece stands there and no enemy pawn attacks it.
    #[inline]
    pub(super) fn safe<S: Side>(&self) -> Bitboard {
        !(self.position.by_color(S::COLOR) | self.pawn_attacks::<S::Enemy>())
    }

    /// What side `S` holds firmly: protected by a pawn, or protected twice and not attacked twice.
    #[inline]
    pub(super) fn firm<S: Side>(&self) -> Bitboard {
        let (own, enemy) = (self.attacks.by::<S>(), self.attacks.by::<S::Enemy>());
        self.pawn_attacks::<S>() | own.twice & !enemy.twice
    }

    /// The pieces and pawns of the other side that side `S` attacks and that are not held firmly.
    #[inline]
    pub(super) fn weak_targets<S: Side>(&self) -> Bitboard {
        let enemies = self.position.by_color(<S::Enemy as Side>::COLOR) & !self.enemy::<S>(PieceKind::King);
        enemies & self.attacks.by::<S>().all & !self.firm::<S::Enemy>()
    }
}
