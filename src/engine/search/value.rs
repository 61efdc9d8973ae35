//! What a node is worth, and the window it is searched with.

use std::ops::{Add, Neg, Sub};

use super::{MAX_PLY, SearchScore};

/// The worth of a node for the side to move: centipawns, a win by the endgame tables, or a distance to mate, the last
/// two counted in plies from the root.
///
/// A mate in `n` plies is [`Self::mate_in`]`(n)`, just below 32,000; a win that the tables tell after `n` plies is
/// [`Self::won_by_tables`]`(n)`, just below 31,000; centipawns stay within ±20,000, so that they never meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Value(i32);

impl Value {
    /// A draw.
    pub(super) const DRAW: Self = Self(0);
    /// Above every value.
    pub(super) const INFINITE: Self = Self(Self::MATE + 1);
    /// Below every value.
    pub(super) const LEAST: Self = Self(-Self::INFINITE.0);

    const MATE: i32 = 32_000;
    const LONGEST_MATE: i32 = Self::MATE - MAX_PLY as i32;
    const TABLE_WIN: i32 = 31_000;
    /// A win by the tables of a node may be read by another one, twice as far from the root.
    const WIN: i32 = Self::TABLE_WIN - 2 * MAX_PLY as i32;
    /// The most that centipawns are, either way.
    pub(super) const MOST_CENTIPAWNS: i32 = 20_000;

    /// A static value, cut to the range of centipawns.
    pub(super) fn from_centipawns(centipawns: i32) -> Self {
        Self(centipawns.clamp(-Self::MOST_CENTIPAWNS, Self::MOST_CENTIPAWNS))
    }

    /// The same, cut to the range of centipawns.
    pub(super) fn within_centipawns(self) -> Self {
        Self::from_centipawns(self.0)
    }

    /// The side to move at the root mates with its move at this ply from the root.
    pub(super) const fn mate_in(plies: usize) -> Self {
        Self(Self::MATE - plies as i32)
    }

    /// The side to move is mated at this ply from the root.
    pub(super) const fn mated_in(plies: usize) -> Self {
        Self(plies as i32 - Self::MATE)
    }

    /// The endgame tables tell at this ply from the root that the side to move at the root wins.
    pub(super) const fn won_by_tables(plies: usize) -> Self {
        Self(Self::TABLE_WIN - plies as i32)
    }

    /// Won for certain: a forced mate for the side to move, or a win by the endgame tables.
    pub(super) const fn is_win(self) -> bool {
        self.0 >= Self::WIN
    }

    /// Lost for certain: a forced mate against the side to move, or a loss by the endgame tables.
    pub(super) const fn is_loss(self) -> bool {
        self.0 <= -Self::WIN
    }

    /// Won or lost for certain.
    pub(super) const fn is_decided(self) -> bool {
        self.is_win() || self.is_loss()
    }

    /// Half way to a bound; what is decided stays.
    pub(super) fn half_way_to(self, bound: Self) -> Self {
        if self.is_decided() || bound.is_decided() { self } else { bound + (self - bound) / 2 }
    }

    /// How far away a forced mate is, either way; none if there is no mate.
    pub(super) const fn plies_to_mate(self) -> Option<usize> {
        let plies = Self::MATE - self.0.abs();
        if plies <= MAX_PLY as i32 { Some(plies as usize) } else { None }
    }

    /// As stored in the table: mates and wins by the endgame tables count from the node instead of from the root.
    pub(super) const fn to_table(self, ply: usize) -> i16 {
        let value = match self.0 {
            value if value >= Self::WIN => value + ply as i32,
            value if value <= -Self::WIN => value - ply as i32,
            value => value,
        };
        value as i16
    }

    /// As read from the table at this ply: the inverse of [`Self::to_table`].
    pub(super) const fn from_table(stored: i16, ply: usize) -> Self {
        match stored as i32 {
            value if value >= Self::WIN => Self(value - ply as i32),
            value if value <= -Self::WIN => Self(value + ply as i32),
            value => Self(value),
        }
    }

    /// The score of a root with this value: mates in moves, wins by the endgame tables as the most centipawns less the
    /// plies to them.
    pub(super) const fn score(self) -> SearchScore {
        const ABOVE_CENTIPAWNS: i32 = Value::TABLE_WIN - Value::MOST_CENTIPAWNS;
        match self.0 {
            value if value >= Self::LONGEST_MATE => SearchScore::Mate(Self::MATE / 2 - (value - 1) / 2),
            value if value <= -Self::LONGEST_MATE => SearchScore::Mate(-(Self::MATE + value) / 2),
            value if value >= Self::WIN => SearchScore::Cp(value - ABOVE_CENTIPAWNS),
            value if value <= -Self::WIN => SearchScore::Cp(value + ABOVE_CENTIPAWNS),
            value => SearchScore::Cp(value),
        }
    }
}

