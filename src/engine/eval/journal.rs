//! The ledger behind a breakdown: it keeps every posting.

use super::ledger::{Ledger, Posting};
use crate::engine::chess::{Color, Side};
use crate::engine::weights::Score;

/// A posting and the side it was made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    /// Whose it is.
    pub side: Color,
    /// What was posted.
    pub posting: Posting,
}

impl Record {
    /// What it adds to the score, White's view.
    #[must_use]
    pub fn score(&self) -> Score {
        match self.side {
            Color::White => self.posting.worth(),
            Color::Black => -self.posting.worth(),
        }
    }
}

/// Keeps every posting in order, those that count nothing too.
#[derive(Clone, Debug, Default)]
pub struct Journal {
    records: Vec<Record>,
}

impl Journal {
    /// What was posted, in order.
    #[must_use]
    pub fn records(&self) -> &[Record] {
        &self.records
    }
}

impl Ledger for Journal {
    fn post<S: Side>(&mut self, posting: Posting) {
        self.records.push(Record { side: S::COLOR, posting });
    }
}
