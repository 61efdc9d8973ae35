//! What the results of pairs say about strength.

/// Half points of the first contestant in a pair of games: 0 to 4.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pair(u8);

impl Pair {
    pub(crate) const fn new(half_points: u8) -> Self {
        Self(half_points)
    }

    /// The same, as the second contestant sees it.
    pub(crate) const fn reversed(self) -> Self {
        Self(4 - self.0)
    }

    /// In half points.
    pub(crate) const fn points(self) -> u8 {
        self.0
    }
}

/// The results of many pairs, counted by half points: the games of a pair depend on each other, pairs do not.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Score([u32; 5]);

/// Errors are told so wide that the truth lies within in 95 of 100 cases.
const CONFIDENCE: f64 = 1.96;

impl Score {
    pub(crate) const fn add(&mut self, pair: Pair) {
        self.0[pair.0 as usize] += 1;
    }

    /// How many pairs.
    pub(crate) fn pairs(&self) -> u32 {
        self.0.iter().sum()
    }

    /// How often the first got 0, 0.5, 1, 1.5 and 2 points.
    pub(crate) const fn counts(&self) -> [u32; 5] {
        self.0
    }

    /// Mean and variance of a pair's points, as a part of what was to be had.
    fn moments(&self) -> (f64, f64) {
        let pairs = f64::from(self.pairs());
        let sum = |value: &dyn Fn(f64) -> f64| -> f64 {
            let each = (0_u8..).zip(self.0);
            each.map(|(points, count)| value(f64::from(points) / 4.0) * f64::from(count)).sum::<f64>() / pairs
        };
        let mean = sum(&|points| points);
        (mean, sum(&|points| (points - mean).powi(2)))
    }

    /// By how much the first is stronger, in Elo, and the error.
    pub(crate) fn elo(&self) -> (f64, f64) {
        let (mean, variance) = self.moments();
        let error = CONFIDENCE * (variance / f64::from(self.pairs())).sqrt();
        let mean = mean.clamp(1e-3, 1.0 - 1e-3);
        let slope = 400.0 / std::f64::consts::LN_10 / (mean * (1.0 - mean));
        (-400.0 * (1.0 / mean - 1.0).log10(), slope * error)
    }

    /// The logarithm of how much likelier the results are if the first is stronger by the second of these than if by
    /// the first, in Elo: the sequential probability ratio test, with a normal law for a pair's points.
    pub(crate) fn log_likelihood_ratio(&self, [elo0, elo1]: [f64; 2]) -> f64 {
        let expected = |elo: f64| 1.0 / (1.0 + 10_f64.powf(-elo / 400.0));
        let (mean, variance) = self.moments();
        let [low, high] = [expected(elo0), expected(elo1)];
        f64::from(self.pairs()) * (high - low) * (2.0 * mean - low - high) / (2.0 * variance.max(1e-6))
    }
}

#[cfg(test)]
mod tests {
    use super::{Pair, Score};

    fn score(counts: [u32; 5]) -> Score {
        let mut score = Score::default();
        for (points, count) in (0..).zip(counts) {
            (0..count).for_each(|_| score.add(Pair::new(points)));
        }
        score
    }

    #[test]
    fn three_points_of_four_are_191_elo() {
        let (elo, error) = score([0, 0, 50, 100, 50]).elo();
        assert!((elo - 190.8).abs() < 0.1, "{elo}");
        // The points of a pair vary by 0.0313, so 200 pairs are known to within 0.0245.
        assert!((error - 22.7).abs() < 0.2, "{error}");
    }

    #[test]
    fn the_ratio_speaks_for_the_hypothesis_that_is_nearer() {
        let bounds = [0.0, 10.0];
        assert!(score([10, 20, 40, 60, 30]).log_likelihood_ratio(bounds) > 0.0);
        assert!(score([10, 40, 40, 40, 10]).log_likelihood_ratio(bounds) < 0.0);
        assert!(score([30, 60, 40, 20, 10]).log_likelihood_ratio(bounds) < -2.0);
    }
}
