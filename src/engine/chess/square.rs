//! Squares, files and ranks.

use std::fmt;
use std::str::FromStr;

use super::{Bitboard, Color};

/// A file of the board, a to h.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
#[expect(missing_docs, reason = "the names say it all")]
pub enum File {
    A,
    B,
    C,
    D,
    E,
    F,
    G,
    H,
}

impl File {
    /// a to h.
    pub const ALL: [Self; 8] = [Self::A, Self::B, Self::C, Self::D, Self::E, Self::F, Self::G, Self::H];

    /// 0 for a to 7 for h.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The file with this index, of which the lowest three bits count.
    #[must_use]
    pub const fn from_index(index: u8) -> Self {
        // A table would be looked up; that this changes nothing the compiler sees.
        match index & 7 {
            0 => Self::A,
            1 => Self::B,
            2 => Self::C,
            3 => Self::D,
            4 => Self::E,
            5 => Self::F,
            6 => Self::G,
            _ => Self::H,
        }
    }

    /// `a` to `h`.
    #[must_use]
    pub const fn letter(self) -> char {
        (b'a' + self as u8) as char
    }

    /// The file of a letter in lower case.
    #[must_use]
    pub const fn from_letter(letter: char) -> Option<Self> {
        match letter {
            'a'..='h' => Some(Self::from_index(letter as u8 - b'a')),
            _ => None,
        }
    }
}

/// A rank of the board, 1 to 8.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
#[expect(missing_docs, reason = "the names say it all")]
pub enum Rank {
    One,
    Two,
    Three,
    Four,
    Five,
    Six,
    Seven,
    Eight,
}

impl Rank {
    /// 1 to 8.
    pub const ALL: [Self; 8] =
        [Self::One, Self::Two, Self::Three, Self::Four, Self::Five, Self::Six, Self::Seven, Self::Eight];

    /// 0 for the first rank to 7 for the eighth.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The rank with this index, of which the lowest three bits count.
    #[must_use]
    pub const fn from_index(index: u8) -> Self {
        // A table would be looked up; that this changes nothing the compiler sees.
        match index & 7 {
            0 => Self::One,
            1 => Self::Two,
            2 => Self::Three,
            3 => Self::Four,
            4 => Self::Five,
            5 => Self::Six,
            6 => Self::Seven,
            _ => Self::Eight,
        }
    }

    /// `1` to `8`.
    #[must_use]
    pub const fn digit(self) -> char {
        (b'1' + self as u8) as char
    }

    /// The rank of a digit.
    #[must_use]
    pub const fn from_digit(digit: char) -> Option<Self> {
        match digit {
            '1'..='8' => Some(Self::from_index(digit as u8 - b'1')),
            _ => None,
        }
    }

    /// The same rank seen from the other side.
    #[must_use]
    pub const fn flip(self) -> Self {
        Self::from_index(7 - self as u8)
    }
}

/// One of the 64 squares: a1 = 0, b1 = 1, to h8 = 63.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(u8);

impl Square {
    /// The three bits of a square's number that are its rank.
    const RANK_BITS: u8 = 0b11_1000;

    /// Where a file and a rank meet.
    #[must_use]
    pub const fn new(file: File, rank: Rank) -> Self {
        Self((rank as u8) << 3 | file as u8)
    }

    /// The square with this number, of which the lowest six bits count.
    #[must_use]
    pub const fn from_index(index: u8) -> Self {
        Self(index & 63)
    }

    /// a1 to h8.
    #[must_use]
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
        (0..64).map(|index: i32| Self(index as u8))
    }

    /// 0 for a1 to 63 for h8; the mask tells the compiler that tables of 64 need no check.
    #[must_use]
    pub const fn index(self) -> usize {
        (self.0 & 63) as usize
    }

    /// Its file.
    #[must_use]
    pub const fn file(self) -> File {
        File::from_index(self.0)
    }

    /// Its rank.
    #[must_use]
    pub const fn rank(self) -> Rank {
        Rank::from_index(self.0 >> 3)
    }

    /// The square on the same file, seen from the other side: e2 becomes e7.
    #[must_use]
    pub const fn flip(self) -> Self {
        Self(self.0 ^ Self::RANK_BITS)
    }

    /// The square as White would name it: flipped for Black.
    #[must_use]
    pub const fn relative(self, color: Color) -> Self {
        Self(self.0 ^ (Self::RANK_BITS * color as u8))
    }

    /// `true` for light squares such as h1.
    #[must_use]
    pub const fn is_light(self) -> bool {
        (self.0 ^ (self.0 >> 3)) & 1 == 1
    }

    /// All squares of its colour. Without a branch: which of the two it is cannot be foretold.
    #[must_use]
    pub const fn color_complex(self) -> Bitboard {
        Bitboard(Bitboard::DARK.0 ^ (self.is_light() as u64).wrapping_neg())
    }

    /// King's steps to `other`.
    #[must_use]
    pub const fn distance(self, other: Self) -> u32 {
        let files = (self.0 & 7).abs_diff(other.0 & 7);
        let ranks = (self.0 >> 3).abs_diff(other.0 >> 3);
        (if files > ranks { files } else { ranks }) as u32
    }
}

macro_rules! squares {
    ($($name:ident)*) => { squares!(@ 0u8; $($name)*); };
    (@ $index:expr; $name:ident $($rest:ident)*) => {
        impl Square {
            #[doc = concat!("The square ", stringify!($name), ".")]
            pub const $name: Self = Self($index);
        }
        squares!(@ $index + 1; $($rest)*);
    };
    (@ $index:expr;) => {};
}

squares! {
    A1 B1 C1 D1 E1 F1 G1 H1 A2 B2 C2 D2 E2 F2 G2 H2 A3 B3 C3 D3 E3 F3 G3 H3 A4 B4 C4 D4 E4 F4 G4 H4
    A5 B5 C5 D5 E5 F5 G5 H5 A6 B6 C6 D6 E6 F6 G6 H6 A7 B7 C7 D7 E7 F7 G7 H7 A8 B8 C8 D8 E8 F8 G8 H8
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file().letter(), self.rank().digit())
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A text that names no square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a square is a letter a-h and a digit 1-8, such as e4")]
pub struct SquareError;

impl FromStr for Square {
    type Err = SquareError;

    fn from_str(text: &str) -> Result<Self, SquareError> {
        let mut letters = text.chars();
        match (
            letters.next().and_then(File::from_letter),
            letters.next().and_then(Rank::from_digit),
            letters.next(),
        ) {
            (Some(file), Some(rank), None) => Ok(Self::new(file, rank)),
            _ => Err(SquareError),
        }
    }
}
