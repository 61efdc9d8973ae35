//! The ledger behind a breakdown: it keeps every posting.

use super::apportion::apportion;
use super::ledger::{Ledger, Posting};
use crate::engine::chess::{ByColor, Color};
use crate::engine::weights::{Score, Weights, danger};

/// A posting, the side it was made for and what it is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    /// Whose it is.
    pub side: Color,
    /// What was posted.
    pub posting: Posting,
    /// What it is worth to that side, in centipawns before blending; of units of danger, its share of what they become
    /// together.
    pub worth: Score,
}

impl Record {
    /// What it adds to the score, White's view.
    #[must_use]
    pub fn score(&self) -> Score {
        match self.side {
            Color::White => self.worth,
            Color::Black => -self.worth,
        }
    }

    /// An order of records that is the same for a mirrored position: by feature, then by the squares as the owner names
    /// them, its own and those the entry is about besides.
    #[must_use]
    pub fn rank(&self) -> (usize, u64, u64) {
        let [squares, related] =
            [self.posting.squares, self.posting.related].map(|squares| squares.relative(self.side).0);
        (self.posting.feature as usize, squares, related)
    }
}

/// Keeps every posting in order, those that count nothing too.
#[derive(Clone)]
pub struct Journal<'w> {
    weights: &'w Weights,
    /// Who posts.
    side: Color,
    records: Vec<Record>,
    /// Units of danger that are not settled yet.
    units: ByColor<Vec<Record>>,
}

impl<'w> Journal<'w> {
    /// An empty journal that values postings by these weights.
    #[must_use]
    pub const fn new(weights: &'w Weights) -> Self {
        Self {
            weights,
            side: Color::White,
            records: Vec::new(),
            units: ByColor { white: Vec::new(), black: Vec::new() },
        }
    }

    /// What was posted, in order.
    #[must_use]
    pub fn records(&self) -> &[Record] {
        &self.records
    }

    /// The posting in squares as White names them.
    fn record(&self, posting: Posting) -> Record {
        let worth = self.weights.weight(posting.feature, posting.slot) * posting.count;
        let [squares, related] =
            [posting.squares, posting.related].map(|squares| squares.relative(self.side));
        Record { side: self.side, posting: posting.on(squares).with(related), worth }
    }
}

impl Ledger for Journal<'_> {
    const KEEPS_SQUARES: bool = true;

    fn turn(&mut self) {
        self.side = !self.side;
    }

    fn post(&mut self, posting: Posting) {
        self.records.push(self.record(posting));
    }

    fn menace(&mut self, posting: Posting) {
        if posting.count != 0 {
            let record = self.record(posting);
            self.units[self.side].push(record);
        }
    }

    /// Each cause gets the share of the centipawns that it has of the units, in whole centipawns by largest remainders.
    fn settle(&mut self) {
        let units = std::mem::take(&mut self.units[self.side]);
        let total = danger::curve(units.iter().fold(Score::ZERO, |sum, record| sum + record.worth));
        let mg = shares(&units, total.mg(), Score::mg);
        let eg = shares(&units, total.eg(), Score::eg);
        let settled = units.into_iter().zip(mg.into_iter().zip(eg));
        self.records.extend(settled.map(|(record, (mg, eg))| Record { worth: Score::new(mg, eg), ..record }));
    }
}

/// Divides `total` among the records in proportion to their units.
fn shares(records: &[Record], total: i32, units: impl Fn(Score) -> i32) -> Vec<i32> {
    let sum: i32 = records.iter().map(|record| units(record.worth)).sum();
    if sum <= 0 {
        return vec![0; records.len()];
    }
    let exact: Vec<i64> =
        records.iter().map(|record| i64::from(units(record.worth)) * i64::from(total)).collect();
    apportion(total, &exact, i64::from(sum), |index| records[index].rank())
}
