//! The hash table of all other constellations: those with a second queen or a third rook, bishop or knight.

use std::cell::Cell;

use super::Entry;
use crate::engine::chess::MaterialKey;

/// Slots in each thread's table, a power of two: 16 KB to 32 KB, far more constellations than a search meets.
const SLOTS: usize = 1024;

thread_local! {
    /// One table a thread, so that no thread waits for another; the empty key is a usual one and never asked for.
    static TABLE: [Cell<(MaterialKey, Entry)>; SLOTS] =
        const { [const { Cell::new((MaterialKey::EMPTY, Entry::NOTHING)) }; SLOTS] };
}

/// The entry of any constellation, remembered until another one takes its slot.
///
/// Kept out of line: few positions come here.
#[inline(never)]
pub(super) fn entry(key: MaterialKey) -> Entry {
    TABLE.with(|table| {
        let slot = &table[slot(key)];
        let (kept, entry) = slot.get();
        if kept == key && key != MaterialKey::EMPTY {
            return entry;
        }
        let entry = Entry::compute(key);
        slot.set((key, entry));
        entry
    })
}

/// Multiplicative hashing: the upper bits of the product with 2^64 divided by the golden ratio (Knuth, volume 3).
const fn slot(key: MaterialKey) -> usize {
    (key.bits().wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - SLOTS.trailing_zeros())) as usize
}

#[cfg(test)]
mod tests {
    use super::super::{Entry, table};
    use super::entry;

    /// Both paths give the same entry over the whole table; the second asking finds what the first has kept.
    #[test]
    fn table_and_hash_agree_everywhere() {
        for key in table::usual_constellations() {
            let kept = table::entry(key);
            assert_eq!(kept, Entry::compute(key), "{key:?}");
            assert_eq!(kept, entry(key), "{key:?}");
            assert_eq!(kept, entry(key), "{key:?}");
        }
    }
}
