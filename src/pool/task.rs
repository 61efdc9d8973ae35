//! One piece of work between its arrival and its end, and the one place where its fate is decided.

use std::mem;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::client::Client;
use super::statistics::{Ended, Statistics};
use super::sync::{AtomicBool, Mutex, Ordering, lock};

/// A worker is deaf whose task was told to stop so long ago and goes on. A search looks at its flag every few
/// microseconds, so not even a machine with too much to do takes as long.
const DEAF_AFTER: Duration = Duration::from_secs(3);

/// What a worker lends to the work it runs.
pub struct WorkerContext<'a, Shared> {
    /// What all threads of the crew share: in the service, the pool's transposition table.
    pub shared: &'a Shared,
    /// Raised when the work has to come to an end with what it has; it never falls again.
    pub stop: &'a AtomicBool,
    task: &'a Task<Shared>,
}

impl<Shared> WorkerContext<'_, Shared> {
    /// Why the stop flag was raised, or `None` as long as it is down.
    #[must_use]
    pub fn interruption(&self) -> Option<Interruption> {
        if let Phase::Interrupted { why, .. } = *lock(&self.task.phase) { Some(why) } else { None }
    }

    /// Closes the books on the task; nobody can interrupt it after this.
    pub(super) fn finish(&self, how: End) {
        self.task.finish(how);
    }
}

/// Why work was asked to end before it was through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interruption {
    /// The time the client gave for thinking is over.
    Movetime,
    /// The hard cap on the whole job is reached.
    Timeout,
    /// Nobody waits for the answer any more.
    Left,
    /// It gave its place in a full queue to a client who had fewer there. Only what waits is displaced.
    Displaced,
    /// The pool closes and the grace period is over.
    Draining,
}

/// How work that began came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    Returned,
    Panicked,
}

/// Work as the queue sees it: it delivers its own answer, after [`WorkerContext::finish`].
pub(super) type Work<Shared> = Box<dyn FnOnce(&WorkerContext<'_, Shared>) + Send>;

/// Where a task stands. Every change happens under its lock, so exactly one of the worker, the clock, the client and
/// the drain decides how the task ends.
enum Phase<Shared> {
    Waiting(Work<Shared>),
    Running {
        begun: Instant,
    },
    Interrupted {
        begun: Instant,
        since: Instant,
        why: Interruption,
    },
    /// Never begun: its work was dropped, and with it the sending half of its answer.
    Abandoned(Interruption),
    Over,
}

/// The side of a task that clock, ticket and drain hold, whatever its crew shares.
pub(super) trait Interrupt: Send + Sync {
    /// Ends the task: one that waits is abandoned, one that runs is told to stop. The first reason stands, and a task
    /// that is over stays as it is.
    fn interrupt(&self, why: Interruption);

    /// Why the task was ended before it began; `None` if it began or still waits.
    fn abandoned(&self) -> Option<Interruption>;

    /// How long until a worker of the task's crew should be free.
    fn retry_after(&self) -> Duration;
}

/// One piece of work with its stop flag and its phase.
pub(super) struct Task<Shared> {
    stop: AtomicBool,
    phase: Mutex<Phase<Shared>>,
    client: Client,
    arrived: Instant,
    own_limit: Option<(Duration, Interruption)>,
    statistics: Arc<Statistics>,
}

impl<Shared> Task<Shared> {
    /// A waiting task of `client` that arrived at `arrived`; see [`Self::limit_of_its_own`].
    pub(super) fn new(
        client: Client,
        work: Work<Shared>,
        arrived: Instant,
        own_limit: Option<(Duration, Interruption)>,
        statistics: Arc<Statistics>,
    ) -> Self {
        let phase = Mutex::new(Phase::Waiting(work));
        Self { stop: AtomicBool::new(false), phase, client, arrived, own_limit, statistics }
    }

    /// Whose task it is.
    pub(super) const fn client(&self) -> Client {
        self.client
    }

    /// How long the task may take from its beginning on, where its time does not run before that.
    pub(super) const fn limit_of_its_own(&self) -> Option<(Duration, Interruption)> {
        self.own_limit
    }

    /// Runs the work on the calling thread, unless the task was abandoned while it waited.
    pub(super) fn run(&self, shared: &Shared) {
        if let Some(work) = self.begin() {
            work(&WorkerContext { shared, stop: &self.stop, task: self });
        }
    }

    /// Ends what a worker had in hand when it died, if it has not ended.
    pub(super) fn bury(&self) {
        // What was not begun yet counts as begun and lost.
        discard(self.begin());
        self.finish(End::Panicked);
    }

    /// Whether the task still waits for a worker.
    pub(super) fn is_waiting(&self) -> bool {
        matches!(*lock(&self.phase), Phase::Waiting(_))
    }

    /// Whether the task needs no worker any more.
    pub(super) fn is_over(&self) -> bool {
        matches!(*lock(&self.phase), Phase::Over | Phase::Abandoned(_))
    }

    /// Whether the task was told to stop and does not listen.
    pub(super) fn is_deaf(&self) -> bool {
        matches!(*lock(&self.phase), Phase::Interrupted { since, .. } if since.elapsed() > DEAF_AFTER)
    }

    fn begin(&self) -> Option<Work<Shared>> {
        let mut phase = lock(&self.phase);
        if !matches!(*phase, Phase::Waiting(_)) {
            return None;
        }
        let begun = Instant::now();
        self.statistics.began(begun.saturating_duration_since(self.arrived));
        match mem::replace(&mut *phase, Phase::Running { begun }) {
            Phase::Waiting(work) => Some(work),
            Phase::Running { .. } | Phase::Interrupted { .. } | Phase::Abandoned(_) | Phase::Over => None,
        }
    }

    fn finish(&self, how: End) {
        let last = mem::replace(&mut *lock(&self.phase), Phase::Over);
        let (begun, interrupted) = match last {
            Phase::Running { begun } => (begun, None),
            Phase::Interrupted { begun, since, why } => (begun, Some((why, since.elapsed()))),
            Phase::Waiting(_) | Phase::Abandoned(_) | Phase::Over => return,
        };
        self.statistics.ended(Ended { service: begun.elapsed(), how, interrupted });
    }
}

impl<Shared> Interrupt for Task<Shared> {
    fn interrupt(&self, why: Interruption) {
        let mut phase = lock(&self.phase);
        match *phase {
            Phase::Waiting(_) => {
                let before = mem::replace(&mut *phase, Phase::Abandoned(why));
                // What the work captured is foreign: it is dropped only when the lock is free.
                drop(phase);
                self.statistics.abandoned(why);
                discard(before);
            }
            Phase::Running { begun } => {
                *phase = Phase::Interrupted { begun, since: Instant::now(), why };
                self.stop.store(true, Ordering::Release);
            }
            Phase::Interrupted { .. } | Phase::Abandoned(_) | Phase::Over => {}
        }
    }

    fn abandoned(&self) -> Option<Interruption> {
        if let Phase::Abandoned(why) = *lock(&self.phase) { Some(why) } else { None }
    }

    fn retry_after(&self) -> Duration {
        self.statistics.retry_after()
    }
}

/// Drops what belongs to others. If it panics at that, whoever has to drop it is unharmed.
pub(super) fn discard<T>(foreign: T) {
    if let Err(panic) = panic::catch_unwind(AssertUnwindSafe(|| drop(foreign))) {
        // What was thrown may panic when it is dropped, too: a few bytes are the lesser harm.
        mem::forget(panic);
    }
}
