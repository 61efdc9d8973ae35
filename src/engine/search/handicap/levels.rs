//! Every number of the weaker opponent, by strength.

use super::Elo;

/// How an opponent of some strength thinks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Level {
    /// The strength, on the scale of Stockfish's `UCI_Elo`.
    pub(super) elo: i64,
    /// Positions that it looks at before it moves.
    pub(super) nodes: i64,
    /// How often it overlooks a reply, per mille.
    pub(super) overlooked: i64,
    /// How often it misses a mate in one, per mille.
    pub(super) missed_mates: i64,
    /// The standard deviation of its judgement of a move, in felt centipawns.
    pub(super) error: i64,
    /// The most that it gives away against the best move that it sees, in felt centipawns.
    pub(super) tolerance: i64,
}

/// The levels that were measured, from weak to strong; all others lie between two of them.
///
/// All columns but the first are by design: strength, then positions, overlooked replies, missed mates, error and
/// tolerance. The first is what `benches/elo_calibration.py` measured, which reads this table and prints the column anew: by 2,348
/// games. Two standard deviations are 40 to 60 Elo from 1,100 to 2,100, 80 to 110 beside that, and 170 at 2,600; the first two and
/// the last two are extended in proportion.
const LEVELS: [Level; 15] = [
    level(270, [100, 760, 400, 90, 1_200]),
    level(445, [160, 640, 300, 82, 1_100]),
    level(620, [250, 480, 200, 74, 950]),
    level(880, [400, 340, 120, 66, 800]),
    level(1055, [650, 240, 60, 58, 650]),
    level(1290, [1_100, 160, 0, 48, 500]),
    level(1605, [2_000, 90, 0, 38, 380]),
    level(1875, [4_000, 40, 0, 28, 280]),
    level(1980, [8_000, 18, 0, 20, 180]),
    level(2120, [16_000, 7, 0, 12, 80]),
    level(2250, [40_000, 2, 0, 6, 35]),
    level(2325, [100_000, 0, 0, 3, 15]),
    level(2470, [300_000, 0, 0, 2, 10]),
    level(2605, [1_000_000, 0, 0, 1, 5]),
    level(2690, [2_000_000, 0, 0, 0, 0]),
];

const fn level(elo: i64, [nodes, overlooked, missed_mates, error, tolerance]: [i64; 5]) -> Level {
    Level { elo, nodes, overlooked, missed_mates, error, tolerance }
}

impl Level {
    /// The level of a strength, between the two measured ones about it in proportion.
    pub(super) fn of(elo: Elo) -> Self {
        let wanted = i64::from(elo.get());
        let above = LEVELS.iter().position(|level| level.elo > wanted).unwrap_or(LEVELS.len() - 1).max(1);
        let (low, high) = (&LEVELS[above - 1], &LEVELS[above]);
        let part = (wanted - low.elo).clamp(0, high.elo - low.elo);
        let between = |low_value: i64, high_value: i64| {
            low_value + (high_value - low_value) * part / (high.elo - low.elo)
        };
        Self {
            elo: wanted,
            nodes: between(low.nodes, high.nodes),
            overlooked: between(low.overlooked, high.overlooked),
            missed_mates: between(low.missed_mates, high.missed_mates),
            error: between(low.error, high.error),
            tolerance: between(low.tolerance, high.tolerance),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Elo, LEVELS, Level};

    #[test]
    fn the_measured_levels_reach_from_end_to_end() {
        assert!(LEVELS[0].elo <= i64::from(Elo::MIN.get()));
        assert!(LEVELS[LEVELS.len() - 1].elo >= i64::from(Elo::MAX.get()));
    }

    #[test]
    fn measured_levels_are_themselves() {
        for level in &LEVELS {
            if let Some(elo) = Elo::new(level.elo as u16) {
                assert_eq!(Level::of(elo), *level);
            }
        }
    }

    #[test]
    fn the_stronger_is_better_in_everything() {
        let levels: Vec<_> =
            (Elo::MIN.get()..=Elo::MAX.get()).map(|elo| Level::of(Elo::new(elo).unwrap())).collect();
        for pair in levels.windows(2) {
            let (weak, strong) = (pair[0], pair[1]);
            assert!(weak.elo < strong.elo && weak.nodes <= strong.nodes, "{strong:?}");
            assert!(weak.overlooked >= strong.overlooked, "{strong:?}");
            assert!(weak.missed_mates >= strong.missed_mates, "{strong:?}");
            assert!(weak.error >= strong.error && weak.tolerance >= strong.tolerance, "{strong:?}");
        }
    }
}
