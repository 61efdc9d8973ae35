//! From a position to a score, and to the reasons for it.
//!
//! A term never adds to a score: it posts to a [`Ledger`], and posting is the only way to change the score. The search
//! posts to a [`Balance`], which is a bare sum; a breakdown to a [`Journal`], which keeps every entry with its squares;
//! a tuner to [`Coefficients`]. So what is explained is exactly what is counted. The evaluators ([`Evaluate`]) are
//! choices of terms; [`Blend`] turns the sum into centipawns, linearly, and rounds once.

mod apportion;
mod blend;
pub mod breakdown;
mod camp;
mod coefficients;
pub mod endgames;
mod evaluate;
mod evaluator;
mod evaluators;
mod journal;
mod ledger;
pub mod material;
mod pawn_table;
mod piece_values;
mod scale;
mod spans;
mod survey;
mod terms;
pub mod win;

pub use blend::{Blend, GamePhase};
pub use breakdown::{Blending, Breakdown, FeatureLine, TermLine};
pub use coefficients::Coefficients;
pub use evaluate::Evaluate;
pub use evaluator::{Evaluator, EvaluatorKind, FixedPieceValues};
pub use evaluators::{Count, Full, Material, Pieces, Psqt};
pub use journal::{Journal, Record};
pub use ledger::{Balance, Ledger, Posting};
pub use material::DrawKnowledge;
pub use piece_values::PieceValues;
pub use scale::ScaleReason;

/// Builds the tables that are worked out once, so that the first evaluation does not have to wait for them.
pub fn warm_up() {
    material::warm_up();
    endgames::warm_up();
}
