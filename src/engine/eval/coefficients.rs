//! The tuner's ledger: how many times each weight counts.

use super::ledger::{Ledger, Posting};
use crate::engine::chess::Side;
use crate::engine::weights::{Score, WEIGHTS};

/// A row of the tuner's matrix: for each weight of the flat table the number of times it counts, White's minus
/// Black's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coefficients {
    counts: Vec<i32>,
}

impl Coefficients {
    /// The weights that count, as (index in [`WEIGHTS`], times), by index.
    pub fn nonzero(&self) -> impl Iterator<Item = (usize, i32)> {
        self.counts.iter().copied().enumerate().filter(|(_, count)| *count != 0)
    }

    /// The sum of times and weights: the score before it is blended.
    #[must_use]
    pub fn sum(&self) -> Score {
        self.nonzero().fold(Score::ZERO, |sum, (index, count)| sum + WEIGHTS[index] * count)
    }
}

impl Default for Coefficients {
    fn default() -> Self {
        Self { counts: vec![0; WEIGHTS.len()] }
    }
}

impl Ledger for Coefficients {
    fn post<S: Side>(&mut self, posting: Posting) {
        self.counts[posting.feature.index(posting.slot)] += S::COLOR.sign() * posting.count;
    }
}
