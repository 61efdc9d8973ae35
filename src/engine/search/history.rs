//! What the search has learnt about quiet moves: those that refuted a sibling, and how often each was best.

use super::MAX_PLY;
use super::parameters::{HISTORY_BONUS_MAX, HISTORY_BONUS_PER_PLY, HISTORY_MAX};
use crate::engine::chess::{Color, Move};

/// Killer moves by ply and the butterfly history by colour, origin and target.
///
/// Source: the chess programming wiki, "Killer Heuristic" and "History Heuristic" (with gravity: a value
/// drifts back the more, the closer it is to its bound).
pub(super) struct History {
    killers: Box<[[Move; 2]]>,
    butterfly: Box<[i16]>,
}

impl History {
    pub(super) fn new() -> Self {
        Self {
            killers: vec![[Move::NONE; 2]; MAX_PLY + 2].into_boxed_slice(),
            butterfly: vec![0; 2 * 64 * 64].into_boxed_slice(),
        }
    }

    /// The two latest quiet moves that refuted a node at this ply.
    pub(super) fn killers(&self, ply: usize) -> [Move; 2] {
        self.killers[ply]
    }

    /// How good a quiet move has been, within ±[`HISTORY_MAX`].
    pub(super) fn of(&self, color: Color, mv: Move) -> i32 {
        i32::from(self.butterfly[slot(color, mv)])
    }

    /// A quiet move refuted a node after the other quiet moves failed to.
    pub(super) fn reward(&mut self, color: Color, best: Move, failed: &[Move], depth: i32, ply: usize) {
        let killers = &mut self.killers[ply];
        if killers[0] != best {
            *killers = [best, killers[0]];
        }
        let bonus = (HISTORY_BONUS_PER_PLY * depth).min(HISTORY_BONUS_MAX);
        self.shift(color, best, bonus);
        for mv in failed {
            self.shift(color, *mv, -bonus);
        }
    }

    fn shift(&mut self, color: Color, mv: Move, bonus: i32) {
        let value = &mut self.butterfly[slot(color, mv)];
        let old = i32::from(*value);
        *value = (old + bonus - old * bonus.abs() / HISTORY_MAX) as i16;
    }
}

fn slot(color: Color, mv: Move) -> usize {
    (color.index() * 64 + mv.from().index()) * 64 + mv.to().index()
}
