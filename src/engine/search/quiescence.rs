//! Leaves: captures and promotions are played out and checks answered until the static value can be trusted.
//! The first ply tries quiet checks too.

use super::Bound;
use super::assessment::is_telling;
use super::exchange;
use super::limits::Stopped;
use super::ordering::{Forcing, Picker};
use super::parameters::TABLE_HALFMOVES_MAX;
use super::table::Entry;
use super::value::{Value, Window};
use super::worker::{Worker, decides, has_pieces};
use crate::engine::chess::{Move, Position};
use crate::engine::eval::Evaluate;

impl<E: Evaluate> Worker<'_, E> {
    /// The value once nothing hangs: out of check the side to move may stand pat; in check every evasion is
    /// searched. Captures that lose material by exchange are left out. Where only a bound is asked for, the table may answer,
    /// and what hardly ever decides it is left out too: captures that cannot reach alpha, and what [`Self::is_idle`].
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
        let finding = self.consult(position, ply);
        let entry = finding.entry;
        let principal = entry.is_some_and(|entry| entry.principal);
        // Evasions are searched alike.
        let forcing = if position.in_check() { Forcing::CapturesAndChecks } else { forcing };
        if window.is_zero()
            && let Some(entry) = entry
            && entry.depth >= forcing.depth()
            && decides(entry, window.beta)
            && position.halfmoves() <= TABLE_HALFMOVES_MAX
        {
            return Ok(entry.value);
        }
        if position.in_check() {
            let table_move = entry.map_or(Move::NONE, |entry| entry.mv);
            let context = self.context(position, ply);
            let refutations = self.memory.history.refutations(context.trail, ply);
            let picker = Picker::all(table_move, refutations, context);
            return self.resolve(
                position,
                window,
                Value::mated_in(ply),
                picker,
                ply,
                (Entry::NO_EVALUATION, forcing.depth(), principal),
            );
        }
        let evaluation = self.evaluate_with(position, finding);
        let corrected = self.corrected(position, evaluation);
        self.variations.stand(ply, corrected - evaluation);
        let telling = entry.filter(|entry| window.is_zero() && is_telling(*entry, corrected));
        let standing = telling.map_or(corrected, |entry| entry.value);
        if standing >= window.beta {
            // Nothing has tested by how much it is above beta.
            let standing = standing.half_way_to(window.beta);
            if entry.is_none() {
                self.remember_statically(position, ply, Some((evaluation, standing)));
            }
            return Ok(standing);
        }
        let table_move = entry.map_or(Move::NONE, |entry| entry.mv);
        let enough = window.alpha + 1 - standing - self.parameters.delta_margin;
        let needed = if window.is_zero() { enough } else { i32::MIN };
        let (last, _, _) = self.before();
        let target = last.is_some().then(|| last.to());
        let picker = Picker::forcing(forcing, table_move, (needed, target));
        self.resolve(
            position,
            window,
            standing,
            picker,
            ply,
            (evaluation.to_table(0), forcing.depth(), principal),
        )
    }

    fn resolve(
        &mut self,
        position: &Position,
        window: Window,
        standing: Value,
        mut picker: Picker,
        ply: usize,
        (evaluation, depth, principal): (i16, i32, bool),
    ) -> Result<Value, Stopped> {
        let Window { alpha, beta } = window;
        let (mut best, mut alpha) = (standing, alpha.max(standing));
        let mut best_move = Move::NONE;
        let mut quiet_evasions = 0;
        while let Some(mv) = picker.next(position, &self.memory.history, self.parameters) {
            let base = standing + self.parameters.delta_margin;
            if window.is_zero()
                && !best.is_loss()
                && self.is_idle(position, &mut picker, mv, base <= alpha, quiet_evasions)
            {
                if !mv.is_quiet() && !position.in_check() {
                    best = best.max(base);
                }
                continue;
            }
            quiet_evasions += i32::from(mv.is_quiet() && position.in_check());
            let mut child = *position;
            self.play(&mut child, mv)?;
            let value =
                -self.quiescence(&child, Window { alpha, beta }.flipped(), ply + 1, Forcing::Captures)?;
            self.undo();
            if value > best {
                best = value;
                if value > alpha {
                    alpha = value;
                    best_move = mv;
                    self.variations.extend(ply, mv);
                    if value >= beta {
                        break;
                    }
                }
            }
        }
        if let Some(gain) = picker.left_out() {
            best = best.max(standing + gain + self.parameters.delta_margin);
        }
        if window.is_zero() {
            let bound = if best >= beta { Bound::Lower } else { Bound::Upper };
            let entry = Entry { mv: best_move, value: best, evaluation, depth, bound, principal };
            self.remember(position, ply, entry);
        }
        Ok(best)
    }

    /// Whether a move is hardly ever needed for a bound: a quiet one that has been bad after both moves before it or is the
    /// third that evades a check; an evasion that loses by exchange; and where the side needs to win something, a capture that
    /// wins nothing by exchange.
    fn is_idle(
        &self,
        position: &Position,
        picker: &mut Picker,
        mv: Move,
        falls_short: bool,
        quiet_evasions: i32,
    ) -> bool {
        if mv.is_quiet() {
            let well = self.memory.history.answers_well(position, self.trail(), mv);
            if quiet_evasions > 1 || !well {
                return true;
            }
        }
        if position.in_check() {
            return !exchange::wins_at_least(position, mv, 0);
        }
        falls_short && !picker.is_exempt(position, mv) && !exchange::wins_at_least(position, mv, 1)
    }
}

/// Stalemate of a side with nothing but its king and pawns; with pieces it is too rare to look for at every
/// leaf.
fn is_plain_stalemate(position: &Position) -> bool {
    !position.in_check() && !has_pieces(position) && !position.has_legal_move()
}
