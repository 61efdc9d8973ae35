//! The value of a position once captures are resolved, and whether its static value can be trusted.

use std::sync::atomic::AtomicBool;

use super::limits::{Budget, Stopped};
use super::memory::Memory;
use super::ordering::Forcing;
use super::parameters::{QUIESCENCE_HORIZONS, QUIESCENCE_NODES, QUIET_MARGIN};
use super::table::TranspositionTable;
use super::value::{Value, Window};
use super::worker::Worker;
use super::{MAX_PLY, SearchScore};
use crate::engine::chess::{Game, Move, Position};
use crate::engine::eval::{Evaluate, Evaluator};

/// What becomes of a static value when the captures are played out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quiescence {
    /// The value once nothing hangs, for the side to move.
    pub score: SearchScore,
    /// No capture, promotion or check changes the static value by more than half a pawn. Never where lines
    /// were cut short.
    pub quiet: bool,
    /// The moves that lead to where nothing hangs; none where the side to move does best to leave everything as it is.
    pub line: Vec<Move>,
}

/// Plays out the captures and promotions of a position, and answers its checks.
///
/// It looks at a bounded number of positions: where captures explode, lines are cut short at their static value. Where
/// the stop flag is raised before that, the static value of the position itself is all there is.
#[must_use]
pub fn quiescence(position: &Position, evaluator: Evaluator, stop: &AtomicBool) -> Quiescence {
    let game = Game::new(*position);
    let standing = Value::from_centipawns(evaluator.relative(position));
    for horizon in QUIESCENCE_HORIZONS {
        let table = TranspositionTable::smallest();
        let budget = Budget::new(Some(QUIESCENCE_NODES), stop);
        let result = Memory::lend_blank(|memory| {
            let mut worker = Worker::new(&game, evaluator, evaluator.salt(), &table, memory, budget);
            worker.horizon = horizon;
            worker.settle(position, standing)
        });
        if let Ok(result) = result {
            return result;
        }
    }
    Quiescence { score: standing.score(), quiet: false, line: Vec::new() }
}

impl<E: Evaluate> Worker<'_, E> {
    fn settle(&mut self, position: &Position, standing: Value) -> Result<Quiescence, Stopped> {
        let value = Worker::quiescence(self, position, Window::FULL, 0, Forcing::Captures)?;
        let line = self.variations.line(0).to_vec();
        let mut quiet = self.horizon == MAX_PLY && within_margin(value, standing);
        for mv in &position.legal_moves() {
            if !quiet {
                break;
            }
            if position.gives_check(*mv) {
                let mut child = *position;
                self.play(&mut child, *mv)?;
                let checked = -Worker::quiescence(self, &child, Window::FULL, 1, Forcing::Captures)?;
                self.undo();
                quiet = checked <= standing || within_margin(checked, standing);
            }
        }
        Ok(Quiescence { score: value.score(), quiet, line })
    }
}

fn within_margin(value: Value, standing: Value) -> bool {
    (value - standing).abs() <= QUIET_MARGIN
}
