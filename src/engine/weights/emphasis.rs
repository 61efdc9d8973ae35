//! How much the families of tuned weights count in play: what predicts best is not quite what wins most.
//!
//! The tuner learns from positions that searches ended in. They are where the evaluation errs in favour of the side that chose
//! them, which it takes for the right to move, say; and it does not know what a search sees by itself. So games have the
//! last word, by percents of whole families, with the middlegame and the endgame apart.
//!
//! Source: two rounds of `spar screen` at 10,000 nodes a move, in which lots gave each family more on one side and less on the
//! other. The first, 4,840 pairs about the tuner's weights, pointed to a step of which half won most (the whole gained nothing);
//! the second, 3,648 pairs about that, to a small one more. Both were shrunk by what chance alone would give.

use super::feature::LENGTH;
use super::{Feature, Score, Term};

/// Features that are scaled together. A feature of no family counts as the tuner says.
#[derive(Clone, Copy, Debug)]
pub struct Family {
    /// What `spar` calls it.
    pub name: &'static str,
    /// Percents of the middlegame's and of the endgame's weights that play best.
    played: [i32; 2],
    features: &'static [Feature],
}

impl Family {
    /// Every family.
    pub const ALL: [Self; 24] = [
        Self::new("pawn", [102, 103], &[Feature::PawnValue]),
        Self::new("knight", [100, 100], &[Feature::KnightValue]),
        Self::new("bishop", [100, 100], &[Feature::BishopValue]),
        Self::new("rook", [100, 100], &[Feature::RookValue]),
        Self::new("queen", [100, 100], &[Feature::QueenValue]),
        Self::new("bishop_pair", [97, 95], &[Feature::BishopPair]),
        Self::new(
            "officers_by_own_king",
            [104, 93],
            &[
                Feature::KnightByOwnKing,
                Feature::BishopByOwnKing,
                Feature::RookByOwnKing,
                Feature::QueenByOwnKing,
            ],
        ),
        Self::new(
            "officers_by_enemy_king",
            [101, 98],
            &[
                Feature::KnightByEnemyKing,
                Feature::BishopByEnemyKing,
                Feature::RookByEnemyKing,
                Feature::QueenByEnemyKing,
            ],
        ),
        Self::new("kings", [104, 100], &[Feature::KingPlacement]),
        Self::new("pawns_by_own_king", [93, 101], &[Feature::PawnByOwnKing]),
        Self::new("pawns_by_enemy_king", [87, 101], &[Feature::PawnByEnemyKing]),
        Self::new(
            "pawn_structure",
            [102, 101],
            &[
                Feature::IsolatedPawn,
                Feature::DoubledPawn,
                Feature::BackwardPawn,
                Feature::SupportedPawn,
                Feature::PhalanxPawn,
                Feature::CandidatePawn,
                Feature::RammedPawn,
                Feature::PawnIslands,
            ],
        ),
        Self::new(
            "passed_pawns",
            [104, 108],
            &[
                Feature::PassedPawn,
                Feature::BlockedPassedPawn,
                Feature::FreePath,
                Feature::SafePath,
                Feature::SafeStep,
                Feature::DefendedStep,
                Feature::PassedPawnOwnKing,
                Feature::PassedPawnEnemyKing,
                Feature::RookBehindPassedPawn,
            ],
        ),
        Self::new("minor_mobility", [107, 101], &[Feature::KnightMobility, Feature::BishopMobility]),
        Self::new("major_mobility", [105, 97], &[Feature::RookMobility, Feature::QueenMobility]),
        Self::new(
            "minors",
            [98, 99],
            &[
                Feature::KnightOutpost,
                Feature::BishopOutpost,
                Feature::ReachableOutpost,
                Feature::MinorBehindPawn,
                Feature::PawnsOnBishopColor,
                Feature::BishopFacesPawns,
                Feature::LongDiagonal,
            ],
        ),
        Self::new(
            "rooks",
            [110, 105],
            &[
                Feature::RookOnOpenFile,
                Feature::RookOnSemiOpenFile,
                Feature::RookOnSeventh,
                Feature::TrappedBishop,
                Feature::TrappedRook,
                Feature::ConnectedRooks,
                Feature::FileBattery,
                Feature::DiagonalBattery,
            ],
        ),
        Self::new(
            "shelter",
            [106, 104],
            &[
                Feature::KingShelter,
                Feature::PawnStorm,
                Feature::CastlingRight,
                Feature::KingOnOpenFile,
                Feature::KingPawnDistance,
            ],
        ),
        Self::new(
            "king_danger",
            [105, 100],
            &[
                Feature::KingAttacker,
                Feature::KingZoneAttack,
                Feature::WeakKingZone,
                Feature::SafeCheck,
                Feature::ContestedCheck,
                Feature::PinnedToKing,
                Feature::FlankAttack,
                Feature::FlankDefence,
                Feature::BareKingFile,
                Feature::KnightGuard,
                Feature::WithoutQueen,
                Feature::KingExposure,
            ],
        ),
        Self::new("pawn_threats", [106, 97], &[Feature::PawnThreat, Feature::PawnPushThreat]),
        Self::new(
            "piece_threats",
            [113, 106],
            &[Feature::MinorThreat, Feature::RookThreat, Feature::KingThreat, Feature::HangingPiece],
        ),
        Self::new("restriction", [103, 91], &[Feature::QueenAttackSoon, Feature::RestrictedSquare]),
        Self::new("space", [90, 101], &[Feature::Space]),
        Self::new("tempo", [74, 90], &[Feature::Tempo]),
    ];

    const fn new(name: &'static str, played: [i32; 2], features: &'static [Feature]) -> Self {
        Self { name, played, features }
    }
}

