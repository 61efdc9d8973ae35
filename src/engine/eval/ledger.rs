//! The one way to change a score: posting to a ledger.

use crate::engine::chess::{Bitboard, Color, Square};
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

/// Where terms post, one side at a time. What a ledger was told is exactly what the score is made of, because a term has no other way to
/// change it.
pub trait Ledger {
    /// Whether it keeps the squares of postings, so that a term may spare itself the search for squares that only a
    /// reader needs.
    const KEEPS_SQUARES: bool = false;

    /// Hands over to the other side: from here on it posts, in squares as it names them. A ledger begins with White, and is
    /// left to White by whoever has handed it over.
    fn turn(&mut self);

    /// Enters a statement, worth centipawns.
    fn post(&mut self, posting: Posting);

    /// Enters a statement that may count nothing, which nobody is told then. So a term need not ask first whether there is
    /// something to count: in the search a branch that goes wrong costs more than a multiplication by zero.
    #[inline]
    fn post_if_any(&mut self, posting: Posting) {
        if !Self::KEEPS_SQUARES || posting.count != 0 {
            self.post(posting);
        }
    }

    /// Enters a statement for each of the squares, with what else is to be looked at there; in one, where nobody reads them.
    #[inline]
    fn post_each(&mut self, posting: Posting, squares: Bitboard, related: impl Fn(Square) -> Bitboard) {
        if Self::KEEPS_SQUARES {
            for square in squares {
                self.post(posting.at(square).with(related(square)));
            }
        } else {
            self.post(posting.times(squares.count() as i32));
        }
    }

    /// Collects units of danger to the enemy king, until they are [settled](Self::settle); those that count nothing are none.
    fn menace(&mut self, posting: Posting);

    /// Turns the units of danger that the side has collected into centipawns, by [`danger::curve`].
    fn settle(&mut self);
}

/// Lets both sides post, White first.
#[inline]
pub(super) fn each_side<L: Ledger>(ledger: &mut L, mut post: impl FnMut(Color, &mut L)) {
    for side in Color::ALL {
        post(side, ledger);
        ledger.turn();
    }
}

/// The ledger of the search: nothing but the sum, that of the side that posts minus the other's.
#[derive(Clone, Copy)]
pub struct Balance<W = &'static Weights> {
    weights: W,
    sum: Score,
    /// Units of danger that are not settled yet, of the side that posts.
    units: Score,
    /// The same of the other side.
    other_units: Score,
}

impl<W: AsRef<Weights>> Balance<W> {
    /// Starts from nothing.
    #[inline]
    #[must_use]
    pub const fn new(weights: W) -> Self {
        Self { weights, sum: Score::ZERO, units: Score::ZERO, other_units: Score::ZERO }
    }

    /// The sum so far, in centipawns, White's minus Black's while it is with White.
    #[inline]
    #[must_use]
    pub const fn sum(&self) -> Score {
        self.sum
    }

    #[inline]
    fn worth(&self, posting: &Posting) -> Score {
        self.weights.as_ref().weight(posting.feature, posting.slot) * posting.count
    }
}

impl<W: AsRef<Weights>> Ledger for Balance<W> {
    #[inline]
    fn turn(&mut self) {
        self.sum = -self.sum;
        std::mem::swap(&mut self.units, &mut self.other_units);
    }

    #[inline]
    fn post(&mut self, posting: Posting) {
        self.sum += self.worth(&posting);
    }

    #[inline]
    fn menace(&mut self, posting: Posting) {
        self.units += self.worth(&posting);
    }

    #[inline]
    fn settle(&mut self) {
        self.sum += danger::curve(self.units);
        self.units = Score::ZERO;
    }
}
