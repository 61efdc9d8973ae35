//! How far a search may go: one of `depth`, `nodes` and `movetime`.

use std::time::Duration;

use crate::api::fields::{Depth, Movetime, Nodes};
use crate::api::problem::{Code, Problem};

/// What ends a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Budget {
    /// Plies.
    Depth(u8),
    /// Positions.
    Nodes(u64),
    /// Time from the arrival of the request.
    Movetime(Duration),
}

impl Budget {
    /// The one limit that is given, if one is.
    ///
    /// # Errors
    /// `conflicting_fields` for more than one: which of them the client means to be reached cannot be known.
    pub(crate) fn one_of(
        depth: Option<Depth>,
        nodes: Option<Nodes>,
        movetime: Option<Movetime>,
    ) -> Result<Option<Self>, Problem> {
        match (depth, nodes, movetime) {
            (None, None, None) => Ok(None),
            (Some(depth), None, None) => Ok(Some(Self::Depth(depth.get() as u8))),
            (None, Some(nodes), None) => Ok(Some(Self::Nodes(nodes.get()))),
            (None, None, Some(movetime)) => Ok(Some(Self::Movetime(Duration::from_millis(movetime.get())))),
            (_, surplus, timed) => {
                let field = if timed.is_some() || surplus.is_none() { "movetime" } else { "nodes" };
                let detail = "Give one of `depth`, `nodes` and `movetime`, not several.";
                Err(Problem::new(Code::ConflictingFields, detail).in_field(field))
            }
        }
    }

    /// The field by which it is asked for.
    pub(crate) const fn field(self) -> &'static str {
        match self {
            Self::Depth(_) => "depth",
            Self::Nodes(_) => "nodes",
            Self::Movetime(_) => "movetime",
        }
    }

    /// Whether equal requests reach it at the same node.
    pub(crate) fn is_reproducible(self) -> bool {
        match self {
            Self::Depth(_) | Self::Nodes(_) => true,
            Self::Movetime(_) => false,
        }
    }
}
