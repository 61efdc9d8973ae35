//! The locks and atomics of the queue and of a task's phases, in one place: `tests/loom` puts others in theirs, which try
//! every order of events.

pub(super) use std::sync::atomic::{AtomicBool, Ordering};
pub(super) use std::sync::{Condvar, Mutex, MutexGuard};

/// Locks, whether or not a thread died while it held the lock: no critical section of this module leaves its data
/// half changed.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Has a thread die while it holds the lock.
#[cfg(test)]
pub(super) fn poison<T: Send>(mutex: &Mutex<T>) {
    std::thread::scope(|scope| {
        let died = scope.spawn(|| {
            let _held = lock(mutex);
            panic!("thrown on purpose, with a lock in hand");
        });
        assert!(died.join().is_err());
    });
    assert!(mutex.is_poisoned());
}
