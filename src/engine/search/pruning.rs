//! Moves that need not be searched so near the leaves.

use super::assessment::Assessment;
use super::exchange;
use super::ordering::Picker;
use super::parameters::{CAPTURE_FUTILITY_DEPTH, HISTORY_PRUNING_DEPTH, Parameters};
use super::reduction::PLY;
use super::scout::{Kind, Node};
use super::value::Value;
use super::worker::Worker;
use crate::engine::chess::{Move, Position};
use crate::engine::eval::Evaluate;

impl Node {
    /// After so many moves no quiet move helps that gives no check, and none that comes later.
    fn is_beyond_quiets(&self, parameters: &Parameters, count: i32) -> bool {
        let late = |improving: bool| count >= parameters.late_move_count(self.depth, improving);
        self.assessment.is_some_and(|assessment| late(assessment.improving))
    }

    /// A quiet move that would be searched to this depth cannot lift the static value to beta.
    fn is_futile(&self, parameters: &Parameters, left: i32) -> bool {
        let gain = parameters.futility_base + parameters.futility_margin * left;
        let falls_short = |assessment: Assessment| assessment.estimate + gain < self.beta;
        left <= parameters.futility_depth && self.assessment.is_some_and(falls_short)
    }

    /// A capture that would be searched to this depth cannot lift the static value to beta: it gains so much, and so much more
    /// by its history.
    fn is_futile_capture(&self, parameters: &Parameters, left: i32, gain: i32) -> bool {
        let gain = gain + parameters.capture_futility_base + parameters.capture_futility_margin * left;
        let falls_short = |assessment: Assessment| assessment.corrected + gain < self.beta;
        self.kind != Kind::Principal
            && left < CAPTURE_FUTILITY_DEPTH
            && self.assessment.is_some_and(falls_short)
    }

    /// Neither now nor later does a quiet move help that gives no check.
    fn has_no_use_for_quiets(&self, parameters: &Parameters, count: i32) -> bool {
        self.is_beyond_quiets(parameters, count)
            || self.is_futile(parameters, self.left(parameters, count) + parameters.futility_lead)
    }

    /// The depth at which a quiet move is searched at first, by its place alone.
    fn left(&self, parameters: &Parameters, count: i32) -> i32 {
        (self.depth - parameters.late_move_reduction(self.depth, count) / PLY).max(0)
    }
}

impl<E: Evaluate> Worker<'_, E> {
    /// The next move of a node that is not hopeless, with the best value so far.
    pub(super) fn next_hopeful(
        &self,
        position: &Position,
        node: &Node,
        picker: &mut Picker,
        best: Value,
        count: i32,
    ) -> Option<Move> {
        let prunes = node.selective && !best.is_loss();
        if prunes && node.has_no_use_for_quiets(self.parameters, count) {
            picker.leave_out_quiets();
        }
        loop {
            let mv = picker.next(position, &self.memory.history)?;
            if !prunes || !self.is_hopeless(position, node, picker, mv, count) {
                return Some(mv);
            }
        }
    }

    /// A move that comes too late, has not been good for long, cannot lift the static value so far, or loses too much
    /// by exchange.
    ///
    /// Sources: the chess programming wiki, "Futility Pruning" (late moves under "Move Count Based Pruning"), "History
    /// Leaf Pruning" and "Static Exchange Evaluation" for pruning. Mates by sacrifice begin with a check, so only what it costs
    /// makes one hopeless.
    fn is_hopeless(
        &self,
        position: &Position,
        node: &Node,
        picker: &mut Picker,
        mv: Move,
        count: i32,
    ) -> bool {
        let (parameters, depth) = (self.parameters, node.depth);
        let mut left = node.left(parameters, count);
        if !mv.is_quiet() {
            let by_history = self.memory.history.capture(position, mv) / parameters.capture_futility_history;
            let gain = exchange::most_gain(position, mv) + by_history;
            if node.is_futile_capture(parameters, left, gain) && !picker.gives_check(position, mv) {
                return true;
            }
            let worth = parameters.capture_exchange_margin * depth;
            return picker.is_losing()
                && depth <= parameters.capture_exchange_depth
                && self.costs_too_much(position, depth, picker, mv, worth);
        }
        if !picker.gives_check(position, mv) {
            let (history, followed) = self.memory.history.quiet_and_followed(position, self.trail(), mv);
            if node.is_beyond_quiets(parameters, count)
                || left < HISTORY_PRUNING_DEPTH && followed < -parameters.history_pruning * (depth - 1)
            {
                return true;
            }
            left = (left + history / parameters.futility_history).max(0);
            if node.is_futile(parameters, left) {
                return true;
            }
        }
        depth <= parameters.quiet_exchange_depth
            && self.costs_too_much(position, depth, picker, mv, parameters.quiet_exchange_margin * left)
    }

    /// Loses more than so much by exchange, and if it gives check, more than a check may cost.
    fn costs_too_much(
        &self,
        position: &Position,
        depth: i32,
        picker: &mut Picker,
        mv: Move,
        worth: i32,
    ) -> bool {
        let costs = |worth: i32| !exchange::wins_at_least(position, mv, -worth);
        costs(worth)
            && (!picker.gives_check(position, mv) || costs(self.parameters.check_exchange_margin * depth))
    }
}
