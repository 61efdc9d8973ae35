//! The constant between centipawns and expected score.

use super::objective::expected_score;

/// The constants that are searched: from one far too flat to one far too steep.
const RANGE: [f64; 2] = [1e-5, 1e-1];
/// How exactly: the factor by which the ends of the search still differ.
const PRECISION: f64 = 1.0001;

/// The mean squared error of the expected scores.
pub(crate) fn loss(k: f64, centipawns: &[f64], results: &[f64]) -> f64 {
    let errors = centipawns.iter().zip(results).map(|(cp, result)| (expected_score(k, *cp) - result).powi(2));
    errors.sum::<f64>() / results.len() as f64
}

/// The constant with the smallest mean squared error.
pub(crate) fn fitted(centipawns: &[f64], results: &[f64]) -> f64 {
    least(|k| loss(k, centipawns, results))
}

/// The constant with the smallest loss of any kind, by golden section on its logarithm.
pub(crate) fn least(loss: impl Fn(f64) -> f64) -> f64 {
    let golden = (5f64.sqrt() - 1.0) / 2.0;
    let [mut low, mut high] = RANGE.map(f64::ln);
    let at = |log: f64| loss(log.exp());
    let (mut left, mut right) = (high - golden * (high - low), low + golden * (high - low));
    let (mut left_loss, mut right_loss) = (at(left), at(right));
    while high - low > PRECISION.ln() {
        if left_loss < right_loss {
            (high, right, right_loss) = (right, left, left_loss);
            left = high - golden * (high - low);
            left_loss = at(left);
        } else {
            (low, left, left_loss) = (left, right, right_loss);
            right = low + golden * (high - low);
            right_loss = at(right);
        }
    }
    low.midpoint(high).exp()
}

#[cfg(test)]
mod tests {
    use super::{fitted, loss};
    use crate::objective::expected_score;

    #[test]
    fn the_constant_that_made_the_scores_is_found() {
        let centipawns: Vec<_> = (-50..=50).map(|step| f64::from(step) * 20.0).collect();
        for k in [0.001, 0.003_5, 0.02] {
            let results: Vec<_> = centipawns.iter().map(|cp| expected_score(k, *cp)).collect();
            let found = fitted(&centipawns, &results);
            assert!((found / k - 1.0).abs() < 1e-3, "{found} for {k}");
            assert!(loss(found, &centipawns, &results) < 1e-7);
        }
    }
}
