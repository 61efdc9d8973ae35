//! Nodes off the principal variation: searched with a zero window, to tell only whether they reach beta.

use super::Bound;
use super::assessment::Assessment;
use super::history::{Failures, Trail};
use super::limits::Stopped;
use super::ordering::{Forcing, Picker};
use super::parameters::{NULL_MOVE_DEPTH, TABLE_HALFMOVES_MAX};
use super::reduction::{PLY, Turn};
use super::singular::{Singled, Singularity};
use super::table::Entry;
use super::value::{Value, Window};
use super::worker::{Worker, decides, has_pieces, value_without_a_move};
use crate::engine::chess::{Move, Position};
use crate::engine::eval::Evaluate;

/// What is asked of a node.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Quest {
    /// Its value.
    Value,
    /// Its value, without refuting it by passing: right after a pass, or while a pass is being verified.
    ValueWithoutPass,
    /// What it would be worth without this move.
    Without(Move),
}

/// What is expected of a node.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// An exact value.
    Principal,
    /// That one of its first moves reaches beta.
    Cut,
    /// That none of its moves reaches beta.
    All,
}

impl Kind {
    /// What follows for a node's children that are searched with a zero window; for the first one of a node off the
    /// principal variation, and for all others if none of them surprises.
    pub(super) const fn of_child(self) -> Self {
        match self {
            Self::Principal | Self::All => Self::Cut,
            Self::Cut => Self::All,
        }
    }
}

/// What the moves of a node need to know of it.
pub(super) struct Node {
    pub(super) kind: Kind,
    /// The node has been one of a principal variation.
    pub(super) former: bool,
    /// The table's move is a capture or promotion.
    pub(super) tactical: bool,
    /// What is to be reached; in a principal node, just above what has been.
    pub(super) beta: Value,
    pub(super) depth: i32,
    pub(super) ply: usize,
    /// What is known without a move; nothing in check.
    pub(super) assessment: Option<Assessment>,
    /// Techniques that overlook mates may be used: not in check, and no mate or win by the endgame tables is at stake.
    pub(super) selective: bool,
}

impl Node {
    /// A node of the principal variation of which nothing is known without a move, such as the root.
    pub(super) fn principal(beta: Value, table_move: Move, depth: i32, ply: usize) -> Self {
        let (kind, tactical) = (Kind::Principal, is_tactical(table_move));
        Self { kind, former: true, tactical, beta, depth, ply, assessment: None, selective: false }
    }
}

