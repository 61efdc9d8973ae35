//! The transposition table: what earlier nodes found out, shared by all threads without a lock.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

use bytemuck::Zeroable;

use super::pages::ask_for_huge_pages;
use super::parallel::in_parts;
use super::parameters::{TABLE_DEPTH_MARGIN, TABLE_PLIES_PER_GENERATION, TABLE_PRINCIPAL_MARGIN};
use super::slot::Slot;
use super::{Bound, Limits, value::Value};
use crate::engine::chess::Move;
use crate::engine::prefetch::prefetch;

/// A hash table of search results, shared by reference between threads.
///
/// It never locks: what two threads write into a slot at once is taken for an empty slot.
///
/// The memory comes zeroed from the system, which gives it page by page as it is written: a new table costs
/// nothing, unless it is [populated](Self::populate).
pub struct TranspositionTable {
    buckets: Box<[Bucket]>,
    generation: AtomicU8,
    /// Positions that were visited by searches among many.
    visited: AtomicU64,
}

/// The system did not give the memory for a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no memory for a transposition table of {mebibytes} MiB")]
pub struct TableError {
    /// The size asked for.
    pub mebibytes: usize,
}

impl TranspositionTable {
    /// A table of this many mebibytes (1 at least).
    ///
    /// # Errors
    /// If the system does not give the memory.
    pub fn new(mebibytes: usize) -> Result<Self, TableError> {
        let mut table = Self::with_buckets(buckets_in(mebibytes), mebibytes)?;
        ask_for_huge_pages(&mut table.buckets);
        Ok(table)
    }

    /// The same for a table that is soon thrown away: no larger than a search with these limits has a use for, and without
    /// huge pages, of which it would wait for more than it uses.
    ///
    /// # Errors
    /// If the system does not give the memory.
    pub fn for_one_search(limits: Limits, mebibytes: usize) -> Result<Self, TableError> {
        let by_depth = limits.depth.map(|depth| NODES_OF_NO_DEPTH << depth.min(32));
        let nodes = limits.nodes.into_iter().chain(by_depth).min().unwrap_or(u64::MAX);
        let enough = usize::try_from(nodes).unwrap_or(usize::MAX).max(FEWEST_BUCKETS);
        Self::with_buckets(enough.min(buckets_in(mebibytes)), mebibytes)
    }

    fn with_buckets(buckets: usize, mebibytes: usize) -> Result<Self, TableError> {
        let buckets = bytemuck::allocation::try_zeroed_slice_box(buckets);
        let buckets: Box<[Bucket]> = buckets.map_err(|()| TableError { mebibytes })?;
        Ok(Self { buckets, generation: AtomicU8::new(0), visited: AtomicU64::new(0) })
    }

    /// Has the system give all of the memory now. Otherwise a search waits for every page that it is the first to write:
    /// some 5 ms for a huge page on a virtual machine whose host is as late with memory as its guest, and in all more than
    /// a fast game allows a move.
    pub fn populate(&self) {
        in_parts(&self.buckets, |buckets| {
            for bucket in buckets.iter().step_by(PAGE_BYTES / size_of::<Bucket>()) {
                bucket.slots[0].populate();
            }
        });
    }

    /// A single bucket, for a search that needs no table.
    pub(super) fn smallest() -> Self {
        Self {
            buckets: Box::new([Bucket::zeroed()]),
            generation: AtomicU8::new(0),
            visited: AtomicU64::new(0),
        }
    }

    /// The size, in mebibytes.
    #[must_use]
    pub fn mebibytes(&self) -> usize {
        size_of_val(&*self.buckets) >> 20
    }

    /// How many of a thousand slots are in use, by a sample.
    #[must_use]
    pub fn hashfull(&self) -> u16 {
        let sample = &self.buckets[..self.buckets.len().min(1_000 / SLOTS)];
        sample
            .iter()
            .flat_map(|bucket| &bucket.slots)
            .map(|slot| Packed(slot.data()))
            .filter(|packed| packed.is_used())
            .count() as u16
    }

