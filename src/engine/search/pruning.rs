//! Moves that need not be searched so near the leaves.

use super::assessment::Assessment;
use super::exchange;
use super::ordering::Picker;
use super::parameters::Parameters;
use super::reduction::PLY;
use super::scout::{Kind, Node};
use super::value::Value;
use super::worker::{Worker, has_pieces};
use crate::engine::chess::{Move, Position};
use crate::engine::eval::Evaluate;

impl Node {
    /// After so many moves no quiet move helps that gives no check, and none that comes later. In nodes of the principal variation
    /// they all count: what few iterations say of a move would be of no use otherwise.
    fn is_beyond_quiets(&self, parameters: &Parameters, count: i32) -> bool {
        let late = |improving: bool| count >= parameters.late_move_count(self.depth, improving);
        self.kind != Kind::Principal && self.assessment.is_some_and(|assessment| late(assessment.improving))
    }

    /// A quiet move with so much history that would be searched to this depth cannot lift the static value to beta.
    fn is_futile(&self, parameters: &Parameters, left: i32, history: i32) -> bool {
        let gain = parameters.futility_base
            + parameters.futility_margin * left
            + history / parameters.futility_history;
        let falls_short = |assessment: Assessment| assessment.corrected + gain < self.beta;
        left <= parameters.futility_depth && self.assessment.is_some_and(falls_short)
    }

    /// A capture that would be searched to this depth cannot lift the static value to beta: it gains so much, and so much more
    /// by its history.
    fn is_futile_capture(&self, parameters: &Parameters, left: i32, gain: i32) -> bool {
        let gain = gain + parameters.capture_futility_base + parameters.capture_futility_margin * left;
        let falls_short = |assessment: Assessment| assessment.corrected + gain < self.beta;
        self.kind != Kind::Principal
            && left < parameters.capture_futility_depth
            && self.assessment.is_some_and(falls_short)
    }

    /// The depth at which a move is searched at first, by its place alone.
    fn left(&self, parameters: &Parameters, count: i32) -> i32 {
        (self.depth - 1 - parameters.late_move_reduction(self, count) / PLY).max(0)
    }
}

impl<E: Evaluate> Worker<'_, E> {
    /// The next move of a node that is not hopeless, with the best value so far and the number of moves before it, which
    /// counts the hopeless ones too.
    pub(super) fn next_hopeful(
        &self,
        position: &Position,
        node: &Node,
        picker: &mut Picker,
        best: Value,
        count: &mut i32,
    ) -> Option<Move> {
        let prunes = node.selective && !best.is_loss() && has_pieces(position);
        loop {
            if prunes && node.is_beyond_quiets(self.parameters, *count) {
                picker.leave_out_quiets();
            }
            let mv = picker.next(position, &self.memory.history, self.parameters)?;
            if !prunes || !self.is_hopeless(position, node, picker, mv, *count) {
                return Some(mv);
            }
            *count += 1;
        }
    }

    /// A move that cannot lift the static value so far, has not been good for long, or loses too much by exchange.
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
        let left = node.left(parameters, count);
        let check = picker.last_gives_check(position, mv);
        if check || !mv.is_quiet() {
            let gain = || {
                let history = self.memory.history.capture(position, mv);
                exchange::most_gain(position, mv) + history / parameters.capture_futility_history
            };
            return !check && node.is_futile_capture(parameters, left, gain())
                || !picker.wins_at_least(position, mv, -parameters.capture_exchange_margin * depth);
        }
        let (followed, history) = self.memory.history.followed_and_quiet(position, picker.context(), mv);
        if left < parameters.history_pruning_depth && followed < -parameters.history_pruning * (depth - 1) {
            return true;
        }
        let worth = (parameters.quiet_exchange_square * left + parameters.quiet_exchange_margin) * left;
        node.is_futile(parameters, left, history) || !exchange::wins_at_least(position, mv, -worth)
    }
}
