//! What a search leaves to the next one of the same game, beside the table.

use super::correction::Corrections;
use super::history::History;

/// Which moves have been good and where the static value has been wrong: as true a move later. It fits any position, but
/// helps in those that come from the same game.
pub struct Memory {
    pub(super) history: History,
    pub(super) corrections: Corrections,
    /// The same of each thread that helps where a search has several.
    pub(super) helpers: Vec<Self>,
}

impl Memory {
    /// Nothing has been searched yet.
    #[must_use]
    pub fn new() -> Self {
        Self { history: History::new(), corrections: Corrections::new(), helpers: Vec::new() }
    }
}

impl Default for Memory {
    fn default() -> Self {
        Self::new()
    }
}

impl std::fmt::Debug for Memory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Memory").finish_non_exhaustive()
    }
}
