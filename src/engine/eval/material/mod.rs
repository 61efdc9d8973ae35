//! What the pieces on the board say by themselves.
//!
//! [`entry`] is the fast way: the precomputed table for the usual constellations, a hash table for the others. The
//! terms in `values` and `imbalance` are the truth behind both: they fill the tables and they post to every ledger.

mod draws;
mod endgame;
mod entry;
mod force;
mod hash;
pub(super) mod imbalance;
mod roster;
mod signature;
mod table;
pub(super) mod values;

pub use draws::DrawKnowledge;
pub use endgame::Endgame;
pub use entry::Entry;
pub use roster::Roster;
pub use signature::{Signature, SignatureError};
pub use table::{usual_constellations, warm_up};

use crate::engine::chess::{Color, MaterialKey, PieceKind};
use crate::engine::weights::{Feature, Score, TEXTBOOK};

/// Where an entry comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// The precomputed table.
    Table,
    /// The hash table of unusual constellations.
    Hash,
}

impl Source {
    /// Where [`entry`] finds this constellation.
    #[must_use]
    pub const fn of(key: MaterialKey) -> Self {
        if key.is_usual() { Self::Table } else { Self::Hash }
    }
}

/// The entry of a constellation.
#[inline]
#[must_use]
pub fn entry(key: MaterialKey) -> Entry {
    match Source::of(key) {
        Source::Table => table::entry(key),
        Source::Hash => hash::entry(key),
    }
}

/// The part of the imbalance that is the pair of bishops, White's minus Black's.
#[must_use]
pub fn bishop_pair(key: MaterialKey) -> Score {
    let pairs = Color::ALL.map(|color| color.sign() * i32::from(key.count(color, PieceKind::Bishop) >= 2));
    TEXTBOOK.weight(Feature::BishopPair, 0) * (pairs[0] + pairs[1])
}
