//! What is wrong with a move.

use super::win;
use crate::engine::chess::Color;
use crate::game::pgn::{Eval, Nag};

/// A move that was wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Judgment {
    /// How much.
    pub severity: Severity,
    /// By what.
    pub occasion: Occasion,
}

/// How wrong a move was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Severity {
    /// `?!`
    Inaccuracy,
    /// `?`
    Mistake,
    /// `??`
    Blunder,
}

/// By what a move was wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Occasion {
    /// The chance to win fell.
    Drop,
    /// It let the other side mate by force.
    MateCreated,
    /// It gave up a mate by force.
    MateLost,
}

/// The drop of the winning chances, which go from -1 to 1, from which on a move is judged.
const DROPS: [(f64, Severity); 3] =
    [(0.3, Severity::Blunder), (0.2, Severity::Mistake), (0.1, Severity::Inaccuracy)];

/// Beyond so many centipawns a game was decided with or without a mate, or nearly so.
const DECIDED: i32 = 999;
const NEARLY_DECIDED: i32 = 700;

/// What was wrong with a move, by the evaluations before and after it; nothing, if it was good enough.
pub(super) fn judge(before: Eval, after: Eval, mover: Color) -> Option<Judgment> {
    let own = |centipawns: i32| centipawns * mover.sign();
    let (severity, occasion) = match (before, after) {
        // Unlike elsewhere, Lichess does not clamp the centipawns here: 2700 count for more than 1000.
        (Eval::Cp(old), Eval::Cp(new)) => {
            let drop = win::winning_chances(own(old)) - win::winning_chances(own(new));
            (DROPS.iter().find(|(least, _)| drop >= *least)?.1, Occasion::Drop)
        }
        (Eval::Cp(centipawns), Eval::Mate(mate)) if own(mate) < 0 => {
            (by_the_rest(-own(centipawns)), Occasion::MateCreated)
        }
        (Eval::Mate(mate), Eval::Cp(centipawns)) if own(mate) > 0 => {
            (by_the_rest(own(centipawns)), Occasion::MateLost)
        }
        (Eval::Mate(old), Eval::Mate(new)) if own(old) > 0 && own(new) < 0 => {
            (Severity::Blunder, Occasion::MateLost)
        }
        // A mate that takes longer is a mate all the same; and nobody can be blamed for what gets better.
        (Eval::Cp(_) | Eval::Mate(_) | Eval::Won(_), Eval::Mate(_) | Eval::Won(_))
        | (Eval::Mate(_) | Eval::Won(_), Eval::Cp(_)) => return None,
    };
    Some(Judgment { severity, occasion })
}

/// How bad it is that a mate came or went, where without it one side was so many centipawns ahead.
const fn by_the_rest(lead: i32) -> Severity {
    if lead > DECIDED {
        Severity::Inaccuracy
    } else if lead > NEARLY_DECIDED {
        Severity::Mistake
    } else {
        Severity::Blunder
    }
}

impl Severity {
    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Inaccuracy => "Inaccuracy",
            Self::Mistake => "Mistake",
            Self::Blunder => "Blunder",
        }
    }

    /// The glyph that stands for it.
    #[must_use]
    pub const fn nag(self) -> Nag {
        match self {
            Self::Inaccuracy => Nag::INACCURACY,
            Self::Mistake => Nag::MISTAKE,
            Self::Blunder => Nag::BLUNDER,
        }
    }
}

impl Judgment {
    /// A sentence or two as Lichess writes them; `best` is the better move in SAN.
    #[must_use]
    pub fn comment(self, best: Option<&str>) -> String {
        let said = match self.occasion {
            Occasion::Drop => self.severity.name(),
            Occasion::MateCreated => "Checkmate is now unavoidable",
            Occasion::MateLost => "Lost forced checkmate sequence",
        };
        match best {
            Some(best) => format!("{said}. {best} was best."),
            None => format!("{said}."),
        }
    }

    /// Whether a comment is one that Lichess gives with a judgment.
    #[must_use]
    pub fn is_comment(comment: &str) -> bool {
        let beginnings = [
            "Inaccuracy.",
            "Mistake.",
            "Blunder.",
            "Checkmate is now unavoidable.",
            "Lost forced checkmate sequence.",
        ];
        beginnings.iter().any(|beginning| comment.starts_with(beginning))
    }
}

#[cfg(test)]
mod tests {
    use super::{Judgment, Occasion, Severity, judge};
    use crate::engine::chess::Color;
    use crate::game::pgn::Eval::{self, Cp, Mate, Won};

    fn negated(eval: Eval) -> Eval {
        match eval {
            Cp(centipawns) => Cp(-centipawns),
            Mate(moves) => Mate(-moves),
            Won(side) => Won(!side),
        }
    }

    #[test]
    fn moves_are_judged_by_what_they_lose() {
        use Occasion::{Drop, MateCreated, MateLost};
        use Severity::{Blunder, Inaccuracy, Mistake};
        for (before, after, expected) in [
            (Cp(0), Cp(0), None),
            (Cp(0), Cp(-54), None),
            (Cp(0), Cp(-55), Some((Inaccuracy, Drop))),
            (Cp(0), Cp(-110), Some((Inaccuracy, Drop))),
            (Cp(0), Cp(-111), Some((Mistake, Drop))),
            (Cp(0), Cp(-168), Some((Mistake, Drop))),
            (Cp(0), Cp(-169), Some((Blunder, Drop))),
            (Cp(0), Cp(300), None),
            (Cp(5000), Cp(1000), None),
            (Cp(-1000), Mate(-3), Some((Inaccuracy, MateCreated))),
            (Cp(-999), Mate(-3), Some((Mistake, MateCreated))),
            (Cp(-701), Mate(-3), Some((Mistake, MateCreated))),
            (Cp(-700), Mate(-3), Some((Blunder, MateCreated))),
            (Cp(900), Mate(-3), Some((Blunder, MateCreated))),
            (Mate(2), Cp(1000), Some((Inaccuracy, MateLost))),
            (Mate(2), Cp(999), Some((Mistake, MateLost))),
            (Mate(2), Cp(701), Some((Mistake, MateLost))),
            (Mate(2), Cp(700), Some((Blunder, MateLost))),
            (Mate(2), Mate(-2), Some((Blunder, MateLost))),
            (Mate(2), Mate(9), None),
            (Mate(-9), Mate(-2), None),
            (Mate(-2), Cp(-900), None),
            (Cp(0), Mate(3), None),
            (Mate(-2), Mate(2), None),
            (Mate(1), Won(Color::White), None),
        ] {
            let expected = expected.map(|(severity, occasion)| Judgment { severity, occasion });
            assert_eq!(judge(before, after, Color::White), expected, "{before:?} {after:?}");
            assert_eq!(
                judge(negated(before), negated(after), Color::Black),
                expected,
                "{before:?} {after:?}"
            );
        }
    }
}
