//! A capture that wins so much in a shallow search that the full one need not be made.

use super::Bound;
use super::exchange;
use super::limits::Stopped;
use super::ordering::{Forcing, Picker};
use super::scout::{Node, Quest};
use super::table::Entry;
use super::value::{Value, Window};
use super::worker::Worker;
use crate::engine::chess::{Move, Position};
use crate::engine::eval::Evaluate;

impl<E: Evaluate> Worker<'_, E> {
    /// A value well above beta that a capture reaches by a shallower search: then it most likely reaches beta by
    /// this one.
    ///
    /// Source: the chess programming wiki, "`ProbCut`"; Buro, "`ProbCut`: An Effective Selective Extension of the Alpha-Beta
    /// Algorithm" (1995).
    pub(super) fn refuted_by_capture(
        &mut self,
        position: &Position,
        node: &Node,
        entry: Option<Entry>,
        quest: Quest,
    ) -> Result<Option<Value>, Stopped> {
        let &Node { beta, depth, ply, kind, selective: true, assessment: Some(assessment), .. } = node else {
            return Ok(None);
        };
        let easier = if assessment.improving { self.parameters.probcut_improving } else { 0 };
        let goal = beta + self.parameters.probcut_margin - easier;
        let reduction = self.parameters.probcut_reduction;
        let doubted = entry.is_some_and(|entry| entry.depth > depth - reduction && entry.value < goal);
        if depth < self.parameters.probcut_depth || doubted {
            return Ok(None);
        }
        let gain = goal - assessment.corrected;
        let table_move = entry.map_or(Move::NONE, |entry| entry.mv);
        let mut picker = Picker::forcing(Forcing::Captures, table_move, (gain, None));
        while let Some(mv) = picker.next(position, &self.memory.history, self.parameters) {
            if quest == Quest::Without(mv) || !exchange::wins_at_least(position, mv, gain) {
                continue;
            }
            let mut child = *position;
            self.play(&mut child, mv)?;
            self.stack.try_out(ply);
            let window = Window::zero(goal - 1).flipped();
            let mut value = -self.quiescence(&child, window, ply + 1, Forcing::Captures)?;
            if value >= goal {
                value = -self.scout(&child, window.beta, depth - reduction, ply + 1, kind.of_child())?;
            }
            self.undo();
            if value >= goal {
                if !quest.is_partial() {
                    let (depth, bound) = (depth - reduction + 1, Bound::Lower);
                    let evaluation = assessment.evaluation.to_table(0);
                    let principal = node.former;
                    self.remember(position, ply, Entry { mv, value, evaluation, depth, bound, principal });
                }
                return Ok(Some(value));
            }
        }
        Ok(None)
    }

    /// The same in check, where the table has to know such a capture.
    pub(super) fn refuted_in_check(&self, node: &Node, entry: Option<Entry>) -> Option<Value> {
        let goal = node.beta + self.parameters.probcut_check;
        let refutes = |entry: &Entry| {
            entry.bound != Bound::Upper
                && entry.depth > node.depth - self.parameters.probcut_reduction
                && entry.value >= goal
                && !entry.value.is_decided()
        };
        let may = node.selective && node.assessment.is_none() && node.is_tactical() && node.depth > 1;
        entry.filter(|entry| may && refutes(entry)).map(|_| goal)
    }
}
