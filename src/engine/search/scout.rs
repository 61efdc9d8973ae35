//! Nodes off the principal variation: searched with a zero window, to tell only whether they reach beta.

use super::Bound;
use super::assessment::Assessment;
use super::history::{Context, Failures, Step};
use super::limits::Stopped;
use super::ordering::{Forcing, Picker};
use super::parameters::TABLE_HALFMOVES_MAX;
use super::reduction::{Merit, PLY, Turn};
use super::singular::Singularity;
use super::table::Entry;
use super::value::{Value, Window};
use super::worker::{Finding, Worker, decides, has_pieces, value_without_a_move};
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

impl Quest {
    /// What comes of it is not the node's value.
    pub(super) const fn is_partial(self) -> bool {
        matches!(self, Self::Without(_))
    }
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
    /// The node is, has been or is near one of a principal variation.
    pub(super) former: bool,
    /// The table doubts that a principal node reaches alpha.
    pub(super) doubted: bool,
    /// Techniques that overlook mates may be used: no mate or win by the endgame tables is at stake.
    pub(super) selective: bool,
    /// The width of a principal node's window, in 1/256 of the root's.
    pub(super) share: i32,
    pub(super) table_move: Move,
    /// By how many plies deeper than others the table's move is searched.
    pub(super) plies: i32,
    /// What is to be reached; in a principal node, just above what has been.
    pub(super) beta: Value,
    pub(super) depth: i32,
    pub(super) ply: usize,
    /// What is known without a move; nothing in check.
    pub(super) assessment: Option<Assessment>,
}

impl Node {
    /// A node of the principal variation of which nothing is known without a move, such as the root.
    pub(super) fn principal(beta: Value, table_move: Move, depth: i32, ply: usize) -> Self {
        let (former, share) = (true, PLY);
        Self {
            kind: Kind::Principal,
            former,
            share,
            ..Self::expected(Kind::Cut, beta, table_move, depth, ply)
        }
    }

    /// A node that is expected to turn out like this.
    fn expected(kind: Kind, beta: Value, table_move: Move, depth: i32, ply: usize) -> Self {
        Self {
            kind,
            former: false,
            doubted: false,
            selective: false,
            share: 0,
            table_move,
            plies: 0,
            beta,
            depth,
            ply,
            assessment: None,
        }
    }

    /// The table's move is a capture or promotion.
    pub(super) fn is_tactical(&self) -> bool {
        is_tactical(self.table_move)
    }

    /// The table's move is a quiet one, and much better than all others.
    pub(super) fn hangs_on_a_quiet_move(&self) -> bool {
        self.plies > 0 && self.table_move.is_quiet()
    }

    /// The side to move has improved; in check it has not.
    pub(super) fn is_improving(&self) -> bool {
        self.assessment.is_some_and(|assessment| assessment.improving)
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
        let finding = self.begin_scout(position, ply, quest);
        let entry = finding.entry;
        if let Some(entry) = entry
            && entry.depth > depth - i32::from(entry.bound == Bound::Exact)
            && decides(entry, beta)
            && position.halfmoves() <= TABLE_HALFMOVES_MAX
        {
            self.heed(position, entry, beta, (depth, ply));
            return Ok(entry.value);
        }
        if let Some(value) = self.settled_by_tables(position, beta, depth, ply) {
            return Ok(value);
        }
        let table_move = entry.map_or(Move::NONE, |entry| entry.mv);
        let node = Node {
            former: self.stack[ply].former,
            assessment: self.assess_against(position, finding, ply, beta),
            selective: !window.alpha.is_decided() && !beta.is_decided(),
            ..Node::expected(kind, beta, table_move, depth, ply)
        };
        if entry.is_none() && !quest.is_partial() {
            self.remember_statically(position, ply, node.assessment.map(Assessment::values));
        }
        if let Some(value) = self.refuted_without_a_search(position, &node, entry, quest)? {
            return Ok(value);
        }
        let hurried = node.selective
            && node.assessment.is_some()
            && kind == Kind::Cut
            && depth >= self.parameters.internal_reduction_depth
            && !table_move.is_some();
        let depth = if hurried { depth - 2 } else { depth };
        let singularity = self.singularity(position, entry, depth, ply, kind)?;
        if let Singularity::Several { least, .. } = singularity
            && least >= beta
        {
            return Ok(least);
        }
        let node = Node { plies: singularity.plies(self.parameters, window), depth, ..node };
        let (value, mv) = self.best_of_all(position, &node, quest)?;
        if !quest.is_partial() {
            self.stack[ply].former |=
                value < beta && depth >= self.parameters.former_depth && self.stack[ply - 1].former;
            let bound = if value >= beta { Bound::Lower } else { Bound::Upper };
            self.note(position, (depth, ply), node.assessment, (value, mv), (bound, self.stack[ply].former));
        }
        Ok(value)
    }

