//! A middlegame and an endgame value in one machine word.

use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// A pair of values, one for the middlegame and one for the endgame, packed into 32 bits so that both are added,
/// subtracted and multiplied by one instruction. Each half holds -32,768..=32,767.
///
/// The endgame stands in the upper half; a borrow of the lower half is undone when the upper half is read.
/// Source: the chess programming wiki, "Tapered Eval" and "SIMD and SWAR Techniques".
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Score(i32);

impl Score {
    /// Nothing in both phases.
    pub const ZERO: Self = Self(0);

    /// Packs a middlegame and an endgame value.
    #[must_use]
    pub const fn new(mg: i32, eg: i32) -> Self {
        Self((eg << 16).wrapping_add(mg))
    }

    /// The middlegame half.
    #[must_use]
    pub const fn mg(self) -> i32 {
        self.0 as i16 as i32
    }

    /// The endgame half.
    #[must_use]
    pub const fn eg(self) -> i32 {
        (self.0.wrapping_add(0x8000) >> 16) as i16 as i32
    }

    /// The negated pair, usable in constants.
    #[must_use]
    pub const fn negated(self) -> Self {
        Self(self.0.wrapping_neg())
    }
}

impl Add for Score {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0.wrapping_add(other.0))
    }
}

impl Sub for Score {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0.wrapping_sub(other.0))
    }
}

impl Neg for Score {
    type Output = Self;
    fn neg(self) -> Self {
        self.negated()
    }
}

impl Mul<i32> for Score {
    type Output = Self;
    fn mul(self, factor: i32) -> Self {
        Self(self.0.wrapping_mul(factor))
    }
}

impl AddAssign for Score {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Score {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl std::fmt::Debug for Score {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "({}, {})", self.mg(), self.eg())
    }
}

#[cfg(test)]
mod tests {
    use super::Score;

    #[test]
    fn halves_survive_arithmetic() {
        let values = [-2500, -300, -1, 0, 1, 77, 2500];
        for mg in values {
            for eg in values {
                let score = Score::new(mg, eg);
                assert_eq!((score.mg(), score.eg()), (mg, eg));
                let sum = score * 3 - Score::new(1, -1);
                assert_eq!((sum.mg(), sum.eg()), (3 * mg - 1, 3 * eg + 1));
                assert_eq!(((-score).mg(), (-score).eg()), (-mg, -eg));
            }
        }
    }
}
