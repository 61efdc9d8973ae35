//! The numbers of the evaluation: a leaf that knows neither the rules nor the search.
//!
//! It stands below the rules because `put_piece` and `remove_piece` keep the sum of the piece-square values.

mod piece_square;
mod score;

pub use piece_square::PIECE_SQUARE;
pub use score::Score;
