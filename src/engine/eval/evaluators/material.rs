//! `material`: piece values, imbalance and what material alone knows of draws, from the material table.

use crate::engine::chess::Position;
use crate::engine::eval::ledger::{Ledger, each_side};
use crate::engine::eval::material::{self, imbalance, values};
use crate::engine::eval::{Blend, Evaluate, PieceValues, ScaleReason};
use crate::engine::weights::{Score, TEXTBOOK, Term, Weights};

/// Looks the constellation up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Material {
    /// What each piece is worth.
    pub values: PieceValues,
}

impl Evaluate for Material {
    fn terms(&self) -> &'static [Term] {
        &[Term::Material, Term::Imbalance]
    }

    fn weights(&self) -> &Weights {
        &TEXTBOOK
    }

    #[inline]
    fn kept(&self, position: &Position) -> (Score, Blend) {
        let entry = material::entry(position.material());
        let sum = entry.value(self.values) + entry.imbalance();
        (sum, Blend::tapered(position).scaled_by(entry.draw().map(ScaleReason::Material)))
    }

    fn post_kept(&self, position: &Position, ledger: &mut impl Ledger) {
        each_side(ledger, |side, ledger| {
            values::post(position, side, self.values, ledger);
            imbalance::post(position, side, ledger);
        });
    }

    #[inline]
    fn post_live(&self, _: &Position, _: &mut impl Ledger) {}
}
