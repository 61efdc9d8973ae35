//! What a pool counts about itself.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use super::histogram::{Counting, TIME_BOUNDS_MICROS, TimeHistogram};
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
    /// Tasks taken in; each of them ends in exactly one of `completed`, `cancelled`, `expired`, `displaced`, `drained`,
    /// `panicked`.
    pub accepted: u64,
    /// Tasks turned away; of the pool for batches and reviews those too.
    pub refused: Refusals,
    /// Tasks that ran and gave an answer that somebody waited for.
    pub completed: u64,
    /// Of the completed: those whose deadline (movetime or timeout) ended them.
    pub deadline_hits: u64,
    /// Tasks whose client left, waiting or running.
    pub cancelled: u64,
    /// Tasks whose deadline passed before a worker was free.
    pub expired: u64,
    /// Tasks that gave their place in a full queue to a client who had fewer there.
    pub displaced: u64,
    /// Tasks that still waited when the grace period of a drain was over.
    pub drained: u64,
    /// Tasks that panicked, or were lost with their worker.
    pub panicked: u64,
    /// How many workers there should be.
    pub workers: u64,
    /// Gauge: workers who are there and do what they are told: not those whose task was told to stop seconds ago and
    /// goes on.
    pub fit: u64,
    /// Workers that died in a way that no task should be able to bring about, and were replaced.
    pub restarted: u64,
    /// Time all tasks together waited for a worker, in microseconds (those that began).
    pub waited_micros: u64,
    /// Time all tasks together ran, in microseconds.
    pub served_micros: u64,
    /// Moving average of the time a task runs, in microseconds.
    pub mean_service_micros: u64,
}

/// How many were turned away, by why.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Refusals {
    /// There was no room for anybody.
    pub full: u64,
    /// The client had as many as one may have.
    pub client: u64,
    /// The pool was closing.
    pub draining: u64,
}

impl Refusals {
    /// All of them.
    #[must_use]
    pub const fn all(self) -> u64 {
        self.full + self.client + self.draining
    }
}

/// Why somebody is turned away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    Full,
    Client,
    Draining,
}

/// One reading of how long things took in a pool since its start, in microseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Times {
    /// How long tasks waited for a worker: those that began.
    pub waits: TimeHistogram,
    /// How long tasks ran.
    pub services: TimeHistogram,
    /// How long tasks went on after their client had left: those that ran at that moment.
    pub farewells: TimeHistogram,
    /// The longest of those.
    pub longest_farewell_micros: u64,
}

/// The counters themselves: relaxed atomics, no locks.
#[derive(Debug)]
pub(super) struct Statistics {
    /// Not a counter: how many tasks can run at once.
    threads: u64,
    waiting: AtomicU64,
    running: AtomicU64,
    accepted: AtomicU64,
    refused_full: AtomicU64,
    refused_client: AtomicU64,
    refused_draining: AtomicU64,
    completed: AtomicU64,
    deadline_hits: AtomicU64,
    cancelled: AtomicU64,
    expired: AtomicU64,
    displaced: AtomicU64,
    drained: AtomicU64,
    panicked: AtomicU64,
    restarted: AtomicU64,
    waits: Counting<{ TIME_BOUNDS_MICROS.len() }>,
    services: Counting<{ TIME_BOUNDS_MICROS.len() }>,
    farewells: Counting<{ TIME_BOUNDS_MICROS.len() }>,
    longest_farewell_micros: AtomicU64,
    mean_service_micros: AtomicU64,
}

/// How a task that ran came to its end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ended {
    /// How long it ran.
    pub(super) service: Duration,
    pub(super) how: End,
    /// Why it was told to stop, and how long ago.
    pub(super) interrupted: Option<(Interruption, Duration)>,
}

/// Weight of the newest service time in the moving average is one in this many.
const MEAN_WEIGHT: u64 = 8;

impl Statistics {
    /// All zero, for a crew of `threads`.
    pub(super) fn new(threads: usize) -> Self {
        let (zero, times) = (AtomicU64::default, || Counting::new(&TIME_BOUNDS_MICROS));
        Self {
            threads: threads as u64,
            waiting: zero(),
            running: zero(),
            accepted: zero(),
            refused_full: zero(),
            refused_client: zero(),
            refused_draining: zero(),
            completed: zero(),
            deadline_hits: zero(),
            cancelled: zero(),
            expired: zero(),
            displaced: zero(),
            drained: zero(),
            panicked: zero(),
            restarted: zero(),
            waits: times(),
            services: times(),
            farewells: times(),
            longest_farewell_micros: zero(),
            mean_service_micros: zero(),
        }
    }