impl Neg for Value {
    type Output = Self;
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Add<i32> for Value {
    type Output = Self;
    fn add(self, centipawns: i32) -> Self {
        Self(self.0 + centipawns)
    }
}

impl Sub<i32> for Value {
    type Output = Self;
    fn sub(self, centipawns: i32) -> Self {
        Self(self.0 - centipawns)
    }
}

impl Sub for Value {
    type Output = i32;
    fn sub(self, other: Self) -> i32 {
        self.0 - other.0
    }
}

/// The open interval of values that still matter to a node, seen from its side to move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    /// What the side to move has already.
    pub(super) alpha: Value,
    /// What the other side has already: a value from here on is never reached.
    pub(super) beta: Value,
}

impl Window {
    /// Every value.
    pub(super) const FULL: Self = Self { alpha: Value(-Value::INFINITE.0), beta: Value::INFINITE };

    /// A margin that reaches every value.
    pub(super) const WIDEST: i32 = 2 * Value::INFINITE.0;

    /// The window that only tells whether a value is above `alpha`.
    pub(super) fn zero(alpha: Value) -> Self {
        Self { alpha, beta: alpha + 1 }
    }

    /// Within `margin` of a value, and within the range of values.
    pub(super) fn around(value: Value, margin: i32) -> Self {
        Self { alpha: (value - margin).max(Self::FULL.alpha), beta: (value + margin).min(Self::FULL.beta) }
    }

    /// The same window seen from the other side.
    pub(super) fn flipped(self) -> Self {
        Self { alpha: -self.beta, beta: -self.alpha }
    }

    /// The part that a node at this ply can reach: it is mated here at the worst, and mates by its next move
    /// at the best (mate distance pruning).
    pub(super) fn within_mate_distance(self, ply: usize) -> Self {
        Self { alpha: self.alpha.max(Value::mated_in(ply)), beta: self.beta.min(Value::mate_in(ply + 1)) }
    }

    /// It only tells whether a bound is reached.
    pub(super) fn is_zero(self) -> bool {
        self.beta - self.alpha == 1
    }

    /// No value is left.
    pub(super) fn is_empty(self) -> bool {
        self.alpha >= self.beta
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_PLY, SearchScore, Value};

    #[test]
    fn mates_are_counted_in_moves() {
        assert_eq!(Value::mate_in(1).score(), SearchScore::Mate(1));
        assert_eq!(Value::mate_in(3).score(), SearchScore::Mate(2));
        assert_eq!(Value::mated_in(0).score(), SearchScore::Mate(0));
        assert_eq!(Value::mated_in(2).score(), SearchScore::Mate(-1));
        assert_eq!(Value::from_centipawns(-31).score(), SearchScore::Cp(-31));
        assert_eq!(Value::from_centipawns(99_999).score(), SearchScore::Cp(20_000));
    }

    #[test]
    fn only_what_is_not_decided_goes_half_way() {
        let [beta, value, half] = [30, 130, 80].map(Value::from_centipawns);
        assert_eq!(value.half_way_to(beta), half);
        assert_eq!(beta.half_way_to(beta), beta);
        assert_eq!(Value::mate_in(3).half_way_to(beta), Value::mate_in(3));
        assert_eq!(value.half_way_to(Value::mated_in(4)), value);
    }

    #[test]
    fn wins_by_the_endgame_tables_stand_between_centipawns_and_mates() {
        assert_eq!(Value::won_by_tables(0).score(), SearchScore::Cp(20_000));
        assert_eq!((-Value::won_by_tables(7)).score(), SearchScore::Cp(-19_993));
        for plies in 0..=MAX_PLY {
            let won = Value::won_by_tables(plies);
            assert!(won.is_win() && (-won).is_loss() && won < Value::mate_in(MAX_PLY));
            assert!(won > Value::from_centipawns(99_999));
        }
    }

    #[test]
    fn the_table_counts_mates_from_the_node() {
        let values = [
            Value::mate_in(9),
            Value::mated_in(12),
            Value::from_centipawns(7),
            Value::mate_in(MAX_PLY),
            Value::won_by_tables(9),
            -Value::won_by_tables(MAX_PLY),
        ];
        for value in values {
            for ply in [0, 1, 5, 9] {
                assert_eq!(Value::from_table(value.to_table(ply), ply), value);
            }
        }
        assert_eq!(Value::from_table(Value::mate_in(9).to_table(4), 6), Value::mate_in(11));
    }
}
