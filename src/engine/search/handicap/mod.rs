//! A weaker opponent of a chosen strength, who errs as people do: by plausible moves.
//!
//! Three things make it weak, each by numbers that grow or fall with its strength (`levels`):
//!
//! - It looks at few positions, with a small table of its own: what stronger searches have found is unknown to it, and so
//!   are endgame tables. The moves that look best at a glance are searched first; a move that it does not come to is
//!   judged by that glance.
//! - It overlooks a reply of the opponent's from time to time, and then all the moves that this reply refutes look to it as if
//!   they stood unrefuted (`choice`). At the lowest levels it misses a mate in one now and then.
//! - It misjudges every move by some error, drawn by lot (`lot`).
//!
//! It takes what looks best to it, but no move that gives away more than its level tolerates against the best that
//! it sees. The score it tells is what its search says of the move, without the errors.

mod choice;
mod levels;
mod lot;

use std::num::NonZeroUsize;

use super::limits::{Limits, SearchRequest, Stopped};
use super::parameters::ONLY_MOVE_DEPTH;
use super::reduction::Turn;
use super::scout::Node;
use super::table::TranspositionTable;
use super::value::{Value, Window};
use super::worker::{Finding, Worker};
use super::{Bound, End, Line, MAX_PLY, Memory, Report, Run, parallel};
use crate::engine::chess::{Move, Position};
use crate::engine::eval::Evaluate;
use choice::{Candidate, below_tolerable, choose};
use levels::Level;
use lot::{Lots, Question};

/// A strength, on the scale of Stockfish's `UCI_Elo`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Elo(u16);

impl Elo {
    /// The weakest opponent.
    pub const MIN: Self = Self(500);
    /// The strongest one that can be asked for.
    pub const MAX: Self = Self(2600);

    /// The strength of this number; none if it is out of bounds.
    #[must_use]
    pub const fn new(elo: u16) -> Option<Self> {
        if Self::MIN.0 <= elo && elo <= Self::MAX.0 { Some(Self(elo)) } else { None }
    }

    /// The number.
    #[must_use]
    pub const fn get(self) -> u16 {
        self.0
    }

    /// The positions that an opponent of this strength looks at before it moves.
    #[must_use]
    pub fn nodes(self) -> u64 {
        Level::of(self).nodes as u64
    }
}

/// A wish for a weaker opponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Handicap {
    /// How strong it shall be.
    pub elo: Elo,
    /// What its errors are drawn from: with the same seed it plays the same move in the same position.
    pub seed: u64,
}

/// Greatest size of the table of a weaker opponent, in MiB.
const TABLE_MEBIBYTES: usize = 4;

/// The move of a weaker opponent, for a game that is not over. The first line is of the move it takes; the others that are
/// asked for are the best of the rest, and those that its search did not think worth an exact value have a bound.
pub(super) fn search<E: Evaluate>(run: Run<'_>, evaluator: E, handicap: Handicap) -> Report {
    let Run { request, stop, observe, .. } = run;
    let level = Level::of(handicap.elo);
    let own_nodes = handicap.elo.nodes();
    let nodes = Some(request.limits.nodes.map_or(own_nodes, |nodes| nodes.min(own_nodes)));
    let limited = SearchRequest {
        limits: Limits { nodes, ..request.limits },
        threads: NonZeroUsize::MIN,
        tablebase: None,
        ..request.clone()
    };
    let table = TranspositionTable::for_one_search(limited.limits, TABLE_MEBIBYTES)
        .unwrap_or_else(|_| TranspositionTable::smallest());
    let lots = Lots::new(handicap.seed, request.game.position().key());
    Memory::lend_blank(|memory| {
        let mut worker = parallel::worker(&limited, evaluator, &table, memory, stop);
        let mut thought = Thought::new(&worker, request, level, lots);
        worker.think(&mut thought, request.limits, observe)
    })
}

/// The state of a weaker opponent's search between iterations.
struct Thought<'r> {
    position: &'r Position,
    level: Level,
    lots: Lots,
    /// The moves to choose from, those that are thought best first.
    candidates: Vec<Candidate>,
    /// The moves that are not thought of.
    passed_over: Vec<Candidate>,
    /// `true` if the rules leave no choice.
    only_move: bool,
    /// How many lines are to be told.
    width: usize,
    /// The last finished iteration.
    depth: u8,
}

impl<'r> Thought<'r> {
    fn new<E: Evaluate>(
        worker: &Worker<'_, E>,
        request: &'r SearchRequest,
        level: Level,
        lots: Lots,
    ) -> Self {
        let position = request.game.position();
        let legal = position.legal_moves();
        let wanted = |mv: &Move| request.search_moves.is_empty() || request.search_moves.contains(mv);
        let mut moves: Vec<Move> = legal.iter().copied().filter(wanted).collect();
        if moves.is_empty() {
            moves = legal.to_vec();
        }
        let passed_over = heed_mates(position, &mut moves, &level, lots);
        let [candidates, passed_over] = [moves, passed_over].map(|moves| {
            let mut glances: Vec<_> = moves.into_iter().map(|mv| worker.glance(position, mv)).collect();
            glances.sort_by_key(|candidate| -candidate.value);
            glances
        });
        Self {
            position,
            level,
            lots,
            candidates,
            passed_over,
            only_move: legal.len() == 1,
            width: request.multi_pv.get(),
            depth: 0,
        }
    }

    fn best(&self) -> Value {
        self.candidates[0].value
    }

