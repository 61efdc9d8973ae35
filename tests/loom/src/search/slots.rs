//! The slot of the transposition table: halves of two writes are never taken for one.

use std::sync::Arc;

use loom::thread;

use super::slot::Slot;

/// Keys and words that differ in every half, so that what is torn looks like neither.
const KEYS: [u64; 2] = [0x0123_4567_89ab_cdef, 0xfedc_ba98_7654_3210];
const DATA: [u64; 2] = [0x1111_2222_3333_4444, 0x5555_6666_7777_9999];

/// Writes two results into one slot from two threads, and reads it meanwhile.
fn race(writes: [(u64, u64); 2], check: fn(u64, Option<u64>)) {
    loom::model(move || {
        let slot = Arc::new(Slot::default());
        let writers = writes.map(|(key, data)| {
            let slot = Arc::clone(&slot);
            thread::spawn(move || slot.store(key, data))
        });
        // The orders of the writers are tried both ways, so one key will do.
        check(KEYS[0], slot.load(KEYS[0]));
        for writer in writers {
            writer.join().unwrap();
        }
        for key in KEYS {
            check(key, slot.load(key));
        }
    });
}

pub(crate) fn a_torn_slot_is_never_believed() {
    race([(KEYS[0], DATA[0]), (KEYS[1], DATA[1])], |key, found| {
        let own = if key == KEYS[0] { DATA[0] } else { DATA[1] };
        assert!(found.is_none_or(|data| data == own), "{key:x} has {found:x?}");
    });
}

pub(crate) fn two_results_of_one_position_are_not_mixed() {
    race([(KEYS[0], DATA[0]), (KEYS[0], DATA[1])], |key, found| {
        assert!(found.is_none_or(|data| key == KEYS[0] && DATA.contains(&data)), "{key:x} has {found:x?}");
    });
}

pub(crate) fn a_slot_that_is_cleared_says_nothing_false() {
    loom::model(|| {
        let slot = Arc::new(Slot::default());
        slot.store(KEYS[0], DATA[0]);
        let clearer = {
            let slot = Arc::clone(&slot);
            thread::spawn(move || slot.clear())
        };
        let writer = {
            let slot = Arc::clone(&slot);
            thread::spawn(move || slot.store(KEYS[1], DATA[1]))
        };
        assert!(slot.load(KEYS[0]).is_none_or(|found| found == DATA[0]));
        clearer.join().unwrap();
        writer.join().unwrap();
        for (key, data) in KEYS.into_iter().zip(DATA) {
            assert!(slot.load(key).is_none_or(|found| found == data));
        }
    });
}

pub(crate) fn a_slot_that_is_populated_says_nothing_false() {
    loom::model(|| {
        let slot = Arc::new(Slot::default());
        let populator = {
            let slot = Arc::clone(&slot);
            thread::spawn(move || slot.populate())
        };
        let writer = {
            let slot = Arc::clone(&slot);
            thread::spawn(move || slot.store(KEYS[0], DATA[0]))
        };
        let says_nothing_false = || assert!(slot.load(KEYS[0]).is_none_or(|found| found == DATA[0]));
        says_nothing_false();
        populator.join().unwrap();
        writer.join().unwrap();
        says_nothing_false();
    });
}
