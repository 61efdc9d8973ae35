//! What a difference means, in a few sentences.

use std::cmp::Reverse;

use super::diff::{Difference, FeatureChange, FeatureFate, TermChange};
use super::sentence::enumerate;
use super::summary::pawns;
use crate::engine::chess::{Color, Status};
use crate::engine::eval::Blend;
use crate::engine::weights::Term;

/// What lies between two breakdowns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step<'a> {
    /// One move, by its name.
    Move(&'a str),
    /// The choice of the second move instead of the first, by their names.
    Choice(&'a str, &'a str),
    /// The moves of a line, so many.
    Line(usize),
}

impl Difference<'_> {
    /// The difference in words: its parts as the side sees them that has the move before the step, the verdicts before
    /// and after with the viewer's sign.
    ///
    /// The right to move passes to the other side with every move and would hide what the move does; where it has
    /// passed, the first sentence says so and speaks of the rest.
    #[must_use]
    pub fn summary(&self, step: Step<'_>, mover: Color, viewer: Color) -> Vec<String> {
        let mut sentences = self.ends(step);
        let counts = |status: Status| status != Status::Checkmate && !status.is_drawn();
        if counts(self.after.status) && counts(self.before.status) {
            let sign = mover.sign();
            let tempo = self.tempo() * sign;
            let change = self.without_tempo() * sign;
            let (leading, trailing) = self.reasons(change, sign);
            if change == 0 {
                sentences.push(headline(step, mover, change, tempo, &[]));
                sentences.extend(labelled("For it", &leading, sign));
                sentences.extend(labelled("Against it", &trailing, sign));
            } else {
                sentences.push(headline(step, mover, change, tempo, &leading));
                sentences.extend(leading.first().and_then(|chief| chief_entry(chief, step)));
                sentences.extend(labelled(if change < 0 { "For it" } else { "Against it" }, &trailing, sign));
            }
            sentences.extend(self.blending(sign));
        }
        let [before, after] = match step {
            Step::Move(_) => ["Before the move".to_owned(), "After it".to_owned()],
            Step::Choice(first, second) => [format!("After {first}"), format!("After {second}")],
            Step::Line(_) => ["Before the line".to_owned(), "After it".to_owned()],
        };
        for (label, breakdown) in [(before, self.before), (after, self.after)] {
            sentences.push(format!("{label}: {}", breakdown.verdict(viewer)));
        }
        sentences
    }

    /// How the step ends the game, if it does: either way of a choice may.
    fn ends(&self, step: Step<'_>) -> Vec<String> {
        let ways = match step {
            Step::Move(name) => vec![(name, self.after)],
            Step::Choice(first, second) => vec![(second, self.after), (first, self.before)],
            Step::Line(_) => vec![("The line", self.after)],
        };
        let told = ways.into_iter().filter_map(|(subject, breakdown)| match breakdown.status {
            Status::Checkmate => Some(format!("{subject} ends in checkmate.")),
            status if status.is_drawn() => Some(format!("{subject} ends the game in a draw.")),
            _ => None,
        });
        told.collect()
    }

    /// The difference apart from the right to move, in centipawns from White's point of view: what [`Self::summary`] calls
    /// better or worse.
    #[must_use]
    pub fn without_tempo(&self) -> i32 {
        self.cp() - self.tempo()
    }

    /// What the passing of the right to move adds.
    fn tempo(&self) -> i32 {
        self.terms.iter().filter(|change| change.term == Term::Tempo).map(TermChange::cp).sum()
    }

    /// The terms that speak in the direction of the change, and the others, the weightiest first. Without a change the
    /// first are those that speak for the mover.
    fn reasons(&self, change: i32, sign: i32) -> (Vec<&TermChange<'_>>, Vec<&TermChange<'_>>) {
        let direction = if change < 0 { -sign } else { sign };
        let mut lines: Vec<&TermChange<'_>> =
            self.terms.iter().filter(|line| line.term != Term::Tempo && line.cp() != 0).collect();
        lines.sort_by_key(|line| Reverse(line.cp().abs()));
        lines.into_iter().partition(|line| line.cp().signum() == direction)
    }

    /// What phase, scale and 50-move rule add, where it is more than nothing.
    fn blending(&self, sign: i32) -> Vec<String> {
        let (before, after, causes) = (&self.before.blending, &self.after.blending, self.causes);
        let mut sentences = Vec::new();
        if causes.phase != 0 {
            let (from, to, full) = (self.before.phase.value, self.after.phase.value, Blend::FULL_PHASE);
            let worth = pawns(causes.phase * sign);
            sentences.push(format!("The phase goes from {from} to {to} of {full} ({worth})."));
        }
        if causes.scale != 0 {
            let (from, to, full) = (before.scale, after.scale, Blend::FULL_SCALE);
            let reason =
                after.scale_reason.map_or_else(String::new, |reason| format!(" {}", reason.sentence()));
            let worth = pawns(causes.scale * sign);
            sentences.push(format!("The scale goes from {from}/{full} to {to}/{full} ({worth}).{reason}"));
        }
        if causes.damping != 0 {
            let (from, to, worth) = (before.damping, after.damping, pawns(causes.damping * sign));
            sentences.push(format!("The 50-move rule leaves {to} % instead of {from} % ({worth})."));
        }
        sentences
    }
}

