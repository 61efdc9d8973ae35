//! The weights of known endgames, in centipawns, which no tuner touches: they order positions whose result is known.

use super::{Feature, Score};

/// Where the numbers come from.
pub(super) const SOURCE: &str = "Set by hand for this engine.";

/// Known endgames count alike in every phase.
const fn s(both: i32) -> Score {
    Score::new(both, both)
}

/// The row of a feature; empty for one that is not of the term of known endgames.
pub(super) const fn row(feature: Feature) -> &'static [Score] {
    match feature {
        Feature::KnownWin => const { &[s(200), s(500)] },
        // A mate that is only likely counts like a certain one: a piece that comes near the bare king must not cost.
        Feature::PromisingEndgame => const { &[s(200), s(350)] },
        Feature::PawnOnItsWay | Feature::KingsClose => const { &[s(15)] },
        Feature::KingToEdge | Feature::KingToEnemyPawn => const { &[s(10)] },
        Feature::KingToMatingCorner => const { &[s(100)] },
        Feature::KnightAstray => const { &[s(20)] },
        _ => &[],
    }
}
