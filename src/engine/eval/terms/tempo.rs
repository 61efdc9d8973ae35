//! Tempo: the right to move.

use crate::engine::eval::ledger::{Ledger, Posting};
use crate::engine::eval::survey::Survey;
use crate::engine::weights::Feature;

/// Posts the tempo for the side to move.
#[inline]
pub(in crate::engine::eval) fn post(survey: &Survey, ledger: &mut impl Ledger) {
    let posting = Posting::of(Feature::Tempo);
    ledger.post_if_any(posting.when(survey.to_move()));
}