    pub(super) fn accepted(&self) {
        bump(&self.accepted);
        bump(&self.waiting);
    }

    pub(super) fn refused(&self, why: Refusal) {
        bump(match why {
            Refusal::Full => &self.refused_full,
            Refusal::Client => &self.refused_client,
            Refusal::Draining => &self.refused_draining,
        });
    }

    /// A waiting task was taken up after having waited for `waited`.
    pub(super) fn began(&self, waited: Duration) {
        self.waiting.fetch_sub(1, Ordering::Relaxed);
        bump(&self.running);
        self.waits.count(micros(waited));
    }

    /// A running task ended.
    pub(super) fn ended(&self, Ended { service, how, interrupted }: Ended) {
        self.running.fetch_sub(1, Ordering::Relaxed);
        self.serve(micros(service));
        if let Some((Interruption::Left, since)) = interrupted {
            self.farewells.count(micros(since));
            self.longest_farewell_micros.fetch_max(micros(since), Ordering::Relaxed);
        }
        match (how, interrupted.map(|(why, _)| why)) {
            (End::Panicked, _) => bump(&self.panicked),
            (End::Returned, Some(Interruption::Left)) => bump(&self.cancelled),
            (End::Returned, Some(Interruption::Movetime | Interruption::Timeout)) => {
                bump(&self.completed);
                bump(&self.deadline_hits);
            }
            (End::Returned, None | Some(Interruption::Displaced | Interruption::Draining)) => {
                bump(&self.completed);
            }
        }
    }

    /// A task was given up while it waited.
    pub(super) fn abandoned(&self, why: Interruption) {
        self.waiting.fetch_sub(1, Ordering::Relaxed);
        bump(match why {
            Interruption::Left => &self.cancelled,
            Interruption::Movetime | Interruption::Timeout => &self.expired,
            Interruption::Displaced => &self.displaced,
            Interruption::Draining => &self.drained,
        });
    }

    /// A worker died and was replaced.
    pub(super) fn restarted(&self) {
        bump(&self.restarted);
    }

    /// How long until a newcomer should find a free worker: the time to serve everybody who waits, at the moving
    /// average of the service time. A guess for clients who were turned away, not a promise.
    pub(super) fn retry_after(&self) -> Duration {
        let rounds = (read(&self.waiting) + 1).div_ceil(self.threads.max(1));
        Duration::from_micros(read(&self.mean_service_micros).saturating_mul(rounds))
    }

    /// The moving average of the service time.
    pub(super) fn mean_service(&self) -> Duration {
        Duration::from_micros(read(&self.mean_service_micros))
    }

    /// The counters at this moment; of so many workers who are fit.
    pub(super) fn snapshot(&self, fit: usize) -> Snapshot {
        Snapshot {
            waiting: read(&self.waiting),
            running: read(&self.running),
            accepted: read(&self.accepted),
            refused: Refusals {
                full: read(&self.refused_full),
                client: read(&self.refused_client),
                draining: read(&self.refused_draining),
            },
            completed: read(&self.completed),
            deadline_hits: read(&self.deadline_hits),
            cancelled: read(&self.cancelled),
            expired: read(&self.expired),
            displaced: read(&self.displaced),
            drained: read(&self.drained),
            panicked: read(&self.panicked),
            workers: self.threads,
            fit: fit as u64,
            restarted: read(&self.restarted),
            waited_micros: self.waits.read().sum,
            served_micros: self.services.read().sum,
            mean_service_micros: read(&self.mean_service_micros),
        }
    }

    pub(super) fn times(&self) -> Times {
        Times {
            waits: self.waits.read(),
            services: self.services.read(),
            farewells: self.farewells.read(),
            longest_farewell_micros: read(&self.longest_farewell_micros),
        }
    }

    /// Two workers that end together may lose one sample of the average: it is an estimate anyway.
    fn serve(&self, service_micros: u64) {
        self.services.count(service_micros);
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
