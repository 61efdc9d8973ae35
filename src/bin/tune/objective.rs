//! What is made small: the mean squared error of the expected score, or of how it differs within groups of positions.

use super::matrix::{Facts, Matrix, Row};
use super::model::{self, Curve, Pair};
use super::parallel;

/// Into how many pieces a batch is split: fixed, so that sums round alike on every machine.
const PIECES: usize = 16;
/// Rows of a piece where nothing but their worth is asked for.
const ROWS_OF_A_PIECE: usize = 4096;

/// The points that White can expect with so many centipawns.
pub(crate) fn expected_score(k: f64, centipawns: f64) -> f64 {
    1.0 / (1.0 + (-k * centipawns).exp())
}

/// What the expected score is compared with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Label {
    /// The points of the game.
    Result,
    /// A share of what the file's evaluation lets expect, and the rest of the result.
    Mixed {
        /// The share of the evaluation, from 0 to 1.
        share: f64,
        /// The constant of the file's evaluation.
        k: f64,
    },
}

impl Label {
    fn of(self, facts: &Facts) -> f64 {
        let result = f64::from(facts.result);
        match self {
            Self::Result => result,
            Self::Mixed { share, k } => {
                (1.0 - share) * result + share * expected_score(k, f64::from(facts.file_cp))
            }
        }
    }
}

/// The loss as a function of the weights.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Objective<'data> {
    /// The positions.
    pub(crate) matrix: &'data Matrix,
    /// King danger's curve.
    pub(crate) curve: Curve,
    /// The constant between centipawns and expected score.
    pub(crate) k: f64,
    /// What is to be predicted.
    pub(crate) label: Label,
    /// How much of the mean error of a group counts, from 0 to 1: positions that stand together and are of one game are a group,
    /// if it is less than 1.
    pub(crate) common: f64,
}

impl Objective<'_> {
    /// The groups of some rows, one after the other.
    pub(crate) fn groups<'rows>(&self, rows: &'rows [u32]) -> Vec<&'rows [u32]> {
        let game = |row: u32| self.matrix.row(row).facts.game;
        rows.chunk_by(|&one, &other| self.common < 1.0 && game(one) == game(other)).collect()
    }

    /// The mean loss over some rows.
    pub(crate) fn loss(&self, rows: &[u32], weights: &[Pair]) -> f64 {
        self.loss_of(rows, &self.centipawns(rows, weights))
    }

    /// The same, of what the model makes of the rows, in centipawns.
    pub(crate) fn loss_of(&self, rows: &[u32], mut centipawns: &[f64]) -> f64 {
        let losses = self.groups(rows).into_iter().map(|group| {
            let (own, others) = centipawns.split_at(group.len());
            centipawns = others;
            let errors = self.errors(group, own);
            let off = (1.0 - self.common) * mean(&errors);
            errors.into_iter().map(|error| (error - off).powi(2)).sum::<f64>()
        });
        losses.sum::<f64>() / rows.len() as f64
    }

    /// The mean loss over some rows and its gradient by the weights.
    pub(crate) fn gradient(&self, rows: &[u32], weights: &[Pair]) -> (f64, Vec<Pair>) {
        let groups = self.groups(rows);
        let pieces: Vec<_> = groups.chunks(groups.len().div_ceil(PIECES).max(1)).collect();
        let parts = parallel::in_order(pieces.len(), |piece| {
            let mut gradient = vec![[0.0; 2]; weights.len()];
            let losses = pieces[piece].iter().map(|group| self.add_gradient(group, weights, &mut gradient));
            (losses.sum::<f64>(), gradient)
        });
        let share = 1.0 / rows.len() as f64;
        let (mut loss, mut total) = (0.0, vec![[0.0; 2]; weights.len()]);
        for (part, gradient) in parts {
            loss += part * share;
            for (sum, pair) in total.iter_mut().zip(gradient) {
                sum[0] += pair[0] * share;
                sum[1] += pair[1] * share;
            }
        }
        (loss, total)
    }

    /// The sum of a group's losses; its gradient is added.
    ///
    /// With the mean error m and its share that does not count, s, the loss is the sum of (error - s m)^2, and what it grows by with
    /// an error twice that error less s (2 - s) m.
    fn add_gradient(&self, group: &[u32], weights: &[Pair], gradient: &mut [Pair]) -> f64 {
        let share = 1.0 - self.common;
        let errors = || self.errors(group, &self.worth(group, weights));
        let mean = if share > 0.0 { mean(&errors()) } else { 0.0 };
        let losses = group.iter().map(|&row| {
            let row = self.matrix.row(row);
            let slope = |cp| self.slope(row, cp, share * (2.0 - share) * mean);
            let cp = model::add_gradient(row, weights, self.curve, slope, gradient);
            (self.error(row, cp) - share * mean).powi(2)
        });
        losses.sum()
    }

    /// What the model makes of some rows, in centipawns.
    pub(crate) fn centipawns(&self, rows: &[u32], weights: &[Pair]) -> Vec<f64> {
        let pieces: Vec<_> = rows.chunks(ROWS_OF_A_PIECE).collect();
        parallel::in_order(pieces.len(), |piece| self.worth(pieces[piece], weights)).concat()
    }

    /// The same on one core.
    fn worth(&self, rows: &[u32], weights: &[Pair]) -> Vec<f64> {
        rows.iter().map(|&row| model::centipawns(self.matrix.row(row), weights, self.curve)).collect()
    }

    fn error(&self, row: Row<'_>, cp: f64) -> f64 {
        expected_score(self.k, cp) - self.label.of(row.facts)
    }

    fn errors(&self, rows: &[u32], centipawns: &[f64]) -> Vec<f64> {
        rows.iter().zip(centipawns).map(|(&row, cp)| self.error(self.matrix.row(row), *cp)).collect()
    }

    /// How fast the loss grows with a centipawn, if so much of the error does not count.
    fn slope(&self, row: Row<'_>, cp: f64, off: f64) -> f64 {
        let expected = expected_score(self.k, cp);
        2.0 * (self.error(row, cp) - off) * self.k * expected * (1.0 - expected)
    }
}

