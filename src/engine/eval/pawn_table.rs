//! The table of pawns and kings: the sum of what only they decide, kept by their key.

use std::cell::Cell;

use super::camp::Camp;
use super::ledger::{Balance, Ledger, each_side};
use super::survey::Survey;
use super::terms::{king_relative, passed_pawns, pawns, shelter};
use crate::engine::chess::{ByColor, Position};
use crate::engine::prefetch as memory;
use crate::engine::weights::{Score, Tuned};

/// Slots in each thread's table, a power of two: 256 KB.
const SLOTS: usize = 16_384;

thread_local! {
    /// One table a thread, so that no thread waits for another. An empty slot has the key 0, which no position has but by
    /// one chance in 2^64.
    static TABLE: Box<[Cell<(u64, Score)>]> = vec![Cell::new((0, Score::ZERO)); SLOTS].into_boxed_slice();
}

/// What [`post`] posts, White's minus Black's, remembered until other pawns and kings take the slot.
#[inline]
pub(super) fn sum(position: &Position) -> Score {
    let key = position.pawn_and_king_key();
    TABLE.with(|table| {
        let slot = &table[key as usize % SLOTS];
        let (kept, sum) = slot.get();
        if kept == key {
            return sum;
        }
        let sum = from_scratch(position);
        slot.set((key, sum));
        sum
    })
}

/// Has the memory fetched that [`sum`] will ask for.
#[inline]
pub(super) fn prefetch(position: &Position) {
    TABLE.with(|table| memory::prefetch(&table[position.pawn_and_king_key() as usize % SLOTS]));
}

#[inline(never)]
fn from_scratch(position: &Position) -> Score {
    let mut balance = Balance::new(Tuned);
    post(position, &Camp::both(position), &mut balance);
    balance.sum()
}

/// Posts what both sides have from pawns and kings alone, wherever the other pieces are.
pub(super) fn post(position: &Position, camps: &ByColor<Camp>, ledger: &mut impl Ledger) {
    each_side(ledger, |side, ledger| {
        let survey = Survey::of(position, camps, side);
        king_relative::post_pawns(&survey, ledger);
        pawns::post(&survey, ledger);
        passed_pawns::post_pawns(&survey, ledger);
        shelter::post_pawns(&survey, ledger);
    });
}
