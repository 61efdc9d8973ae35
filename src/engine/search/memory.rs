//! What a search leaves to the next one of the same game, beside the table.

use std::cell::RefCell;

use super::correction::Corrections;
use super::history::History;

thread_local! {
    /// Kept for the next search of the thread: to be given the memory anew takes longer than a search of some hundred
    /// nodes.
    static BLANK: RefCell<Vec<Memory>> = const { RefCell::new(Vec::new()) };
}

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

    /// Lends one that knows nothing, as if it were new.
    pub(super) fn lend_blank<T>(work: impl FnOnce(&mut Self) -> T) -> T {
        let mut memory = BLANK.with_borrow_mut(Vec::pop).unwrap_or_default();
        let result = work(&mut memory);
        memory.forget();
        BLANK.with_borrow_mut(|blank| blank.push(memory));
        result
    }

    fn forget(&mut self) {
        self.history.forget();
        self.corrections.forget();
        self.helpers.clear();
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
