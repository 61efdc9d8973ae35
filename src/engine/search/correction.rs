//! By how much the static values have been wrong of late in positions with the same features.

use super::parameters::{CORRECTION_GRAIN, CORRECTION_LIMIT, CORRECTION_SLOTS, CORRECTION_WEIGHT_MAX};
use crate::engine::chess::Position;

/// The mean error of the static value by side to move and pawns, each result weighing more the deeper it was found.
///
/// Source: the chess programming wiki, "Static Evaluation Correction History".
pub(super) struct Corrections {
    /// In 1/[`CORRECTION_GRAIN`] of a centipawn.
    by_pawns: Box<[i16]>,
}

impl Corrections {
    pub(super) fn new() -> Self {
        Self { by_pawns: vec![0; 2 * CORRECTION_SLOTS].into_boxed_slice() }
    }

    /// What is to be added to the static value of a position.
    #[inline]
    pub(super) fn of(&self, position: &Position) -> i32 {
        i32::from(self.by_pawns[slot(position)]) / CORRECTION_GRAIN
    }

    /// A search of this depth found a value that differs by so many centipawns from the uncorrected one.
    pub(super) fn learn(&mut self, position: &Position, error: i32, depth: i32) {
        let weight = (depth + 1).min(CORRECTION_WEIGHT_MAX);
        let mean = &mut self.by_pawns[slot(position)];
        let target = (error * CORRECTION_GRAIN).clamp(-CORRECTION_LIMIT, CORRECTION_LIMIT);
        let old = i32::from(*mean);
        *mean = (old + (target - old) * weight / 256) as i16;
    }
}

fn slot(position: &Position) -> usize {
    position.turn().index() * CORRECTION_SLOTS + position.pawn_key() as usize % CORRECTION_SLOTS
}
