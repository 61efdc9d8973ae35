//! The explained evaluation: every entry, with its squares, its exact share of the centipawns and a sentence.

mod diff;
mod explain;
mod narrative;
mod sentence;
mod summary;

pub use diff::{Causes, Difference, FeatureChange, FeatureFate, TermChange};
pub use narrative::Step;
pub use summary::pawns;

use super::{GamePhase, ScaleReason};
use crate::engine::chess::{Bitboard, Color, Position, Status};
use crate::engine::weights::{Feature, Score, Term};

/// A static evaluation taken apart.
///
/// The terms' centipawns add up to [`cp`](Self::cp), and each term's features to the term, always. Scores are pairs of
/// middlegame and endgame centipawns before blending; centipawns are after it. White's view, unless said otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Breakdown {
    /// What was evaluated.
    pub position: Position,
    /// The static value, equal to [`Evaluator::assess`](super::Evaluator::assess).
    pub cp: i32,
    /// How the game stands.
    pub status: Status,
    /// How far the game has gone.
    pub phase: GamePhase,
    /// How the sum of the entries became centipawns.
    pub blending: Blending,
    /// Every term of the evaluator in a fixed order; a term without entries is listed with zeros, so that a client
    /// finds the same rows in every position.
    pub terms: Vec<TermLine>,
}

/// How the sum of the entries becomes centipawns: `tapered * scale / 64 * damping / 100`, rounded once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blending {
    /// The sum of all entries, tempo included.
    pub sum: Score,
    /// The sum tapered by the phase, in centipawns, rounded.
    pub tapered: i32,
    /// The share of the tempo in the final centipawns; it is one of the terms.
    pub tempo: i32,
    /// How much of the score can be turned into a win, of [`Blend::FULL_SCALE`](super::Blend::FULL_SCALE).
    pub scale: i32,
    /// Why the scale is not full.
    pub scale_reason: Option<ScaleReason>,
    /// Plies since the last capture or pawn move.
    pub halfmoves: u16,
    /// What the 50-move rule leaves, of [`Blend::FULL_DAMPING`](super::Blend::FULL_DAMPING).
    pub damping: i32,
}

/// A family of features: one row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TermLine {
    /// Which one.
    pub term: Term,
    /// What White's entries add up to, White's own view.
    pub white: Score,
    /// What Black's entries add up to, Black's own view.
    pub black: Score,
    /// White's minus Black's.
    pub total: Score,
    /// The term's share of the centipawns.
    pub cp: i32,
    /// The entries, White's before Black's in each group.
    pub features: Vec<FeatureLine>,
}

/// One entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeatureLine {
    /// The reason.
    pub feature: Feature,
    /// Whose piece it is about.
    pub side: Color,
    /// The pieces it is about.
    pub squares: Bitboard,
    /// What else the sentence speaks of: safe squares, protecting pawns and the like.
    pub related: Bitboard,
    /// What it is worth before blending, White's view: a good thing of Black's is negative.
    pub score: Score,
    /// Its share of the centipawns, White's view.
    pub cp: i32,
    /// A sentence that is true of this entry on this board.
    pub text: String,
}
