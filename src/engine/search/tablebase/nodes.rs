//! Endgame tables inside the search: right after a capture or a pawn move they say what no search needs to find out.

use super::{Tablebase, Wdl};
use crate::engine::chess::{Move, Position};
use crate::engine::eval::Evaluate;
use crate::engine::search::parameters::TABLEBASE_DEPTH_BONUS;
use crate::engine::search::table::Entry;
use crate::engine::search::value::Value;
use crate::engine::search::worker::{Worker, decides};
use crate::engine::search::{Bound, MAX_PLY};

/// The tables of one thread of a search, and how often they knew an answer.
pub(in crate::engine::search) struct Tables<'a> {
    /// None if nodes are not to be looked up.
    tablebase: Option<&'a dyn Tablebase>,
    /// No node with more men is known; 0 without tables, so that one comparison is all that they cost then.
    most_men: u32,
    pub(in crate::engine::search) hits: u64,
}

impl<'a> Tables<'a> {
    pub(in crate::engine::search) fn new(tablebase: Option<&'a dyn Tablebase>) -> Self {
        Self { tablebase, most_men: tablebase.map_or(0, Tablebase::most_men), hits: 0 }
    }

    /// From now on no node is looked up.
    pub(in crate::engine::search) fn close(&mut self) {
        *self = Self { hits: self.hits, ..Self::new(None) };
    }
}

/// What the tables leave open of a node's value.
#[derive(Clone, Copy)]
pub(in crate::engine::search) struct Known {
    pub(in crate::engine::search) least: Value,
    pub(in crate::engine::search) most: Value,
}

impl Known {
    const NOTHING: Self = Self { least: Value::LEAST, most: Value::INFINITE };

    /// The value, where it is all that a node with this window needs to know.
    pub(in crate::engine::search) fn settles(self, alpha: Value, beta: Value) -> Option<Value> {
        if self.least >= beta || self.least == self.most {
            Some(self.least)
        } else {
            (self.most <= alpha).then_some(self.most)
        }
    }
}

impl<E: Evaluate> Worker<'_, E> {
    /// A value from the tables that tells whether the node reaches beta. The transposition table hears of it.
    #[inline]
    pub(in crate::engine::search) fn settled_by_tables(
        &mut self,
        position: &Position,
        beta: Value,
        depth: i32,
        ply: usize,
    ) -> Option<Value> {
        let (value, bound) = self.look_up(position, ply)?;
        let depth = (depth + TABLEBASE_DEPTH_BONUS).min(MAX_PLY as i32);
        let entry =
            Entry { mv: Move::NONE, value, evaluation: Entry::NO_EVALUATION, depth, bound, principal: false };
        if !decides(entry, beta) {
            return None;
        }
        self.remember(position, ply, entry);
        Some(value)
    }

    /// What the tables know of a node whose exact value is wanted.
    #[inline]
    pub(in crate::engine::search) fn known_by_tables(&mut self, position: &Position, ply: usize) -> Known {
        match self.look_up(position, ply) {
            None => Known::NOTHING,
            Some((value, Bound::Exact)) => Known { least: value, most: value },
            Some((value, Bound::Lower)) => Known { least: value, ..Known::NOTHING },
            Some((value, Bound::Upper)) => Known { most: value, ..Known::NOTHING },
        }
    }

    /// A win may still be a mate sooner than the tables tell, a loss one too; a draw is a draw.
    ///
    /// Only where the halfmove clock stands at 0: with another one a win may come too late.
    #[inline]
    fn look_up(&mut self, position: &Position, ply: usize) -> Option<(Value, Bound)> {
        if position.occupied().count() > self.tables.most_men || position.halfmoves() != 0 {
            return None;
        }
        let wdl = self.tables.tablebase?.wdl(position)?;
        self.tables.hits += 1;
        Some(match wdl {
            Wdl::Win => (Value::won_by_tables(ply), Bound::Lower),
            Wdl::Loss => (-Value::won_by_tables(ply), Bound::Upper),
            Wdl::CursedWin | Wdl::Draw | Wdl::BlessedLoss => (Value::DRAW, Bound::Exact),
        })
    }
}
