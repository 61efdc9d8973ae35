//! Leaves: captures and promotions are played out and checks answered until the static value can be trusted.
//! The first ply tries quiet checks too.

use super::exchange;
use super::limits::Stopped;
use super::ordering::{Forcing, Picker};
use super::parameters::DELTA_MARGIN;
use super::value::{Value, Window};
use super::worker::{Worker, has_pieces};
use crate::engine::chess::{Move, Position};
use crate::engine::eval::Evaluate;

impl<E: Evaluate> Worker<'_, E> {
    /// The value once nothing hangs: out of check the side to move may stand pat; in check every evasion is
    /// searched. Captures that lose material by exchange are left out, and so are those that cannot reach
    /// alpha.
    ///
    /// The line goes to the variations. The node is polled for a stop like every other.
    pub(super) fn quiescence(
        &mut self,
        position: &Position,
        window: Window,
        ply: usize,
        forcing: Forcing,
    ) -> Result<Value, Stopped> {
        self.variations.clear(ply);
        self.reach(ply);
        if self.is_drawn(position) || is_plain_stalemate(position) {
            return Ok(Value::DRAW);
        }
        if ply >= self.horizon {
            return Ok(self.evaluate(position));
        }
        if position.in_check() {
            let picker = Picker::all(Move::NONE, self.history.killers(ply));
            return self.resolve(position, window, Value::mated_in(ply), picker, ply);
        }
        let standing = self.evaluate(position);
        if standing >= window.beta {
            return Ok(standing);
        }
        self.resolve(position, window, standing, Picker::forcing(forcing), ply)
    }

    fn resolve(
        &mut self,
        position: &Position,
        window: Window,
        standing: Value,
        mut picker: Picker,
        ply: usize,
    ) -> Result<Value, Stopped> {
        let Window { alpha, beta } = window;
        let (mut best, mut alpha) = (standing, alpha.max(standing));
        while let Some(mv) = picker.next(position, &self.history) {
            if !position.in_check() && !mv.is_quiet() {
                let hoped = standing + exchange::most_gain(position, mv) + DELTA_MARGIN;
                if hoped <= alpha {
                    best = best.max(hoped);
                    continue;
                }
            }
            let child = self.play(position, mv)?;
            let value =
                -self.quiescence(&child, Window { alpha, beta }.flipped(), ply + 1, Forcing::Captures)?;
            self.undo();
            if value > best {
                best = value;
                if value > alpha {
                    alpha = value;
                    self.variations.extend(ply, mv);
                    if value >= beta {
                        break;
                    }
                }
            }
        }
        Ok(best)
    }
}

/// Stalemate of a side with nothing but its king and pawns; with pieces it is too rare to look for at every
/// leaf.
fn is_plain_stalemate(position: &Position) -> bool {
    !position.in_check() && !has_pieces(position) && !position.has_legal_move()
}
