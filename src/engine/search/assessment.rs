//! What a node is worth before any of its moves is looked at.

use super::Bound;
use super::correction::is_telling;
use super::table::Entry;
use super::value::Value;
use super::worker::Worker;
use crate::engine::chess::Position;
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
    /// The static value is higher than before the side's last move: its bounds are more likely reached.
    pub(super) improving: bool,
}

impl<E: Evaluate> Worker<'_, E> {
    /// Looks at a node statically, and notes its value for the nodes below. In check there is nothing to see.
    pub(super) fn assess(
        &mut self,
        position: &Position,
        entry: Option<Entry>,
        ply: usize,
    ) -> Option<Assessment> {
        self.statics[ply] = None;
        if position.in_check() {
            return None;
        }
        let evaluation = self.evaluate_with(position, entry);
        let corrected = self.corrected(position, evaluation);
        self.statics[ply] = Some(corrected);
        let before = (ply >= 2).then(|| self.statics[ply - 2]).flatten();
        let estimate = entry.map_or(corrected, |entry| refined(corrected, entry));
        let improving = before.is_some_and(|before| corrected > before);
        Some(Assessment { evaluation, corrected, estimate, improving })
    }

    /// A static value, corrected by what was learnt of such positions.
    #[inline]
    pub(super) fn corrected(&self, position: &Position, evaluation: Value) -> Value {
        (evaluation + self.corrections.of(position)).within_centipawns()
    }

    /// Learns from the value of a node. What a capture or promotion is worth was not the static value's to know.
    pub(super) fn learn(&mut self, position: &Position, assessment: Option<Assessment>, entry: Entry) {
        let Some(Assessment { evaluation, corrected, .. }) = assessment else { return };
        let tactical = entry.mv.is_some() && !entry.mv.is_quiet();
        if !tactical && !entry.value.is_mate() && is_telling(entry.value, corrected, entry.bound) {
            self.corrections.learn(position, entry.value - evaluation, entry.depth);
        }
    }
}

/// The static value, or the table's where that says more.
fn refined(evaluation: Value, entry: Entry) -> Value {
    let closer = match entry.bound {
        Bound::Exact => true,
        Bound::Lower => entry.value > evaluation,
        Bound::Upper => entry.value < evaluation,
    };
    if closer && !entry.value.is_mate() { entry.value } else { evaluation }
}
