//! By how much the static values have been wrong of late in positions with the same features.

use super::parameters::{
    CORRECTION_GRAIN, CORRECTION_LIMIT, CORRECTION_SLOTS, CORRECTION_WEIGHT_MAX, Parameters,
};
use crate::engine::chess::{Color, Position};
use crate::engine::prefetch::prefetch;

/// The mean errors of the static value by side to move and a feature of the position, each result weighing more the
/// deeper it was found: by pawns, and by the pieces of each side.
///
/// Source: the chess programming wiki, "Static Evaluation Correction History".
pub(super) struct Corrections {
    pawns: Means,
    pieces: [Means; 2],
}

impl Corrections {
    pub(super) fn new() -> Self {
        Self { pawns: Means::new(), pieces: [Means::new(), Means::new()] }
    }

    /// Nothing has been searched yet.
    pub(super) fn forget(&mut self) {
        self.pawns.0.fill(0);
        for side in &mut self.pieces {
            side.0.fill(0);
        }
    }

    /// Has the memory fetched that [`Self::of`] will ask for.
    #[inline]
    pub(super) fn prefetch(&self, position: &Position) {
        self.pawns.prefetch(by_pawns(position));
        for side in Color::ALL {
            self.pieces[side.index()].prefetch(by_pieces(position, side));
        }
    }

    /// What is to be added to the static value of a position.
    #[inline]
    pub(super) fn of(&self, parameters: &Parameters, position: &Position) -> i32 {
        let pieces: i32 =
            Color::ALL.iter().map(|side| self.pieces[side.index()].of(by_pieces(position, *side))).sum();
        let pawns = self.pawns.of(by_pawns(position));
        (pawns * parameters.correction_pawns + pieces * parameters.correction_pieces)
            / (256 * CORRECTION_GRAIN)
    }

    /// A search of this depth found a value that differs by so many centipawns from the uncorrected one.
    pub(super) fn learn(&mut self, position: &Position, error: i32, depth: i32) {
        let weight = (depth + 1).min(CORRECTION_WEIGHT_MAX);
        self.pawns.learn(by_pawns(position), error, weight);
        for side in Color::ALL {
            self.pieces[side.index()].learn(by_pieces(position, side), error, weight);
        }
    }
}

/// Mean errors, in 1/[`CORRECTION_GRAIN`] of a centipawn.
struct Means(Box<[i16]>);

impl Means {
    fn new() -> Self {
        Self(vec![0; 2 * CORRECTION_SLOTS].into_boxed_slice())
    }

    #[inline]
    fn prefetch(&self, slot: usize) {
        prefetch(&self.0[slot]);
    }

    #[inline]
    fn of(&self, slot: usize) -> i32 {
        i32::from(self.0[slot])
    }

    fn learn(&mut self, slot: usize, error: i32, weight: i32) {
        let mean = &mut self.0[slot];
        let target = (error * CORRECTION_GRAIN).clamp(-CORRECTION_LIMIT, CORRECTION_LIMIT);
        let old = i32::from(*mean);
        *mean = (old + (target - old) * weight / 256) as i16;
    }
}

fn slot(position: &Position, feature: usize) -> usize {
    position.turn().index() * CORRECTION_SLOTS + feature % CORRECTION_SLOTS
}

fn by_pawns(position: &Position) -> usize {
    slot(position, position.pawn_key() as usize)
}

fn by_pieces(position: &Position, side: Color) -> usize {
    slot(position, position.piece_key(side) as usize)
}
