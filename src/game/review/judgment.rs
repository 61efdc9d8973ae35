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

    /// A comment without the judgment that Lichess has put in it; nothing, if there is none. Its exports have the scores in front:
    /// `(-0.57 → -4.96) Blunder. Bxf7+ was best.` Commands and words around it stay: programs make one comment of several.
    #[must_use]
    pub fn cut_from(comment: &str) -> Option<String> {
        let scored = behind_commands(comment);
        let sentence = behind_scores(scored);
        let by_mate = behind_any(sentence, MATE_SENTENCES);
        let said = by_mate.or_else(|| behind_any(sentence, DROPS.map(|(_, severity)| severity.name())))?;
        let rest = behind_best(said);
        // One word may as well be the first of what somebody has to say himself.
        let is_theirs = by_mate.is_some() || sentence.len() < scored.len() || rest.len() < said.len();
        if !is_theirs && !behind_commands(rest).is_empty() {
            return None;
        }
        let commands = &comment[..comment.len() - scored.len()];
        let left = [commands.trim(), rest.trim()].into_iter().filter(|part| !part.is_empty());
        Some(left.collect::<Vec<_>>().join(" "))
    }
}

/// What Lichess says of moves that have to do with a mate; a longer way to it was an inaccuracy once.
const MATE_SENTENCES: [&str; 3] =
    ["Checkmate is now unavoidable", "Lost forced checkmate sequence", "Not the best checkmate sequence"];

/// What stands behind the commands with which a comment begins.
fn behind_commands(comment: &str) -> &str {
    let mut rest = comment.trim_start();
    while let Some((_, behind)) = rest.strip_prefix("[%").and_then(|command| command.split_once(']')) {
        rest = behind.trim_start();
    }
    rest
}

/// What stands behind `(0.32 → Mate in 3)` or a score alone; the text, if it begins otherwise.
fn behind_scores(text: &str) -> &str {
    let group = text.strip_prefix('(').and_then(|group| group.split_once(')'));
    // The arrow does not survive every encoding.
    let is_part = |part: &str| matches!(part, "→" | "->" | "?" | "Mate" | "in") || is_score(part);
    match group {
        Some((group, rest)) if group.split_whitespace().all(is_part) && group.contains(is_digit) => {
            rest.trim_start()
        }
        _ => text,
    }
}

/// `0.32`, `-4.96`, `#3`
fn is_score(text: &str) -> bool {
    let number = text.trim_start_matches(['#', '+', '-', '−']);
    number.starts_with(is_digit) && number.ends_with(is_digit) && number.parse::<f64>().is_ok()
}

fn is_digit(letter: char) -> bool {
    letter.is_ascii_digit()
}

/// What stands behind one of these sentences.
fn behind_any<'t>(text: &'t str, sentences: [&str; 3]) -> Option<&'t str> {
    sentences.iter().find_map(|sentence| text.strip_prefix(sentence)?.strip_prefix('.'))
}

/// What stands behind `Bxf7+ was best.`, which was `Best move was Bxf7+.` once; the text, if it begins otherwise.
fn behind_best(text: &str) -> &str {
    let told = text.trim_start();
    let older =
        ["Best move was ", "The best move was "].iter().find_map(|told_by| told.strip_prefix(told_by));
    let found = older.map_or_else(|| told.split_once(" was best."), |older| older.split_once('.'));
    found.filter(|(best, _)| !best.contains(char::is_whitespace)).map_or(text, |(_, rest)| rest)
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
    fn judgments_of_lichess_are_cut_from_comments() {
        for (comment, rest) in [
            ("Blunder. Bxf7+ was best.", Some("")),
            ("Inaccuracy.", Some("")),
            ("(-0.57 → -4.96) Blunder. Bxf7+ was best.", Some("")),
            ("(0.32) Mistake. e4 was best.", Some("")),
            ("(0.30 -> 0.95) Mistake. Best move was O-O.", Some("")),
            ("(1.47 ? 2.21) Inaccuracy. The best move was hxg3+.", Some("")),
            ("(3.19 → Mate in 7) Checkmate is now unavoidable. Kd8 was best.", Some("")),
            ("(Mate in 1 → 0.00) Lost forced checkmate sequence. The best move was Qa8#.", Some("")),
            ("(Mate in 4 → Mate in 5) Not the best checkmate sequence. Kc6 was best.", Some("")),
            ("(#-3 → #2) Checkmate is now unavoidable.", Some("")),
            ("Not the best checkmate sequence.", Some("")),
            ("Blunder. g6 was best. [%emt 0:00:02] [%clk 0:00:55]", Some("[%emt 0:00:02] [%clk 0:00:55]")),
            ("[%clk 0:03:00] (0.1 → 0.6) Inaccuracy. d4 was best. Tired?", Some("[%clk 0:03:00] Tired?")),
            ("Blunder. [%clk 0:00:55]", Some("[%clk 0:00:55]")),
            ("Blunder. I had overlooked the fork.", None),
            ("Mistake. What I had in mind was best.", None),
            ("(I think) Blunder. Bxf7+ was best.", None),
            ("(0.5 or so) Blunder.", None),
            ("(→) Blunder.", None),
            ("(-0.57 → -4.96) and White is lost", None),
            ("(-0.57 → -4.96 Blunder.", None),
            ("() Blunder.", None),
            ("(1...Kd8 is no better)", None),
            ("Blunders all over the board", None),
            ("No blunder. d4 was best.", None),
            ("[%clk 0:03:00]", None),
            ("[%clk", None),
            ("", None),
        ] {
            assert_eq!(Judgment::cut_from(comment).as_deref(), rest, "{comment}");
        }
        for (_, severity) in super::DROPS {
            for occasion in [Occasion::Drop, Occasion::MateCreated, Occasion::MateLost] {
                for best in [None, Some("Nf3")] {
                    let comment = Judgment { severity, occasion }.comment(best);
                    assert_eq!(Judgment::cut_from(&comment).as_deref(), Some(""), "{comment}");
                }
            }
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