fn mean(numbers: &[f64]) -> f64 {
    numbers.iter().sum::<f64>() / numbers.len() as f64
}

#[cfg(test)]
mod tests {
    use super::{Label, Objective};
    use crate::synthetic;

    #[test]
    fn the_gradient_is_what_small_differences_say() {
        let problem = synthetic::problem(300);
        let rows: Vec<_> = (0..300).collect();
        for (label, common) in
            [(Label::Result, 1.0), (Label::Mixed { share: 0.3, k: 0.002 }, 1.0), (Label::Result, 0.25)]
        {
            let (matrix, curve, k) = (&problem.matrix, synthetic::CURVE, synthetic::K);
            let objective = Objective { matrix, curve, k, label, common };
            let weights: Vec<_> = problem.truth.iter().map(|[mg, eg]| [mg * 0.7 + 1.0, eg * 1.2]).collect();
            let (loss, gradient) = objective.gradient(&rows, &weights);
            assert!((loss - objective.loss(&rows, &weights)).abs() < 1e-12);
            for index in 0..weights.len() {
                for half in 0..2 {
                    let moved = |step: f64| {
                        let mut weights = weights.clone();
                        weights[index][half] += step;
                        objective.loss(&rows, &weights)
                    };
                    let difference = (moved(1e-3) - moved(-1e-3)) / 2e-3;
                    let error = (difference - gradient[index][half]).abs();
                    assert!(error < 1e-9 + 1e-4 * difference.abs(), "{index} {half}: {difference}");
                }
            }
        }
    }

    #[test]
    fn what_a_group_has_in_common_counts_as_far_as_is_asked() {
        let problem = synthetic::problem(300);
        let rows: Vec<_> = (0..300).collect();
        let (matrix, curve, k, label) = (&problem.matrix, synthetic::CURVE, synthetic::K, Label::Result);
        let objective = |common| Objective { matrix, curve, k, label, common };
        assert_eq!((objective(0.0).groups(&rows).len(), objective(1.0).groups(&rows).len()), (15, 300));
        let weights: Vec<_> = problem.truth.iter().map(|[mg, eg]| [mg * 0.7 + 5.0, eg * 1.2]).collect();
        let [none, half, all] = [0.0, 0.5, 1.0].map(|common| objective(common).loss(&rows, &weights));
        // The square of half of a mean is a quarter of its square.
        assert!(none < all && (half - none - (all - none) / 4.0).abs() < 1e-12, "{none} {half} {all}");
    }
}
