//! The interface of every evaluator: what it posts, which sums of it caches keep, and how it blends.

use super::Blend;
use super::ledger::{Balance, Ledger};
use crate::engine::chess::{Color, Position};
use crate::engine::weights::{Score, Term, Weights};

/// An evaluator, known when the search is compiled.
///
/// [`evaluate`](Self::evaluate) is the fast way and [`post`](Self::post) the same from scratch, to any ledger; tests
/// hold the two equal. What caches keep of the score is posted by `post_kept`, the rest by `post_live`.
pub trait Evaluate: Copy + Send + Sync {
    /// The terms it has, in the order of a breakdown.
    fn terms(&self) -> &'static [Term];

    /// What its postings are worth.
    fn weights(&self) -> &Weights;

    /// The sum of all that [`Self::post_kept`] posts, as the caches have it, and the blend.
    fn kept(&self, position: &Position) -> (Score, Blend);

    /// Has the memory fetched that [`Self::kept`] will ask for.
    #[inline]
    fn prefetch(&self, _: &Position) {}

    /// Posts what caches keep: material and piece-square values.
    fn post_kept(&self, position: &Position, ledger: &mut impl Ledger);

    /// Posts what has to be looked for on the board.
    fn post_live(&self, position: &Position, ledger: &mut impl Ledger);

    /// Posts everything, from scratch.
    fn post(&self, position: &Position, ledger: &mut impl Ledger) {
        self.post_kept(position, ledger);
        self.post_live(position, ledger);
    }

    /// The static value in centipawns from White's view, rounded once, half away from zero.
    ///
    /// It knows nothing of mate, stalemate or the history of the game: those are the caller's.
    #[inline]
    fn evaluate(&self, position: &Position) -> i32 {
        self.evaluate_with(self.weights(), position)
    }

    /// [`Self::evaluate`] with its own weights, given by a type where the compiler shall know them.
    #[inline]
    fn evaluate_with(&self, weights: impl AsRef<Weights>, position: &Position) -> i32 {
        self.prefetch(position);
        let mut balance = Balance::new(weights);
        self.post_live(position, &mut balance);
        let (kept, blend) = self.kept(position);
        blend.centipawns(balance.sum() + kept)
    }

    /// The static value in centipawns from the view of the side to move, as a negamax search wants it.
    #[inline]
    fn relative(&self, position: &Position) -> i32 {
        match position.turn() {
            Color::White => self.evaluate(position),
            Color::Black => -self.evaluate(position),
        }
    }
}