impl<E: Evaluate> Worker<'_, E> {
    /// A lower bound of the value if it is `beta` or more, else an upper bound.
    pub(super) fn scout(
        &mut self,
        position: &Position,
        beta: Value,
        depth: i32,
        ply: usize,
        kind: Kind,
    ) -> Result<Value, Stopped> {
        self.visit(position, beta, depth, ply, (Quest::Value, kind))
    }

    /// The same for a node of which something else may be asked than its value.
    pub(super) fn visit(
        &mut self,
        position: &Position,
        beta: Value,
        depth: i32,
        ply: usize,
        (quest, kind): (Quest, Kind),
    ) -> Result<Value, Stopped> {
        let window = Window::zero(beta - 1);
        if depth <= 0 || ply >= self.horizon {
            return self.quiescence(position, window, ply, Forcing::CapturesAndChecks);
        }
        self.reach(ply);
        if self.is_drawn(position) {
            return Ok(Value::DRAW);
        }
        let reachable = window.within_mate_distance(ply);
        if reachable.is_empty() {
            return Ok(reachable.alpha);
        }
        let finding = self.consult(position, ply);
        let entry = finding.entry;
        let selective = !position.in_check() && !window.alpha.is_decided() && !beta.is_decided();
        let former = entry.is_some_and(|entry| entry.principal);
        let tactical = entry.is_some_and(|entry| is_tactical(entry.mv));
        let node = |assessment| Node { kind, former, tactical, beta, depth, ply, assessment, selective };
        if let Quest::Without(mv) = quest {
            let node = node(self.assess(position, finding, ply));
            return Ok(self.best_of_all(position, &node, mv, Singled::NONE, quest)?.0);
        }
        if let Some(entry) = entry
            && entry.depth >= depth
            && decides(entry, beta)
            && position.halfmoves() <= TABLE_HALFMOVES_MAX
        {
            self.heed(position, entry, beta, (depth, ply));
            return Ok(entry.value);
        }
        if let Some(value) = self.settled_by_tables(position, beta, depth, ply) {
            return Ok(value);
        }
        let node = node(self.assess(position, finding, ply));
        if let Some(value) = self.refuted_statically(position, &node, quest)? {
            return Ok(value);
        }
        if let Some(value) = self.refuted_by_capture(position, &node, entry)? {
            return Ok(value);
        }
        let table_move = entry.map_or(Move::NONE, |entry| entry.mv);
        let hurried = selective && depth >= self.parameters.internal_reduction_depth && !table_move.is_some();
        let node = Node { depth: depth - i32::from(hurried), ..node };
        let plies = match self.singularity(position, entry, depth, ply, kind)? {
            Singularity::Several { least, .. } if least >= beta => return Ok(least),
            Singularity::Several { first, .. } if first >= beta => -self.parameters.singular_negative,
            Singularity::Several { .. } if kind == Kind::Cut => -self.parameters.singular_cut,
            Singularity::Alone { plies } => plies,
            Singularity::Several { .. } | Singularity::Unknown => 0,
        };
        let singled = Singled { mv: table_move, plies };
        let (value, mv) = self.best_of_all(position, &node, table_move, singled, quest)?;
        let bound = if value >= beta { Bound::Lower } else { Bound::Upper };
        self.note(position, (node.depth, ply), node.assessment, (value, mv), (bound, former));
        Ok(value)
    }

    /// The histories learn of a node that the table decides what they would have learnt of its best move in a search.
    fn heed(&mut self, position: &Position, entry: Entry, beta: Value, (depth, ply): (i32, usize)) {
        if !entry.mv.is_some() {
            return;
        }
        let refutes = entry.value >= beta;
        if entry.mv.is_quiet() {
            let gain = self.bonus(depth) * self.parameters.history_table / 16;
            let change = if refutes { gain } else { -self.malus(depth) };
            let trail = self.trail();
            self.memory.history.shift_quiet(position, trail, entry.mv, change);
        }
        if refutes {
            self.blame_the_move_before(depth, ply);
        }
    }

    /// A value that needs no move: the static value is so far below beta that only captures could help, and they
    /// do not; or so high, or even passing keeps it so high, that beta is reached.
    ///
    /// Sources: the chess programming wiki, "Razoring", "Reverse Futility Pruning" and "Null Move Pruning" (with
    /// verification at great depth; never with pawns alone, where passing may be the best move).
    fn refuted_statically(
        &mut self,
        position: &Position,
        node: &Node,
        quest: Quest,
    ) -> Result<Option<Value>, Stopped> {
        let &Node { beta, depth, ply, kind, selective: true, assessment: Some(assessment), .. } = node else {
            return Ok(None);
        };
        let Assessment { estimate, corrected, improving, .. } = assessment;
        let parameters = self.parameters;
        let margin = parameters.razoring_base + parameters.razoring_square * depth * depth;
        if estimate + margin < beta {
            let value = self.quiescence(position, Window::zero(beta - 1), ply, Forcing::CapturesAndChecks)?;
            if value < beta {
                return Ok(Some(value));
            }
        }
        let safe = parameters.reverse_futility_margin * (depth - i32::from(improving));
        if !node.former && depth <= parameters.reverse_futility_depth && estimate - safe >= beta {
            return Ok(Some(estimate));
        }
        let easier = if improving { parameters.null_move_static_improving } else { 0 };
        let least = beta + parameters.null_move_static - parameters.null_move_static_depth * depth - easier;
        let passes =
            quest == Quest::Value && depth >= NULL_MOVE_DEPTH && estimate >= beta && corrected >= least;
        if !passes || !has_pieces(position) {
            return Ok(None);
        }
        let surplus =
            ((estimate - beta) / parameters.null_move_surplus).min(parameters.null_move_surplus_max);
        let reduction = parameters.null_move_reduction + depth / parameters.null_move_depth_divisor + surplus;
        let left = depth - 1 - reduction;
        let value = self.after_null(position, |worker, child| {
            Ok(-worker.visit(
                child,
                -(beta - 1),
                left,
                ply + 1,
                (Quest::ValueWithoutPass, kind.of_child()),
            )?)
        })?;
        if value < beta {
            return Ok(None);
        }
        // A mate after a pass is no mate.
        let value = if value.is_win() { beta } else { value };
        if depth < parameters.null_move_verification_depth {
            return Ok(Some(value));
        }
        let verified = self.visit(position, beta, left, ply, (Quest::ValueWithoutPass, kind))?;
        Ok((verified >= beta).then_some(value))
    }

    /// The best value among the moves, as far as beta, and the move that reached beta.
    fn best_of_all(
        &mut self,
        position: &Position,
        node: &Node,
        table_move: Move,
        singled: Singled,
        quest: Quest,
    ) -> Result<(Value, Move), Stopped> {
        let &Node { beta, depth, ply, .. } = node;
        let trail = self.trail();
        let mut picker = Picker::all(table_move, self.memory.history.killers(ply), trail);
        let mut failures = Failures::default();
        let mut best = -Value::INFINITE;
        let mut count = 0;
        while let Some(mv) = self.next_hopeful(position, node, &mut picker, best, count) {
            if quest == Quest::Without(mv) {
                continue;
            }
            let mut child = *position;
            self.play(&mut child, mv)?;
            let extension = self.extension(position, mv, &child, ply, singled);
            let turn = Turn { mv, count, left: depth - 1 + extension };
            let value = self.scout_child(position, &child, node, &turn, (trail, best))?;
            self.undo();
            count += 1;
            best = best.max(value);
            if value >= beta {
                let bonuses = (self.bonus(depth), self.malus(depth), ply);
                self.memory.history.reward(position, trail, mv, &failures, bonuses);
                if quest == Quest::Value {
                    self.blame_the_move_before(depth, ply);
                }
                return Ok((best, mv));
            }
            failures.add(mv);
        }
        if quest == Quest::Value && count > 0 {
            self.credit_the_move_before(position, depth);
        }
        if count == 0 {
            best = match quest {
                Quest::Without(_) => beta - 1,
                _ => value_without_a_move(position, ply),
            };
        }
        Ok((best, Move::NONE))
    }

    /// The move that led to a node without a refutation was a good one.
    fn credit_the_move_before(&mut self, position: &Position, depth: i32) {
        let (mv, step, trail) = self.before();
        if mv.is_some() && mv.is_quiet() {
            let bonus = self.bonus(depth) * self.parameters.history_prior / 16;
            self.memory.history.shift_prior(!position.turn(), mv, trail, step, bonus);
        }
    }

    /// If the move that led to a node was one of the first of its own, its refutation was not expected.
    fn blame_the_move_before(&mut self, depth: i32, ply: usize) {
        let (mv, step, trail) = self.before();
        if self.turns[ply] <= 1 && mv.is_some() && mv.is_quiet() {
            let malus = self.bonus(depth) * self.parameters.history_refuted / 16;
            self.memory.history.shift_continuation(trail, step, -malus);
        }
    }

    /// The value of a child, at first searched less deep if it comes late.
    fn scout_child(
        &mut self,
        position: &Position,
        child: &Position,
        node: &Node,
        turn: &Turn,
        (trail, best): (Trail, Value),
    ) -> Result<Value, Stopped> {
        let below = -(node.beta - 1);
        let mut left = turn.left;
        self.turns[node.ply + 1] = turn.count;
        if !position.in_check() {
            let is_killer = self.memory.history.killers(node.ply).contains(&turn.mv);
            let trust = self.reduction_history(position, trail, turn.mv) + PLY * i32::from(is_killer);
            let reduction = self.parameters.reduction(node, turn, trust);
            if reduction > 0 {
                let value = -self.scout(child, below, turn.left - reduction, node.ply + 1, Kind::Cut)?;
                if value < node.beta {
                    return Ok(value);
                }
                left += i32::from(self.parameters.goes_deeper(reduction, value - best));
            }
        }
        Ok(-self.scout(child, below, left, node.ply + 1, node.kind.of_child())?)
    }
}

/// A capture or promotion, not a quiet move and not none.
pub(super) fn is_tactical(mv: Move) -> bool {
    mv.is_some() && !mv.is_quiet()
}