    /// Forgets everything; pages that were never written stay unwritten.
    pub fn clear(&self) {
        in_parts(&self.buckets, |buckets| {
            for slot in buckets.iter().flat_map(|bucket| &bucket.slots) {
                slot.clear();
            }
        });
        self.generation.store(0, Relaxed);
    }

    /// Makes everything in the table a generation older: called at the start of a search that has the table for itself.
    pub(super) fn new_search(&self) {
        let next = (self.generation.load(Relaxed) + 1) & GENERATIONS_MASK;
        self.generation.store(next, Relaxed);
    }

    /// A search among many that share the table has visited so many positions. A generation is as many as the table has slots:
    /// what a long search has found does not grow old by short ones beside it.
    pub(super) fn grow_older(&self, nodes: u64) {
        let slots = (self.buckets.len() * SLOTS) as u64;
        let before = self.visited.fetch_add(nodes, Relaxed);
        if before / slots != before.wrapping_add(nodes) / slots {
            self.new_search();
        }
    }

    /// Has the memory of a position fetched, to be asked for it a little later.
    #[inline]
    pub(super) fn prefetch(&self, key: u64) {
        prefetch(self.bucket(key));
    }

    /// What is known of a position, its mates counted from `ply`.
    #[inline]
    pub(super) fn probe(&self, key: u64, ply: usize) -> Option<Entry> {
        self.bucket(key).slots.iter().find_map(|slot| {
            let packed = Packed::of(slot, key)?;
            Some(Entry {
                mv: Move::from_bits(packed.0 as u16),
                value: Value::from_table((packed.0 >> 16) as i16, ply),
                evaluation: (packed.0 >> 32) as i16,
                depth: packed.depth(),
                bound: packed.bound()?,
                principal: packed.is_principal(),
            })
        })
    }

    /// Remembers a result. A deeper result of this generation for the same position stays; otherwise the
    /// slot of the same position is taken, or the one of the bucket that is oldest and shallowest.
    #[inline]
    pub(super) fn store(&self, key: u64, ply: usize, entry: Entry) {
        let generation = self.generation.load(Relaxed);
        let bucket = self.bucket(key);
        let known = bucket.slots.iter().find_map(|slot| Packed::of(slot, key).map(|packed| (slot, packed)));
        let mut mv = entry.mv;
        let slot = match known {
            Some((slot, old)) => {
                let margin = TABLE_DEPTH_MARGIN + if entry.principal { TABLE_PRINCIPAL_MARGIN } else { 0 };
                let deeper = old.depth() > entry.depth + margin;
                if deeper && entry.bound != Bound::Exact && old.generation() == generation {
                    return;
                }
                if !mv.is_some() {
                    mv = Move::from_bits(old.0 as u16);
                }
                slot
            }
            None => bucket.least_wanted(generation),
        };
        slot.store(key, Packed::new(Entry { mv, ..entry }, ply, generation).0);
    }

    fn bucket(&self, key: u64) -> &Bucket {
        let index = (u128::from(key) * self.buckets.len() as u128) >> 64;
        &self.buckets[index as usize]
    }
}

impl std::fmt::Debug for TranspositionTable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TranspositionTable").field("mebibytes", &self.mebibytes()).finish_non_exhaustive()
    }
}

/// What the table says of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// The best move found or the one that refuted; maybe none.
    pub(super) mv: Move,
    /// Mates count from the root.
    pub(super) value: Value,
    /// The static evaluation in centipawns for the side to move; [`Self::NO_EVALUATION`] in check.
    pub(super) evaluation: i16,
    /// Plies that were left to search; 0 for quiescence, [`Self::LEAST_DEPTH`] where it looked at no quiet checks.
    pub(super) depth: i32,
    /// How the value bounds the true one.
    pub(super) bound: Bound,
    /// The node has been one of a principal variation.
    pub(super) principal: bool,
}

impl Entry {
    /// In place of a static evaluation where there is none.
    pub(super) const NO_EVALUATION: i16 = i16::MIN;
    /// The least depth that is told apart.
    pub(super) const LEAST_DEPTH: i32 = -1;
}

/// Slots in a bucket: a bucket is a cache line.
const SLOTS: usize = 4;

/// In the table of a single search. Fewer would hardly take less time to get.
const FEWEST_BUCKETS: usize = 1_024;

