//! Nodes of the principal variation: searched with an open window, for an exact value and a whole line.

use super::Bound;
use super::exchange;
use super::history::{Context, Failures};
use super::limits::Stopped;
use super::ordering::{Forcing, Picker};
use super::parameters::EXTENSION_HORIZON;
use super::reduction::{PLY, Turn};
use super::scout::{Kind, Node};
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
        let asked = window;
        let mut window = asked.within_mate_distance(ply);
        if window.is_empty() {
            return Ok(window.alpha);
        }
        let known = self.known_by_tables(position, ply);
        if let Some(value) = known.settles(window.alpha, window.beta) {
            return Ok(value);
        }
        window.alpha = window.alpha.max(known.least);
        let mut node = self.open(position, window, depth, ply)?;
        let context = self.context(position, ply);
        let refutations = self.memory.history.refutations(context.trail, ply);
        let mut picker = Picker::all(node.table_move, refutations, context);
        let mut failures = Failures::default();
        let (mut best, mut best_move, mut count) = (known.least, Move::NONE, 0);
        loop {
            node.selective = !window.alpha.is_decided();
            node.share = self.share_of_root(window);
            // The first move is searched in any case.
            let searched = if count == 0 { -Value::INFINITE } else { best };
            let Some(mv) = self.next_hopeful(position, &node, &mut picker, searched, &mut count) else {
                break;
            };
            let mut child = *position;
            self.play(&mut child, mv)?;
            let left = node.depth - 1 + self.extension(position, &node, mv, &child);
            let turn = Turn { mv, count, left };
            let value = self.open_child(position, &child, window, &node, &turn, (context, best))?;
            self.undo();
            count += 1;
            best = best.max(value);
            if value > window.alpha {
                (window.alpha, best_move) = (value, mv);
                node.beta = value + 1;
                self.variations.extend(ply, mv);
                if value >= window.beta {
                    break;
                }
            }
            failures.add(mv);
        }
        if count == 0 {
            return Ok(value_without_a_move(position, ply));
        }
        best = best.min(known.most);
        let bound =
            self.conclude(position, (best, best_move), asked, (context, &failures), (node.depth, ply));
        self.note(position, (node.depth, ply), node.assessment, (best, best_move), (bound, true));
        Ok(best)
    }

    /// What is known of a node of the principal variation before its moves are searched.
    fn open(&mut self, position: &Position, window: Window, depth: i32, ply: usize) -> Result<Node, Stopped> {
        self.begin(ply);
        self.stack[ply].former = true;
        let finding = self.consult(position, ply);
        let entry = finding.entry;
        let table_move = entry.map_or(Move::NONE, |entry| entry.mv);
        let depth = depth - self.internal_reduction(position, table_move, depth);
        Ok(Node {
            assessment: self.assess(position, finding, ply),
            doubted: entry.is_some_and(|entry| entry.bound != Bound::Lower && entry.depth >= depth),
            // Not less deep than the others, for the sake of whole lines.
            plies: self
                .singularity(position, entry, depth, ply, Kind::Principal)?
                .plies(self.parameters, window)
                .max(0),
            ..Node::principal(window.alpha + 1, table_move, depth, ply)
        })
    }

    /// By how many plies a node of the principal variation is searched less deep because the table knows no move for it.
    fn internal_reduction(&self, position: &Position, table_move: Move, depth: i32) -> i32 {
        let from = self.parameters.internal_reduction_principal;
        i32::from(depth >= from && !table_move.is_some() && !position.in_check())
    }

    /// The width of a window, in 1/[`PLY`] of the root's.
    fn share_of_root(&self, window: Window) -> i32 {
        let (width, whole) = (i64::from(window.beta - window.alpha), i64::from(self.root_width.max(1)));
        (width * i64::from(PLY) / whole).min(i64::from(PLY)) as i32
    }

    /// The value of a child of an open node: the first with the whole window; the others, expected to be
    /// worse, first with a zero window and less deep if they come late (principal variation search).
    pub(super) fn open_child(
        &mut self,
        position: &Position,
        child: &Position,
        window: Window,
        node: &Node,
        turn: &Turn,
        (context, best): (Context, Value),
    ) -> Result<Value, Stopped> {
        let (mut left, ply) = (turn.left, node.ply + 1);
        let node = Node { beta: window.alpha + 1, ..*node };
        self.stack[ply].turn = turn.count;
        if turn.count > 0 {
            let value;
            if self.is_late(&node, turn) {
                (value, left) = self.scout_late(position, child, &node, turn, (context, best))?;
            } else {
                value = -self.scout(child, -window.alpha, left, ply, Kind::Cut)?;
            }
            if value <= window.alpha || value >= window.beta && ply > 1 && !value.is_decided() {
                return Ok(value);
            }
        }
        Ok(-self.principal(child, window.flipped(), left, ply)?)
    }

    /// By how many plies a move is searched deeper: one that was singled out by so many; else, near the leaves, a check
    /// that loses nothing by one, as long as the line is not out of all proportion.
    pub(super) fn extension(&mut self, position: &Position, node: &Node, mv: Move, child: &Position) -> i32 {
        let ply = node.ply;
        self.stack[ply + 1].doubles = self.stack[ply].doubles;
        if node.plies != 0 && mv == node.table_move {
            self.stack[ply + 1].doubles += i32::from(node.plies > 1);
            return node.plies;
        }
        let extended = child.in_check()
            && node.depth <= self.parameters.check_depth
            && ply < EXTENSION_HORIZON * self.iteration
            && exchange::wins_at_least(position, mv, 0);
        i32::from(extended)
    }

    /// Rewards a move that refuted the node or is its best, and says what its value is worth.
    pub(super) fn conclude(
        &mut self,
        position: &Position,
        (best, best_move): (Value, Move),
        window: Window,
        (context, failures): (Context, &Failures),
        (depth, ply): (i32, usize),
    ) -> Bound {
        if best_move.is_some() {
            self.reward(position, (context, failures), (best, best_move), window.beta, (depth, ply));
        } else {
            self.credit_the_move_before(depth, true);
        }
        if best >= window.beta {
            self.stack[ply].cutoffs += 1;
            Bound::Lower
        } else if best > window.alpha {
            Bound::Exact
        } else {
            Bound::Upper
        }
    }
}
