//! From centipawns to chances: win percentage, and win, draw and loss.

/// The name of the model, for replies.
pub const MODEL: &str = "lichess-2022+tcec-draws-2";

/// Per centipawn; fitted by Lichess on games of strong players. Source: scalachess, `eval.scala`.
const SLOPE: f64 = 0.003_682_08;

/// Scores beyond count as this many centipawns; so does a mate. Source: scalachess, `eval.scala`.
const CLAMP: i32 = 1_000;

/// Of the most draws that the expected score allows, the share there really is:
/// `1 / (1 + exp(-(DRAW_LEVEL + DRAW_SLOPE * size)))`. Fitted by `benches/fit_wdl.py` with the `full` evaluator to the
/// results of 538,352 positions of games of the Top Chess Engine Championship (TCEC).
const DRAW_LEVEL: f64 = 1.332;

/// Per centipawn; see [`DRAW_LEVEL`]. The larger a lead, the less of what is not won is drawn.
const DRAW_SLOPE: f64 = -0.001_734;

/// What a score promises the side from whose view it is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outlook {
    /// A score in centipawns.
    Centipawns(i32),
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
    /// The expected score in percent, 0 to 100: `50 + 50 * (2 / (1 + exp(-0.00368208 * cp)) - 1)` with the centipawns
    /// held within 1,000, and a mate counting as 1,000.
    #[must_use]
    pub fn win_percent(self) -> f64 {
        100.0 * expected_score(self.centipawns())
    }

    /// Win, draw and loss: the draws by our own fit, and win and half of the draws together the expected score.
    ///
    /// A mate is certain, and so is a game that has ended: nothing but wins, losses or draws.
    #[must_use]
    pub fn chances(self) -> Chances {
        match self {
            Self::Winning => Chances { win: 1000, draw: 0, loss: 0 },
            Self::Losing => Chances { win: 0, draw: 0, loss: 1000 },
            Self::Drawn => Chances { win: 0, draw: 1000, loss: 0 },
            Self::Centipawns(centipawns) if centipawns < 0 => {
                let Chances { win, draw, loss } = favourite(-centipawns);
                Chances { win: loss, draw, loss: win }
            }
            Self::Centipawns(centipawns) => favourite(centipawns),
        }
    }

    const fn centipawns(self) -> i32 {
        match self {
            Self::Centipawns(centipawns) => centipawns,
            Self::Winning => CLAMP,
            Self::Losing => -CLAMP,
            Self::Drawn => 0,
        }
    }
}

fn expected_score(centipawns: i32) -> f64 {
    let held = f64::from(centipawns.clamp(-CLAMP, CLAMP));
    1.0 / (1.0 + (-SLOPE * held).exp())
}

/// The chances of a side that is not behind. Wins and losses are rounded and draws are the rest, so that win and half
/// of the draws stay within half a per mille of the expected score.
fn favourite(centipawns: i32) -> Chances {
    let underdog = 1.0 - expected_score(centipawns);
    let size = f64::from(centipawns.min(CLAMP));
    let drawn_share = 1.0 / (1.0 + (-(DRAW_LEVEL + DRAW_SLOPE * size)).exp());
    let win = (1000.0 * (1.0 - underdog * (1.0 + drawn_share))).round() as u16;
    let loss = (1000.0 * underdog * (1.0 - drawn_share)).round() as u16;
    Chances { win, draw: 1000 - win - loss, loss }
}

#[cfg(test)]
mod tests {
    use super::{Chances, Outlook};

    #[test]
    fn win_percent_meets_the_published_values() {
        let cases = [
            (0, 50.0),
            (15, 51.3804),
            (50, 54.5896),
            (100, 59.1026),
            (200, 67.6212),
            (300, 75.1126),
            (500, 86.3072),
            (900, 96.4902),
            (1000, 97.5447),
            (9000, 97.5447),
        ];
        for (centipawns, percent) in cases {
            assert!((Outlook::Centipawns(centipawns).win_percent() - percent).abs() < 5e-5, "{centipawns}");
            let other = Outlook::Centipawns(-centipawns).win_percent();
            assert!((other - (100.0 - percent)).abs() < 5e-5, "{centipawns}");
        }
        assert!((Outlook::Winning.win_percent() - 97.5447).abs() < 5e-5);
        assert!((Outlook::Losing.win_percent() - 2.4553).abs() < 5e-5);
        assert!((Outlook::Drawn.win_percent() - 50.0).abs() < 1e-9);
    }

    #[test]
    fn chances_add_up_and_agree_with_the_percentage() {
        for centipawns in -1200..=1200 {
            let outlook = Outlook::Centipawns(centipawns);
            let Chances { win, draw, loss } = outlook.chances();
            assert_eq!(win + draw + loss, 1000, "{centipawns}");
            let percent = (f64::from(win) + f64::from(draw) / 2.0) / 10.0;
            assert!((percent - outlook.win_percent()).abs() <= 0.0501, "{centipawns}");
            let mirrored = Outlook::Centipawns(-centipawns).chances();
            assert_eq!(mirrored, Chances { win: loss, draw, loss: win }, "{centipawns}");
        }
    }

    #[test]
    fn more_is_never_worse() {
        let chances: Vec<_> = (-1000..=1000).map(|cp| Outlook::Centipawns(cp).chances()).collect();
        for pair in chances.windows(2) {
            assert!(pair[0].win <= pair[1].win && pair[0].loss >= pair[1].loss, "{pair:?}");
        }
    }

    #[test]
    fn what_is_decided_is_certain() {
        assert_eq!(Outlook::Winning.chances(), Chances { win: 1000, draw: 0, loss: 0 });
        assert_eq!(Outlook::Losing.chances(), Chances { win: 0, draw: 0, loss: 1000 });
        assert_eq!(Outlook::Drawn.chances(), Chances { win: 0, draw: 1000, loss: 0 });
    }
}
