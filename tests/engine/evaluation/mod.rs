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

/// Every evaluator with every set of piece values that it takes.
fn evaluators() -> impl Iterator<Item = Evaluator> {
    EvaluatorKind::ALL
        .into_iter()
        .flat_map(|kind| PieceValues::ALL.map(|values| Evaluator::new(kind, values)))
        .flatten()
}

fn evaluator(kind: EvaluatorKind) -> Evaluator {
    Evaluator::new(kind, PieceValues::Classic).unwrap()
}
