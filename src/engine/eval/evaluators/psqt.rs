//! `psqt`: piece values and piece-square values, tapered.

use crate::engine::chess::Position;
use crate::engine::eval::camp::Camp;
use crate::engine::eval::ledger::{Ledger, each_side};
use crate::engine::eval::material::{self, values};
use crate::engine::eval::terms::placement;
use crate::engine::eval::{Blend, Evaluate, PieceValues};
use crate::engine::weights::{Score, TEXTBOOK, Term, Weights};

/// Adds the two sums that are kept from move to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Psqt {
    /// What each piece is worth.
    pub values: PieceValues,
}

impl Evaluate for Psqt {
    fn terms(&self) -> &'static [Term] {
        &[Term::Material, Term::Placement]
    }

    fn weights(&self) -> &Weights {
        &TEXTBOOK
    }

    #[inline]
    fn kept(&self, position: &Position) -> (Score, Blend) {
        let sum = material::entry(position.material()).value(self.values) + position.piece_square_sum();
        (sum, Blend::tapered(position))
    }

    fn post_kept(&self, position: &Position, ledger: &mut impl Ledger) {
        let camps = Camp::both(position);
        each_side(ledger, |side, ledger| {
            values::post(position, side, self.values, ledger);
            placement::post(&camps[side], ledger);
        });
    }

    #[inline]
    fn post_live(&self, _: &Position, _: &mut impl Ledger) {}
}
