//! `full`: everything there is.

use super::Pieces;
use crate::engine::chess::{Black, Position, White};
use crate::engine::eval::ledger::{Balance, Ledger};
use crate::engine::eval::terms::{placement, tempo};
use crate::engine::eval::{Blend, Evaluate};
use crate::engine::weights::Term;

/// What [`Pieces`] sees, the piece-square values, the tempo, and the damping by the 50-move rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Full;

impl Evaluate for Full {
    fn terms(&self) -> &'static [Term] {
        &Term::ALL
    }

    #[inline]
    fn start(&self, position: &Position) -> (Balance, Blend) {
        let (balance, blend) = Pieces.start(position);
        let sum = balance.sum() + position.piece_square_sum();
        (Balance::from_sum(sum), blend.damped_by(position.halfmoves()))
    }

    fn post_kept(&self, position: &Position, ledger: &mut impl Ledger) {
        Pieces.post_kept(position, ledger);
        placement::post::<White>(position, ledger);
        placement::post::<Black>(position, ledger);
    }

    #[inline]
    fn post_live(&self, position: &Position, ledger: &mut impl Ledger) {
        Pieces.post_live(position, ledger);
        tempo::post(position, ledger);
    }
}
