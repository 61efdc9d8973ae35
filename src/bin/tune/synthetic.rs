//! A made-up problem whose answer is known, for the tests.

use super::matrix::{Entry, Facts, Matrix};
use super::model::{Curve, Pair, centipawns};
use super::objective::expected_score;
use super::shuffle::Generator;

/// The constant of the made-up games.
pub(crate) const K: f64 = 0.004;
/// The curve of the made-up danger.
pub(crate) const CURVE: Curve = Curve { middlegame_divisor: 128.0, endgame_divisor: 8.0 };

/// Positions whose results are the expected scores of known weights.
pub(crate) struct Problem {
    /// The positions.
    pub(crate) matrix: Matrix,
    /// The weights: eight that are summed, then four units of danger.
    pub(crate) truth: Vec<Pair>,
}

/// A problem of so many positions, twenty a game.
pub(crate) fn problem(positions: u64) -> Problem {
    let mut truth: Vec<_> =
        (0..8).map(|index| [f64::from(index) * 12.0 - 40.0, 50.0 - f64::from(index) * 9.0]).collect();
    truth.extend([[20.0, 12.0], [45.0, 30.0], [8.0, 60.0], [70.0, 5.0]]);
    let mut matrix = Matrix::default();
    let mut random = Generator::new(7);
    for position in 0..positions {
        let mut entries = |indices: std::ops::Range<usize>, low: i32, high: i32| {
            let counts: Vec<_> = indices
                .map(|index| Entry::new(index, low + random.below((high - low + 1) as usize) as i32))
                .collect();
            counts.into_iter().flatten().filter(|entry| entry.count != 0).collect::<Vec<_>>()
        };
        let linear = entries(0..8, -2, 2);
        let danger = [entries(8..12, 0, 2), entries(8..12, 0, 2)];
        let phase = random.below(25) as f32 / 24.0;
        let facts = Facts { blend: [phase, 1.0 - phase], game: position / 20, ..Facts::default() };
        let mut single = Matrix::default();
        single.push(linear.clone(), danger.clone(), facts);
        let cp = centipawns(single.row(0), &truth, CURVE);
        let result = expected_score(K, cp) as f32;
        matrix.push(linear, danger, Facts { result, file_cp: (cp * 0.5) as i16, ..facts });
    }
    Problem { matrix, truth }
}
