//! What a pool counts about itself.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use super::task::{End, Interruption};

/// One reading of a pool's counters. Gauges are of the moment, the rest only grow from the pool's start.
///
/// The counters are read one after the other, so under load a snapshot is only nearly consistent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Snapshot {
    /// Gauge: tasks that wait for a worker.
    pub waiting: u64,
    /// Gauge: tasks that run.
    pub running: u64,
    /// Tasks taken in; each of them ends in exactly one of `completed`, `cancelled`, `expired`, `drained`, `panicked`.
    pub accepted: u64,
    /// Tasks turned away, because the queue was full or the pool was closing.
    pub refused: u64,
    /// Tasks that ran and gave an answer that somebody waited for.
    pub completed: u64,
    /// Of the completed: those whose deadline (movetime or timeout) ended them.
    pub deadline_hits: u64,
    /// Tasks whose client left, waiting or running.
    pub cancelled: u64,
    /// Tasks whose deadline passed before a worker was free.
    pub expired: u64,
    /// Tasks that still waited when the grace period of a drain was over.
    pub drained: u64,
    /// Tasks that panicked.
    pub panicked: u64,
    /// Time all tasks together waited for a worker, in microseconds (those that began).
    pub waited_micros: u64,
    /// Time all tasks together ran, in microseconds.
    pub served_micros: u64,
    /// Moving average of the time a task runs, in microseconds.
    pub mean_service_micros: u64,
}

/// The counters themselves: relaxed atomics, no locks.
#[derive(Debug, Default)]
pub(super) struct Statistics {
    /// Not a counter: how many tasks can run at once.
    threads: u64,
    waiting: AtomicU64,
    running: AtomicU64,
    accepted: AtomicU64,
    refused: AtomicU64,
    completed: AtomicU64,
    deadline_hits: AtomicU64,
    cancelled: AtomicU64,
    expired: AtomicU64,
    drained: AtomicU64,
    panicked: AtomicU64,
    waited_micros: AtomicU64,
    served_micros: AtomicU64,
    mean_service_micros: AtomicU64,
}

/// Weight of the newest service time in the moving average is one in this many.
const MEAN_WEIGHT: u64 = 8;

impl Statistics {
    /// All zero, for a crew of `threads`.
    pub(super) fn new(threads: usize) -> Self {
        Self { threads: threads as u64, ..Self::default() }
    }

    pub(super) fn accepted(&self) {
        bump(&self.accepted);
        bump(&self.waiting);
    }

    pub(super) fn refused(&self) {
        bump(&self.refused);
    }

    /// A waiting task was taken up after having waited for `waited`.
    pub(super) fn began(&self, waited: Duration) {
        self.waiting.fetch_sub(1, Ordering::Relaxed);
        bump(&self.running);
        self.waited_micros.fetch_add(micros(waited), Ordering::Relaxed);
    }

    /// A running task ended after `service`.
    pub(super) fn ended(&self, service: Duration, how: End, why: Option<Interruption>) {
        self.running.fetch_sub(1, Ordering::Relaxed);
        self.serve(micros(service));
        match (how, why) {
            (End::Panicked, _) => bump(&self.panicked),
            (End::Returned, Some(Interruption::Left)) => bump(&self.cancelled),
            (End::Returned, Some(Interruption::Movetime | Interruption::Timeout)) => {
                bump(&self.completed);
                bump(&self.deadline_hits);
            }
            (End::Returned, None | Some(Interruption::Draining)) => bump(&self.completed),
        }
    }

    /// A task was given up while it waited.
    pub(super) fn abandoned(&self, why: Interruption) {
        self.waiting.fetch_sub(1, Ordering::Relaxed);
        bump(match why {
            Interruption::Left => &self.cancelled,
            Interruption::Movetime | Interruption::Timeout => &self.expired,
            Interruption::Draining => &self.drained,
        });
    }

    /// How long until a newcomer should find a free worker: the time to serve everybody who waits, at the moving
    /// average of the service time. A guess for clients who were turned away, not a promise.
    pub(super) fn retry_after(&self) -> Duration {
        let rounds = (read(&self.waiting) + 1).div_ceil(self.threads.max(1));
        Duration::from_micros(read(&self.mean_service_micros).saturating_mul(rounds))
    }

    pub(super) fn snapshot(&self) -> Snapshot {
        Snapshot {
            waiting: read(&self.waiting),
            running: read(&self.running),
            accepted: read(&self.accepted),
            refused: read(&self.refused),
            completed: read(&self.completed),
            deadline_hits: read(&self.deadline_hits),
            cancelled: read(&self.cancelled),
            expired: read(&self.expired),
            drained: read(&self.drained),
            panicked: read(&self.panicked),
            waited_micros: read(&self.waited_micros),
            served_micros: read(&self.served_micros),
            mean_service_micros: read(&self.mean_service_micros),
        }
    }

    /// Two workers that end together may lose one sample of the average: it is an estimate anyway.
    fn serve(&self, service_micros: u64) {
        self.served_micros.fetch_add(service_micros, Ordering::Relaxed);
        let mean = read(&self.mean_service_micros);
        let next = if mean == 0 {
            service_micros
        } else {
            (mean * (MEAN_WEIGHT - 1) + service_micros) / MEAN_WEIGHT
        };
        self.mean_service_micros.store(next, Ordering::Relaxed);
    }
}

fn bump(counter: &AtomicU64) {
    counter.fetch_add(1, Ordering::Relaxed);
}

fn read(counter: &AtomicU64) -> u64 {
    counter.load(Ordering::Relaxed)
}

fn micros(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(u64::MAX)
}
