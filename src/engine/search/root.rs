//! The root: which move, with an exact value and a whole line.

use super::Bound;
use super::limits::Stopped;
use super::parameters::{ASPIRATION_DEPTH, ASPIRATION_MARGIN_MAX};
use super::progress::RootMove;
use super::reduction::Turn;
use super::scout::Node;
use super::table::Entry;
use super::value::{Value, Window};
use super::worker::{Finding, Worker};
use crate::engine::chess::{Move, Position};
use crate::engine::eval::Evaluate;

/// A root move that was searched to the end, with its line.
#[derive(Clone, Debug)]
pub(super) struct Best {
    pub(super) value: Value,
    /// Exact, or a lower bound while the window is being opened.
    pub(super) bound: Bound,
    pub(super) moves: Vec<Move>,
    /// By how much the static value at the end of the line was corrected, in centipawns.
    pub(super) correction: i32,
}

/// The choice of moves at the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Choice {
    /// Every legal move: what is found is worth telling the table.
    Whole,
    /// Some of them.
    Restricted,
}

impl<E: Evaluate> Worker<'_, E> {
    /// The best of these moves, searched with a narrow window around the expected value that is widened until
    /// it holds the value.
    ///
    /// `best` is what is certain at any time, if anything is: after a stop it may be used. The best move
    /// comes first in `moves` afterwards.
    pub(super) fn root(
        &mut self,
        position: &Position,
        moves: &mut [Move],
        choice: Choice,
        expected: Option<Value>,
        best: &mut Option<Best>,
    ) -> Result<(), Stopped> {
        let square = |value: Value| (value - Value::DRAW).pow(2) / self.parameters.aspiration_square;
        let mut margin = self.parameters.aspiration_margin + expected.map_or(0, square);
        let mut window = match expected {
            Some(value) if self.iteration >= ASPIRATION_DEPTH && !value.is_decided() => {
                Window::around(value, margin)
            }
            _ => Window::FULL,
        };
        *best = None;
        loop {
            let value = self.root_moves(position, moves, choice, window, best)?;
            margin = if margin < ASPIRATION_MARGIN_MAX { margin + margin / 2 } else { Window::WIDEST };
            if value <= window.alpha {
                *best = None;
                window.beta = window.alpha + ((window.beta - window.alpha) / 2).max(1);
                window.alpha = Window::around(value, margin).alpha;
            } else if value >= window.beta {
                window.beta = Window::around(value, margin).beta;
            } else {
                return Ok(());
            }
        }
    }

    fn root_moves(
        &mut self,
        position: &Position,
        moves: &mut [Move],
        choice: Choice,
        window: Window,
        best: &mut Option<Best>,
    ) -> Result<Value, Stopped> {
        let depth = self.iteration as i32;
        self.variations.clear(0);
        let assessment = self.assess(position, Finding::NONE, 0);
        let node = Node { assessment, ..Node::principal(window.beta, moves[0], depth, 0) };
        self.begin_root(window);
        let context = self.context(position, 0);
        let Window { mut alpha, beta } = window;
        let (mut best_value, mut best_index) = (-Value::INFINITE, 0);
        for (index, &mv) in moves.iter().enumerate() {
            let before = self.budget.nodes();
            if let Some(onlooker) = self.onlooker {
                let number = (self.lines + index + 1) as u16;
                onlooker.set_at(RootMove { mv, number, depth: depth as u8 });
            }
            let mut child = *position;
            self.play(&mut child, mv)?;
            let left = depth - 1 + self.extension(position, &node, mv, &child);
            let turn = Turn { mv, count: index as i32, left };
            let window = Window { alpha, beta };
            let value = self.open_child(position, &child, window, &node, &turn, (context, best_value))?;
            self.undo();
            self.efforts.add(mv, self.budget.nodes() - before);
            if value > best_value {
                (best_value, best_index) = (value, index);
                if value > alpha {
                    alpha = value;
                    self.variations.extend(0, mv);
                    let bound = if value >= beta { Bound::Lower } else { Bound::Exact };
                    let (moves, correction) =
                        (self.variations.line(0).to_vec(), self.variations.correction(0));
                    *best = Some(Best { value, bound, moves, correction });
                    if value >= beta {
                        break;
                    }
                }
            }
        }
        let raised = best_value > window.alpha;
        if raised {
            moves[..=best_index].rotate_right(1);
        }
        if choice == Choice::Whole {
            let (mv, bound) = match raised {
                true if best_value >= beta => (moves[0], Bound::Lower),
                true => (moves[0], Bound::Exact),
                false => (Move::NONE, Bound::Upper),
            };
            let evaluation = Entry::NO_EVALUATION;
            let entry = Entry { mv, value: best_value, evaluation, depth, bound, principal: true };
            self.remember(position, 0, entry);
        }
        Ok(best_value)
    }
}