    /// Puts the best first; of equals, the one that was thought better before.
    fn sort(&mut self) {
        self.candidates.sort_by_key(Candidate::rank);
    }
}

/// Leaves only the mates in one, or, if they are missed, everything else. Returns what is left out.
fn heed_mates(position: &Position, moves: &mut Vec<Move>, level: &Level, lots: Lots) -> Vec<Move> {
    let mates = |mv: &Move| {
        let mut child = *position;
        child.play(*mv);
        child.in_check() && !child.has_legal_move()
    };
    let (mating, others): (Vec<_>, Vec<_>) = moves.iter().partition(|mv| mates(mv));
    let missed = lots.falls(Question::Mate, 0, level.missed_mates);
    let (heeded, left_out) = match (mating.is_empty(), others.is_empty()) {
        (false, false) if missed => (others, mating),
        (false, _) => (mating, others),
        (true, _) => (others, mating),
    };
    *moves = heeded;
    left_out
}

impl<E: Evaluate> Worker<'_, E> {
    /// How a move looks before anything is searched.
    fn glance(&self, position: &Position, mv: Move) -> Candidate {
        let mut child = *position;
        child.play(mv);
        let glance = -self.evaluate(&child);
        Candidate { moves: vec![mv], glance, value: glance, bound: Bound::Exact, depth: 0, correction: 0 }
    }

    /// Looks at the candidates iteration by iteration, until a limit is reached.
    fn think(
        &mut self,
        thought: &mut Thought<'_>,
        limits: Limits,
        observe: &mut dyn FnMut(&Report),
    ) -> Report {
        let last = limits.depth.map_or(MAX_PLY, |depth| usize::from(depth).clamp(1, MAX_PLY));
        let unlimited =
            limits.depth.is_none() && limits.nodes.is_none_or(|nodes| nodes >= thought.level.nodes as u64);
        for iteration in 1..=last {
            self.iteration = iteration;
            let result = self.look_at_all(thought);
            thought.sort();
            if result.is_err() {
                self.return_to_root();
                return self.weak_report(thought, self.budget.end());
            }
            thought.depth = iteration as u8;
            observe(&self.weak_report(thought, End::Running));
            if thought.only_move && unlimited && iteration >= ONLY_MOVE_DEPTH {
                return self.weak_report(thought, End::OnlyMove);
            }
            if thought.best().is_win() {
                return self.weak_report(thought, End::Mate);
            }
        }
        self.weak_report(thought, End::Depth)
    }

    /// One iteration. If it is stopped, what it has not come to stays as it was.
    fn look_at_all(&mut self, thought: &mut Thought<'_>) -> Result<(), Stopped> {
        self.variations.clear(0);
        self.assess(thought.position, Finding::NONE, 0);
        let (mut best, mut floor) = (-Value::INFINITE, Window::FULL.alpha);
        for (place, candidate) in thought.candidates.iter_mut().enumerate() {
            self.look_at(thought.position, candidate, floor, place as i32)?;
            if candidate.value > best {
                best = candidate.value;
                floor = below_tolerable(best, &thought.level);
            }
        }
        Ok(())
    }

    /// The value of a move with its line, if it is above the floor; otherwise it is at most what it is said to be.
    fn look_at(
        &mut self,
        position: &Position,
        candidate: &mut Candidate,
        floor: Value,
        place: i32,
    ) -> Result<(), Stopped> {
        let mv = candidate.mv();
        let (context, before) = (self.context(position, 0), self.budget.nodes());
        let mut child = *position;
        self.play(&mut child, mv)?;
        let node = Node::principal(Value::INFINITE, Move::NONE, self.iteration as i32, 0);
        let left = node.depth - 1 + self.extension(position, &node, mv, &child);
        let window = Window { alpha: floor, ..Window::FULL };
        let turn = Turn { mv, count: place, left };
        self.begin_root(window);
        let value = self.open_child(position, &child, window, &node, &turn, (context, floor))?;
        self.undo();
        self.efforts.add(mv, self.budget.nodes() - before);
        candidate.value = value;
        candidate.depth = self.iteration as u8;
        if value > floor {
            self.variations.extend(0, mv);
            candidate.bound = Bound::Exact;
            candidate.moves = self.variations.line(0).to_vec();
            candidate.correction = self.variations.correction(0);
        } else {
            candidate.bound = Bound::Upper;
            candidate.moves.truncate(1);
            candidate.correction = 0;
        }
        Ok(())
    }

    fn weak_report(&self, thought: &Thought<'_>, end: End) -> Report {
        let candidates = &thought.candidates;
        let chosen = choose(candidates, &thought.level, thought.lots);
        let others = (0..candidates.len()).filter(|place| *place != chosen).map(|place| &candidates[place]);
        let mut rest: Vec<_> = others.chain(&thought.passed_over).collect();
        rest.sort_by_key(|candidate| candidate.rank());
        let told = std::iter::once(&candidates[chosen]).chain(rest).take(thought.width);
        let line = |candidate: &Candidate| Line {
            score: candidate.value.score(),
            bound: candidate.bound,
            depth: candidate.depth,
            moves: candidate.moves.clone(),
            correction: candidate.correction,
        };
        Report {
            depth: thought.depth,
            seldepth: self.seldepth as u8,
            nodes: self.budget.nodes(),
            hashfull: self.table.hashfull(),
            tbhits: 0,
            effort: self.efforts.of(candidates[chosen].mv()),
            lines: told.map(line).collect(),
            end,
        }
    }
}
