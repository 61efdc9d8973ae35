//! `count`: the pieces on the board, and nothing else.

use crate::engine::chess::{Black, Position, White};
use crate::engine::eval::ledger::{Balance, Ledger};
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

    fn weights(&self) -> &'static Weights {
        &TEXTBOOK
    }

    #[inline]
    fn kept(&self, position: &Position) -> (Score, Blend) {
        let key = position.material();
        let mut balance = Balance::new(&TEXTBOOK);
        values::post::<White>(&key, self.values, &mut balance);
        values::post::<Black>(&key, self.values, &mut balance);
        (balance.sum(), Blend::tapered(position))
    }

    fn post_kept(&self, position: &Position, ledger: &mut impl Ledger) {
        values::post::<White>(position, self.values, ledger);
        values::post::<Black>(position, self.values, ledger);
    }

    #[inline]
    fn post_live(&self, _: &Position, _: &mut impl Ledger) {}
}
