//! The one-ply move chooser of the textbooks.

use super::value::Value;
use super::{Bound, Line, final_score};
use crate::engine::chess::{Game, Move, Status};
use crate::engine::eval::{Evaluate, Evaluator};

/// The move after which the static value is best, the first of equals in the order of generation. A mate is
/// best of all, and a move that draws by rule is worth nothing.
///
/// A game that is over has a line without moves.
#[must_use]
pub fn greedy(game: &Game, evaluator: Evaluator) -> Line {
    let status = game.status();
    if status.is_over() {
        return Line {
            score: final_score(status),
            bound: Bound::Exact,
            depth: 0,
            moves: Vec::new(),
            correction: 0,
        };
    }
    let mut best = (-Value::INFINITE, Vec::new());
    for mv in &game.position().legal_moves() {
        let value = value_after(game, *mv, evaluator);
        if value > best.0 {
            best = (value, vec![*mv]);
        }
    }
    let (value, moves) = best;
    Line { score: value.score(), bound: Bound::Exact, depth: 1, moves, correction: 0 }
}

/// What is known of a move without a search: the static value after it, or how it ends the game.
pub(super) fn value_after(game: &Game, mv: Move, evaluator: impl Evaluate) -> Value {
    let mut after = game.clone();
    after.play(mv);
    match after.status() {
        Status::Checkmate => Value::mate_in(1),
        Status::Ongoing => -Value::from_centipawns(evaluator.relative(after.position())),
        // As a search has it, what may be claimed is a draw too.
        _ => Value::DRAW,
    }
}
