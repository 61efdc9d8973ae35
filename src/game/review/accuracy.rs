//! How accurate a move is, and a player's moves together.

use super::{Course, win};
use crate::engine::chess::{ByColor, Color};

/// The curve that was fitted to how people judge moves: how far, how steeply and to where accuracy falls with the chance to win.
const HEIGHT: f64 = 103.166_810_071_164_9;
const DECAY: f64 = 0.043_544_153_867_539_51;
const FLOOR: f64 = -3.166_924_740_191_411;
/// What the best line of an engine that sees less than the truth may lose.
const UNCERTAINTY: f64 = 1.0;

/// A move's accuracy in percent, by the mover's chance to win before and after it.
#[must_use]
pub fn of_move(before: f64, after: f64) -> f64 {
    if after >= before {
        return 100.0;
    }
    (HEIGHT * (-DECAY * (before - after)).exp() + FLOOR + UNCERTAINTY).clamp(0.0, 100.0)
}

/// Every player's accuracy: the mean of two means of the moves' accuracies, one weighted by how volatile the game is there, one
/// harmonic, which single blunders pull down. None without moves, or where an evaluation is missing.
pub(super) fn of_game(course: &Course<'_>) -> ByColor<Option<f64>> {
    let evals: Option<Vec<_>> = course.counted().iter().copied().collect();
    let Some(evals) = evals else { return ByColor::from_fn(|_| None) };
    let wins: Vec<f64> = [course.start].into_iter().chain(evals).map(win::win_percent).collect();
    let weights = weights(&wins);
    ByColor::from_fn(|color| {
        let own =
            wins.windows(2).zip(&weights).enumerate().filter(|(index, _)| course.mover(*index) == color);
        let moves: Vec<(f64, f64)> = own.map(|(_, (pair, weight))| (of_pair(pair, color), *weight)).collect();
        mean_of_means(&moves)
    })
}

/// The accuracy of a move by White's chances before and after it.
fn of_pair(pair: &[f64], mover: Color) -> f64 {
    match mover {
        Color::White => of_move(pair[0], pair[1]),
        Color::Black => of_move(pair[1], pair[0]),
    }
}

/// Of accuracies and their weights.
fn mean_of_means(moves: &[(f64, f64)]) -> Option<f64> {
    if moves.is_empty() {
        return None;
    }
    let sum = |value: fn(&(f64, f64)) -> f64| moves.iter().map(value).sum::<f64>();
    let weighted = sum(|(accuracy, weight)| accuracy * weight) / sum(|(_, weight)| *weight);
    let harmonic = f64::from(moves.len() as u32) / sum(|(accuracy, _)| 1.0 / accuracy.max(1.0));
    Some(f64::midpoint(weighted, harmonic))
}

/// Of each half-move how much the chance to win varies around it: the standard deviation in a window of the game, which at
/// the beginning of the game is the first one.
fn weights(wins: &[f64]) -> Vec<f64> {
    let plies = wins.len() - 1;
    let size = (plies / 10).clamp(2, 8).min(wins.len());
    let first = std::iter::repeat_n(&wins[..size], size.saturating_sub(2));
    first.chain(wins.windows(size)).map(|window| standard_deviation(window).clamp(0.5, 12.0)).collect()
}

fn standard_deviation(values: &[f64]) -> f64 {
    let count = f64::from(values.len() as u32);
    let mean = values.iter().sum::<f64>() / count;
    (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / count).sqrt()
}

#[cfg(test)]
mod tests {
    use super::{of_game, of_move};
    use crate::engine::chess::Color;
    use crate::game::pgn::Eval;
    use crate::game::review::{Course, START};

    #[test]
    fn the_published_values_of_a_move_are_met() {
        for (drop, accuracy) in [
            (-20.0, 100.0),
            (0.0, 100.0),
            (1.0, 96.6040),
            (2.0, 92.3954),
            (5.0, 80.8153),
            (10.0, 64.5798),
            (15.0, 51.5208),
            (20.0, 41.0168),
            (30.0, 25.7720),
            (50.0, 9.5278),
            (75.0, 1.7705),
            (100.0, 0.0),
        ] {
            assert!(
                (of_move(100.0, 100.0 - drop) - accuracy).abs() < 5e-5,
                "{drop}: {}",
                of_move(100.0, 100.0 - drop)
            );
        }
    }

    #[test]
    fn the_published_values_of_a_game_are_met() {
        let game = |centipawns: &[i32]| {
            let evals: Vec<_> = centipawns.iter().map(|cp| Some(Eval::Cp(*cp))).collect();
            let players = of_game(&Course { first: Color::White, start: START, evals: &evals, best: &[] });
            [players[Color::White], players[Color::Black]]
        };
        let close =
            |found: Option<f64>, expected: f64| found.is_some_and(|found| (found - expected).abs() < 5e-3);
        let good = game(&[15, 15]);
        assert!(close(good[0], 100.0) && close(good[1], 100.0), "{good:?}");
        let [white, black] = game(&[-900, -900]);
        assert!(close(white, 10.66) && close(black, 100.0), "{white:?} {black:?}");
        let [white, black] = game(&[15, 900]);
        assert!(close(white, 100.0) && close(black, 12.30), "{white:?} {black:?}");
        assert_eq!(game(&[]), [None, None]);
        assert!(game(&[20])[1].is_none());
    }
}
