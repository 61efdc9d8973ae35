//! What can be wrong with a FEN, each with its code in the HTTP contract and a sentence that helps.

use std::fmt;

use thiserror::Error;

use crate::engine::chess::{Bitboard, Color, Rank, Square};

/// Why a text is no position. Displayed, it says what to change.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FenError {
    /// The text is not a FEN.
    #[error("not a FEN: {0}")]
    Syntax(#[from] FenSyntax),
    /// A side has no king.
    #[error("{} has no king; each side needs exactly one", .0.name())]
    MissingKing(Color),
    /// A side has several kings.
    #[error("{} has {count} kings; each side needs exactly one", .color.name())]
    TooManyKings {
        /// The side.
        color: Color,
        /// Its kings.
        count: u32,
    },
    /// A pawn stands where none can.
    #[error("there is a pawn on {0}; no pawn can stand on the first or the last rank")]
    PawnsOnBackrank(Square),
    /// A side has more than 16 pieces, more than 8 pawns, or more promoted pieces than pawns that are gone.
    #[error("{} has {surplus}", .color.name())]
    TooMuchMaterial {
        /// The side.
        color: Color,
        /// What there is too much of.
        surplus: Surplus,
    },
    /// The side that has just moved left its king in check.
    #[error(
        "it is {}'s turn, but the king of {} on {king} is attacked and could be taken; should it be {}'s turn?",
        .turn.name(), (!*.turn).name(), (!*.turn).name()
    )]
    OppositeCheck {
        /// The side to move.
        turn: Color,
        /// Where the other side's king stands.
        king: Square,
    },
    /// No single move can have given this check.
    #[error("the king on {king} is attacked from {}, which no single move can bring about", list(*.checkers))]
    ImpossibleCheck {
        /// The king of the side to move.
        king: Square,
        /// The pieces that attack it.
        checkers: Bitboard,
    },
}

impl FenError {
    /// The code of the HTTP contract.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Syntax(_) => "fen_syntax",
            Self::MissingKing(_) => "missing_king",
            Self::TooManyKings { .. } => "too_many_kings",
            Self::PawnsOnBackrank(_) => "pawns_on_backrank",
            Self::TooMuchMaterial { .. } => "too_much_material",
            Self::OppositeCheck { .. } => "opposite_check",
            Self::ImpossibleCheck { .. } => "impossible_check",
        }
    }
}

/// Where a text stops being a FEN.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FenSyntax {
    /// The text is longer than any FEN.
    #[error("it is {0} bytes long, and {max} are the most", max = super::MAX_BYTES)]
    TooLong(usize),
    /// Nothing but white space.
    #[error("it is empty")]
    Empty,
    /// A character of the board that means nothing.
    #[error("'{letter}' on rank {} is neither a piece (PNBRQK, pnbrqk) nor a number of empty squares (1-8)", .rank.digit())]
    BoardLetter {
        /// The character.
        letter: char,
        /// The rank in which it stands.
        rank: Rank,
    },
    /// A rank with more or fewer squares than eight.
    #[error("rank {} has {} instead of 8", .rank.digit(), counted(*.squares as usize, "square"))]
    RankLength {
        /// The rank.
        rank: Rank,
        /// Its squares.
        squares: u32,
    },
    /// A board with more or fewer ranks than eight.
    #[error("the board '{board}' has {} instead of 8, separated by '/'", counted(*.ranks, "rank"))]
    RankCount {
        /// The first field.
        board: String,
        /// Its ranks.
        ranks: usize,
    },
    /// The text ends before its fourth field.
    #[error("it ends before the {0}; board, side to move, castling rights and en-passant square are needed")]
    MissingField(Field),
    /// Neither `w` nor `b`.
    #[error("the side to move is '{0}' instead of w or b")]
    Turn(String),
    /// A character that names no castling right.
    #[error("the castling rights are '{0}' instead of - or letters of KQkq or A-H and a-h")]
    Castling(String),
    /// Neither a square nor `-`.
    #[error("the en-passant square is '{0}' instead of - or a square such as e3")]
    EnPassant(String),
    /// A counter that is no number, or a number beyond any game.
    #[error("the {field} is '{text}' instead of a number from 0 to {max}", max = super::MAX_COUNTER)]
    Counter {
        /// Which counter.
        field: Field,
        /// What stands there.
        text: String,
    },
    /// Something after the position that is no EPD operation.
    #[error("'{0}' after the position is no EPD operation")]
    Operation(String),
    /// Moves after the position, as UCI writes them.
    #[error("moves do not belong in the FEN; give them in a field of their own")]
    Moves,
}

/// A field of a FEN after the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// `w` or `b`.
    Turn,
    /// `KQkq`, `HAha` or `-`.
    Castling,
    /// A square or `-`.
    EnPassant,
    /// Plies since the last capture or pawn move.
    Halfmoves,
    /// The number of the move.
    Fullmoves,
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Turn => "side to move",
            Self::Castling => "castling rights",
            Self::EnPassant => "en-passant square",
            Self::Halfmoves => "halfmove clock",
            Self::Fullmoves => "move number",
        })
    }
}

/// What a side has too much of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Surplus {
    /// So many pieces, pawns and king among them.
    Pieces(u32),
    /// So many pawns.
    Pawns(u32),
    /// Pieces that only promotion can explain, and the pawns that are gone.
    Promoted {
        /// What there is more of than at the start: how many, and their name in the plural.
        pieces: Vec<(u32, &'static str)>,
        /// Of these the pieces beyond the first queen, two rooks, two knights and a bishop on each colour.
        promoted: u32,
        /// Eight less the pawns.
        missing_pawns: u32,
    },
}

impl fmt::Display for Surplus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pieces(count) => write!(f, "{count} pieces; 16 are the most"),
            Self::Pawns(count) => write!(f, "{count} pawns; 8 are the most"),
            Self::Promoted { pieces, promoted, missing_pawns } => {
                let pieces: Vec<_> = pieces.iter().map(|(count, name)| format!("{count} {name}")).collect();
                let missing = match missing_pawns {
                    0 => "no pawn is missing".to_owned(),
                    1 => "only 1 pawn is missing".to_owned(),
                    _ => format!("only {missing_pawns} pawns are missing"),
                };
                let pieces = pieces.join(" and ");
                write!(f, "{pieces}; only promotion can explain {promoted} of them, but {missing}")
            }
        }
    }
}

/// `1 rank`, `2 ranks`.
fn counted(count: usize, noun: &str) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{ending}")
}

fn list(squares: Bitboard) -> String {
    squares.into_iter().map(|square| square.to_string()).collect::<Vec<_>>().join(", ")
}
