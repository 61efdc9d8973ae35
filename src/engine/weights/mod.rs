//! The numbers of the evaluation: a leaf that knows neither the rules nor the search.
//!
//! It stands below the rules because `put_piece` and `remove_piece` keep the sum of the piece-square values.
//! Every number stands once, in `values` or `piece_square`; [`Feature`] names it, says what it means and where it came
//! from, and gives it its place in the flat table [`WEIGHTS`].

mod feature;
#[rustfmt::skip]
mod piece_square;
mod score;
mod term;
#[rustfmt::skip]
mod values;

pub use feature::{Feature, WEIGHTS};
pub use piece_square::PIECE_SQUARE;
pub use score::Score;
pub use term::Term;

/// What a piece adds to the phase, by kind (pawn, knight, bishop, rook, queen, king): 24 on a full board.
/// Source: PeSTO, in the chess programming wiki, "Tapered Eval".
pub const PHASE: [i32; 6] = [0, 1, 1, 2, 4, 0];
