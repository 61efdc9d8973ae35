//! What a search is asked, and how far it may go.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::parameters::Parameters;
use super::progress::Progress;
use super::{End, Handicap, Tablebase};
use crate::engine::chess::{Game, Move};
use crate::engine::eval::Evaluator;

/// What is to be searched, by which evaluator, and how far.
#[derive(Clone, Debug)]
pub struct SearchRequest {
    /// The position, and those before it that may repeat.
    pub game: Game,
    /// What the leaves are worth.
    pub evaluator: Evaluator,
    /// When to end.
    pub limits: Limits,
    /// How many lines, the best ones; more than there are moves is all of them.
    pub multi_pv: NonZeroUsize,
    /// A mate in so many moves is all that is wanted: it is looked for whatever the position seems to be worth, and ends the
    /// search. If there is none, the search goes on as any other.
    pub mate: Option<u8>,
    /// The moves to choose from; none means all. Illegal ones are passed over.
    pub search_moves: Vec<Move>,
    /// How many threads; only one of them if nodes are limited.
    pub threads: NonZeroUsize,
    /// The numbers of the search.
    pub parameters: Parameters,
    /// Endgame tables, if there are any.
    pub tablebase: Option<Arc<dyn Tablebase>>,
    /// A weaker opponent instead of the best move: it searches with one thread, a table of its own and no endgame tables,
    /// within the limits and within those of its strength.
    pub handicap: Option<Handicap>,
    /// Where is told how far the search is.
    pub progress: Option<Arc<Progress>>,
}

impl SearchRequest {
    /// One line, all moves, any score, one thread, no endgame tables, full strength, and nobody who looks on.
    #[must_use]
    pub const fn new(game: Game, evaluator: Evaluator, limits: Limits) -> Self {
        let one = NonZeroUsize::MIN;
        Self {
            game,
            evaluator,
            limits,
            multi_pv: one,
            mate: None,
            search_moves: Vec::new(),
            threads: one,
            parameters: Parameters::DEFAULT,
            tablebase: None,
            handicap: None,
            progress: None,
        }
    }
}

/// When a search ends by itself; without any limit it ends at its greatest depth.
///
/// There is no clock here: whoever knows the time sets the stop flag.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Limits {
    /// The last iteration, in plies (1 at least; more than the greatest depth is the greatest).
    pub depth: Option<u8>,
    /// Positions to visit.
    pub nodes: Option<u64>,
}

/// The search has to end now: unwinds it to the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stopped;

/// Counts the nodes, and says when to stop.
pub(super) struct Budget<'a> {
    nodes: u64,
    limit: u64,
    stop: &'a AtomicBool,
    progress: Option<&'a Progress>,
}

/// So many nodes at a time are added to the progress.
pub(super) const PROGRESS_NODES: u64 = 1_024;

impl<'a> Budget<'a> {
    pub(super) const fn new(limit: Option<u64>, stop: &'a AtomicBool) -> Self {
        let limit = match limit {
            Some(nodes) => nodes,
            None => u64::MAX,
        };
        Self { nodes: 0, limit, stop, progress: None }
    }

    /// The same, adding to what all threads have done.
    pub(super) fn with_progress(self, progress: Option<&'a Progress>) -> Self {
        Self { progress, ..self }
    }

    /// Counts one node more.
    ///
    /// # Errors
    /// If there is none left, or the stop flag is set. Both are looked at for every node: the flag stays in
    /// the cache until somebody sets it.
    #[inline]
    pub(super) fn spend(&mut self) -> Result<(), Stopped> {
        if self.nodes >= self.limit || self.stop.load(Relaxed) {
            return Err(Stopped);
        }
        self.nodes += 1;
        if self.nodes.is_multiple_of(PROGRESS_NODES) {
            self.tell_progress();
        }
        Ok(())
    }

    #[cold]
    fn tell_progress(&self) {
        if let Some(progress) = self.progress {
            progress.add_nodes(PROGRESS_NODES);
        }
    }

    /// The nodes spent so far.
    pub(super) const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Why the search had to stop.
    pub(super) const fn end(&self) -> End {
        if self.nodes >= self.limit { End::Nodes } else { End::Stopped }
    }
}
