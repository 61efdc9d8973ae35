//! How far a search is, for who looks on from another thread.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::engine::chess::Move;

/// What a search under way tells of itself.
#[derive(Debug, Default)]
pub struct Progress {
    nodes: AtomicU64,
    /// The move in the lowest 16 bits, its number in the next 16, then the depth; 0 before the first one.
    at: AtomicU64,
}

/// A move of the root that is being searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RootMove {
    /// The move.
    pub mv: Move,
    /// Its place among those of the iteration, from 1.
    pub number: u16,
    /// The iteration, in plies.
    pub depth: u8,
}

impl Progress {
    /// The nodes of all threads so far, but for a thousand or so of each.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Relaxed)
    }

    /// Where the first thread is, if it has begun.
    #[must_use]
    pub fn at(&self) -> Option<RootMove> {
        let at = self.at.load(Relaxed);
        let mv = Move::from_bits(at as u16);
        (at != 0).then_some(RootMove { mv, number: (at >> 16) as u16, depth: (at >> 32) as u8 })
    }

    pub(super) fn add_nodes(&self, nodes: u64) {
        self.nodes.fetch_add(nodes, Relaxed);
    }

    pub(super) fn set_at(&self, RootMove { mv, number, depth }: RootMove) {
        self.at.store(u64::from(mv.bits()) | u64::from(number) << 16 | u64::from(depth) << 32, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_told_is_what_is_read() {
        let progress = Progress::default();
        assert_eq!((progress.nodes(), progress.at()), (0, None));
        let at = RootMove { mv: Move::from_bits(0xABCD), number: 218, depth: 127 };
        progress.set_at(at);
        progress.add_nodes(7);
        assert_eq!((progress.nodes(), progress.at()), (7, Some(at)));
    }
}
