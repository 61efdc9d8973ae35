//! What a search says: lines, counters and why it ended.

use crate::engine::chess::Move;

/// The state of a search after an iteration, or its result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The last finished iteration, in plies; 0 if none was finished.
    pub depth: u8,
    /// The greatest distance from the root that was looked at, in plies.
    pub seldepth: u8,
    /// Positions visited by a move, null moves included; the root does not count.
    pub nodes: u64,
    /// How full the table is, per mille.
    pub hashfull: u16,
    /// Successful look-ups in endgame tables.
    pub tbhits: u64,
    /// How large a part of the nodes below the root the best move has taken so far, per mille: where the others are refuted
    /// at once, there is little to think about.
    pub effort: u16,
    /// The best lines, best first; one without moves if the game is over.
    pub lines: Vec<Line>,
    /// Why the search ended.
    pub end: End,
}

impl Report {
    /// The move to play; none if the game is over.
    #[must_use]
    pub fn best_move(&self) -> Option<Move> {
        self.lines.first().and_then(|line| line.moves.first().copied())
    }

    /// The reply expected to the best move.
    #[must_use]
    pub fn ponder_move(&self) -> Option<Move> {
        self.lines.first().and_then(|line| line.moves.get(1).copied())
    }

    /// The score of the best line, for the side to move.
    #[must_use]
    pub fn score(&self) -> Option<SearchScore> {
        self.lines.first().map(|line| line.score)
    }
}

/// A line of play and what it is worth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// For the side to move at the root.
    pub score: SearchScore,
    /// Whether the score is the value or only a bound of it.
    pub bound: Bound,
    /// The iteration that found it, in plies; 0 for a value without a search.
    pub depth: u8,
    /// Legal moves from the root onwards; a mate's line ends in checkmate.
    pub moves: Vec<Move>,
    /// What the search added to the static evaluation at the end of the line, in centipawns for the side to move at the
    /// root: the mean error that it has found in such positions.
    pub correction: i32,
}

/// A score for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SearchScore {
    /// Centipawns.
    Cp(i32),
    /// Mate in so many moves; negative if the side to move is mated, 0 if it is mated already.
    Mate(i32),
}

impl SearchScore {
    /// The same score seen from the other side; a mate on the board is 0 from both.
    #[must_use]
    pub const fn negated(self) -> Self {
        match self {
            Self::Cp(centipawns) => Self::Cp(-centipawns),
            Self::Mate(moves) => Self::Mate(-moves),
        }
    }
}

/// What a score says about the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Bound {
    /// The value is the score or less.
    Upper = 1,
    /// The value is the score or more.
    Lower = 2,
    /// The value is the score.
    Exact = 3,
}

/// Why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum End {
    /// It has not: this is a report after an iteration.
    Running,
    /// The depth asked for is finished.
    Depth,
    /// The nodes asked for are spent.
    Nodes,
    /// The stop flag was set.
    Stopped,
    /// A forced mate was found, and none is shorter.
    Mate,
    /// There is only one legal move, and neither depth nor nodes were asked for.
    OnlyMove,
    /// The game is over.
    Terminal,
}
