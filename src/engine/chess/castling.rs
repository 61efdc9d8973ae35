//! Who may still castle, and with which rook.

use super::{Bitboard, Color, File, Rank, Square};

/// The side of the board to which a king castles, named by where it ends: on the g-file or on the c-file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum CastlingSide {
    /// `O-O`: the king goes to the g-file, the rook to the f-file.
    King,
    /// `O-O-O`: the king goes to the c-file, the rook to the d-file.
    Queen,
}

impl CastlingSide {
    /// King's side, then queen's side.
    pub const ALL: [Self; 2] = [Self::King, Self::Queen];

    /// Where the king of this colour ends.
    #[must_use]
    pub const fn king_target(self, color: Color) -> Square {
        let file = match self {
            Self::King => File::G,
            Self::Queen => File::C,
        };
        Square::new(file, color.relative_rank(Rank::One))
    }

    /// Where the rook of this colour ends.
    #[must_use]
    pub const fn rook_target(self, color: Color) -> Square {
        let file = match self {
            Self::King => File::F,
            Self::Queen => File::D,
        };
        Square::new(file, color.relative_rank(Rank::One))
    }
}

/// The rooks with which castling may still be made; in Chess960 they may stand on any file of their first rank.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct CastlingRights {
    /// The rooks of both colours, by [`CastlingSide`].
    rooks: [Bitboard; 2],
}

impl CastlingRights {
    /// Nobody may castle.
    pub const NONE: Self = Self { rooks: [Bitboard::EMPTY; 2] };

    /// The square of the rook, or `None` if the right is gone.
    #[must_use]
    #[inline]
    pub fn rook(self, color: Color, side: CastlingSide) -> Option<Square> {
        (self.rooks[side as usize] & Self::home(color)).first()
    }

    /// All rooks that may still castle.
    #[must_use]
    #[inline]
    pub fn rooks(self) -> Bitboard {
        self.rooks[0] | self.rooks[1]
    }

    /// `true` if nobody may castle any more.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.rooks().is_empty()
    }

    /// `true` if this side may castle at least one way.
    #[must_use]
    #[inline]
    pub fn any(self, color: Color) -> bool {
        (self.rooks() & Self::home(color)).any()
    }

    /// The rank on which a side castles.
    const fn home(color: Color) -> Bitboard {
        Bitboard::rank(color.relative_rank(Rank::One))
    }

    /// Sets the rook of a right; it stands on its first rank.
    pub(super) fn grant(&mut self, color: Color, side: CastlingSide, rook: Square) {
        let rooks = &mut self.rooks[side as usize];
        *rooks = *rooks & !Self::home(color) | rook.into();
    }

    /// Takes both rights of a side.
    #[inline]
    pub(super) fn revoke(&mut self, color: Color) {
        self.revoke_rooks(Self::home(color));
    }

    /// Takes the rights that need a rook on one of these squares.
    #[inline]
    pub(super) fn revoke_rooks(&mut self, squares: Bitboard) {
        for rooks in &mut self.rooks {
            *rooks &= !squares;
        }
    }
}

impl std::fmt::Debug for CastlingRights {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list()
            .entries(
                Color::ALL.into_iter().flat_map(|color| CastlingSide::ALL.map(|side| self.rook(color, side))),
            )
            .finish()
    }
}
