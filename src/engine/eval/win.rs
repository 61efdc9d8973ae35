//! From a score to chances: win, draw and loss, as the engine's own games have ended.
//!
//! The centipawn is scaled so that a lead of about 100 wins half of the engine's games against itself, over all positions in
//! them. How sure a lead is depends on how much is left on the board: an endgame has more draws than a middlegame, and
//! fewer surprises.

use super::{Blend, GamePhase};

/// The name of the model, for replies: whose games, and the version of the fit.
pub const MODEL: &str = "centipawn-selfplay-6";

/// How the chance to win rises with the lead: a logistic curve.
struct Curve {
    /// With so many centipawns half of the games are won.
    half: f64,
    /// Three quarters with `ln(3)` times so many more.
    spread: f64,
}

/// With pawns and kings only. Fitted, like all of these, by `benches/fit_wdl.py` to the results of 231,819 positions of
/// 2,894 games of the engine against itself, 3,000 nodes a move.
const ENDGAME: Curve = Curve { half: 132.8, spread: 39.7 };

/// With all pieces on the board.
const MIDDLEGAME: Curve = Curve { half: 42.8, spread: 111.0 };

/// In positions that are harder to win than their score says: fortresses, perpetual checks, long endgames.
const HARD: Curve = Curve { half: 492.7, spread: 225.7 };

/// The share of such positions.
const HARD_SHARE: f64 = 0.134;

/// What a score promises the side from whose view it is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outlook {
    /// A score in centipawns, and the phase of the position that it is about.
    Centipawns(i32, GamePhase),
    /// A forced mate by this side, or one already on the board.
    Winning,
    /// A forced mate against this side, or one already on the board.
    Losing,
    /// The game has ended in a draw.
    Drawn,
}

/// Chances per mille, adding up to 1,000.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chances {
    /// Wins of the side from whose view the score is counted.
    pub win: u16,
    /// Draws.
    pub draw: u16,
    /// Losses.
    pub loss: u16,
}

impl Outlook {
    /// The expected score in percent, 0 to 100: the chance to win and half of the chance to draw.
    #[must_use]
    pub fn win_percent(self) -> f64 {
        let (win, loss) = self.decisive();
        50.0 * (1.0 + win - loss)
    }

    /// Win, draw and loss. A mate is certain, and so is a game that has ended.
    #[must_use]
    pub fn chances(self) -> Chances {
        let (win, loss) = self.decisive();
        let per_mille = |chance: f64| (1000.0 * chance).round() as u16;
        let (win, loss) = (per_mille(win), per_mille(loss));
        Chances { win, draw: 1000 - win - loss, loss }
    }

    /// The chances to win and to lose.
    fn decisive(self) -> (f64, f64) {
        match self {
            Self::Winning => (1.0, 0.0),
            Self::Losing => (0.0, 1.0),
            Self::Drawn => (0.0, 0.0),
            Self::Centipawns(lead, phase) => (win(lead, phase), win(-lead, phase)),
        }
    }
}

impl Curve {
    /// Between the endgame's and the middlegame's.
    fn at(phase: GamePhase) -> Self {
        let share = f64::from(phase.value) / f64::from(Blend::FULL_PHASE);
        let between = |endgame: f64, middlegame: f64| endgame + (middlegame - endgame) * share;
        Self {
            half: between(ENDGAME.half, MIDDLEGAME.half),
            spread: between(ENDGAME.spread, MIDDLEGAME.spread),
        }
    }

    /// The chance to win with so many centipawns.
    fn win(&self, lead: f64) -> f64 {
        1.0 / (1.0 + ((self.half - lead) / self.spread).exp())
    }
}

/// The chance to win with so many centipawns in this phase.
fn win(lead: i32, phase: GamePhase) -> f64 {
    let lead = f64::from(lead);
    (1.0 - HARD_SHARE) * Curve::at(phase).win(lead) + HARD_SHARE * HARD.win(lead)
}

#[cfg(test)]
mod tests {
    use super::{Blend, Chances, Curve, ENDGAME, GamePhase, MIDDLEGAME, Outlook};

    /// What the model says of a lead in every phase.
    fn in_every_phase(lead: i32) -> impl Iterator<Item = Outlook> {
        (0..=Blend::FULL_PHASE).map(move |value| Outlook::Centipawns(lead, GamePhase { value }))
    }

    #[test]
    fn the_fitted_curves_stand_at_the_ends() {
        for (value, Curve { half, spread }) in [(0, ENDGAME), (Blend::FULL_PHASE, MIDDLEGAME)] {
            let curve = Curve::at(GamePhase { value });
            let wins = |share: f64, lead: f64| (curve.win(lead) - share).abs() < 1e-9;
            assert!(wins(0.5, half) && wins(0.75, half + spread * 3_f64.ln()), "phase {value}");
        }
    }

    #[test]
    fn chances_add_up_and_agree_with_the_percentage() {
        for lead in -1200..=1200 {
            for (outlook, other) in in_every_phase(lead).zip(in_every_phase(-lead)) {
                let Chances { win, draw, loss } = outlook.chances();
                assert_eq!(win + draw + loss, 1000, "{lead}");
                let percent = (f64::from(win) + f64::from(draw) / 2.0) / 10.0;
                assert!((percent - outlook.win_percent()).abs() <= 0.0501, "{lead}");
                assert_eq!(other.chances(), Chances { win: loss, draw, loss: win }, "{lead}");
                assert!((other.win_percent() + outlook.win_percent() - 100.0).abs() < 1e-9, "{lead}");
            }
        }
    }

    #[test]
    fn more_is_never_worse() {
        for lead in -3000..3000 {
            for (less, more) in in_every_phase(lead).zip(in_every_phase(lead + 1)) {
                assert!(less.win_percent() <= more.win_percent(), "{lead}");
                let (less, more) = (less.chances(), more.chances());
                assert!(less.win <= more.win && less.loss >= more.loss, "{lead}");
            }
        }
    }

    #[test]
    fn a_win_by_endgame_tables_is_certain() {
        for outlook in in_every_phase(19_873) {
            assert_eq!(outlook.chances(), Chances { win: 1000, draw: 0, loss: 0 });
            assert!(outlook.win_percent() > 99.99);
        }
    }

    #[test]
    fn what_is_decided_is_certain() {
        for (outlook, chances, percent) in [
            (Outlook::Winning, Chances { win: 1000, draw: 0, loss: 0 }, 100.0),
            (Outlook::Losing, Chances { win: 0, draw: 0, loss: 1000 }, 0.0),
            (Outlook::Drawn, Chances { win: 0, draw: 1000, loss: 0 }, 50.0),
        ] {
            assert_eq!(outlook.chances(), chances);
            assert!((outlook.win_percent() - percent).abs() < 1e-9);
        }
    }
}
