//! What is different between two breakdowns: entry by entry, adding up to the difference of their centipawns.

use std::cmp::Reverse;

use super::{Breakdown, FeatureLine, TermLine};
use crate::engine::chess::{Color, Travel};
use crate::engine::eval::Blend;
use crate::engine::weights::{Feature, Term};

/// The way from one breakdown to another of the same evaluator. White's view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference<'a> {
    /// Where it starts.
    pub before: &'a Breakdown,
    /// Where it ends.
    pub after: &'a Breakdown,
    /// What each step from the one value to the other adds.
    pub causes: Causes,
    /// Every term of the evaluator; their centipawns add up to [`Self::cp`].
    pub terms: Vec<TermChange<'a>>,
}

/// What brought a difference, in centipawns that add up to it: first the entries change, weighed as before, then the
/// phase, the scale and the 50-move rule change what the new entries count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Causes {
    /// Other entries.
    pub features: i32,
    /// Another phase between middlegame and endgame.
    pub phase: i32,
    /// Another scale.
    pub scale: i32,
    /// Another distance from the 50-move rule.
    pub damping: i32,
}

/// What is different in a term.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TermChange<'a> {
    /// Which one.
    pub term: Term,
    /// The term before.
    pub before: &'a TermLine,
    /// The term after.
    pub after: &'a TermLine,
    /// The entries that are different, the weightiest first; their centipawns add up to [`Self::cp`].
    pub features: Vec<FeatureChange<'a>>,
}

/// An entry that is different: at least one of the two is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FeatureChange<'a> {
    /// The reason.
    pub feature: Feature,
    /// Whose piece it is about.
    pub side: Color,
    /// The entry before.
    pub before: Option<&'a FeatureLine>,
    /// The entry after.
    pub after: Option<&'a FeatureLine>,
}

/// How an entry is different.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FeatureFate {
    /// It was not there before.
    Appeared,
    /// It is not there any more.
    Vanished,
    /// It has another worth.
    Changed,
    /// It has the same worth in the middlegame and in the endgame, but counts differently: by phase, scale or 50-move
    /// rule, or by a rounding.
    Reweighed,
}

impl<'a> Difference<'a> {
    /// Compares two breakdowns of the same evaluator.
    ///
    /// Entries belong together if they have the same name and side and are about the same pieces, which `travel` follows
    /// from the first board to the second; of several such those that name the same other squares. What is left is paired
    /// where at least one piece is the same.
    #[must_use]
    pub fn between(before: &'a Breakdown, after: &'a Breakdown, travel: &Travel) -> Self {
        let pairs = before.terms.iter().zip(&after.terms);
        let terms = pairs.map(|(before, after)| TermChange::between(before, after, travel)).collect();
        Self { before, after, causes: Causes::between(before, after), terms }
    }

    /// The whole difference in centipawns.
    #[must_use]
    pub const fn cp(&self) -> i32 {
        self.after.cp - self.before.cp
    }
}

impl Causes {
    fn between(before: &Breakdown, after: &Breakdown) -> Self {
        let (old, new) = (blend(before), blend(after));
        let worth = |blend: Blend| blend.centipawns(after.blending.sum);
        let entries = worth(old);
        let phased = worth(Blend { phase: new.phase, ..old });
        let scaled = worth(Blend { damping: old.damping, ..new });
        Self {
            features: entries - before.cp,
            phase: phased - entries,
            scale: scaled - phased,
            damping: after.cp - scaled,
        }
    }
}

fn blend(breakdown: &Breakdown) -> Blend {
    Blend {
        phase: breakdown.phase.value,
        scale: breakdown.blending.scale,
        reason: None,
        damping: breakdown.blending.damping,
    }
}

impl<'a> TermChange<'a> {
    fn between(before: &'a TermLine, after: &'a TermLine, travel: &Travel) -> Self {
        let mut features = paired(&before.features, &after.features, travel);
        features.retain(|change| change.fate().is_some());
        features.sort_by_key(|change| Reverse(change.cp().abs()));
        Self { term: after.term, before, after, features }
    }

    /// The difference of the term in centipawns.
    #[must_use]
    pub const fn cp(&self) -> i32 {
        self.after.cp - self.before.cp
    }
}

impl FeatureChange<'_> {
    /// The difference of the entry in centipawns.
    #[must_use]
    pub fn cp(&self) -> i32 {
        self.after.map_or(0, |line| line.cp) - self.before.map_or(0, |line| line.cp)
    }

    /// How it is different, if it is.
    #[must_use]
    pub fn fate(&self) -> Option<FeatureFate> {
        match (self.before, self.after) {
            (None, None) => None,
            (None, Some(_)) => Some(FeatureFate::Appeared),
            (Some(_), None) => Some(FeatureFate::Vanished),
            (Some(before), Some(after)) if before.score != after.score => Some(FeatureFate::Changed),
            (Some(before), Some(after)) => (before.cp != after.cp).then_some(FeatureFate::Reweighed),
        }
    }
}

/// How two entries of the same name and side belong together.
#[derive(Clone, Copy)]
enum Kinship {
    /// They are about the same pieces and name the same others.
    SameSentence,
    /// They are about the same pieces.
    SamePieces,
    /// They are about at least one piece in common.
    SharedPiece,
}

impl Kinship {
    fn holds(self, old: &FeatureLine, new: &FeatureLine, travel: &Travel) -> bool {
        if (old.feature, old.side) != (new.feature, new.side) {
            return false;
        }
        let arrived = travel.targets(old.squares);
        match self {
            // What is named beside the pieces may be other pieces, which move, or squares and files, which do not.
            Self::SameSentence => {
                arrived == new.squares
                    && (old.related == new.related || travel.targets(old.related) == new.related)
            }
            Self::SamePieces => arrived == new.squares,
            Self::SharedPiece => (arrived & new.squares).any(),
        }
    }
}

/// Every entry of both lists, those that belong together in one.
fn paired<'a>(
    before: &'a [FeatureLine],
    after: &'a [FeatureLine],
    travel: &Travel,
) -> Vec<FeatureChange<'a>> {
    let mut partners: Vec<Option<usize>> = vec![None; before.len()];
    let mut free = vec![true; after.len()];
    for kinship in [Kinship::SameSentence, Kinship::SamePieces, Kinship::SharedPiece] {
        for (old, partner) in before.iter().zip(&mut partners).filter(|(_, partner)| partner.is_none()) {
            *partner =
                (0..after.len()).find(|index| free[*index] && kinship.holds(old, &after[*index], travel));
            if let Some(index) = *partner {
                free[index] = false;
            }
        }
    }
    let change = |line: &FeatureLine, before, after| FeatureChange {
        feature: line.feature,
        side: line.side,
        before,
        after,
    };
    let old = before
        .iter()
        .zip(partners)
        .map(|(line, partner)| change(line, Some(line), partner.map(|index| &after[index])));
    let fresh = after.iter().zip(free).filter(|(_, free)| *free);
    old.chain(fresh.map(|(line, _)| change(line, None, Some(line)))).collect()
}
