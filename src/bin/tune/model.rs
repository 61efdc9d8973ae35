//! The evaluation as a function of its weights: a sum, king danger's curve, and a blend.

use super::matrix::{Entry, Row};

/// A middlegame and an endgame half.
pub(crate) type Pair = [f64; 2];

/// What becomes of a side's units of king danger: the square over a divisor in the middlegame, a share in the endgame,
/// nothing if they are negative.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Curve {
    /// What the square of the units is divided by.
    pub(crate) middlegame_divisor: f64,
    /// What the units are divided by.
    pub(crate) endgame_divisor: f64,
}

impl Curve {
    /// What so many units are worth.
    pub(crate) fn value(self, units: Pair) -> Pair {
        let [mg, eg] = units.map(|half| half.max(0.0));
        [mg * mg / self.middlegame_divisor, eg / self.endgame_divisor]
    }

    /// How fast each half of the value grows with its half of the units.
    pub(crate) fn slope(self, units: Pair) -> Pair {
        let [mg, eg] = units;
        let endgame = if eg > 0.0 { 1.0 / self.endgame_divisor } else { 0.0 };
        [2.0 * mg.max(0.0) / self.middlegame_divisor, endgame]
    }
}

/// The evaluation of a position, in centipawns of White's view, unrounded.
pub(crate) fn centipawns(row: Row<'_>, weights: &[Pair], curve: Curve) -> f64 {
    blended(row, score(row, weights, units(row, weights), curve))
}

/// Adds what each weight does to a quantity that grows by `slope` with each centipawn, and returns the evaluation.
///
/// `slope` receives the evaluation and says how the quantity grows there.
pub(crate) fn add_gradient(
    row: Row<'_>,
    weights: &[Pair],
    curve: Curve,
    slope: impl FnOnce(f64) -> f64,
    gradient: &mut [Pair],
) -> f64 {
    let units = units(row, weights);
    let cp = blended(row, score(row, weights, units, curve));
    let slope = slope(cp);
    let each = row.facts.blend.map(|share| f64::from(share) * slope);
    add(row.linear, each, gradient);
    for ((entries, units), sign) in row.danger.into_iter().zip(units).zip([1.0, -1.0]) {
        let [mg, eg] = curve.slope(units);
        add(entries, [each[0] * mg * sign, each[1] * eg * sign], gradient);
    }
    cp
}

/// Units of danger by attacker: White's, Black's.
fn units(row: Row<'_>, weights: &[Pair]) -> [Pair; 2] {
    row.danger.map(|entries| sum(entries, weights))
}

fn score(row: Row<'_>, weights: &[Pair], units: [Pair; 2], curve: Curve) -> Pair {
    let linear = sum(row.linear, weights);
    let [white, black] = units.map(|units| curve.value(units));
    [linear[0] + white[0] - black[0], linear[1] + white[1] - black[1]]
}

fn blended(row: Row<'_>, score: Pair) -> f64 {
    let [mg, eg] = row.facts.blend;
    f64::from(mg) * score[0] + f64::from(eg) * score[1]
}

fn sum(entries: &[Entry], weights: &[Pair]) -> Pair {
    let mut sum = [0.0; 2];
    for entry in entries {
        let weight = &weights[usize::from(entry.index)];
        let count = f64::from(entry.count);
        sum[0] += weight[0] * count;
        sum[1] += weight[1] * count;
    }
    sum
}

fn add(entries: &[Entry], each: Pair, gradient: &mut [Pair]) {
    for entry in entries {
        let place = &mut gradient[usize::from(entry.index)];
        let count = f64::from(entry.count);
        place[0] += each[0] * count;
        place[1] += each[1] * count;
    }
}

#[cfg(test)]
mod tests {
    use super::{Curve, add_gradient, centipawns};
    use crate::matrix::{Entry, Facts, Matrix};

    const CURVE: Curve = Curve { middlegame_divisor: 4.0, endgame_divisor: 8.0 };

    #[test]
    fn the_curve_squares_and_forgets_what_is_negative() {
        for (units, value) in [
            ([6.0, 4.0], [9.0, 0.5]),
            ([-6.0, -4.0], [0.0, 0.0]),
            ([0.0, 0.0], [0.0, 0.0]),
            ([2.0, -1.0], [1.0, 0.0]),
        ] {
            assert_eq!(CURVE.value(units), value, "{units:?}");
        }
    }

    #[test]
    fn the_gradient_is_what_small_differences_say() {
        let entry = |index, count| Entry::new(index, count).unwrap();
        let mut matrix = Matrix::default();
        // White's danger is above zero in both halves, Black's in one alone; weight 2 is summed and collected too.
        matrix.push(
            [entry(0, 2), entry(1, -3), entry(2, 1)],
            [vec![entry(2, 1), entry(3, 2)], vec![entry(4, 1)]],
            Facts { blend: [0.625, 0.25], result: 0.5, game: 1, ..Facts::default() },
        );
        let row = matrix.row(0);
        let weights = vec![[10.0, 20.0], [-4.0, 7.0], [5.0, 6.0], [3.0, 2.0], [9.0, -5.0], [1.0, 1.0]];
        let square = |weights: &[_]| centipawns(row, weights, CURVE).powi(2);
        let mut gradient = vec![[0.0; 2]; weights.len()];
        add_gradient(row, &weights, CURVE, |cp| 2.0 * cp, &mut gradient);
        for index in 0..weights.len() {
            for half in 0..2 {
                let moved = |step: f64| {
                    let mut weights = weights.clone();
                    weights[index][half] += step;
                    square(&weights)
                };
                let difference = (moved(1e-4) - moved(-1e-4)) / 2e-4;
                let error = (difference - gradient[index][half]).abs();
                assert!(
                    error < 1e-5 * difference.abs().max(1.0),
                    "{index} {half}: {difference} {gradient:?}"
                );
            }
        }
        assert_eq!(gradient[5], [0.0; 2]);
        assert!(gradient[4][0] != 0.0 && gradient[3][1] != 0.0);
    }
}
