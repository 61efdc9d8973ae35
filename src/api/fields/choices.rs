//! Fields that are one of a few words.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::engine::chess::Color;

/// The rules by which castling is written and played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = Variant, examples("standard"))]
pub(crate) enum VariantName {
    /// Standard chess.
    #[default]
    Standard,
    /// Fischer random chess, double (each side its own arrangement) included; castling is king takes rook.
    Chess960,
}

/// Whose sign the scores carry: White's, or that of the side to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(examples("white"))]
pub(crate) enum Pov {
    /// Positive is good for White.
    #[default]
    White,
    /// Positive is good for the side to move.
    Turn,
}

/// The evaluator: `full`, or one of the steps by which evaluation is taught.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = Evaluator, examples("full"))]
pub(crate) enum EvaluatorName {
    /// Everything the service knows.
    #[default]
    Full,
    /// Material and what each piece does: mobility, outposts, files, bishop pair.
    Pieces,
    /// Material and piece-square tables, tapered from middlegame to endgame.
    Psqt,
    /// The material table: values, imbalances, draw knowledge.
    Material,
    /// Piece counting.
    Count,
}

/// The values of queen, rook, bishop, knight and pawn in `count`, `material` and `psqt`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = PieceValues, examples("classic"))]
pub(crate) enum PieceValuesName {
    /// 9 5 3 3 1.
    #[default]
    Classic,
    /// Euwe's 9.5 4.5 3 3 1.
    Euwe,
}

/// How the move is chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(examples("search"))]
pub(crate) enum Strategy {
    /// By search.
    #[default]
    Search,
    /// By the static evaluation after each move: one ply, the first of equals.
    Greedy,
}

/// The side at the bottom of a board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(examples("white"))]
pub(crate) enum Orientation {
    /// White at the bottom.
    #[default]
    White,
    /// Black at the bottom.
    Black,
}

impl Orientation {
    /// The side at the bottom.
    pub(crate) const fn side(self) -> Color {
        match self {
            Self::White => Color::White,
            Self::Black => Color::Black,
        }
    }
}

/// The colours of a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = Theme, examples("auto"))]
pub(crate) enum ThemeName {
    /// Light or dark, as the reader's system is.
    #[default]
    Auto,
    /// For a light page.
    Light,
    /// For a dark page.
    Dark,
}
