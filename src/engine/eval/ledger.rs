//! The one way to change a score: posting to a ledger.

use crate::engine::chess::{Bitboard, ByColor, Color, Side, Square};
use crate::engine::weights::{Feature, Score, Weights, danger};

/// One statement of a term: so many times this weight of this feature, because of these squares.
///
/// Only feature, slot and count make the score; the squares are for a reader, and a ledger that has no reader lets the
/// compiler drop them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Posting {
    /// The reason.
    pub feature: Feature,
    /// The weight in the feature's row, such as the number of safe squares.
    pub slot: usize,
    /// How many times the weight counts; negative where a feature's count can be.
    pub count: i32,
    /// The pieces it is about.
    pub squares: Bitboard,
    /// What else a reader has to look at, such as the pawn that protects an outpost.
    pub related: Bitboard,
}

impl Posting {
    /// The feature's first weight, once, without squares.
    #[inline]
    #[must_use]
    pub const fn of(feature: Feature) -> Self {
        Self { feature, slot: 0, count: 1, squares: Bitboard::EMPTY, related: Bitboard::EMPTY }
    }

    /// Takes another weight of the row.
    #[inline]
    #[must_use]
    pub const fn slot(self, slot: usize) -> Self {
        Self { slot, ..self }
    }

    /// Counts the weight several times.
    #[inline]
    #[must_use]
    pub const fn times(self, count: i32) -> Self {
        Self { count, ..self }
    }

    /// Counts the weight once, or not at all.
    #[inline]
    #[must_use]
    pub const fn when(self, holds: bool) -> Self {
        self.times(holds as i32)
    }

    /// Says which pieces it is about.
    #[inline]
    #[must_use]
    pub const fn on(self, squares: Bitboard) -> Self {
        Self { squares, ..self }
    }

    /// Says which piece it is about.
    #[inline]
    #[must_use]
    pub const fn at(self, square: Square) -> Self {
        self.on(Bitboard::from_square(square))
    }

    /// Says what else to look at.
    #[inline]
    #[must_use]
    pub const fn with(self, related: Bitboard) -> Self {
        Self { related, ..self }
    }
}

/// Where terms post. What a ledger was told is exactly what the score is made of, because a term has no other way to
/// change it.
pub trait Ledger {
    /// Whether it keeps the squares of postings, so that a term may spare itself the search for squares that only a
    /// reader needs.
    const KEEPS_SQUARES: bool = false;

    /// Enters a statement for side `S`, worth centipawns.
    fn post<S: Side>(&mut self, posting: Posting);

    /// Enters a statement that may count nothing, which nobody is told then. So a term need not ask first whether there is
    /// something to count: in the search a branch that goes wrong costs more than a multiplication by zero.
    #[inline]
    fn post_if_any<S: Side>(&mut self, posting: Posting) {
        if !Self::KEEPS_SQUARES || posting.count != 0 {
            self.post::<S>(posting);
        }
    }

    /// Collects units of danger that side `S` brings to the enemy king, until they are [settled](Self::settle); those that
    /// count nothing are none.
    fn menace<S: Side>(&mut self, posting: Posting);

    /// Turns the units of danger that side `S` has collected into centipawns, by [`danger::curve`].
    fn settle<S: Side>(&mut self);
}

/// The ledger of the search: nothing but the sum, White's minus Black's.
#[derive(Clone, Copy)]
pub struct Balance {
    weights: &'static Weights,
    sum: Score,
    units: ByColor<Score>,
}

impl Balance {
    /// Starts from nothing.
    #[inline]
    #[must_use]
    pub const fn new(weights: &'static Weights) -> Self {
        Self { weights, sum: Score::ZERO, units: ByColor { white: Score::ZERO, black: Score::ZERO } }
    }

    /// The sum so far, in centipawns.
    #[inline]
    #[must_use]
    pub const fn sum(self) -> Score {
        self.sum
    }

    #[inline]
    fn worth(&self, posting: &Posting) -> Score {
        self.weights.weight(posting.feature, posting.slot) * posting.count
    }

    #[inline]
    fn add<S: Side>(&mut self, worth: Score) {
        match S::COLOR {
            Color::White => self.sum += worth,
            Color::Black => self.sum -= worth,
        }
    }
}

impl Ledger for Balance {
    #[inline]
    fn post<S: Side>(&mut self, posting: Posting) {
        self.add::<S>(self.worth(&posting));
    }

    #[inline]
    fn menace<S: Side>(&mut self, posting: Posting) {
        let worth = self.worth(&posting);
        self.units[S::COLOR] += worth;
    }

    #[inline]
    fn settle<S: Side>(&mut self) {
        self.add::<S>(danger::curve(self.units[S::COLOR]));
        self.units[S::COLOR] = Score::ZERO;
    }
}
