//! The numbers of the evaluation: a leaf that knows neither the rules nor the search.
//!
//! It stands below the rules because `put_piece` and `remove_piece` keep the sum of the piece-square values.
//! [`Feature`] names every number and says what it means. There are two sets of numbers: [`TEXTBOOK`], set by hand in
//! `textbook` and `piece_square`, of the simpler evaluators, and [`TUNED`], of `full`: what the tuner writes into `tuned`
//! ([`FITTED`]), its families scaled as games ask for ([`Emphasis`]); the weights of known endgames, in `endgames`, are set
//! by hand.

pub mod danger;
mod emphasis;
mod endgames;
mod feature;
#[rustfmt::skip]
mod piece_square;
mod register;
mod score;
mod set;
mod term;
#[rustfmt::skip]
mod textbook;
#[expect(clippy::too_many_lines, reason = "the tuner writes a line for each feature")]
#[rustfmt::skip]
mod tuned;

pub use emphasis::{Emphasis, Family};
pub use piece_square::PIECE_SQUARE;
pub use register::{Feature, Unit};
pub use score::Score;
pub use set::{FITTED, TEXTBOOK, TUNED, Tuned, Weights};
pub use term::Term;

/// What a piece adds to the phase, by kind (pawn, knight, bishop, rook, queen, king): 24 on a full board.
/// Source: PeSTO, in the chess programming wiki, "Tapered Eval".
pub const PHASE: [i32; 6] = [0, 1, 1, 2, 4, 0];
