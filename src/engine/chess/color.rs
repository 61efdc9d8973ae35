//! The two sides.

use std::ops::{Index, IndexMut, Not};

use super::{Bitboard, Rank};

/// A side of the board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Color {
    /// Moves first.
    #[default]
    White,
    /// Moves second.
    Black,
}

impl Color {
    /// White, then Black.
    pub const ALL: [Self; 2] = [Self::White, Self::Black];

    /// 0 for White, 1 for Black.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// +1 for White, -1 for Black: turns a side's own view into White's.
    #[must_use]
    pub const fn sign(self) -> i32 {
        1 - 2 * (self as i32)
    }

    /// `White` or `Black`, as the sides are called.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::White => "White",
            Self::Black => "Black",
        }
    }

    /// `white` or `black`, as their pieces are called.
    #[must_use]
    pub const fn adjective(self) -> &'static str {
        match self {
            Self::White => "white",
            Self::Black => "black",
        }
    }

    /// The rank that this side calls its `rank`-th: the second rank of Black is rank 7.
    #[must_use]
    pub const fn relative_rank(self, rank: Rank) -> Rank {
        match self {
            Self::White => rank,
            Self::Black => rank.flip(),
        }
    }

    /// How far to rotate a bitboard to the left for one rank towards the enemy.
    #[inline]
    pub(super) const fn rank_shift(self) -> u32 {
        8 + 48 * (self as u32)
    }

    /// One rank towards the enemy.
    #[inline]
    #[must_use]
    pub const fn forward(self, squares: Bitboard) -> Bitboard {
        match self {
            Self::White => squares.north(),
            Self::Black => squares.south(),
        }
    }

    /// What pawns on `pawns` attack towards the a-file.
    #[inline]
    #[must_use]
    pub const fn pawn_attacks_west(self, pawns: Bitboard) -> Bitboard {
        self.forward(pawns).west()
    }

    /// What pawns on `pawns` attack towards the h-file.
    #[inline]
    #[must_use]
    pub const fn pawn_attacks_east(self, pawns: Bitboard) -> Bitboard {
        self.forward(pawns).east()
    }

    /// All that pawns on `pawns` attack.
    #[inline]
    #[must_use]
    pub fn pawn_attacks(self, pawns: Bitboard) -> Bitboard {
        self.pawn_attacks_west(pawns) | self.pawn_attacks_east(pawns)
    }

    /// The squares of the rank that this side calls `rank`.
    #[inline]
    #[must_use]
    pub const fn rank(self, rank: Rank) -> Bitboard {
        Bitboard::rank(self.relative_rank(rank))
    }
}

impl Not for Color {
    type Output = Self;
    fn not(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }
}

/// One value for each side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ByColor<T> {
    /// White's.
    pub white: T,
    /// Black's.
    pub black: T,
}

impl<T> ByColor<T> {
    /// Both values, each made from its side.
    pub fn from_fn(mut make: impl FnMut(Color) -> T) -> Self {
        Self { white: make(Color::White), black: make(Color::Black) }
    }
}

impl<T> Index<Color> for ByColor<T> {
    type Output = T;
    fn index(&self, color: Color) -> &T {
        match color {
            Color::White => &self.white,
            Color::Black => &self.black,
        }
    }
}

impl<T> IndexMut<Color> for ByColor<T> {
    fn index_mut(&mut self, color: Color) -> &mut T {
        match color {
            Color::White => &mut self.white,
            Color::Black => &mut self.black,
        }
    }
}
