//! Nodes of the principal variation: searched with an open window, for an exact value and a whole line.

use super::Bound;
use super::exchange;
use super::history::{Failures, Trail};
use super::limits::Stopped;
use super::ordering::{Forcing, Picker};
use super::parameters::EXTENSION_HORIZON;
use super::reduction::{PLY, Turn};
use super::scout::{Kind, Node};
use super::singular::Singled;
use super::value::{Value, Window};
use super::worker::{Worker, value_without_a_move};
use crate::engine::chess::{Move, Position};
use crate::engine::eval::Evaluate;

impl<E: Evaluate> Worker<'_, E> {
    /// The value of a node, exact within the window and otherwise a bound, with its line in the variations.
    ///
    /// The table only orders the moves here: a value from it would cut the line short, and might rest on
    /// another history of the game.
    pub(super) fn principal(
        &mut self,
        position: &Position,
        window: Window,
        depth: i32,
        ply: usize,
    ) -> Result<Value, Stopped> {
        if depth <= 0 || ply >= self.horizon {
            return self.quiescence(position, window, ply, Forcing::CapturesAndChecks);
        }
        self.variations.clear(ply);
        self.reach(ply);
        if self.is_drawn(position) {
            return Ok(Value::DRAW);
        }
        let Window { mut alpha, beta } = window.within_mate_distance(ply);
        if alpha >= beta {
            return Ok(alpha);
        }
        let known = self.known_by_tables(position, ply);
        if let Some(value) = known.settles(alpha, beta) {
            return Ok(value);
        }
        alpha = alpha.max(known.least);
        let finding = self.consult(position, ply);
        let entry = finding.entry;
        let assessment = self.assess(position, finding, ply);
        let table_move = entry.map_or(Move::NONE, |entry| entry.mv);
        let trail = self.trail();
        let mut picker = Picker::all(table_move, self.memory.history.killers(ply), trail);
        let mut failures = Failures::default();
        let (mut best, mut best_move, mut count) = (known.least, Move::NONE, 0);
        let depth = depth - self.internal_reduction(position, table_move, depth);
        let plies = i32::from(self.singularity(position, entry, depth, ply, Kind::Principal)?.is_alone());
        let singled = Singled { mv: table_move, plies };
        let selective = !position.in_check() && !alpha.is_decided();
        loop {
            let node = Node { assessment, selective, ..Node::principal(alpha + 1, table_move, depth, ply) };
            // The first move is searched in any case, and does not count.
            let searched = if count == 0 { -Value::INFINITE } else { best };
            let Some(mv) = self.next_hopeful(position, &node, &mut picker, searched, count - 1) else {
                break;
            };
            let history = self.reduction_history(position, trail, mv);
            let mut child = *position;
            self.play(&mut child, mv)?;
            let left = depth - 1 + self.extension(position, mv, &child, ply, singled);
            let turn = Turn { mv, count, left };
            let value = self.open_child(&child, Window { alpha, beta }, &node, &turn, history)?;
            self.undo();
            count += 1;
            best = best.max(value);
            if value > alpha {
                (alpha, best_move) = (value, mv);
                self.variations.extend(ply, mv);
                if value >= beta {
                    break;
                }
            }
            failures.add(mv);
        }
        if count == 0 {
            return Ok(value_without_a_move(position, ply));
        }
        best = best.min(known.most);
        let bound = self.conclude(position, (best, best_move), window, (trail, &failures), (depth, ply));
        self.note(position, (depth, ply), assessment, (best, best_move), (bound, true));
        Ok(best)
    }

    /// By how many plies a node of the principal variation is searched less deep because the table knows no move for it.
    fn internal_reduction(&self, position: &Position, table_move: Move, depth: i32) -> i32 {
        let from = self.parameters.internal_reduction_principal;
        i32::from(depth >= from && !table_move.is_some() && !position.in_check())
    }

    /// The value of a child of an open node: the first with the whole window; the others, expected to be
    /// worse, first with a zero window and less deep if they come late (principal variation search).
    pub(super) fn open_child(
        &mut self,
        child: &Position,
        window: Window,
        node: &Node,
        turn: &Turn,
        history: i32,
    ) -> Result<Value, Stopped> {
        let (left, ply) = (turn.left, node.ply + 1);
        self.turns[ply] = turn.count;
        if turn.count > 0 {
            let reduction = self.parameters.reduction(node, turn, history);
            let mut value = -self.scout(child, -window.alpha, left - reduction, ply, Kind::Cut)?;
            if value > window.alpha && reduction > 0 {
                value = -self.scout(child, -window.alpha, left, ply, Kind::Cut)?;
            }
            if value <= window.alpha {
                return Ok(value);
            }
        }
        Ok(-self.principal(child, window.flipped(), left, ply)?)
    }

    /// By how many plies a move is searched deeper: one that was singled out by so many; else a check that loses nothing by
    /// one, as long as the line is not out of all proportion.
    pub(super) fn extension(
        &self,
        position: &Position,
        mv: Move,
        child: &Position,
        ply: usize,
        singled: Singled,
    ) -> i32 {
        if singled.plies != 0 && mv == singled.mv {
            return singled.plies;
        }
        let extended = child.in_check()
            && ply < EXTENSION_HORIZON * self.iteration
            && exchange::wins_at_least(position, mv, 0);
        i32::from(extended)
    }

    /// By how much less the history of a quiet move reduces it, in 1/[`PLY`].
    pub(super) fn reduction_history(&self, position: &Position, trail: Trail, mv: Move) -> i32 {
        if mv.is_quiet() {
            self.memory.history.quiet(position, trail, mv) * PLY / self.parameters.reduction_history
        } else {
            0
        }
    }

    /// Rewards a move that refuted the node or is its best, and says what its value is worth.
    pub(super) fn conclude(
        &mut self,
        position: &Position,
        (best, best_move): (Value, Move),
        window: Window,
        (trail, failures): (Trail, &Failures),
        (depth, ply): (i32, usize),
    ) -> Bound {
        if best_move.is_some() {
            let bonuses = (self.bonus(depth), self.malus(depth), ply);
            self.memory.history.reward(position, trail, best_move, failures, bonuses);
        }
        if best >= window.beta {
            Bound::Lower
        } else if best > window.alpha {
            Bound::Exact
        } else {
            Bound::Upper
        }
    }
}
