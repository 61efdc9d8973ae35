//! The table of pawns and kings: the sum of what only they decide, kept by their key.

use std::cell::Cell;

use super::ledger::{Balance, Ledger};
use super::terms::{king_relative, passed_pawns, pawns, shelter};
use crate::engine::chess::{Black, Position, Side, White};
use crate::engine::prefetch as memory;
use crate::engine::weights::{Score, TUNED};

/// Slots in each thread's table, a power of two: 256 KB.
const SLOTS: usize = 16_384;

thread_local! {
    /// One table a thread, so that no thread waits for another. An empty slot has the key 0, which no position has but by
    /// one chance in 2^64.
    static TABLE: Box<[Cell<(u64, Score)>]> = vec![Cell::new((0, Score::ZERO)); SLOTS].into_boxed_slice();
}

/// What [`post`] posts for both sides, White's minus Black's, remembered until other pawns and kings take the slot.
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
    let mut balance = Balance::new(&TUNED);
    post::<White>(position, &mut balance);
    post::<Black>(position, &mut balance);
    balance.sum()
}

/// Posts what side `S` has from pawns and kings alone, wherever the other pieces are.
pub(super) fn post<S: Side>(position: &Position, ledger: &mut impl Ledger) {
    king_relative::post_pawns::<S>(position, ledger);
    pawns::post::<S>(position, ledger);
    passed_pawns::post_pawns::<S>(position, ledger);
    shelter::post_pawns::<S>(position, ledger);
}
