//! What is known of a feature.

use super::register::Details;
use super::{Feature, Score, Term, Unit, textbook};

impl Feature {
    /// The name in the API, in camel case.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.details().name
    }

    /// The family it belongs to.
    #[must_use]
    pub const fn term(self) -> Term {
        self.details().term
    }

    /// The heading a reader sees.
    #[must_use]
    pub const fn title(self) -> &'static str {
        self.details().title
    }

    /// What the feature is, in a sentence.
    #[must_use]
    pub const fn meaning(self) -> &'static str {
        self.details().meaning
    }

    /// What the place of a weight in the row stands for; empty for a feature with a single weight.
    #[must_use]
    pub const fn slot(self) -> &'static str {
        self.details().slot
    }

    /// How many weights it has.
    #[must_use]
    pub const fn slots(self) -> usize {
        self.details().slots
    }

    /// What the weights are counted in.
    #[must_use]
    pub const fn unit(self) -> Unit {
        self.details().unit
    }

    /// The place of a weight in a set's [row](super::Weights::row).
    ///
    /// `slot` must be below [`Self::slots`]; a larger one names another feature's weight.
    #[inline]
    #[must_use]
    pub const fn index(self, slot: usize) -> usize {
        OFFSETS[self as usize] + slot
    }

    pub(super) const fn textbook_row(self) -> &'static [Score] {
        textbook::row(self).0
    }

    pub(super) const fn textbook_source(self) -> &'static str {
        textbook::row(self).1
    }

    const fn details(self) -> &'static Details {
        &DETAILS[self as usize]
    }
}

static DETAILS: [Details; Feature::NUMBER] = Feature::DETAILS;

/// Where each feature's row begins.
const OFFSETS: [usize; Feature::NUMBER] = {
    let mut offsets = [0; Feature::NUMBER];
    let mut feature = 1;
    while feature < Feature::NUMBER {
        offsets[feature] = offsets[feature - 1] + Feature::DETAILS[feature - 1].slots;
        feature += 1;
    }
    offsets
};

/// How many weights a set has.
pub(super) const LENGTH: usize = OFFSETS[Feature::NUMBER - 1] + Feature::DETAILS[Feature::NUMBER - 1].slots;

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::{Feature, LENGTH};
    use crate::engine::weights::{TEXTBOOK, TUNED};

    #[test]
    fn rows_lie_end_to_end() {
        for weights in [&TEXTBOOK, &TUNED] {
            let rows: Vec<_> =
                Feature::ALL.iter().flat_map(|feature| weights.of(*feature)).copied().collect();
            assert_eq!(rows, weights.row());
            assert_eq!(rows.len(), LENGTH);
            for feature in Feature::ALL {
                for (slot, weight) in weights.of(feature).iter().enumerate() {
                    assert_eq!(weights.weight(feature, slot), *weight, "{feature:?} {slot}");
                }
            }
        }
    }

    #[test]
    fn names_are_unique_and_texts_are_sentences() {
        let names: HashSet<_> = Feature::ALL.iter().map(|feature| feature.name()).collect();
        assert_eq!(names.len(), Feature::ALL.len());
        for feature in Feature::ALL {
            assert!(feature.meaning().ends_with('.'), "{feature:?}");
            assert!(
                TEXTBOOK.source(feature).ends_with('.') && TUNED.source(feature).ends_with('.'),
                "{feature:?}"
            );
            assert_eq!(feature.slot().is_empty(), feature.slots() == 1, "{feature:?}");
        }
    }
}
