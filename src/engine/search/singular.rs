//! Whether a node hangs on one move: whether all the others are clearly worse.

use super::Bound;
use super::limits::Stopped;
use super::parameters::{EXTENSION_HORIZON, Parameters, SINGULAR_TABLE_MARGIN};
use super::scout::{Kind, Quest};
use super::table::Entry;
use super::value::{Value, Window};
use super::worker::Worker;
use crate::engine::chess::Position;
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
        /// or, by what was searched of them, this,
        others: Value,
        /// and the table's move as much as this.
        first: Value,
    },
}

impl Singularity {
    /// By how many plies the table's move is searched deeper, in a node with this window that is not decided by it.
    pub(super) fn plies(&self, parameters: &Parameters, window: Window) -> i32 {
        match *self {
            Self::Alone { plies } => plies,
            Self::Several { first, .. } if first >= window.beta => -parameters.singular_negative,
            Self::Several { first, others, .. } if first <= window.alpha && first <= others => {
                -parameters.singular_low
            }
            Self::Several { .. } | Self::Unknown => 0,
        }
    }
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
        let principal = kind == Kind::Principal;
        let least_depth = |entry: &Entry| {
            let later = principal && entry.principal;
            parameters.singular_depth + if later { parameters.singular_depth_principal } else { 0 }
        };
        let Some(entry) = entry.filter(|entry| {
            depth >= least_depth(entry)
                && ply < EXTENSION_HORIZON * self.iteration
                && entry.depth >= depth - SINGULAR_TABLE_MARGIN
                && entry.bound != Bound::Upper
                && !entry.value.is_decided()
                && entry.mv.is_some()
                && position.is_legal(entry.mv)
        }) else {
            return Ok(Singularity::Unknown);
        };
        let former = self.stack[ply].former && !principal;
        let margin = parameters.singular_margin + if former { parameters.singular_former } else { 0 };
        let least = entry.value - margin * depth / 16;
        let expected = if principal { Kind::All } else { kind };
        let others =
            self.visit(position, least, (depth - 1) / 2, ply, (Quest::Without(entry.mv), expected))?;
        Ok(if others < least {
            let twice = !principal
                && others < least - parameters.singular_double
                && self.stack[ply].doubles < parameters.singular_doubles;
            Singularity::Alone { plies: if twice { 2 } else { 1 } }
        } else {
            Singularity::Several { least, others, first: entry.value }
        })
    }
}
