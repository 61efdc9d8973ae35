//! A slot of the transposition table: two words that threads read and write at once, without a lock.
//!
//! The two are written one after the other, and the first holds the key xor the second, so that halves of two different
//! writes do not match any key. `tests/loom` tries every order of reads and writes.
//! Source: Hyatt and Mann, "A lock-less transposition table implementation for parallel search" (2002).

#[cfg(loom)]
use loom::sync::atomic::{AtomicU64, Ordering::Relaxed};
#[cfg(not(loom))]
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A key and what is known of it, in one word. A slot of zeros is what was never written.
#[cfg_attr(not(loom), derive(bytemuck::Zeroable))]
#[cfg_attr(loom, derive(Default))]
#[repr(C)]
pub(super) struct Slot {
    /// The key xor `data`.
    check: AtomicU64,
    data: AtomicU64,
}

impl Slot {
    /// What is known of this key, if that is what the slot holds. Where the key is zero, a slot that was never written
    /// says zero.
    #[inline]
    pub(super) fn load(&self, key: u64) -> Option<u64> {
        let data = self.data.load(Relaxed);
        (self.check.load(Relaxed) ^ data == key).then_some(data)
    }

    #[inline]
    pub(super) fn store(&self, key: u64, data: u64) {
        self.check.store(key ^ data, Relaxed);
        self.data.store(data, Relaxed);
    }

    /// What is known, whatever the key.
    #[inline]
    pub(super) fn data(&self) -> u64 {
        self.data.load(Relaxed)
    }

    /// Writes to it if that changes nothing.
    pub(super) fn populate(&self) {
        if self.data.load(Relaxed) == 0 {
            self.store(0, 0);
        }
    }

    /// Forgets what it holds; one that was never written stays so.
    pub(super) fn clear(&self) {
        if self.data.load(Relaxed) != 0 {
            self.data.store(0, Relaxed);
            self.check.store(0, Relaxed);
        }
    }
}
