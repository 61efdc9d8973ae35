//! What is asked of a search whose result may be kept.

use std::hash::{Hash, Hasher};
use std::num::NonZeroUsize;

use crate::engine::chess::{Move, Position};
use crate::engine::eval::Evaluator;
use crate::engine::search::{Handicap, Limits, SearchRequest};

/// Everything that the result of a search with a fresh table depends on. The history is part of it: the same position
/// with other positions before it is another question. How castling is written is not: moves are kept as the engine has
/// them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The position to search.
    pub position: Position,
    /// The keys of the positions before it that may repeat, the oldest first.
    pub history: Box<[u64]>,
    /// What the leaves are worth.
    pub evaluator: Evaluator,
    /// When the search ends.
    pub limits: Limits,
    /// How many lines.
    pub multi_pv: NonZeroUsize,
    /// The moves to choose from; none means all.
    pub search_moves: Box<[Move]>,
    /// A weaker opponent instead of the best move.
    pub handicap: Option<Handicap>,
}

impl Question {
    /// What a request asks.
    #[must_use]
    pub fn of(request: &SearchRequest) -> Self {
        Self {
            position: *request.game.position(),
            history: request.game.keys().into(),
            evaluator: request.evaluator,
            limits: request.limits,
            multi_pv: request.multi_pv,
            search_moves: request.search_moves.as_slice().into(),
            handicap: request.handicap,
        }
    }
}

impl Hash for Question {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.position.key().hash(state);
        self.history.hash(state);
        self.limits.hash(state);
        self.multi_pv.hash(state);
        self.search_moves.hash(state);
        self.handicap.hash(state);
    }
}
