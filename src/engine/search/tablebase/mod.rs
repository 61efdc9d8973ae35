//! Endgame tables, as the search asks them. What they are read from is not the engine's business.

mod nodes;
mod ranking;

use std::fmt::Debug;

pub(super) use nodes::Tables;
pub(super) use ranking::Ranking;

use crate::engine::chess::{Move, Position};

/// Tables of endgames in which every position has its exact result.
///
/// They know no castling rights and no halfmove clock: a result is that of a game in which the clock stands at 0.
pub trait Tablebase: Debug + Send + Sync {
    /// The most men, kings included, of a position that may be known.
    fn most_men(&self) -> u32;

    /// What becomes of a position with the best play of both sides. None if it is not known.
    fn wdl(&self, position: &Position) -> Option<Wdl>;

    /// For each legal move the plies up to and including the next capture or pawn move, if both sides play to keep the
    /// result and the loser delays: positive if the side to move wins, negative if it loses, 0 for a draw. Beyond 100 the
    /// win is too slow for the 50-move rule. A number may be off by one.
    ///
    /// None if not every move is known.
    fn distances(&self, position: &Position) -> Option<Vec<(Move, i32)>>;
}

/// What becomes of a position, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Wdl {
    /// Lost.
    Loss,
    /// Lost, if the 50-move rule did not make it a draw.
    BlessedLoss,
    /// Drawn.
    Draw,
    /// Won, if the 50-move rule did not make it a draw.
    CursedWin,
    /// Won.
    Win,
}

impl Wdl {
    /// The same result for the other side.
    #[must_use]
    pub const fn negated(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::BlessedLoss => Self::CursedWin,
            Self::Draw => Self::Draw,
            Self::CursedWin => Self::BlessedLoss,
            Self::Win => Self::Loss,
        }
    }
}
