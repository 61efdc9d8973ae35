//! What a search is asked, and how far it may go.

/// When a search ends by itself; without any limit it ends at its greatest depth.
///
/// There is no clock here: whoever knows the time sets the stop flag.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Limits {
    /// The last iteration, in plies (1 at least; more than the greatest depth is the greatest).
    pub depth: Option<u8>,
    /// Positions to visit.
    pub nodes: Option<u64>,
}