/// Twice as many for each ply are some eight times what a search visits to depth 13 (61,000 at the mean of `bench`).
const NODES_OF_NO_DEPTH: u64 = 64;

/// In so many mebibytes, 1 at least. More than the system can have are as many as there can be.
fn buckets_in(mebibytes: usize) -> usize {
    mebibytes.max(1).saturating_mul(1 << 20) / size_of::<Bucket>()
}

/// The smallest page of any system that the engine runs on.
const PAGE_BYTES: usize = 4 << 10;

/// The age of a slot counts in five bits.
const GENERATIONS_MASK: u8 = 31;

#[derive(Zeroable)]
#[repr(C, align(64))]
struct Bucket {
    slots: [Slot; SLOTS],
}

impl Bucket {
    fn least_wanted(&self, generation: u8) -> &Slot {
        let worth = |slot: &Slot| {
            let packed = Packed(slot.data());
            let age = i32::from(generation.wrapping_sub(packed.generation()) & GENERATIONS_MASK);
            if packed.is_used() { packed.depth() - TABLE_PLIES_PER_GENERATION * age } else { i32::MIN }
        };
        let [first, rest @ ..] = &self.slots;
        rest.iter()
            .fold((first, worth(first)), |least, slot| {
                let worth = worth(slot);
                if worth < least.1 { (slot, worth) } else { least }
            })
            .0
    }
}

/// An entry in one word, from the lowest bit: move 16, value 16, evaluation 16, depth 8, bound 2, principal 1,
/// generation 5.
#[derive(Clone, Copy)]
struct Packed(u64);

impl Packed {
    /// What a slot knows of this key.
    #[inline]
    fn of(slot: &Slot, key: u64) -> Option<Self> {
        slot.load(key).map(Self).filter(|packed| packed.is_used())
    }

    fn new(entry: Entry, ply: usize, generation: u8) -> Self {
        Self(
            u64::from(entry.mv.bits())
                | u64::from(entry.value.to_table(ply) as u16) << 16
                | u64::from(entry.evaluation as u16) << 32
                | ((entry.depth - Entry::LEAST_DEPTH).clamp(0, 255) as u64) << 48
                | (entry.bound as u64) << 56
                | u64::from(entry.principal) << 58
                | u64::from(generation) << 59,
        )
    }

    const fn depth(self) -> i32 {
        (self.0 >> 48 & 0xff) as i32 + Entry::LEAST_DEPTH
    }

    const fn bound(self) -> Option<Bound> {
        match self.0 >> 56 & 3 {
            1 => Some(Bound::Upper),
            2 => Some(Bound::Lower),
            3 => Some(Bound::Exact),
            _ => None,
        }
    }

    const fn generation(self) -> u8 {
        (self.0 >> 59) as u8
    }

    const fn is_principal(self) -> bool {
        self.0 >> 58 & 1 != 0
    }