/// How much each family counts, in percents of what the tuner found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Emphasis {
    /// Of the middlegame's and of the endgame's weights, in the order of [`Family::ALL`].
    pub percents: [[i32; 2]; Family::ALL.len()],
}

impl Emphasis {
    /// As the tuner says.
    pub(super) const NEUTRAL: Self = Self { percents: [[100; 2]; Family::ALL.len()] };

    /// What the service plays with.
    pub const PLAYED: Self = {
        let mut emphasis = Self::NEUTRAL;
        let mut family = 0;
        while family < Family::ALL.len() {
            emphasis.percents[family] = Family::ALL[family].played;
            family += 1;
        }
        emphasis
    };

    /// The percents of a feature, the middlegame's and the endgame's.
    #[must_use]
    pub fn of(&self, feature: Feature) -> [i32; 2] {
        let mut families = Family::ALL.iter().zip(self.percents);
        let found = families.find(|(family, _)| family.features.contains(&feature));
        found.map_or([100; 2], |(_, percents)| percents)
    }

    /// A row of weights with this emphasis.
    pub(super) const fn scale(&self, mut row: [Score; LENGTH]) -> [Score; LENGTH] {
        let mut family = 0;
        while family < Family::ALL.len() {
            let features = Family::ALL[family].features;
            let mut number = 0;
            while number < features.len() {
                scale_feature(&mut row, features[number], self.percents[family]);
                number += 1;
            }
            family += 1;
        }
        row
    }
}

/// Scales a feature's weights. Of tables that say how much more a piece is worth on one square than on another, or with one
/// move more, it is the differences that are scaled, so that the piece's worth stays; a square where it cannot stand has no weight.
const fn scale_feature(row: &mut [Score; LENGTH], feature: Feature, percents: [i32; 2]) {
    let first = feature.index(0);
    let slots = match feature.term() {
        // The first value set is the tuner's.
        Term::Material => 1,
        _ => feature.slots(),
    };
    let mut fixed = [0; 2];
    if matches!(feature.term(), Term::Placement | Term::Mobility) {
        fixed = mean(row, first, slots);
    }
    let mut slot = first;
    while slot < first + slots {
        let weight = row[slot];
        if !is_zero(weight) {
            row[slot] = Score::new(
                scaled(weight.mg(), fixed[0], percents[0]),
                scaled(weight.eg(), fixed[1], percents[1]),
            );
        }
        slot += 1;
    }
}

/// The mean of the weights that are not zero, rounded toward zero.
const fn mean(row: &[Score; LENGTH], first: usize, slots: usize) -> [i32; 2] {
    let (mut sum, mut number) = ([0; 2], 0);
    let mut slot = first;
    while slot < first + slots {
        sum = [sum[0] + row[slot].mg(), sum[1] + row[slot].eg()];
        number += !is_zero(row[slot]) as i32;
        slot += 1;
    }
    if number == 0 { [0; 2] } else { [sum[0] / number, sum[1] / number] }
}

const fn is_zero(weight: Score) -> bool {
    weight.mg() == 0 && weight.eg() == 0
}

/// So many percents of a value's distance from `fixed`, rounded half away from zero.
const fn scaled(value: i32, fixed: i32, percent: i32) -> i32 {
    let hundredths = (value - fixed) * percent + 100 * fixed;
    (hundredths + 50 * hundredths.signum()) / 100
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::{Emphasis, Family, scaled};
    use crate::engine::weights::{FITTED, Feature, Score, TUNED, Term, Weights};

    #[test]
    fn no_feature_is_in_two_families_and_names_are_unique() {
        let features: Vec<_> = Family::ALL.iter().flat_map(|family| family.features).collect();
        assert_eq!(features.iter().collect::<HashSet<_>>().len(), features.len());
        assert_eq!(
            Family::ALL.iter().map(|family| family.name).collect::<HashSet<_>>().len(),
            Family::ALL.len()
        );
    }

    #[test]
    fn the_service_plays_with_the_tuners_weights_as_games_scaled_them() {
        assert!(Weights::fitted_with(&Emphasis::PLAYED).row() == TUNED.row());
        assert!(Weights::fitted_with(&Emphasis::NEUTRAL).row() == FITTED.row());
    }

    #[test]
    fn a_family_moves_its_own_weights_and_a_placement_keeps_its_mean() {
        for (number, family) in Family::ALL.iter().enumerate() {
            let mut emphasis = Emphasis::NEUTRAL;
            emphasis.percents[number] = [150, 50];
            let weights = Weights::fitted_with(&emphasis);
            for feature in Feature::ALL {
                let (before, after) = (FITTED.of(feature), weights.of(feature));
                if !family.features.contains(&feature) {
                    assert!(before == after, "{feature:?} by {}", family.name);
                    continue;
                }
                let sum = |row: &[Score]| row.iter().map(|weight| weight.mg()).sum::<i32>();
                match feature.term() {
                    Term::Placement | Term::Mobility => {
                        // A mean is rounded by less than one, of which half is added; a weight by half.
                        let off = (sum(after) - sum(before)).unsigned_abs() as usize;
                        assert!(before != after && off <= before.len(), "{feature:?}: {off}");
                    }
                    _ => assert_eq!(after[0].mg(), scaled(before[0].mg(), 0, 150), "{feature:?}"),
                }
            }
        }
    }

    #[test]
    fn scaling_rounds_half_away_from_zero() {
        let cases =
            [(10, 0, 105, 11), (-10, 0, 105, -11), (10, 0, 104, 10), (30, 20, 150, 35), (-7, 0, 0, 0)];
        for (value, fixed, percent, expected) in cases {
            assert_eq!(scaled(value, fixed, percent), expected, "{value} about {fixed} by {percent}");
        }
    }
}
