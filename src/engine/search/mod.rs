//! The search: which move, what it is worth, and by which line.
//!
//! A request with a [`Handicap`] goes to the weaker opponent of `handicap`, who has a choice of moves and limits of its own.
//!
//! [`search`] deepens iteratively (`deepening`) over three kinds of nodes below the `root`: `principal` nodes
//! with an open window, `scout` nodes that only answer whether a bound is reached, and the leaves of
//! `quiescence`. All of them are methods of one
//! `worker`, which is generic over the evaluator, so that each evaluator has its own instance of the search.
//!
//! Invariants:
//!
//! - Every node is counted before it is made, and the counting looks at the stop flag and at the node limit. One
//!   thread with a fresh table visits the same nodes on every machine.
//! - Only nodes with a zero window take values from the table, so a line is never cut short but by the endgame tables, and
//!   a mate's line ends in mate.
//! - The table's keys are xor'ed with the evaluator's salt: no evaluator reads what another wrote; and with the plies since the
//!   last capture or pawn move, by eights, once they are many: near the 50-move rule nothing holds that was found far from it.

mod assessment;
mod correction;
mod deepening;
mod effort;
mod exchange;
mod greedy;
mod handicap;
mod history;
mod keys;
mod limits;
mod mates;
mod memory;
mod ordering;
mod pages;
mod parallel;
mod parameters;
mod principal;
mod probcut;
mod progress;
mod proof;
mod pruning;
mod quiescence;
mod quiet;
mod reduction;
mod report;
mod root;
mod scoring;
mod scout;
mod singular;
mod slot;
mod stack;
mod table;
mod tablebase;
mod threats;
mod value;
mod variation;
mod worker;

use std::sync::atomic::AtomicBool;

pub use greedy::greedy;
pub use handicap::{Elo, Handicap};
pub use limits::{Limits, SearchRequest};
pub use memory::Memory;
pub use parameters::{Parameter, Parameters};
pub use progress::{Progress, RootMove};
pub use quiet::{Quiescence, quiescence};
pub use report::{Bound, End, Line, Report, SearchScore};
pub use table::{TableError, TranspositionTable};
pub use tablebase::{Tablebase, Wdl};

use crate::engine::chess::{Game, Status};
use crate::engine::eval::{Evaluate, Evaluator};

/// No line is followed further than this from the root, in plies; it is the greatest depth too.
pub const MAX_PLY: usize = 127;

/// Searches until a limit is reached, the stop flag is set, or there is nothing left to find out.
///
/// `observe` is called after each finished iteration. There is a line with a legal move even if the search is
/// stopped at once; only a game that is over has none.
///
/// The table may be that of many searches at once: it grows older by what they visit, not by how many they are.
pub fn search(
    request: &SearchRequest,
    table: &TranspositionTable,
    stop: &AtomicBool,
    observe: &mut dyn FnMut(&Report),
) -> Report {
    if request.game.status().is_over() {
        return terminal(&request.game);
    }
    let report = Memory::lend_blank(|memory| search_by(request, table, memory, stop, observe));
    table.grow_older(report.nodes);
    report
}

/// The same in a game: with what the searches before it have learnt, and leaving what it learns. Whoever plays the game decides
/// when it ends: a draw is searched like any other position as long as there are moves.
pub fn search_on(
    request: &SearchRequest,
    table: &TranspositionTable,
    memory: &mut Memory,
    stop: &AtomicBool,
    observe: &mut dyn FnMut(&Report),
) -> Report {
    table.new_search();
    search_by(request, table, memory, stop, observe)
}

/// Searches with the request's evaluator.
fn search_by(
    request: &SearchRequest,
    table: &TranspositionTable,
    memory: &mut Memory,
    stop: &AtomicBool,
    observe: &mut dyn FnMut(&Report),
) -> Report {
    let run = Run { request, table, memory, stop, observe };
    match request.evaluator {
        Evaluator::Full(evaluator) => run.with(evaluator),
        Evaluator::Pieces(evaluator) => run.with(evaluator),
        Evaluator::Psqt(evaluator) => run.with(evaluator),
        Evaluator::Material(evaluator) => run.with(evaluator),
        Evaluator::Count(evaluator) => run.with(evaluator),
    }
}

/// The same with an evaluator that is none of the service's, such as one with other weights, instead of the request's. The
/// table is for that evaluator alone.
pub fn search_with(
    evaluator: impl Evaluate,
    request: &SearchRequest,
    table: &TranspositionTable,
    memory: &mut Memory,
    stop: &AtomicBool,
    observe: &mut dyn FnMut(&Report),
) -> Report {
    table.new_search();
    Run { request, table, memory, stop, observe }.with(evaluator)
}

/// The arguments of [`search`], on their way to the instance for their evaluator.
struct Run<'a> {
    request: &'a SearchRequest,
    table: &'a TranspositionTable,
    memory: &'a mut Memory,
    stop: &'a AtomicBool,
    observe: &'a mut dyn FnMut(&Report),
}

impl Run<'_> {
    /// A limit of nodes is kept exactly, and so by a single thread.
    fn with(self, evaluator: impl Evaluate) -> Report {
        if !self.request.game.position().has_legal_move() {
            return terminal(&self.request.game);
        }
        if let Some(handicap) = self.request.handicap {
            return handicap::search(self, evaluator, handicap);
        }
        if self.request.threads.get() > 1 && self.request.limits.nodes.is_none() {
            return parallel::search(self, evaluator);
        }
        let Self { request, table, memory, stop, observe } = self;
        parallel::worker(request, evaluator, table, memory, stop).deepen(request, observe)
    }
}

/// The report of a game that is over: its value, and no move.
fn terminal(game: &Game) -> Report {
    Report {
        depth: 0,
        seldepth: 0,
        nodes: 0,
        hashfull: 0,
        tbhits: 0,
        effort: 0,
        lines: vec![Line {
            score: final_score(game.status()),
            bound: Bound::Exact,
            depth: 0,
            moves: Vec::new(),
            correction: 0,
        }],
        end: End::Terminal,
    }
}

/// What a game that is over is worth to the side to move.
fn final_score(status: Status) -> SearchScore {
    if status == Status::Checkmate { SearchScore::Mate(0) } else { SearchScore::Cp(0) }
}
