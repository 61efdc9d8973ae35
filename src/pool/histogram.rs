//! Counts of values by fixed bounds: relaxed atomics, cheap enough for every task.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Upper bounds of the histograms of time, in microseconds.
pub const TIME_BOUNDS_MICROS: [u64; 16] = [
    100, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000,
    5_000_000, 10_000_000, 30_000_000,
];

/// Upper bounds of the histogram of depths, in plies.
pub const DEPTH_BOUNDS_PLIES: [u64; 12] = [1, 2, 4, 6, 8, 10, 12, 14, 16, 20, 24, 32];

/// Times, by [`TIME_BOUNDS_MICROS`].
pub type TimeHistogram = Histogram<{ TIME_BOUNDS_MICROS.len() }>;

/// Depths, by [`DEPTH_BOUNDS_PLIES`].
pub type DepthHistogram = Histogram<{ DEPTH_BOUNDS_PLIES.len() }>;

/// One reading of a histogram.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Histogram<const N: usize> {
    /// For each bound, how many values were at most that and more than the bound before. Prometheus adds them up as it
    /// goes; these are not added up.
    pub counts: [u64; N],
    /// How many values were more than the last bound.
    pub beyond: u64,
    /// The sum of all values.
    pub sum: u64,
}

impl<const N: usize> Histogram<N> {
    /// How many values there were.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.counts.iter().sum::<u64>() + self.beyond
    }
}

impl<const N: usize> Default for Histogram<N> {
    fn default() -> Self {
        Self { counts: [0; N], beyond: 0, sum: 0 }
    }
}

/// A histogram that counts.
#[derive(Debug)]
pub(super) struct Counting<const N: usize> {
    bounds: &'static [u64; N],
    counts: [AtomicU64; N],
    beyond: AtomicU64,
    sum: AtomicU64,
}

impl<const N: usize> Counting<N> {
    pub(super) const fn new(bounds: &'static [u64; N]) -> Self {
        Self {
            bounds,
            counts: [const { AtomicU64::new(0) }; N],
            beyond: AtomicU64::new(0),
            sum: AtomicU64::new(0),
        }
    }

    pub(super) fn count(&self, value: u64) {
        let place = self.bounds.partition_point(|bound| *bound < value);
        self.counts.get(place).unwrap_or(&self.beyond).fetch_add(1, Relaxed);
        self.sum.fetch_add(value, Relaxed);
    }

    pub(super) fn read(&self) -> Histogram<N> {
        Histogram {
            counts: self.counts.each_ref().map(|count| count.load(Relaxed)),
            beyond: self.beyond.load(Relaxed),
            sum: self.sum.load(Relaxed),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Counting, DEPTH_BOUNDS_PLIES, Histogram, TIME_BOUNDS_MICROS};

    #[test]
    fn a_value_counts_once_at_the_first_bound_that_it_does_not_exceed() {
        let histogram = Counting::new(&[10, 20]);
        for value in [0, 10, 11, 20, 21, 1_000] {
            histogram.count(value);
        }
        let read = histogram.read();
        assert_eq!(read, Histogram { counts: [2, 2], beyond: 2, sum: 1_062 });
        assert_eq!(read.total(), 6);
    }

    #[test]
    fn bounds_ascend() {
        assert!(TIME_BOUNDS_MICROS.is_sorted_by(|one, next| one < next));
        assert!(DEPTH_BOUNDS_PLIES.is_sorted_by(|one, next| one < next));
    }
}
