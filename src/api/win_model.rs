//! Centipawns as chances: what a score means for the result of a game.
//!
//! The win percentage is Lichess' (`scalachess`, `eval.scala`); the win, draw and loss chances are Stockfish's model
//! (`uci.cpp`, `WDL_model`) with constants chosen so that win plus half the draws equals that percentage near a level
//! score. Neither is fitted to this engine's own scale; the name of the model says which constants a reply was made with.

/// The name of the model, in every reply that carries chances.
pub(crate) const NAME: &str = "textbook-1";

/// Steepness of the win percentage, per centipawn.
const STEEPNESS: f64 = 0.003_682_08;
/// Scores beyond this many centipawns mean no more than this.
const CLAMP: i32 = 1000;
/// Centipawns at which a side wins every second game.
const HALF_WON: f64 = 174.0;
/// Centipawns by which the odds of a win change by a factor of e.
const SPREAD: f64 = 64.0;

/// Results per mille; they sum to 1000.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Chances {
    pub(crate) win: u16,
    pub(crate) draw: u16,
    pub(crate) loss: u16,
}

impl Chances {
    pub(crate) const WON: Self = Self { win: 1000, draw: 0, loss: 0 };
    pub(crate) const DRAWN: Self = Self { win: 0, draw: 1000, loss: 0 };
    pub(crate) const LOST: Self = Self { win: 0, draw: 0, loss: 1000 };

    /// The chances of the side from whose point of view the score is.
    pub(crate) fn of(centipawns: i32) -> Self {
        let chance = |score: f64| (1000.0 / (1.0 + ((HALF_WON - score) / SPREAD).exp())).round() as u16;
        let (win, loss) = (chance(f64::from(centipawns)), chance(-f64::from(centipawns)));
        Self { win, draw: 1000 - win - loss, loss }
    }
}

/// Win percentage of the side from whose point of view the score is, to one decimal.
pub(crate) fn win_percent(centipawns: i32) -> f64 {
    let score = f64::from(centipawns.clamp(-CLAMP, CLAMP));
    let percent = 50.0 + 50.0 * (2.0 / (1.0 + (-STEEPNESS * score).exp()) - 1.0);
    (percent * 10.0).round() / 10.0
}

/// Win percentage of a side that gives mate.
pub(crate) fn mating_percent() -> f64 {
    win_percent(CLAMP)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn meets_the_published_values() {
        for (centipawns, percent) in [
            (0, 50.0),
            (15, 51.4),
            (50, 54.6),
            (100, 59.1),
            (200, 67.6),
            (300, 75.1),
            (500, 86.3),
            (900, 96.5),
            (1000, 97.5),
            (5000, 97.5),
        ] {
            assert!((win_percent(centipawns) - percent).abs() < 1e-9, "{centipawns}");
            assert!((win_percent(-centipawns) - (100.0 - percent)).abs() < 0.11, "-{centipawns}");
        }
    }

    #[test]
    fn chances_sum_to_a_thousand_and_mirror() {
        for centipawns in -3000..=3000 {
            let (ours, theirs) = (Chances::of(centipawns), Chances::of(-centipawns));
            assert_eq!(ours.win + ours.draw + ours.loss, 1000, "{centipawns}");
            assert_eq!(
                (ours.win, ours.draw, ours.loss),
                (theirs.loss, theirs.draw, theirs.win),
                "{centipawns}"
            );
        }
    }
}
