//! Whether a node hangs on one move: whether all the others are clearly worse.

use super::Bound;
use super::limits::Stopped;
use super::parameters::{EXTENSION_HORIZON, SINGULAR_TABLE_MARGIN};
use super::scout::{Kind, Quest};
use super::table::Entry;
use super::value::Value;
use super::worker::Worker;
use crate::engine::chess::{Move, Position};
use crate::engine::eval::Evaluate;

/// What a node would be without the table's move.
pub(super) enum Singularity {
    /// The table says too little to ask, or the depth is too small.
    Unknown,
    /// Clearly worse: the move deserves a closer look, so many plies deeper.
    Alone { plies: i32 },
    /// Hardly worse:
    Several {
        /// the other moves are worth as much as this,
        least: Value,
        /// and the table's move as much as this.
        first: Value,
    },
}

impl Singularity {
    pub(super) fn is_alone(&self) -> bool {
        matches!(self, Self::Alone { .. })
    }
}

/// A move that is searched so many plies deeper than it would be.
#[derive(Clone, Copy)]
pub(super) struct Singled {
    pub(super) mv: Move,
    pub(super) plies: i32,
}

impl Singled {
    /// No move.
    pub(super) const NONE: Self = Self { mv: Move::NONE, plies: 0 };
}

impl<E: Evaluate> Worker<'_, E> {
    /// Searches the node half as deep without the table's move, if the table says that it is good.
    ///
    /// Source: the chess programming wiki, "Singular Extensions" and "Multi-Cut".
    pub(super) fn singularity(
        &mut self,
        position: &Position,
        entry: Option<Entry>,
        depth: i32,
        ply: usize,
        kind: Kind,
    ) -> Result<Singularity, Stopped> {
        let parameters = self.parameters;
        let Some(entry) = entry.filter(|entry| {
            depth >= parameters.singular_depth
                && ply < EXTENSION_HORIZON * self.iteration
                && entry.depth >= depth - SINGULAR_TABLE_MARGIN
                && entry.bound != Bound::Upper
                && !entry.value.is_decided()
                && entry.mv.is_some()
                && position.is_legal(entry.mv)
        }) else {
            return Ok(Singularity::Unknown);
        };
        let former = entry.principal && kind != Kind::Principal;
        let margin = parameters.singular_margin + if former { parameters.singular_former } else { 0 };
        let least = entry.value - margin * depth / 16;
        let others = self.visit(position, least, (depth - 1) / 2, ply, (Quest::Without(entry.mv), kind))?;
        Ok(if others < least {
            let plies = if others < least - parameters.singular_double { 2 } else { 1 };
            Singularity::Alone { plies }
        } else {
            Singularity::Several { least, first: entry.value }
        })
    }
}
