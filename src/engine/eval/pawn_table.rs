//! The table of pawn structures: the sum of the pawn term, kept by the pawn key.

use std::cell::Cell;

use super::ledger::Balance;
use super::terms::pawns;
use crate::engine::chess::{Black, Position, White};
use crate::engine::weights::{Score, TUNED};

/// Slots in each thread's table, a power of two: 128 KB.
const SLOTS: usize = 8192;

thread_local! {
    /// One table a thread, so that no thread waits for another. The key of no pawns is 0 and their sum nothing, so an
    /// empty slot is right for it.
    static TABLE: Box<[Cell<(u64, Score)>]> = vec![Cell::new((0, Score::ZERO)); SLOTS].into_boxed_slice();
}

/// What the pawns of both sides are worth by their structure, White's minus Black's, remembered until another structure
/// takes the slot.
#[inline]
pub(super) fn sum(position: &Position) -> Score {
    let key = position.pawn_key();
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

#[inline(never)]
fn from_scratch(position: &Position) -> Score {
    let mut balance = Balance::new(&TUNED);
    pawns::post::<White>(position, &mut balance);
    pawns::post::<Black>(position, &mut balance);
    balance.sum()
}
