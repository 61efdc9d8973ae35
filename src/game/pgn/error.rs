//! Why a text is no PGN, and where.

use thiserror::Error;

use crate::engine::chess::{FenError, Game, MoveError};

/// Where in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// The line, from 1.
    pub line: usize,
    /// The column, in characters from 1.
    pub column: usize,
    /// So many bytes come before it.
    pub byte: usize,
}

/// A text that is no PGN. Displayed, it says where and what to change.
#[derive(Clone, Debug, Error)]
#[error("line {}, column {} (game {game}): {fault}", .place.line, .place.column)]
pub struct PgnError {
    /// Where.
    pub place: Place,
    /// In which game of the text, from 1.
    pub game: usize,
    /// What.
    pub fault: Fault,
}

/// What is wrong.
#[derive(Clone, Debug, Error)]
pub enum Fault {
    /// A line begins like a tag and is none.
    #[error("a tag is written [Name \"value\"], on a line")]
    Tag,
    /// A comment without its end.
    #[error("this comment has no `}}`")]
    OpenComment,
    /// A variation without its end.
    #[error("this variation has no `)`")]
    OpenVariation,
    /// A variation before there is a move for which it could stand.
    #[error("a variation stands after the move that it replaces, and there is none")]
    EarlyVariation,
    /// The end of something that has not begun.
    #[error("`{0}` ends nothing here")]
    Stray(char),
    /// A glyph that is no number from 0 to 255.
    #[error("`$` is followed by a number from 0 to 255")]
    Glyph,
    /// A glyph before there is a move that it could judge.
    #[error("`{0}` stands after the move that it judges, and there is none")]
    EarlyGlyph(String),
    /// A word that is neither a move nor anything else of a game.
    #[error("'{0}' is neither a move nor a result")]
    Word(String),
    /// A move that cannot be made.
    #[error("{error}")]
    Move {
        /// How many moves of the game come before it.
        ply: usize,
        /// As it is written.
        text: String,
        /// The game before it.
        game: Box<Game>,
        /// Why not.
        error: MoveError,
    },
    /// The tag `FEN` is no position.
    #[error("the tag `FEN`: {0}")]
    Fen(FenError),
    /// The tag `Variant` names rules that this service does not know.
    #[error("the variant '{0}' is not supported; it has to be standard chess or Chess960")]
    Variant(String),
    /// More games than are taken.
    #[error("there are more than {0} games")]
    TooManyGames(usize),
    /// More moves than are taken.
    #[error("the game has more than {0} half-moves")]
    TooManyPlies(usize),
    /// More moves of all games together than are taken.
    #[error("the games and their variations have more than {0} half-moves together")]
    TooManyMoves(usize),
    /// More tags of a game than are taken.
    #[error("the game has more than {0} tags")]
    TooManyTags(usize),
    /// More comments of all games together than are taken.
    #[error("the games have more than {0} comments together")]
    TooManyComments(usize),
    /// Variations of variations of variations, deeper than are taken.
    #[error("variations are nested deeper than {0}")]
    TooDeep(usize),
    /// Nothing is wrong as far as the text was read: it was not to be read on.
    #[error("the reading was stopped here")]
    Stopped,
}
