//! The tuner's ledger: how many times each weight counts.

use super::ledger::{Ledger, Posting};
use crate::engine::chess::{ByColor, Color};
use crate::engine::weights::{Score, Weights, danger};

/// A row of the tuner's matrix: how many times each weight counts in the score of a position.
///
/// The score before blending is the [linear](Self::linear) part times the weights, plus [`danger::curve`] of White's
/// [danger](Self::danger) times the weights, minus the same of Black's.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coefficients {
    /// Who posts.
    side: Color,
    linear: Vec<(usize, i32)>,
    danger: ByColor<Vec<(usize, i32)>>,
}

impl Coefficients {
    /// The weights that count by themselves, as (index, times), White's minus Black's, by index.
    #[must_use]
    pub fn linear(&self) -> Vec<(usize, i32)> {
        merged(&self.linear)
    }

    /// The weights that count as units of danger this side brings to the enemy king, as (index, times), by index.
    #[must_use]
    pub fn danger(&self, side: Color) -> Vec<(usize, i32)> {
        merged(&self.danger[side])
    }

    /// The score before it is blended, with these weights.
    #[must_use]
    pub fn sum(&self, weights: &Weights) -> Score {
        let total = |entries: Vec<(usize, i32)>| {
            entries.into_iter().fold(Score::ZERO, |sum, (index, count)| sum + weights.row()[index] * count)
        };
        let danger = |side| danger::curve(total(self.danger(side)));
        total(self.linear()) + danger(Color::White) - danger(Color::Black)
    }
}

/// The entries by index, those of one index added up, without zeros.
fn merged(entries: &[(usize, i32)]) -> Vec<(usize, i32)> {
    let mut sorted = entries.to_vec();
    sorted.sort_unstable_by_key(|(index, _)| *index);
    let mut sums: Vec<(usize, i32)> = Vec::with_capacity(sorted.len());
    for (index, count) in sorted {
        match sums.last_mut() {
            Some((last, sum)) if *last == index => *sum += count,
            _ => sums.push((index, count)),
        }
    }
    sums.retain(|(_, count)| *count != 0);
    sums
}

impl Ledger for Coefficients {
    fn turn(&mut self) {
        self.side = !self.side;
    }

    fn post(&mut self, posting: Posting) {
        self.linear.push((posting.feature.index(posting.slot), self.side.sign() * posting.count));
    }

    fn menace(&mut self, posting: Posting) {
        self.danger[self.side].push((posting.feature.index(posting.slot), posting.count));
    }

    /// Nothing to do: a side settles once in a position, so its danger is what it has collected.
    fn settle(&mut self) {}
}
