//! Who may still castle, and with which rook.

use super::{Color, File, Rank, Square};

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

/// The rook with which each castling may still be made; in Chess960 it may stand on any file.
///
/// Four bytes in the order white king's side, white queen's side, black king's side, black queen's side; a square, or
/// [`Self::GONE`].
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct CastlingRights([u8; 4]);

impl CastlingRights {
    /// Nobody may castle.
    pub const NONE: Self = Self([Self::GONE; 4]);

    const GONE: u8 = 64;

    const fn slot(color: Color, side: CastlingSide) -> usize {
        color as usize * 2 + side as usize
    }

    /// The square of the rook, or `None` if the right is gone.
    #[must_use]
    pub const fn rook(self, color: Color, side: CastlingSide) -> Option<Square> {
        let square = self.0[Self::slot(color, side)];
        if square == Self::GONE { None } else { Some(Square::from_index(square)) }
    }

    /// `true` if nobody may castle any more.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self == Self::NONE
    }

    /// `true` if this side may castle at least one way.
    #[must_use]
    pub fn any(self, color: Color) -> bool {
        CastlingSide::ALL.into_iter().any(|side| self.rook(color, side).is_some())
    }

    /// Sets the rook of a right.
    pub(super) const fn grant(&mut self, color: Color, side: CastlingSide, rook: Square) {
        self.0[Self::slot(color, side)] = rook.index() as u8;
    }

    /// Takes both rights of a side.
    pub(super) const fn revoke(&mut self, color: Color) {
        self.0[Self::slot(color, CastlingSide::King)] = Self::GONE;
        self.0[Self::slot(color, CastlingSide::Queen)] = Self::GONE;
    }

    /// Takes the rights that need a rook on this square.
    #[inline]
    pub(super) fn revoke_rook(&mut self, square: Square) {
        for slot in &mut self.0 {
            if *slot as usize == square.index() {
                *slot = Self::GONE;
            }
        }
    }

    /// Which of the four rights exist, as bits 0 to 3.
    pub(super) fn mask(self) -> usize {
        self.0.iter().enumerate().map(|(slot, square)| usize::from(*square != Self::GONE) << slot).sum()
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
