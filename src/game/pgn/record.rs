//! A game as it was read.

use super::commands::{self, Eval};
use super::error::Place;
use super::glyph::Nag;
use crate::engine::chess::{FenWarning, Game, Move, MoveError};

/// A game with everything that its annotators have written.
#[derive(Clone, Debug)]
pub struct Record {
    /// The tags, in their order.
    pub tags: Tags,
    /// The position from which it starts.
    pub start: Game,
    /// Comments before the first move.
    pub preface: Vec<String>,
    /// The main line.
    pub moves: Vec<Ply>,
    /// How the game ended, as the mark behind the moves says.
    pub termination: Option<Termination>,
    /// What had to be repaired.
    pub notices: Vec<Notice>,
}

/// Names and values, each name once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tags(Vec<(String, String)>);

/// A half-move and what is said of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ply {
    /// The move. In a side line it may be [`Move::NONE`]: a pass, by which annotators show a threat.
    pub mv: Move,
    /// What annotators think of it.
    pub nags: Vec<Nag>,
    /// The comments behind it.
    pub comments: Vec<String>,
    /// What could have been played in its place.
    pub variations: Vec<Line>,
}

/// A side line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// Comments before its first move.
    pub preface: Vec<String>,
    /// Its moves.
    pub moves: Vec<Ply>,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Termination {
    /// `1-0`
    WhiteWins,
    /// `0-1`
    BlackWins,
    /// `1/2-1/2`
    Draw,
    /// `*`
    Unknown,
}

/// Something that was repaired.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    /// In the tag `FEN`.
    Fen(FenWarning),
    /// The game is one of Chess960, though its tags do not say so: only there the castling rights of its `FEN` mean something.
    TakenAsChess960,
    /// A side line goes on with what is no move there: its moves are kept up to that, and the rest as a comment.
    SideLineCut {
        /// Where the move stands.
        place: Place,
        /// Why it is none.
        error: MoveError,
    },
}

impl Tags {
    /// The value of a tag.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
    }

    /// Gives a tag a value; a new one comes last.
    pub fn set(&mut self, name: &str, value: &str) {
        match self.0.iter_mut().find(|(own, _)| own == name) {
            Some((_, old)) => value.clone_into(old),
            None => self.0.push((name.to_owned(), value.to_owned())),
        }
    }

    /// Each name with its value.
    #[must_use]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Ply {
    /// A move of which nothing is said.
    #[must_use]
    pub const fn new(mv: Move) -> Self {
        Self { mv, nags: Vec::new(), comments: Vec::new(), variations: Vec::new() }
    }

    /// What the position after the move is worth, if a comment says so.
    #[must_use]
    pub fn eval(&self) -> Option<Eval> {
        self.comments.iter().find_map(|comment| commands::eval(comment))
    }

    /// The first variation in which another move is made: some show how the game could have gone on, or what it threatened.
    #[must_use]
    pub fn alternative(&self) -> Option<&Line> {
        let is_other = |first: &Self| first.mv.is_some() && first.mv != self.mv;
        self.variations.iter().find(|line| line.moves.first().is_some_and(is_other))
    }

    /// Whether a comment has the command that says what the position is worth, whatever stands in it.
    #[must_use]
    pub fn has_eval_command(&self) -> bool {
        self.comments.iter().any(|comment| commands::has_eval(comment))
    }
}

impl Termination {
    /// As it is written.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::WhiteWins => "1-0",
            Self::BlackWins => "0-1",
            Self::Draw => "1/2-1/2",
            Self::Unknown => "*",
        }
    }

    /// The result that a word says, if it says one.
    #[must_use]
    pub fn read(word: &str) -> Option<Self> {
        match word {
            "1-0" | "1:0" | "1–0" => Some(Self::WhiteWins),
            "0-1" | "0:1" | "0–1" => Some(Self::BlackWins),
            "1/2-1/2" | "1/2–1/2" | "1/2" | "½-½" | "½–½" | "½" => Some(Self::Draw),
            "*" => Some(Self::Unknown),
            _ => None,
        }
    }
}

impl Record {
    /// A game of which only the moves are known.
    #[must_use]
    pub fn bare(start: Game, moves: &[Move]) -> Self {
        Self {
            tags: Tags::default(),
            start,
            preface: Vec::new(),
            moves: moves.iter().copied().map(Ply::new).collect(),
            termination: None,
            notices: Vec::new(),
        }
    }
}