    /// What is known of a node; without one of its moves, only what it is worth statically.
    fn begin_scout(&mut self, position: &Position, ply: usize, quest: Quest) -> Finding {
        self.begin(ply);
        let finding = self.consult(position, ply);
        if quest.is_partial() {
            return finding.static_only();
        }
        self.stack[ply].former = finding.entry.is_some_and(|entry| entry.principal);
        finding
    }

    /// The histories learn of a node that the table decides what they would have learnt of its best move in a search.
    fn heed(&mut self, position: &Position, entry: Entry, beta: Value, (depth, ply): (i32, usize)) {
        if !entry.mv.is_some() {
            return;
        }
        if entry.mv.is_quiet() {
            let (context, bonus) = (self.context(position, ply), self.quiet_bonus(depth));
            let history = &mut self.memory.history;
            if entry.value >= beta {
                history.remember_refutation(position, context, entry.mv, (bonus, ply));
            } else {
                history.shift_quiet(position, context, entry.mv, -bonus);
            }
        }
        if entry.value >= beta && self.stack[ply].turn <= 1 {
            self.shift_the_move_before(-self.bonus(depth + 1));
        }
    }

    /// A value that needs no search of all moves, nor as deep a one.
    fn refuted_without_a_search(
        &mut self,
        position: &Position,
        node: &Node,
        entry: Option<Entry>,
        quest: Quest,
    ) -> Result<Option<Value>, Stopped> {
        if node.assessment.is_none() {
            return Ok(self.refuted_in_check(node, entry));
        }
        if let Some(value) = self.refuted_statically(position, node, quest)? {
            return Ok(Some(value));
        }
        self.refuted_by_capture(position, node, entry, quest)
    }

    /// Whether the static value is so far above beta that near the leaves no move of the enemy is expected to change that. The
    /// more it threatens, the more that takes.
    fn is_safe(&self, position: &Position, node: &Node, assessment: Assessment, merit: i32) -> bool {
        let parameters = self.parameters;
        let plies = node.depth - i32::from(assessment.improving);
        let margin = parameters.reverse_futility_margin * plies + merit / parameters.reverse_futility_history;
        let lead = assessment.estimate - node.beta;
        !node.former
            && node.depth <= parameters.reverse_futility_depth
            && lead >= margin.max(0)
            // An alarm is only looked for where it could matter.
            && (lead >= margin + parameters.most_alarm() || lead >= margin + parameters.alarm(position))
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
        let Assessment { estimate, corrected, improvement, .. } = assessment;
        let parameters = self.parameters;
        let merit = self.stack[ply - 1].merit;
        let margin = parameters.razoring_base + parameters.razoring_square * depth * depth;
        if estimate + margin < beta {
            let value = self.quiescence(position, Window::zero(beta - 2), ply, Forcing::CapturesAndChecks)?;
            if value < beta - 1 {
                return Ok(Some(value));
            }
        }
        if self.is_safe(position, node, assessment, merit) {
            return Ok(Some(estimate));
        }
        let least = beta + parameters.null_move_static
            - parameters.null_move_static_depth * depth
            - improvement / parameters.null_move_static_improvement;
        let passes = quest == Quest::Value
            && merit < parameters.null_move_history
            && estimate >= beta.max(corrected)
            && corrected >= least;
        if !passes || !has_pieces(position) {
            return Ok(None);
        }
        let surplus =
            ((estimate - beta) / parameters.null_move_surplus).min(parameters.null_move_surplus_max);
        let reduction = parameters.null_move_reduction + depth / parameters.null_move_depth_divisor + surplus;
        let left = depth - 1 - reduction;
        self.stack.try_out(ply);
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
        quest: Quest,
    ) -> Result<(Value, Move), Stopped> {
        let &Node { beta, depth, ply, table_move, .. } = node;
        let context = self.context(position, ply);
        let refutations = self.memory.history.refutations(context.trail, ply);
        let mut picker = Picker::all(table_move, refutations, context);
        let mut failures = Failures::default();
        let mut best = -Value::INFINITE;
        let mut count = 0;
        while let Some(mv) = self.next_hopeful(position, node, &mut picker, best, &mut count) {
            if quest == Quest::Without(mv) {
                continue;
            }
            let mut child = *position;
            self.play(&mut child, mv)?;
            let extension = self.extension(position, node, mv, &child);
            let turn = Turn { mv, count, left: depth - 1 + extension };
            let value = self.scout_child(position, &child, node, &turn, (context, best))?;
            self.undo();
            count += 1;
            best = best.max(value);
            if value >= beta {
                self.stack[ply].cutoffs += 1;
                self.reward(position, (context, &failures), (value, mv), beta, (depth, ply));
                return Ok((best, mv));
            }
            failures.add(mv);
        }
        if count > 0 {
            let hopeless = best < beta - 1 - self.parameters.history_hopeless * depth;
            if depth >= self.parameters.history_prior_depth {
                self.credit_the_move_before(depth, node.kind == Kind::Cut || hopeless);
            }
        }
        if count == 0 {
            best = match quest {
                Quest::Without(_) => beta - 1,
                _ => value_without_a_move(position, ply),
            };
        }
        Ok((best, Move::NONE))
    }

