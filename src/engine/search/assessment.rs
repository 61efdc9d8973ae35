//! What a node is worth before any of its moves is looked at.

use super::Bound;
use super::parameters::HISTORY_STATIC_MAX;
use super::scout::is_tactical;
use super::table::Entry;
use super::value::Value;
use super::worker::{Finding, Worker};
use crate::engine::chess::{Move, PieceKind, Position};
use crate::engine::eval::Evaluate;

/// The static view of a node that is not in check.
#[derive(Clone, Copy, Debug)]
pub(super) struct Assessment {
    /// The static value, as the table keeps it.
    pub(super) evaluation: Value,
    /// The same, corrected by what was learnt of such positions.
    pub(super) corrected: Value,
    /// The best guess of the value: the static one, unless the table knows better.
    pub(super) estimate: Value,
    /// By how much the static value is higher than before the side's last move.
    pub(super) improvement: i32,
    /// The static value has risen, or lies well above beta: its bounds are more likely reached.
    pub(super) improving: bool,
}

impl Assessment {
    /// The static value, uncorrected and corrected.
    pub(super) const fn values(self) -> (Value, Value) {
        (self.evaluation, self.corrected)
    }

    /// The static value as the table keeps it, if there is one.
    fn stored(assessment: Option<Self>) -> i16 {
        assessment.map_or(Entry::NO_EVALUATION, |assessment| assessment.evaluation.to_table(0))
    }
}

impl<E: Evaluate> Worker<'_, E> {
    /// Looks at a node statically, notes its value for the nodes below, and judges the move before by it. In check there is nothing
    /// to see.
    pub(super) fn assess(&mut self, position: &Position, finding: Finding, ply: usize) -> Option<Assessment> {
        self.stack[ply].value = None;
        if position.in_check() {
            return None;
        }
        let evaluation = self.evaluate_with(position, finding);
        let corrected = self.corrected(position, evaluation);
        self.stack[ply].value = Some(corrected);
        // In check two plies before there was no value.
        let before = [2, 4].into_iter().find_map(|plies| self.stack[ply.checked_sub(plies)?].value);
        let telling = finding.entry.filter(|entry| is_telling(*entry, corrected));
        let estimate = telling.map_or(corrected, |entry| entry.value);
        let improvement = before.map_or(self.parameters.unknown_improvement, |before| corrected - before);
        self.judge_the_move_before(position, corrected, ply);
        let improving = improvement > 0;
        Some(Assessment { evaluation, corrected, estimate, improvement, improving })
    }

    /// The same where beta is to be reached: who stands well above it is treated as improving.
    pub(super) fn assess_against(
        &mut self,
        position: &Position,
        finding: Finding,
        ply: usize,
        beta: Value,
    ) -> Option<Assessment> {
        let assessment = self.assess(position, finding, ply)?;
        let surplus = assessment.corrected >= beta + self.parameters.improving_surplus;
        Some(Assessment { improving: assessment.improving || surplus, ..assessment })
    }

    /// A quiet move after which the static value is better for its side than it was before gains history, and loses it
    /// otherwise.
    ///
    /// Source: Stockfish 15.1.
    fn judge_the_move_before(&mut self, position: &Position, corrected: Value, ply: usize) {
        let (mv, ..) = self.before();
        let Some(before) = ply.checked_sub(1).map(|ply| self.stack[ply]) else { return };
        if let Some(value) = before.value
            && mv.is_some()
            && mv.is_quiet()
        {
            let loss = (value - Value::DRAW) + (corrected - Value::DRAW);
            let bonus =
                (-self.parameters.history_static * loss).clamp(-HISTORY_STATIC_MAX, HISTORY_STATIC_MAX);
            self.memory.history.shift_butterfly(!position.turn(), before.attacked, mv, bonus);
        }
    }

    /// A static value, corrected by what was learnt of such positions. Without pawns they are too much alike for that, and a
    /// mate is approached by small steps of the static value itself.
    #[inline]
    pub(super) fn corrected(&self, position: &Position, evaluation: Value) -> Value {
        if position.by_kind(PieceKind::Pawn).is_empty() {
            return evaluation;
        }
        (evaluation + self.memory.corrections.of(self.parameters, position)).within_centipawns()
    }

    /// Tells the table what a node that it does not know is worth without a search, uncorrected and corrected; nothing in check.
    /// Where a glance is enough the table is not told of anything else, and the node would have to be evaluated again whenever it
    /// is met.
    pub(super) fn remember_statically(
        &self,
        position: &Position,
        ply: usize,
        values: Option<(Value, Value)>,
    ) {
        let Some((evaluation, value)) = values else { return };
        let evaluation = evaluation.to_table(0);
        let (mv, depth, bound, principal) = (Move::NONE, 0, Bound::Lower, false);
        self.remember(position, ply, Entry { mv, value, evaluation, depth, bound, principal });
    }

    /// Learns from what came of a node, and tells the table.
    pub(super) fn note(
        &mut self,
        position: &Position,
        (depth, ply): (i32, usize),
        assessment: Option<Assessment>,
        (value, mv): (Value, Move),
        (bound, principal): (Bound, bool),
    ) {
        let evaluation = Assessment::stored(assessment);
        let entry = Entry { mv, value, evaluation, depth, bound, principal };
        self.learn(position, assessment, entry);
        self.remember(position, ply, entry);
    }

    /// Learns from the value of a node. What a capture or promotion is worth was not the static value's to know.
    fn learn(&mut self, position: &Position, assessment: Option<Assessment>, entry: Entry) {
        let Some(Assessment { evaluation, corrected, .. }) = assessment else { return };
        if !is_tactical(entry.mv) && is_telling(entry, corrected) {
            self.memory.corrections.learn(position, entry.value - evaluation, entry.depth);
        }
    }
}

/// Whether an entry's value says more than a static one: a bound does so only on its own side, what is decided never.
pub(super) fn is_telling(entry: Entry, evaluation: Value) -> bool {
    let beyond = match entry.bound {
        Bound::Exact => true,
        Bound::Lower => entry.value > evaluation,
        Bound::Upper => entry.value < evaluation,
    };
    beyond && !entry.value.is_decided()
}
