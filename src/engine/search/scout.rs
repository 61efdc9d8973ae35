//! Nodes off the principal variation: searched with a zero window, to tell only whether they reach beta.

use super::Bound;
use super::limits::Stopped;
use super::ordering::{Forcing, Picker};
use super::parameters::{
    INTERNAL_REDUCTION_DEPTH, LATE_MOVE_PRUNING_BASE, LATE_MOVE_PRUNING_DEPTH, NULL_MOVE_DEPTH,
    NULL_MOVE_DEPTH_DIVISOR, NULL_MOVE_REDUCTION, NULL_MOVE_VERIFICATION_DEPTH, REDUCTION_DEPTH,
    REDUCTION_HISTORY, REDUCTION_MOVES, REVERSE_FUTILITY_DEPTH, REVERSE_FUTILITY_MARGIN, TABLE_HALFMOVES_MAX,
};
use super::reduction::late_move_reduction;
use super::table::Entry;
use super::value::{Value, Window};
use super::worker::{Worker, decides, has_pieces};
use crate::engine::chess::{Move, MoveList, Position};
use crate::engine::eval::Evaluate;

/// Whether a node may be refuted by passing.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pass {
    Allowed,
    /// Right after a pass, or while a pass is being verified.
    Forbidden,
}

/// What the moves of a node need to know of it.
struct Node {
    beta: Value,
    depth: i32,
    ply: usize,
    /// Techniques that overlook mates may be used: not in check, and no mate is at stake.
    selective: bool,
}

impl<E: Evaluate> Worker<'_, E> {
    /// A lower bound of the value if it is `beta` or more, else an upper bound.
    pub(super) fn scout(
        &mut self,
        position: &Position,
        beta: Value,
        depth: i32,
        ply: usize,
    ) -> Result<Value, Stopped> {
        self.scout_passing(position, beta, depth, ply, Pass::Allowed)
    }

    fn scout_passing(
        &mut self,
        position: &Position,
        beta: Value,
        depth: i32,
        ply: usize,
        pass: Pass,
    ) -> Result<Value, Stopped> {
        let window = Window::zero(beta - 1);
        if depth <= 0 || ply >= self.horizon {
            return self.quiescence(position, window, ply, Forcing::CapturesAndChecks);
        }
        self.reach(ply);
        if self.is_drawn(position) {
            return Ok(Value::DRAW);
        }
        let reachable = window.within_mate_distance(ply);
        if reachable.is_empty() {
            return Ok(reachable.alpha);
        }
        let entry = self.recall(position, ply);
        if let Some(entry) = entry
            && entry.depth >= depth
            && decides(entry, beta)
            && position.halfmoves() <= TABLE_HALFMOVES_MAX
        {
            return Ok(entry.value);
        }
        let selective = !position.in_check() && !window.alpha.is_mate() && !beta.is_mate();
        let node = Node { beta, depth, ply, selective };
        let mut evaluation = Entry::NO_EVALUATION;
        if !position.in_check() {
            let value = self.evaluate_with(position, entry);
            evaluation = value.to_table(0);
            if selective && let Some(value) = self.refuted_statically(position, &node, value, pass)? {
                return Ok(value);
            }
        }
        let table_move = entry.map_or(Move::NONE, |entry| entry.mv);
        let hurried = selective && depth >= INTERNAL_REDUCTION_DEPTH && !table_move.is_some();
        let node = Node { depth: depth - i32::from(hurried), ..node };
        let (value, mv) = self.best_of_all(position, &node, table_move)?;
        let bound = if value >= beta { Bound::Lower } else { Bound::Upper };
        self.remember(position, ply, Entry { mv, value, evaluation, depth: node.depth, bound });
        Ok(value)
    }

    /// A lower bound above beta that needs no move: the static value is so high, or even passing keeps it
    /// high.
    ///
    /// Sources: the chess programming wiki, "Reverse Futility Pruning" and "Null Move Pruning" (with
    /// verification at great depth; never with pawns alone, where passing may be the best move).
    fn refuted_statically(
        &mut self,
        position: &Position,
        node: &Node,
        evaluation: Value,
        pass: Pass,
    ) -> Result<Option<Value>, Stopped> {
        let &Node { beta, depth, ply, .. } = node;
        if depth <= REVERSE_FUTILITY_DEPTH && evaluation - REVERSE_FUTILITY_MARGIN * depth >= beta {
            return Ok(Some(evaluation));
        }
        let passes = pass == Pass::Allowed && depth >= NULL_MOVE_DEPTH && evaluation >= beta;
        if !passes || !has_pieces(position) {
            return Ok(None);
        }
        let left = depth - 1 - NULL_MOVE_REDUCTION - depth / NULL_MOVE_DEPTH_DIVISOR;
        let value = self.after_null(position, |worker, child| {
            Ok(-worker.scout_passing(child, -(beta - 1), left, ply + 1, Pass::Forbidden)?)
        })?;
        if value < beta {
            return Ok(None);
        }
        // A mate after a pass is no mate.
        let value = if value.is_win() { beta } else { value };
        if depth < NULL_MOVE_VERIFICATION_DEPTH {
            return Ok(Some(value));
        }
        let verified = self.scout_passing(position, beta, left, ply, Pass::Forbidden)?;
        Ok((verified >= beta).then_some(value))
    }

    /// The best value among the moves, as far as beta, and the move that reached beta.
    fn best_of_all(
        &mut self,
        position: &Position,
        node: &Node,
        table_move: Move,
    ) -> Result<(Value, Move), Stopped> {
        let &Node { beta, depth, ply, selective } = node;
        let mut picker = Picker::all(table_move, self.history.killers(ply));
        let mut quiets = MoveList::new();
        let mut best = -Value::INFINITE;
        let mut count = 0;
        while let Some(mv) = picker.next(position, &self.history) {
            let late = depth <= LATE_MOVE_PRUNING_DEPTH && count >= LATE_MOVE_PRUNING_BASE + depth * depth;
            if late && selective && mv.is_quiet() && !best.is_loss() && !position.gives_check(mv) {
                continue;
            }
            let child = self.play(position, mv)?;
            let left = depth - 1 + self.extension(position, mv, &child, ply);
            let value = self.scout_child(position, &child, node, left, (mv, count))?;
            self.undo();
            count += 1;
            best = best.max(value);
            if value >= beta {
                if mv.is_quiet() {
                    self.history.reward(position.turn(), mv, &quiets, depth, ply);
                }
                return Ok((best, mv));
            }
            if mv.is_quiet() {
                quiets.push(mv);
            }
        }
        if count == 0 {
            best = if position.in_check() { Value::mated_in(ply) } else { Value::DRAW };
        }
        Ok((best, Move::NONE))
    }

    /// The value of a child, at first searched less deep if it comes late.
    fn scout_child(
        &mut self,
        position: &Position,
        child: &Position,
        node: &Node,
        left: i32,
        (mv, count): (Move, i32),
    ) -> Result<Value, Stopped> {
        let below = -(node.beta - 1);
        let late = count >= REDUCTION_MOVES && node.depth >= REDUCTION_DEPTH && !position.in_check();
        if late && mv.is_quiet() && !child.in_check() {
            let history = self.history.of(position.turn(), mv) / REDUCTION_HISTORY;
            let reduction = (late_move_reduction(node.depth, count) - history).clamp(0, left - 1);
            if reduction > 0 {
                let value = -self.scout(child, below, left - reduction, node.ply + 1)?;
                if value < node.beta {
                    return Ok(value);
                }
            }
        }
        Ok(-self.scout(child, below, left, node.ply + 1)?)
    }
}
