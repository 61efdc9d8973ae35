//! The best lines found so far, one for each ply of the node being searched.

use super::MAX_PLY;
use crate::engine::chess::Move;

/// A triangular table: the row of a ply holds the best line from there on.
///
/// Source: the chess programming wiki, "Triangular PV-Table".
pub(super) struct Variations {
    moves: Box<[Move]>,
    lengths: Box<[usize]>,
    /// By how much the static value at the end of each line was corrected, for the side to move at its beginning.
    corrections: Box<[i32]>,
}

/// A line from the greatest ply still has a row.
const ROWS: usize = MAX_PLY + 2;

impl Variations {
    pub(super) fn new() -> Self {
        Self {
            moves: vec![Move::NONE; ROWS * ROWS].into_boxed_slice(),
            lengths: vec![0; ROWS].into_boxed_slice(),
            corrections: vec![0; ROWS].into_boxed_slice(),
        }
    }

    /// The best line from this ply.
    pub(super) fn line(&self, ply: usize) -> &[Move] {
        &self.moves[ply * ROWS..ply * ROWS + self.lengths[ply]]
    }

    /// By how many centipawns the static value at the end of that line was corrected, for the side to move at this ply.
    pub(super) fn correction(&self, ply: usize) -> i32 {
        self.corrections[ply]
    }

    /// Nothing is known yet of the node at this ply.
    pub(super) fn clear(&mut self, ply: usize) {
        self.lengths[ply] = 0;
        self.corrections[ply] = 0;
    }

    /// The line ends here, at a static value corrected by so many centipawns.
    pub(super) fn stand(&mut self, ply: usize, correction: i32) {
        self.corrections[ply] = correction;
    }

    /// The best line from this ply is this move, then the best line of the next ply.
    pub(super) fn extend(&mut self, ply: usize, mv: Move) {
        let (row, next) = (ply * ROWS, (ply + 1) * ROWS);
        let length = self.lengths[ply + 1].min(ROWS - 1);
        self.moves[row] = mv;
        self.moves.copy_within(next..next + length, row + 1);
        self.lengths[ply] = length + 1;
        self.corrections[ply] = -self.corrections[ply + 1];
    }
}