/// `Nf3-e5 improves White by 0.34: chiefly mobility (+0.20), then rooks (+0.14).`
fn headline(step: Step<'_>, mover: Color, change: i32, tempo: i32, leading: &[&TermChange<'_>]) -> String {
    let (side, sign) = (mover.name(), mover.sign());
    let (subject, rival) = match step {
        Step::Move(name) => (name, None),
        Step::Choice(first, second) => (second, Some(first)),
        Step::Line(_) if tempo == 0 => ("The line", None),
        Step::Line(_) => ("the line", None),
    };
    let distance = pawns(change.abs());
    let distance = distance.trim_start_matches('+');
    let claim = match (rival, change.signum()) {
        (Some(rival), 0) => format!("{subject} and {rival} are worth the same to {side}"),
        (Some(rival), 1) => format!("{subject} is better for {side} than {rival} by {distance}"),
        (Some(rival), _) => format!("{subject} is worse for {side} than {rival} by {distance}"),
        (None, 0) => format!("{subject} changes nothing for {side} as a whole"),
        (None, 1) => format!("{subject} improves {side} by {distance}"),
        (None, _) => format!("{subject} costs {side} {distance}"),
    };
    let reasons = match leading {
        [] => String::new(),
        [chief] => format!(": chiefly {}", weighed(chief, sign)),
        [chief, rest @ ..] => format!(": chiefly {}, then {}", weighed(chief, sign), weigh_all(rest, sign)),
    };
    let apart = match tempo {
        0 => String::new(),
        _ => format!("Apart from the right to move ({}), ", pawns(tempo)),
    };
    format!("{apart}{claim}{reasons}.")
}

/// The weightiest entry in the direction of its term, before and after; none that only counts differently, because that
/// says nothing of the board.
fn chief_entry(chief: &TermChange<'_>, step: Step<'_>) -> Option<String> {
    let speaks = |entry: &&FeatureChange<'_>| {
        entry.cp().signum() == chief.cp().signum() && entry.fate() != Some(FeatureFate::Reweighed)
    };
    let entry = chief.features.iter().find(speaks)?;
    let [before, after] = [entry.before, entry.after].map(|line| line.map(|line| line.text.as_str()));
    Some(match (step, before, after) {
        (_, Some(old), Some(new)) if old == new => new.to_owned(),
        (Step::Choice(first, second), Some(old), Some(new)) => {
            format!("After {second}: {new} (After {first}: {old})")
        }
        (Step::Choice(first, _), Some(old), None) => format!("Only after {first}: {old}"),
        (Step::Choice(_, second), None, Some(new)) => format!("Only after {second}: {new}"),
        (_, Some(old), Some(new)) => format!("{new} (Before: {old})"),
        (_, Some(old), None) => format!("No longer: {old}"),
        (_, None, new) => new?.to_owned(),
    })
}

/// `mobility (+0.21)`, seen with this sign.
fn weighed(line: &TermChange<'_>, sign: i32) -> String {
    format!("{} ({})", line.term.title().to_lowercase(), pawns(line.cp() * sign))
}

/// `Against it: rooks (-0.12) and outposts (-0.10).`
fn labelled(label: &str, lines: &[&TermChange<'_>], sign: i32) -> Option<String> {
    (!lines.is_empty()).then(|| format!("{label}: {}.", weigh_all(lines, sign)))
}

fn weigh_all(lines: &[&TermChange<'_>], sign: i32) -> String {
    enumerate(&lines.iter().map(|line| weighed(line, sign)).collect::<Vec<_>>())
}
