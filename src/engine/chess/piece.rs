//! Kinds of pieces, and pieces with their colour.

use super::Color;

/// What a piece is, whoever owns it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum PieceKind {
    /// Pawn.
    Pawn,
    /// Knight.
    Knight,
    /// Bishop.
    Bishop,
    /// Rook.
    Rook,
    /// Queen.
    Queen,
    /// King.
    King,
}

impl PieceKind {
    /// Every kind, from pawn to king.
    pub const ALL: [Self; 6] = [Self::Pawn, Self::Knight, Self::Bishop, Self::Rook, Self::Queen, Self::King];

    /// What a pawn may become, the strongest first.
    pub const PROMOTIONS: [Self; 4] = [Self::Queen, Self::Rook, Self::Bishop, Self::Knight];

    /// 0 for a pawn to 5 for a king.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The upper-case letter of FEN and SAN: `P N B R Q K`.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Self::Pawn => 'P',
            Self::Knight => 'N',
            Self::Bishop => 'B',
            Self::Rook => 'R',
            Self::Queen => 'Q',
            Self::King => 'K',
        }
    }

    /// The kind of an English letter in either case.
    #[must_use]
    pub const fn from_letter(letter: char) -> Option<Self> {
        Some(match letter.to_ascii_uppercase() {
            'P' => Self::Pawn,
            'N' => Self::Knight,
            'B' => Self::Bishop,
            'R' => Self::Rook,
            'Q' => Self::Queen,
            'K' => Self::King,
            _ => return None,
        })
    }

    /// The English name, in lower case.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pawn => "pawn",
            Self::Knight => "knight",
            Self::Bishop => "bishop",
            Self::Rook => "rook",
            Self::Queen => "queen",
            Self::King => "king",
        }
    }

    /// The kind with this index, of which the lowest three bits count; beyond the king's it means nothing.
    const fn from_index(index: u8) -> Self {
        const KINDS: [PieceKind; 8] = {
            let [pawn, knight, bishop, rook, queen, king] = PieceKind::ALL;
            [pawn, knight, bishop, rook, queen, king, king, king]
        };
        KINDS[(index & 7) as usize]
    }
}

/// A piece with its colour; `kind * 2 + colour` inside.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Piece(u8);

impl Piece {
    /// The twelve pieces in order of their index.
    pub const ALL: [Self; 12] = {
        let mut all = [Self(0); 12];
        let mut index = 0;
        while index < 12 {
            all[index] = Self(index as u8);
            index += 1;
        }
        all
    };

    /// The piece of this colour and kind.
    #[must_use]
    pub const fn new(color: Color, kind: PieceKind) -> Self {
        Self((kind as u8) << 1 | color as u8)
    }

    /// Its owner.
    #[must_use]
    pub const fn color(self) -> Color {
        if self.0 & 1 == 0 { Color::White } else { Color::Black }
    }

    /// Its kind.
    #[must_use]
    pub const fn kind(self) -> PieceKind {
        PieceKind::from_index(self.0 >> 1)
    }

    /// 0..12: white pawn, black pawn, white knight and so on.
    #[must_use]
    pub const fn index(self) -> usize {
        (self.0 & 15) as usize
    }

    /// The letter of FEN: upper case for White.
    #[must_use]
    pub const fn letter(self) -> char {
        LETTERS[self.index()] as char
    }

    /// The piece of a FEN letter.
    #[must_use]
    pub const fn from_letter(letter: char) -> Option<Self> {
        if letter.is_ascii() { BY_LETTER[letter as usize] } else { None }
    }
}

/// The letter of each piece, by its index.
const LETTERS: &[u8; 12] = b"PpNnBbRrQqKk";

/// The piece of each ASCII character.
const BY_LETTER: [Option<Piece>; 128] = {
    let mut by_letter = [None; 128];
    let mut index = 0;
    while index < LETTERS.len() {
        by_letter[LETTERS[index] as usize] = Some(Piece::ALL[index]);
        index += 1;
    }
    by_letter
};

impl std::fmt::Debug for Piece {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.letter())
    }
}

/// The content of a square in the mailbox: a piece or nothing, in one byte.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Occupant(u8);

impl Occupant {
    pub(super) const NONE: Self = Self(15);

    pub(super) const fn new(piece: Piece) -> Self {
        Self(piece.0)
    }

    pub(super) const fn piece(self) -> Option<Piece> {
        if self.0 < 12 { Some(Piece(self.0)) } else { None }
    }
}
