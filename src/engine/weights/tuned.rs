//! The weights of the evaluator `full`, as (middlegame, endgame).

use super::{Feature, Score};

/// Where the numbers come from.
pub(super) const SOURCE: &str = "Set by hand for this engine.";

const fn s(mg: i32, eg: i32) -> Score {
    Score::new(mg, eg)
}

/// The row of a feature.
pub(super) const fn row(feature: Feature) -> &'static [Score] {
    match feature {
        Feature::Tempo => const { &[s(20, 10)] },
        _ => feature.textbook_row(),
    }
}