    /// A move was the best of its node, in which others had failed.
    pub(super) fn reward(
        &mut self,
        position: &Position,
        (context, failures): (Context, &Failures),
        (value, mv): (Value, Move),
        beta: Value,
        (depth, ply): (i32, usize),
    ) {
        let clear = value > beta + self.parameters.history_clear;
        let bonuses = (self.quiet_bonus(depth + i32::from(clear)), self.bonus(depth + 1), ply);
        self.memory.history.reward(position, context, mv, failures, bonuses);
        self.blame_the_move_before(depth, ply);
    }

    /// The move that led to a node without a refutation was a good one, or twice as good as that.
    pub(super) fn credit_the_move_before(&mut self, depth: i32, twice: bool) {
        self.shift_the_move_before(self.bonus(depth) * if twice { 2 } else { 1 });
    }

    /// If the move that led to a node was the first of its own that the table did not know, or refuted the node's brother, its
    /// refutation was not expected.
    fn blame_the_move_before(&mut self, depth: i32, ply: usize) {
        let (mv, ..) = self.before();
        let Some(before) = ply.checked_sub(1) else { return };
        if self.stack[ply].turn == i32::from(self.stack[before].known)
            || self.memory.history.is_killer(before, mv)
        {
            self.shift_the_move_before(-self.bonus(depth + 1));
        }
    }

    /// The move that led to a node, if it is a quiet one, was better or worse than expected after those before it.
    fn shift_the_move_before(&mut self, change: i32) {
        let (mv, step, trail) = self.before();
        if mv.is_some() && mv.is_quiet() {
            self.memory.history.shift_continuation(trail, step, change);
        }
    }

    /// The value of a child.
    fn scout_child(
        &mut self,
        position: &Position,
        child: &Position,
        node: &Node,
        turn: &Turn,
        (context, best): (Context, Value),
    ) -> Result<Value, Stopped> {
        self.stack[node.ply + 1].turn = turn.count;
        Ok(if self.is_late(node, turn) {
            self.scout_late(position, child, node, turn, (context, best))?.0
        } else {
            -self.scout(child, -(node.beta - 1), turn.left, node.ply + 1, node.kind.of_child())?
        })
    }

    /// A move comes so late that it may be searched less deep.
    pub(super) fn is_late(&self, node: &Node, turn: &Turn) -> bool {
        let &Node { kind, ply, depth, .. } = node;
        let early = i32::from(kind == Kind::Principal && ply <= 1);
        depth >= self.parameters.reduction_depth
            && turn.count >= self.parameters.reduction_moves + early
            && (!node.former || turn.mv.is_quiet() || kind == Kind::Cut && self.stack[ply].turn > 0)
    }

    /// The value of a late child, at first searched less deep, and at which depth it was searched last.
    pub(super) fn scout_late(
        &mut self,
        position: &Position,
        child: &Position,
        node: &Node,
        turn: &Turn,
        (context, best): (Context, Value),
    ) -> Result<(Value, i32), Stopped> {
        let (beta, ply) = (node.beta, node.ply);
        let merit = Merit {
            history: self.memory.history.followed_and_quiet(position, context, turn.mv).1,
            after_late: self.stack[ply].turn > self.parameters.reduction_late_from,
            refuted: self.stack[ply + 1].cutoffs > self.parameters.reduction_cutoffs_from,
        };
        self.stack[ply].merit = merit.history - self.parameters.reduction_history_base;
        let reduction = self.parameters.reduction(node, turn, &merit);
        let mut value = -self.scout(child, -(beta - 1), turn.left - reduction, ply + 1, Kind::Cut)?;
        if value < beta || reduction <= 0 {
            return Ok((value, turn.left));
        }
        let left =
            turn.left + self.parameters.second_thought(turn, reduction, (value - (beta - 1), value - best));
        if left > turn.left - reduction {
            value = -self.scout(child, -(beta - 1), left, ply + 1, node.kind.of_child())?;
        }
        let bonus = self.bonus(left) / if turn.mv.is_quiet() { 1 } else { 6 };
        let change = if value >= beta { bonus } else { -bonus };
        self.memory.history.shift_continuation(context.trail, Step::of(position, turn.mv), change);
        Ok((value, left))
    }
}

/// A capture or promotion, not a quiet move and not none.
pub(super) fn is_tactical(mv: Move) -> bool {
    mv.is_some() && !mv.is_quiet()
}
