//! The evaluation: that it adds up everywhere, and every term by hand.

mod count;
mod difference;
mod endgames;
mod full_terms;
mod material;
mod properties;
mod summary;
mod terms;

use centipawn::engine::eval::{Evaluator, EvaluatorKind, PieceValues};

use crate::bodies::evaluation::evaluators;

fn evaluator(kind: EvaluatorKind) -> Evaluator {
    Evaluator::new(kind, PieceValues::Classic).unwrap()
}
