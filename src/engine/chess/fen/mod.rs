//! Positions as text: X-FEN, Shredder-FEN and EPD in, X-FEN and Shredder-FEN out.
//!
//! Reading repairs only what Lichess repairs, and says so: an en-passant square that no pawn can have passed over, and
//! castling rights without their king or rook.

mod castling;
mod error;
mod fields;

pub use error::{FenError, FenSyntax, Field, Surplus};

use super::validate;
use super::{Bitboard, Color, Position, Rank};
use castling::Agreement;

/// The longest text that is looked at, in bytes: generous even for an EPD with comments.
pub const MAX_BYTES: usize = 1024;

/// The highest value of either counter; the longest possible game has fewer than 9,000 moves.
pub const MAX_COUNTER: u16 = 9_999;

/// Which castling a game knows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Variant {
    /// Kings castle from e1 and e8 with rooks from the corners.
    #[default]
    Standard,
    /// Kings castle from any square of their first rank with rooks from any file.
    Chess960,
}

/// How castling rights are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FenStyle {
    /// `KQkq`, and a file's letter where the rook is not the outermost one.
    #[default]
    XFen,
    /// Always the letter of the rook's file: `HAha`.
    Shredder,
}

/// Whether some game must be able to lead to the position, as far as a quick look tells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum History {
    /// More promoted pieces than missing pawns, and checks that no move can give, are errors.
    #[default]
    Possible,
    /// They will do; for problems and tests that only look forward.
    Any,
}

/// Something that was repaired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FenWarning {
    /// No pawn can just have passed over the en-passant square.
    EpSquareIgnored,
    /// A castling right has no king or no rook on its square.
    CastlingRightsIgnored,
}

impl FenWarning {
    /// The code of the HTTP contract.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::EpSquareIgnored => "ep_square_ignored",
            Self::CastlingRightsIgnored => "castling_rights_ignored",
        }
    }
}

/// A FEN that was read: a legal position, and what had to be repaired for it.
#[derive(Clone, Debug)]
pub struct Fen {
    /// The position.
    pub position: Position,
    /// What was repaired; each at most once.
    pub warnings: Vec<FenWarning>,
}

impl Fen {
    /// Reads a FEN or EPD.
    ///
    /// White space around and between the fields does not matter. The counters may be missing (0 and 1 then) or stand
    /// in the EPD operations `hmvc` and `fmvn`; other operations are passed over.
    ///
    /// # Errors
    /// [`FenError::Syntax`] if the text is no FEN, and the other errors if it describes an illegal position.
    pub fn parse(text: &str, variant: Variant) -> Result<Self, FenError> {
        Self::parse_with(text, variant, History::Possible)
    }

    /// Reads a FEN or EPD as [`Self::parse`] does, and lets the caller decide about positions to which no game leads.
    ///
    /// # Errors
    /// As [`Self::parse`].
    pub fn parse_with(text: &str, variant: Variant, history: History) -> Result<Self, FenError> {
        let fields::Fields { mut setup, castling } = fields::split(text)?;
        validate::material(&setup)?;
        if history == History::Possible {
            validate::promotions(&setup)?;
        }
        let mut warnings = Vec::new();
        let castling = castling::parse(castling, &setup, variant)?;
        setup.castling = castling.rights;
        if castling.field == Agreement::Partial {
            warnings.push(FenWarning::CastlingRightsIgnored);
        }
        validate::opposite_check(&setup)?;
        if setup.ep.is_some_and(|square| !validate::is_possible_ep_square(&setup, square)) {
            setup.ep = None;
            warnings.push(FenWarning::EpSquareIgnored);
        }
        if history == History::Possible {
            validate::check_history(&setup)?;
        }
        Ok(Self { position: Position::from_setup(&setup), warnings })
    }

    /// The same text read by the rules of Chess960, where only under those its castling rights mean something: not everybody
    /// names the variant.
    #[must_use]
    pub fn as_chess960(&self, text: &str) -> Option<Self> {
        let ignored = |fen: &Self| fen.warnings.contains(&FenWarning::CastlingRightsIgnored);
        if !ignored(self) {
            return None;
        }
        Self::parse(text, Variant::Chess960).ok().filter(|other| !ignored(other))
    }
}

/// Writes a position with all six fields; the en-passant square stands there only if a capture on it is legal.
#[must_use]
pub fn format(position: &Position, style: FenStyle) -> String {
    let mut text = String::with_capacity(90);
    text.push_str(Placement::of(position).as_str());
    text.push_str(match position.turn() {
        Color::White => " w ",
        Color::Black => " b ",
    });
    castling::push(&mut text, position, style);
    text.push(' ');
    match position.ep_square() {
        Some(square) => text.extend([square.file().letter(), square.rank().digit()]),
        None => text.push('-'),
    }
    for counter in [position.halfmoves(), position.fullmoves()] {
        text.push(' ');
        text.push_str(&counter.to_string());
    }
    text
}

/// The first field. It is written for every static evaluation, so it is put together as bytes.
struct Placement {
    /// At most eight ranks of eight and the seven slashes between, and a byte that is not needed.
    bytes: [u8; 72],
    length: usize,
}

impl Placement {
    fn of(position: &Position) -> Self {
        let mut placement = Self { bytes: [0; 72], length: 0 };
        let occupied = position.occupied();
        for rank in Rank::ALL.into_iter().rev() {
            let mut next = 0;
            for square in occupied & Bitboard::rank(rank) {
                let file = square.file().index() as u8;
                placement.push_empty(file - next);
                placement.push(position.piece_at(square).map_or(b'?', |piece| piece.letter() as u8));
                next = file + 1;
            }
            placement.push_empty(8 - next);
            if rank != Rank::One {
                placement.push(b'/');
            }
        }
        placement
    }

    const fn push(&mut self, byte: u8) {
        self.bytes[self.length] = byte;
        self.length += 1;
    }

    /// Without a branch, which could not be foreseen: what is no number is written over.
    const fn push_empty(&mut self, squares: u8) {
        self.bytes[self.length] = b'0' + squares;
        self.length += (squares > 0) as usize;
    }

    /// The text, which is ASCII.
    fn as_str(&self) -> &str {
        str::from_utf8(&self.bytes[..self.length]).unwrap_or_default()
    }
}
