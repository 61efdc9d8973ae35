//! From centipawns to the chance to win, as Lichess has it.

use crate::engine::chess::Color;
use crate::game::pgn::Eval;

/// The name of the model, for replies.
pub const MODEL: &str = "lichess";

/// Beyond this many centipawns, and with a mate, a game is as good as decided.
pub(super) const MOST_CENTIPAWNS: i32 = 1000;

/// How the chance to win rises with centipawns. Fitted by Lichess to games of strong players, on Stockfish's scale:
/// <https://github.com/lichess-org/lila/pull/11148>.
const STEEPNESS: f64 = 0.003_682_08;

/// White's chance to win, in percent.
#[must_use]
pub fn win_percent(eval: Eval) -> f64 {
    50.0 + 50.0 * winning_chances(clamped(eval))
}

/// The chance to win of a side, in percent.
pub(super) fn of_side(eval: Eval, side: Color) -> f64 {
    50.0 + 50.0 * winning_chances(clamped(eval)) * f64::from(side.sign())
}

/// White's chances as a number from -1 to 1.
pub(super) fn winning_chances(centipawns: i32) -> f64 {
    2.0 / (1.0 + (-STEEPNESS * f64::from(centipawns)).exp()) - 1.0
}

/// Centipawns within what counts.
pub(super) fn clamped(eval: Eval) -> i32 {
    match eval {
        Eval::Cp(centipawns) => centipawns.clamp(-MOST_CENTIPAWNS, MOST_CENTIPAWNS),
        Eval::Mate(moves) => MOST_CENTIPAWNS * moves.signum(),
        Eval::Won(side) => MOST_CENTIPAWNS * side.sign(),
    }
}

#[cfg(test)]
mod tests {
    use super::win_percent;
    use crate::engine::chess::Color;
    use crate::game::pgn::Eval;

    #[test]
    fn the_published_values_are_met() {
        for (centipawns, percent) in [
            (0, 50.0),
            (15, 51.3804),
            (50, 54.5896),
            (100, 59.1026),
            (200, 67.6212),
            (300, 75.1126),
            (500, 86.3072),
            (900, 96.4902),
            (1000, 97.5447),
            (5000, 97.5447),
        ] {
            assert!((win_percent(Eval::Cp(centipawns)) - percent).abs() < 5e-5, "{centipawns}");
            assert!((win_percent(Eval::Cp(-centipawns)) + percent - 100.0).abs() < 5e-5, "-{centipawns}");
        }
        for (eval, same) in [
            (Eval::Mate(7), Eval::Cp(1000)),
            (Eval::Mate(-1), Eval::Cp(-1000)),
            (Eval::Won(Color::Black), Eval::Cp(-1000)),
        ] {
            assert!((win_percent(eval) - win_percent(same)).abs() < 1e-9);
        }
    }
}
