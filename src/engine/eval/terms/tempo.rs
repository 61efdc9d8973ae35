//! Tempo: the right to move.

use crate::engine::chess::{Black, Color, Position, White};
use crate::engine::eval::ledger::{Ledger, Posting};
use crate::engine::weights::Feature;

/// Posts the tempo for the side to move.
#[inline]
pub(in crate::engine::eval) fn post(position: &Position, ledger: &mut impl Ledger) {
    let posting = Posting::of(Feature::Tempo);
    match position.turn() {
        Color::White => ledger.post::<White>(posting),
        Color::Black => ledger.post::<Black>(posting),
    }
}
