//! Iterative deepening: one ply more at a time, each iteration ordered by the one before.

use std::cmp::Reverse;

use super::greedy::value_after;
use super::limits::{Limits, SearchRequest, Stopped};
use super::mates::{Goal, Mates, is_enough};
use super::parameters::ONLY_MOVE_DEPTH;
use super::root::{Best, Choice};
use super::tablebase::Ranking;
use super::value::Value;
use super::worker::Worker;
use super::{Bound, End, Line, MAX_PLY, Report};
use crate::engine::chess::{Game, Move, Position};
use crate::engine::eval::Evaluate;

/// The state of a search between iterations.
struct Deepening<'r> {
    game: &'r Game,
    position: &'r Position,
    limits: Limits,
    /// A mate in so many moves is enough.
    wanted: Option<u8>,
    /// The moves to choose from, the best so far first.
    moves: Vec<Move>,
    /// `true` if the rules leave no choice.
    only_move: bool,
    choice: Choice,
    /// What the endgame tables say of the moves.
    ranking: Ranking,
    /// How many lines.
    width: usize,
    /// The best lines so far, best first, with the iteration that found them.
    lines: Vec<(Best, u8)>,
    mates: Mates,
    /// The last finished iteration, and the greatest ply of all.
    depth: u8,
    seldepth: usize,
}

impl<E: Evaluate> Worker<'_, E> {
    /// Searches the request's position, which has a legal move, iteration by iteration until a limit is
    /// reached.
    pub(super) fn deepen(&mut self, request: &SearchRequest, observe: &mut dyn FnMut(&Report)) -> Report {
        let mut state = Deepening::new(request);
        self.tables.hits += state.ranking.hits();
        if state.ranking.makes_progress() {
            self.tables.close();
        }
        let last = request.limits.depth.map_or(MAX_PLY, |depth| usize::from(depth).clamp(1, MAX_PLY));
        for iteration in (self.stride..=last).step_by(self.stride) {
            self.iteration = iteration;
            if self.iterate(&mut state).is_err() {
                self.return_to_root();
                return self.report(&state, self.budget.end());
            }
            observe(&self.report(&state, End::Running));
            match self.early_end(&mut state) {
                Ok(None) => {}
                Ok(Some(end)) => return self.report(&state, end),
                Err(Stopped) => {
                    self.return_to_root();
                    return self.report(&state, self.budget.end());
                }
            }
        }
        self.report(&state, End::Depth)
    }

    /// One iteration: the best line, then the best of the other moves, and so on. If it is stopped, what was found by then
    /// takes the first place where it says more, unless several lines are wanted: these are kept as a whole, but for those of
    /// the first iteration.
    fn iterate(&mut self, state: &mut Deepening) -> Result<(), Stopped> {
        let depth = self.iteration as u8;
        let mut lines = Vec::with_capacity(state.width);
        for index in 0..state.width {
            self.lines = index;
            let expected = state.lines.get(index).map(|(best, _)| best.value);
            let end = state.ranking.end_of_equals(&state.moves, index);
            let is_whole = index == 0 && end == state.moves.len();
            let choice = if is_whole { state.choice } else { Choice::Restricted };
            let moves = &mut state.moves[index..end];
            let mut best = None;
            let result = self.root(state.position, moves, choice, expected, &mut best);
            state.seldepth = state.seldepth.max(self.seldepth);
            if result.is_err() && state.width > 1 {
                if state.lines.is_empty() {
                    state.lines = state.in_order(lines);
                }
                return result;
            }
            lines.extend(best.map(|best| (state.ranking.settle(best), depth)));
            if result.is_err() {
                if lines.first().is_some_and(|(found, _)| state.is_news(found)) {
                    state.lines = lines;
                }
                return result;
            }
        }
        let mut lines = state.in_order(lines);
        for (place, (best, _)) in state.moves.iter_mut().zip(&lines) {
            *place = best.moves[0];
        }
        if let [(best, _)] = &mut lines[..]
            && let Some(mate) = &state.mates.found
            && mate.value > best.value
        {
            // What the search overlooks is not forgotten.
            *best = mate.clone();
        }
        state.lines = lines;
        state.depth = depth;
        Ok(())
    }

    /// Why no further iteration is needed, if none is.
    fn early_end(&mut self, state: &mut Deepening) -> Result<Option<End>, Stopped> {
        let unlimited = state.limits.depth.is_none() && state.limits.nodes.is_none();
        if state.only_move && unlimited && state.wanted.is_none() && self.iteration >= ONLY_MOVE_DEPTH {
            return Ok(Some(End::OnlyMove));
        }
        if state.lines.first().is_some_and(|(best, _)| is_enough(best, state.wanted)) {
            return Ok(Some(End::Mate));
        }
        let [(best, _)] = &mut state.lines[..] else { return Ok(None) };
        let goal = Goal { position: state.position, moves: &state.moves, wanted: state.wanted };
        let is_settled = self.look_for_mate(&goal, best, &mut state.mates)?;
        if let Some(place) = state.moves.iter().position(|mv| *mv == best.moves[0]) {
            state.moves[..=place].rotate_right(1);
        }
        Ok(is_settled.then_some(End::Mate))
    }

    fn report(&self, state: &Deepening, end: End) -> Report {
        let line = |(best, depth): &(Best, u8)| Line {
            score: best.value.score(),
            bound: best.bound,
            depth: *depth,
            moves: best.moves.clone(),
            correction: best.correction,
        };
        let mut lines: Vec<_> = state.lines.iter().map(line).collect();
        lines.extend(self.at_a_glance(state, state.width - lines.len()));
        Report {
            depth: state.depth,
            seldepth: state.seldepth as u8,
            nodes: self.budget.nodes(),
            hashfull: self.table.hashfull(),
            tbhits: self.tables.hits,
            effort: self.efforts.of(lines[0].moves[0]),
            lines,
            end,
        }
    }

    /// Lines of so many moves that the first iteration did not come to, those first after which the static value is best.
    fn at_a_glance(&self, state: &Deepening, count: usize) -> Vec<Line> {
        if count == 0 {
            return Vec::new();
        }
        let is_left = |mv: &&Move| state.lines.iter().all(|(best, _)| best.moves[0] != **mv);
        let value = |mv: &Move| state.ranking.settled(*mv, value_after(state.game, *mv, self.evaluator));
        let mut glances: Vec<_> = state.moves.iter().filter(is_left).map(|mv| (value(mv), *mv)).collect();
        glances.sort_by_key(|(value, mv)| (Reverse(state.ranking.rank(*mv)), -*value));
        let line = |(value, mv): (Value, Move)| Line {
            score: value.score(),
            bound: Bound::Exact,
            depth: 0,
            moves: vec![mv],
            correction: 0,
        };
        glances.into_iter().take(count).map(line).collect()
    }
}

