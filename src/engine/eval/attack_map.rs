//! Who attacks what.

use crate::engine::chess::attacks::{bishop_attacks, king_attacks, knight_attacks, rook_attacks};
use crate::engine::chess::{Bitboard, Black, ByColor, PieceKind, Position, Side, Square, White};

/// What every piece of both sides attacks, its own side's pieces included, as they are protected by it.
pub(super) struct AttackMap {
    from: [Bitboard; 64],
    sides: ByColor<Reach>,
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

impl AttackMap {
    #[inline]
    pub(super) fn of(position: &Position) -> Self {
        let mut map = Self {
            from: [Bitboard::EMPTY; 64],
            sides: ByColor { white: Reach::NOTHING, black: Reach::NOTHING },
        };
        map.add_side::<White>(position);
        map.add_side::<Black>(position);
        map
    }

    /// What side `S` attacks.
    #[inline]
    pub(super) fn by<S: Side>(&self) -> &Reach {
        &self.sides[S::COLOR]
    }

    /// What the knight, bishop, rook or queen on this square attacks.
    #[inline]
    pub(super) const fn from(&self, square: Square) -> Bitboard {
        self.from[square.index()]
    }

    #[inline]
    fn add_side<S: Side>(&mut self, position: &Position) {
        let occupied = position.occupied();
        let side = &mut self.sides[S::COLOR];
        let pawns = position.pieces(S::COLOR, PieceKind::Pawn);
        side.add(PieceKind::Pawn, S::pawn_attacks_west(pawns));
        side.add(PieceKind::Pawn, S::pawn_attacks_east(pawns));
        side.add(PieceKind::King, king_attacks(position.king(S::COLOR)));
        for kind in [PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen] {
            for square in position.pieces(S::COLOR, kind) {
                let attacks = match kind {
                    PieceKind::Knight => knight_attacks(square),
                    PieceKind::Bishop => bishop_attacks(square, occupied),
                    PieceKind::Rook => rook_attacks(square, occupied),
                    _ => bishop_attacks(square, occupied) | rook_attacks(square, occupied),
                };
                self.from[square.index()] = attacks;
                side.add(kind, attacks);
            }
        }
    }
}
