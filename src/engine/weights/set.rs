//! A set of weights: a number for every slot of every feature.

use std::borrow::Cow;

use super::feature::LENGTH;
use super::{Emphasis, Feature, Score, Term, endgames, tuned};

/// All weights in one row, feature after feature: the order of a tuner's coefficients.
pub struct Weights {
    row: [Score; LENGTH],
    origin: Origin,
}

/// Where a set of weights comes from.
#[derive(Clone, Copy)]
enum Origin {
    /// Set by hand.
    Textbook,
    /// The tuner, and how the families are scaled.
    Tuned(Emphasis),
}

/// The textbook's values, of the features that textbooks know; all others count nothing.
pub static TEXTBOOK: Weights = Weights { row: laid_end_to_end(Set::Textbook), origin: Origin::Textbook };

/// The values that predict best, as the tuner found them.
pub static FITTED: Weights =
    Weights { row: laid_end_to_end(Set::Tuned), origin: Origin::Tuned(Emphasis::NEUTRAL) };

/// The values of the evaluator `full`: the tuner's, with the emphasis that games gave them.
pub static TUNED: Weights = Weights::fitted_with(&Emphasis::PLAYED);

/// [`TUNED`], known when the code is compiled: its numbers can stand in the code.
#[derive(Clone, Copy, Debug)]
pub struct Tuned;

impl AsRef<Weights> for Tuned {
    #[inline]
    fn as_ref(&self) -> &Weights {
        &TUNED
    }
}

impl AsRef<Self> for Weights {
    #[inline]
    fn as_ref(&self) -> &Self {
        self
    }
}

impl Weights {
    /// The tuner's with an emphasis.
    #[must_use]
    pub const fn fitted_with(emphasis: &Emphasis) -> Self {
        Self { row: emphasis.scale(FITTED.row), origin: Origin::Tuned(*emphasis) }
    }

    /// Every weight, in the order of [`Feature::index`].
    #[must_use]
    pub const fn row(&self) -> &[Score] {
        &self.row
    }

    /// One weight of a feature.
    ///
    /// # Panics
    /// If `slot` is beyond the end of the whole table; a slot beyond the feature's own row is another feature's.
    #[inline]
    #[must_use]
    pub const fn weight(&self, feature: Feature, slot: usize) -> Score {
        self.row[feature.index(slot)]
    }

    /// The row of a feature.
    #[must_use]
    pub fn of(&self, feature: Feature) -> &[Score] {
        &self.row[feature.index(0)..feature.index(feature.slots())]
    }

    /// Where the numbers of a feature come from.
    #[must_use]
    pub fn source(&self, feature: Feature) -> Cow<'static, str> {
        match (self.origin, feature.term()) {
            (Origin::Textbook, _) => feature.textbook_source().into(),
            (Origin::Tuned(_), Term::Endgame) => endgames::SOURCE.into(),
            (Origin::Tuned(emphasis), _) => match emphasis.of(feature) {
                [100, 100] => tuned::SOURCE.into(),
                [mg, eg] => {
                    let scaled =
                        format!("Scaled in own games: {mg} % in the middlegame, {eg} % in the endgame.");
                    format!("{} {scaled}", tuned::SOURCE).into()
                }
            },
        }
    }
}

#[derive(Clone, Copy)]
enum Set {
    Textbook,
    Tuned,
}

/// The rows of a set end to end. A feature for which the set has no row counts nothing.
#[expect(clippy::large_stack_arrays, reason = "on the compiler's stack, not the program's")]
const fn laid_end_to_end(set: Set) -> [Score; LENGTH] {
    let mut weights = [Score::ZERO; LENGTH];
    let mut number = 0;
    while number < Feature::ALL.len() {
        let feature = Feature::ALL[number];
        let row = match set {
            Set::Textbook => feature.textbook_row(),
            Set::Tuned if matches!(feature.term(), Term::Endgame) => endgames::row(feature),
            Set::Tuned => tuned::row(feature),
        };
        assert!(
            row.is_empty() || row.len() == feature.slots(),
            "a row has not the length that the register says"
        );
        let mut slot = 0;
        while slot < row.len() {
            weights[feature.index(slot)] = row[slot];
            slot += 1;
        }
        number += 1;
    }
    weights
}