    const fn is_used(self) -> bool {
        self.bound().is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::{Entry, Relaxed, SLOTS, TranspositionTable};
    use crate::engine::chess::Move;
    use crate::engine::search::parallel::LEAST_PART_BYTES;
    use crate::engine::search::{Bound, Limits, value::Value};

    fn entry(depth: i32, centipawns: i32) -> Entry {
        let value = Value::from_centipawns(centipawns);
        Entry {
            mv: Move::from_bits(0x0a0b),
            value,
            evaluation: -17,
            depth,
            bound: Bound::Lower,
            principal: false,
        }
    }

    #[test]
    fn what_is_stored_is_found_until_cleared() {
        let table = TranspositionTable::new(1).unwrap();
        assert_eq!(table.mebibytes(), 1);
        assert_eq!(table.probe(0, 0), None);
        table.store(0xdead_beef_0123_4567, 3, entry(9, -250));
        assert_eq!(table.probe(0xdead_beef_0123_4567, 3), Some(entry(9, -250)));
        table.store(7, 3, entry(Entry::LEAST_DEPTH, 30));
        assert_eq!(table.probe(7, 3), Some(entry(Entry::LEAST_DEPTH, 30)));
        assert_eq!(table.probe(0xdead_beef_0123_4566, 3), None);
        table.clear();
        assert_eq!(table.probe(0xdead_beef_0123_4567, 3), None);
    }

    #[test]
    fn a_large_table_is_cleared_to_its_end() {
        let table = TranspositionTable::new(3 * (LEAST_PART_BYTES >> 20)).unwrap();
        let keys = (0..1_000).map(|number: u64| number.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let known = || keys.clone().filter(|key| table.probe(*key, 0).is_some()).count();
        keys.clone().for_each(|key| table.store(key, 0, entry(5, 10)));
        table.populate();
        assert_eq!(known(), 1_000);
        table.clear();
        assert_eq!(known(), 0);
    }

    #[test]
    fn the_table_of_one_search_is_as_large_as_it_may_use() {
        for (depth, nodes, buckets) in [
            (None, None, 32_768),
            (None, Some(1), 1_024),
            (None, Some(5_000), 5_000),
            (None, Some(u64::MAX), 32_768),
            (Some(1), None, 1_024),
            (Some(8), None, 16_384),
            (Some(255), None, 32_768),
            (Some(8), Some(2_000), 2_000),
        ] {
            let table = TranspositionTable::for_one_search(Limits { depth, nodes }, 2).unwrap();
            assert_eq!(table.buckets.len(), buckets);
        }
    }

    #[test]
    fn a_deep_result_gives_way_to_one_of_the_principal_variation_sooner() {
        for (principal, replaced) in [(false, [true, false, false]), (true, [true, true, true])] {
            for (depth, replaced) in [17, 16, 15].into_iter().zip(replaced) {
                let table = TranspositionTable::new(1).unwrap();
                table.store(7, 0, entry(20, 1));
                table.store(7, 0, Entry { principal, ..entry(depth, 1) });
                let found = table.probe(7, 0).map(|found| found.depth);
                assert_eq!(found, Some(if replaced { depth } else { 20 }));
            }
        }
    }

    #[test]
    fn a_mate_is_read_at_the_distance_of_the_reader() {
        let table = TranspositionTable::new(1).unwrap();
        let mate = Entry { value: Value::mate_in(9), bound: Bound::Exact, ..entry(5, 0) };
        table.store(77, 4, mate);
        assert_eq!(table.probe(77, 2).map(|found| found.value), Some(Value::mate_in(7)));
    }

    #[test]
    fn a_full_bucket_gives_up_the_oldest_and_shallowest() {
        for (old_depth, given_up) in [(30, 2), (15, 1)] {
            let table = TranspositionTable::new(1).unwrap();
            table.store(1, 0, entry(old_depth, 1));
            table.new_search();
            for key in 2..=4 {
                table.store(key, 0, entry(key as i32 + 10, 1));
            }
            table.store(5, 0, entry(3, 1));
            let kept = (1..=5).filter(|key| table.probe(*key, 0).is_some()).collect::<Vec<_>>();
            assert_eq!(kept, (1..=5).filter(|key| *key != given_up).collect::<Vec<_>>());
        }
    }

    #[test]
    fn what_earlier_searches_left_counts_as_full_until_it_is_cleared() {
        let table = TranspositionTable::new(1).unwrap();
        table.store(1, 0, entry(4, 1));
        table.new_search();
        assert_eq!(table.hashfull(), 1);
        table.clear();
        assert_eq!(table.hashfull(), 0);
    }

    #[test]
    fn short_searches_make_a_shared_table_no_older_than_their_nodes_do() {
        let table = TranspositionTable::new(1).unwrap();
        let slots = (table.buckets.len() * SLOTS) as u64;
        let generation = || table.generation.load(Relaxed);
        for _ in 0..100 {
            table.grow_older(slots / 128);
        }
        assert_eq!(generation(), 0);
        table.grow_older(slots / 4);
        assert_eq!(generation(), 1);
        table.grow_older(10 * slots);
        assert_eq!(generation(), 2);
    }

    #[test]
    fn too_large_a_table_is_an_error() {
        assert!(TranspositionTable::new(1 << 40).is_err());
        assert!(TranspositionTable::new(usize::MAX).is_err());
    }
}
