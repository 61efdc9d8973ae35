//! A position on the command line.

use clap::{Args, ValueEnum};

use super::Failure;
use crate::engine::chess::{Fen, Variant};

/// Names a position; the start position if nothing is named.
#[derive(Args, Clone, Debug)]
pub(super) struct PositionOptions {
    /// The position as FEN or EPD; without quotes its fields may be separate arguments. Default: the start position
    #[arg(value_name = "FEN", num_args = 0..)]
    fen: Vec<String>,

    /// The rules of castling
    #[arg(long, value_enum, default_value_t = VariantName::Standard)]
    variant: VariantName,
}

/// The variants by their names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum VariantName {
    /// As the pieces stand in the usual game
    Standard,
    /// Chess960, where king and rooks may start on other files
    Chess960,
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

impl PositionOptions {
    /// Reads the position.
    ///
    /// # Errors
    /// [`Failure::Position`] with the parser's sentence.
    pub(super) fn read(&self) -> Result<Fen, Failure> {
        let text = if self.fen.is_empty() { START.to_owned() } else { self.fen.join(" ") };
        Fen::parse(&text, self.variant()).map_err(|error| Failure::Position(error.to_string()))
    }

    /// The rules of castling.
    pub(super) const fn variant(&self) -> Variant {
        match self.variant {
            VariantName::Standard => Variant::Standard,
            VariantName::Chess960 => Variant::Chess960,
        }
    }
}
