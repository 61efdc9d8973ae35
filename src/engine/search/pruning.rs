//! Moves that need not be searched so near the leaves.

use super::exchange;
use super::ordering::Picker;
use super::parameters::{HISTORY_PRUNING_DEPTH, Parameters};
use super::reduction::PLY;
use super::scout::Node;
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
        if prunes && node.is_beyond_quiets(self.parameters, count) {
            picker.leave_out_quiets(position);
        }
        loop {
            let mv = picker.next(position, &self.memory.history)?;
            if !prunes || !self.is_hopeless(position, node, mv, count) {
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
    fn is_hopeless(&self, position: &Position, node: &Node, mv: Move, count: i32) -> bool {
        let Some(assessment) = node.assessment else { return false };
        let (parameters, depth) = (self.parameters, node.depth);
        let checks = position.gives_check(mv);
        let costs_too_much = |worth: i32| {
            let costs = |worth: i32| !exchange::wins_at_least(position, mv, -worth);
            costs(worth) && (!checks || costs(parameters.check_exchange_margin * depth))
        };
        if !mv.is_quiet() {
            return depth <= parameters.capture_exchange_depth
                && costs_too_much(parameters.capture_exchange_margin * depth);
        }
        let mut left = node.left(parameters, count);
        if !checks {
            let (history, followed) = self.memory.history.quiet_and_followed(position, self.trail(), mv);
            if node.is_beyond_quiets(parameters, count)
                || left < HISTORY_PRUNING_DEPTH && followed < -parameters.history_pruning * (depth - 1)
            {
                return true;
            }
            left = (left + history / parameters.futility_history).max(0);
            let hoped = assessment.estimate + parameters.futility_base + parameters.futility_margin * left;
            if left <= parameters.futility_depth && hoped < node.beta {
                return true;
            }
        }
        depth <= parameters.quiet_exchange_depth && costs_too_much(parameters.quiet_exchange_margin * left)
    }
}
