//! The sources of the pool under test, as the service compiles them but for their locks and atomics.

#[path = "../../../src/pool/client.rs"]
mod client;
#[expect(dead_code, reason = "the service reads it")]
#[path = "../../../src/pool/histogram.rs"]
mod histogram;
#[expect(dead_code, reason = "what drains a crew waits for its threads, which no model does")]
#[path = "../../../src/pool/roster.rs"]
mod roster;
#[expect(dead_code, reason = "the service reads it")]
#[path = "../../../src/pool/statistics.rs"]
mod statistics;
#[expect(dead_code, reason = "the service asks more of a task")]
#[path = "../../../src/pool/task.rs"]
mod task;
#[path = "../../../src/pool/turns.rs"]
mod turns;

pub(crate) mod phases;
pub(crate) mod queue;

mod sync {
    //! Loom's locks and atomics in place of the standard library's.

    pub(crate) use loom::sync::atomic::{AtomicBool, Ordering};
    pub(crate) use loom::sync::{Condvar, Mutex, MutexGuard};

    pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
        mutex.lock().unwrap()
    }
}