impl<'r> Deepening<'r> {
    /// Lines with the best first.
    fn in_order(&self, mut lines: Vec<(Best, u8)>) -> Vec<(Best, u8)> {
        lines.sort_by_key(|(best, _)| (Reverse(self.ranking.rank(best.moves[0])), -best.value));
        lines
    }

    /// Whether a best move that was found in the midst of an iteration says more than the iteration before. That the same move
    /// is worth at least so much, unless it mates, does not: the line before is whole, and its value exact.
    fn is_news(&self, found: &Best) -> bool {
        let Some((known, _)) = self.lines.first() else { return true };
        if known.value.is_win() {
            return found.value > known.value;
        }
        found.bound == Bound::Exact || found.value.is_decided() || known.moves[0] != found.moves[0]
    }

    fn new(request: &'r SearchRequest) -> Self {
        let position = request.game.position();
        let legal = position.legal_moves();
        let wanted = |mv: &Move| request.search_moves.contains(mv);
        let mut moves: Vec<Move> = legal.iter().copied().filter(wanted).collect();
        if moves.is_empty() {
            moves = legal.to_vec();
        }
        let choice = if moves.len() == legal.len() { Choice::Whole } else { Choice::Restricted };
        let tables = request.tablebase.as_deref();
        let ranking =
            tables.map(|tables| Ranking::sort(&request.game, &mut moves, tables)).unwrap_or_default();
        Self {
            game: &request.game,
            position,
            limits: request.limits,
            wanted: request.mate,
            only_move: legal.len() == 1,
            choice,
            ranking,
            width: request.multi_pv.get().min(moves.len()),
            moves,
            lines: Vec::new(),
            mates: Mates::default(),
            depth: 0,
            seldepth: 0,
        }
    }
}
