//! What several terms ask of a position, found once.

use crate::engine::chess::{Bitboard, Black, ByColor, Color, PieceKind, Position, Side, White};

/// A position and the sets of squares that more than one term needs.
pub(super) struct Survey<'p> {
    pub(super) position: &'p Position,
    pub(super) occupied: Bitboard,
    pawn_attacks: ByColor<Bitboard>,
}

impl<'p> Survey<'p> {
    #[inline]
    pub(super) fn of(position: &'p Position) -> Self {
        let pawns = |color| position.pieces(color, PieceKind::Pawn);
        Self {
            position,
            occupied: position.occupied(),
            pawn_attacks: ByColor {
                white: White::pawn_attacks(pawns(Color::White)),
                black: Black::pawn_attacks(pawns(Color::Black)),
            },
        }
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

    /// What the pawns of side `S` attack now.
    #[inline]
    pub(super) fn pawn_attacks<S: Side>(&self) -> Bitboard {
        self.pawn_attacks[S::COLOR]
    }

    /// What the pawns of side `S` attack now or can attack after advancing, whatever stands in their way.
    #[inline]
    pub(super) fn pawn_reach<S: Side>(&self) -> Bitboard {
        let mut pawns = self.own::<S>(PieceKind::Pawn);
        for _ in 0..5 {
            pawns = pawns | S::forward(pawns);
        }
        S::pawn_attacks(pawns)
    }

    /// Where a piece of side `S` can go safely: no own piece stands there and no enemy pawn attacks it.
    #[inline]
    pub(super) fn safe<S: Side>(&self) -> Bitboard {
        !(self.position.by_color(S::COLOR) | self.pawn_attacks::<S::Enemy>())
    }
}
