//! Who attacks what.

use crate::engine::chess::attacks::{
    bishop_attacks, king_attacks, knight_attacks, queen_attacks, rook_attacks,
};
use crate::engine::chess::{Bitboard, Black, ByColor, PieceKind, Position, Side, Square, White};

/// What every piece of both sides attacks, its own side's pieces included, as they are protected by it.
pub(super) struct AttackMap {
    sides: ByColor<Reach>,
}

/// A knight, bishop, rook or queen and what it attacks.
#[derive(Clone, Copy)]
pub(super) struct Officer {
    pub(super) kind: PieceKind,
    pub(super) square: Square,
    pub(super) attacks: Bitboard,
}

/// What one side attacks.
#[derive(Clone, Copy)]
pub(super) struct Reach {
    kinds: [Bitboard; 6],
    /// Squares attacked by anything.
    pub(super) all: Bitboard,
    /// Squares attacked by two pieces or more.
    pub(super) twice: Bitboard,
}

impl Reach {
    const NOTHING: Self = Self { kinds: [Bitboard::EMPTY; 6], all: Bitboard::EMPTY, twice: Bitboard::EMPTY };

    /// Squares attacked by pieces of this kind.
    #[inline]
    pub(super) const fn kind(&self, kind: PieceKind) -> Bitboard {
        self.kinds[kind.index()]
    }

    #[inline]
    fn add(&mut self, kind: PieceKind, attacks: Bitboard) {
        self.kinds[kind.index()] |= attacks;
        self.twice |= self.all & attacks;
        self.all |= attacks;
    }
}

/// A kind of officer, known when the code is compiled.
pub(super) trait OfficerKind {
    /// Its name at run time.
    const KIND: PieceKind;

    /// What it attacks from a square.
    fn attacks(square: Square, occupied: Bitboard) -> Bitboard;
}

/// Knights.
pub(super) struct Knight;
/// Bishops.
pub(super) struct Bishop;
/// Rooks.
pub(super) struct Rook;
/// Queens.
pub(super) struct Queen;

impl OfficerKind for Knight {
    const KIND: PieceKind = PieceKind::Knight;

    #[inline]
    fn attacks(square: Square, _: Bitboard) -> Bitboard {
        knight_attacks(square)
    }
}

impl OfficerKind for Bishop {
    const KIND: PieceKind = PieceKind::Bishop;

    #[inline]
    fn attacks(square: Square, occupied: Bitboard) -> Bitboard {
        bishop_attacks(square, occupied)
    }
}

impl OfficerKind for Rook {
    const KIND: PieceKind = PieceKind::Rook;

    #[inline]
    fn attacks(square: Square, occupied: Bitboard) -> Bitboard {
        rook_attacks(square, occupied)
    }
}

impl OfficerKind for Queen {
    const KIND: PieceKind = PieceKind::Queen;

    #[inline]
    fn attacks(square: Square, occupied: Bitboard) -> Bitboard {
        queen_attacks(square, occupied)
    }
}

impl AttackMap {
    /// What pawns and kings attack. The officers of both sides are to be added.
    #[inline]
    pub(super) fn of_footmen(position: &Position) -> Self {
        let mut map = Self { sides: ByColor { white: Reach::NOTHING, black: Reach::NOTHING } };
        map.add_footmen::<White>(position);
        map.add_footmen::<Black>(position);
        map
    }

    /// One side's attacks.
    #[inline]
    pub(super) fn by<S: Side>(&self) -> &Reach {
        &self.sides[S::COLOR]
    }

    #[inline]
    fn add_footmen<S: Side>(&mut self, position: &Position) {
        let side = &mut self.sides[S::COLOR];
        let pawns = position.pieces(S::COLOR, PieceKind::Pawn);
        side.add(PieceKind::Pawn, S::COLOR.pawn_attacks_west(pawns));
        side.add(PieceKind::Pawn, S::COLOR.pawn_attacks_east(pawns));
        side.add(PieceKind::King, king_attacks(position.king(S::COLOR)));
    }

    /// Adds one side's officers of one kind, and shows each on the way.
    #[inline]
    pub(super) fn add<S: Side, K: OfficerKind>(
        &mut self,
        position: &Position,
        mut visit: impl FnMut(Officer),
    ) {
        let (kind, occupied) = (K::KIND, position.occupied());
        for square in position.pieces(S::COLOR, kind) {
            let attacks = K::attacks(square, occupied);
            self.sides[S::COLOR].add(kind, attacks);
            visit(Officer { kind, square, attacks });
        }
    }
}
