//! `count`: the pieces on the board, and nothing else.

use crate::engine::chess::Position;
use crate::engine::eval::ledger::{Balance, Ledger, each_side};
use crate::engine::eval::material::values;
use crate::engine::eval::{Blend, Evaluate, PieceValues};
use crate::engine::weights::{Score, TEXTBOOK, Term, Weights};

/// Counts pieces; the counts come from the material key that moves keep up to date.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count {
    /// What each piece counts.
    pub values: PieceValues,
}

impl Evaluate for Count {
    fn terms(&self) -> &'static [Term] {
        &[Term::Material]
    }

    fn weights(&self) -> &Weights {
        &TEXTBOOK
    }

    #[inline]
    fn kept(&self, position: &Position) -> (Score, Blend) {
        let key = position.material();
        let mut balance = Balance::new(&TEXTBOOK);
        each_side(&mut balance, |side, ledger| values::post(&key, side, self.values, ledger));
        (balance.sum(), Blend::tapered(position))
    }

    fn post_kept(&self, position: &Position, ledger: &mut impl Ledger) {
        each_side(ledger, |side, ledger| values::post(position, side, self.values, ledger));
    }

    #[inline]
    fn post_live(&self, _: &Position, _: &mut impl Ledger) {}
}
