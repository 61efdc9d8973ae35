//! Named threads over one bounded queue: a pool without any idea of what its work is.

use std::io;
use std::num::NonZeroUsize;
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use tokio::sync::oneshot;

use super::client::Client;
use super::clock::{Alarm, Clock};
use super::roster::{Roster, TurnedAway};
use super::statistics::{Refusal, Snapshot, Statistics, Times};
use super::sync::lock;
use super::task::{End, Interrupt, Interruption, Task, WorkerContext, discard};
use super::ticket::{Lost, Ticket};

/// Bytes of stack per worker. A search recurses once per ply and quiescence ply, a few kilobytes each; only what is
/// touched is ever backed by memory.
const STACK_BYTES: usize = 16 << 20;

/// How long a drain waits for workers after it has told them to stop. A worker that does not poll its flag within
/// this time is left to the end of the process.
const LAST_CALL: Duration = Duration::from_secs(1);

/// The shape of a crew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CrewSettings {
    /// Names the threads: `name-0`, `name-1`, ...
    pub name: &'static str,
    /// Number of threads; zero counts as one.
    pub threads: usize,
    /// Number of tasks that may wait while all threads are busy.
    pub queue: usize,
}

/// How long a task may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timing {
    /// From when on both durations count.
    pub start: Start,
    /// The client's time for thinking: the answer, as good as it is by then, is due when it is over.
    pub movetime: Option<Duration>,
    /// The hard cap on the whole task.
    pub timeout: Duration,
}

/// When the time of a task begins to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// When the request arrived, so that waiting counts: for a client who waits for this one answer.
    Arrival(Instant),
    /// When a thread takes the task up: for one task of many, which wait for each other.
    Work,
}

impl Timing {
    /// The durations as one: what ends the task, and why.
    fn limit(&self) -> (Duration, Interruption) {
        let (limit, why) = match self.movetime {
            Some(movetime) if movetime <= self.timeout => (movetime, Interruption::Movetime),
            Some(_) | None => (self.timeout, Interruption::Timeout),
        };
        (limit.max(SHORTEST_TIME), why)
    }
}

/// Why a task was not taken in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// The queue is full.
    #[error("all workers are busy and the queue is full; try again in {retry_after:?}")]
    Busy {
        /// When a worker should be free; round it up for a `Retry-After`.
        retry_after: Duration,
    },
    /// The client has as many tasks as one may have.
    #[error("one client may have {most} at once; try again in {retry_after:?}")]
    TooMany {
        /// How many that is.
        most: usize,
        /// When one of them should be over; round it up for a `Retry-After`.
        retry_after: Duration,
    },
    /// The pool is closing.
    #[error("the service is shutting down")]
    Draining,
}

/// A shorter time counts as this much: a free thread may need that long to wake up on a busy machine, and a client that
/// gives a millisecond wants a move rather than a refusal.
pub(super) const SHORTEST_TIME: Duration = Duration::from_millis(10);

/// What a drain came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Drained {
    /// Tasks that were told to stop, or given up while they waited, because the grace period was over.
    pub cut_short: usize,
    /// Threads that did not stop; their stop flags are raised.
    pub stuck: usize,
}

/// A crew of named threads that share one `Shared` and one bounded queue.
///
/// Dropping it cuts its work short and waits for its threads.
pub struct Crew<Shared> {
    roster: Arc<Roster<Shared>>,
    statistics: Arc<Statistics>,
    clock: Arc<Clock>,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

impl<Shared: Send + Sync + 'static> Crew<Shared> {
    /// Starts the threads.
    ///
    /// # Errors
    /// The system's, if it refuses a thread; those already started are sent home.
    pub fn start(settings: CrewSettings, shared: &Arc<Shared>, clock: &Arc<Clock>) -> io::Result<Self> {
        let threads = settings.threads.max(1);
        let statistics = Arc::new(Statistics::new(threads));
        let roster = Arc::new(Roster::new(settings.queue, Arc::clone(&statistics)));
        let crew = Self { roster, statistics, clock: Arc::clone(clock), threads: Mutex::default() };
        for number in 0..threads {
            let thread = crew.hire(format!("{}-{number}", settings.name), Arc::clone(shared))?;
            lock(&crew.threads).push(thread);
        }
        Ok(crew)
    }

    /// Hands `work` for `client` to the next free thread. The ticket yields what it returns.
    ///
    /// The work has to look at [`WorkerContext::stop`] often: it is raised at the deadline, when the ticket is
    /// dropped, and when a drain has run out of patience.
    ///
    /// # Errors
    /// [`Refused`] when the queue is full, the client has enough or the crew is closing; the work is then dropped.
    pub fn submit<T: Send + 'static>(
        &self,
        client: Client,
        timing: Timing,
        work: impl FnOnce(&WorkerContext<'_, Shared>) -> T + Send + 'static,
    ) -> Result<Ticket<T>, Refused> {
        let (sender, answer) = oneshot::channel();
        let deliver = move |context: &WorkerContext<'_, Shared>| {
            let outcome = panic::catch_unwind(AssertUnwindSafe(|| work(context)));
            context.finish(if outcome.is_ok() { End::Returned } else { End::Panicked });
            // A client that has left in the meantime wants no answer.
            discard(sender.send(outcome.map_err(Lost::panicked)));
        };
        let (limit, why) = timing.limit();
        let (arrived, own_limit) = match timing.start {
            Start::Arrival(arrived) => (arrived, None),
            Start::Work => (Instant::now(), Some((limit, why))),
        };
        let task = Task::new(client, Box::new(deliver), arrived, own_limit, Arc::clone(&self.statistics));
        let task = Arc::new(task);
        self.roster.admit(Arc::clone(&task)).map_err(|turned_away| self.refuse(turned_away))?;
        let alarm = match timing.start {
            Start::Arrival(arrived) => set_alarm(&self.clock, arrived, (limit, why), &task),
            Start::Work => None,
        };
        Ok(Ticket::new(answer, task, alarm))
    }

    /// From now on lets no more than so many tasks of one client wait and run at once; those of nobody in particular are
    /// not counted.
    pub fn limit_each_client(&self, most: NonZeroUsize) {
        self.roster.limit_each_client(most.get());
    }

    /// The crew's counters at this moment.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        self.statistics.snapshot(self.roster.fit())
    }

    /// How long things took until now.
    #[must_use]
    pub fn times(&self) -> Times {
        self.statistics.times()
    }

    /// How long until a thread should be free: a guess for who has to come back.
    #[must_use]
    pub fn retry_after(&self) -> Duration {
        self.statistics.retry_after()
    }

    /// Closes the crew: takes in nothing more, lets what is there finish within `grace`, then tells what runs to stop
    /// and gives up what waits, and sends the threads home. Every task gets its answer. Blocks the calling thread.
    pub fn drain(&self, grace: Duration) -> Drained {
        self.close();
        let mut cut_short = 0;
        let mut stuck = self.roster.await_farewell(grace);
        if stuck > 0 {
            let tasks = self.roster.clear();
            cut_short = tasks.len();
            for task in tasks {
                task.interrupt(Interruption::Draining);
            }
            stuck = self.roster.await_farewell(LAST_CALL);
        }
        if stuck == 0 {
            for thread in lock(&self.threads).drain(..) {
                // A worker catches what its work throws; one that still died has nothing left to say.
                let _ = thread.join();
            }
        }
        Drained { cut_short, stuck }
    }

    /// Takes in nothing more; the first step of a drain.
    pub fn close(&self) {
        self.roster.close();
    }

    fn hire(&self, name: String, shared: Arc<Shared>) -> io::Result<JoinHandle<()>> {
        let (roster, clock) = (Arc::clone(&self.roster), Arc::clone(&self.clock));
        let statistics = Arc::clone(&self.statistics);
        let place = roster.sign_in();
        let life = move || {
            let work = || {
                while let Some(task) = roster.next(place) {
                    let limit = task.limit_of_its_own();
                    let _alarm = limit.and_then(|limit| set_alarm(&clock, Instant::now(), limit, &task));
                    task.run(&shared);
                }
            };
            // A worker that dies begins anew on the same thread: another one could be refused by the system.
            while let Err(panic) = panic::catch_unwind(AssertUnwindSafe(work)) {
                discard(panic);
                if let Some(task) = roster.take_from(place) {
                    task.bury();
                }
                statistics.restarted();
            }
            roster.sign_out(place);
        };
        thread::Builder::new()
            .name(name)
            .stack_size(STACK_BYTES)
            .spawn(life)
            .inspect_err(|_| self.roster.sign_out(place))
    }

    fn refuse(&self, turned_away: TurnedAway) -> Refused {
        let refused = match turned_away {
            TurnedAway::Full => Refused::Busy { retry_after: self.statistics.retry_after() },
            TurnedAway::TooMany(most) => {
                Refused::TooMany { most, retry_after: self.statistics.mean_service() }
            }
            TurnedAway::Closed => Refused::Draining,
        };
        self.counted(refused)
    }

    /// Counts a refusal, whoever has uttered it for the crew.
    pub(super) fn counted(&self, refused: Refused) -> Refused {
        self.statistics.refused(match refused {
            Refused::Busy { .. } => Refusal::Full,
            Refused::TooMany { .. } => Refusal::Client,
            Refused::Draining => Refusal::Draining,
        });
        refused
    }
}

/// A deadline too far away to be told is none.
fn set_alarm<Shared: Send + Sync + 'static>(
    clock: &Clock,
    from: Instant,
    (limit, why): (Duration, Interruption),
    task: &Arc<Task<Shared>>,
) -> Option<Alarm> {
    let deadline = from.checked_add(limit)?;
    let task: Arc<dyn Interrupt> = task.clone();
    Some(clock.arm(deadline, Arc::downgrade(&task), why))
}

impl<Shared> Drop for Crew<Shared> {
    fn drop(&mut self) {
        self.roster.close();
        for task in self.roster.clear() {
            task.interrupt(Interruption::Draining);
        }
        self.roster.await_farewell(LAST_CALL);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::{Duration, Instant};

    use super::{Crew, CrewSettings, Start, Timing};
    use crate::pool::task::{Interrupt, Task, Work};
    use crate::pool::{Client, Clock, Lost, Ticket};
    use tokio::sync::oneshot;

    /// What no task of a client can do: a worker dies of it with the task in hand.
    #[test]
    fn a_worker_that_dies_leaves_its_task_answered_and_its_place_filled() {
        let clock = Arc::new(Clock::start().unwrap());
        let settings = CrewSettings { name: "mortal", threads: 1, queue: 2 };
        let crew = Crew::start(settings, &Arc::new(()), &clock).unwrap();
        let (sender, answer) = oneshot::channel::<Result<(), Lost>>();
        let deadly: Work<()> = Box::new(move |_| {
            let _held = sender;
            panic!("thrown on purpose");
        });
        let arrived = Instant::now();
        let statistics = Arc::clone(&crew.statistics);
        let task = Arc::new(Task::new(Client::UNKNOWN, deadly, arrived, None, statistics));
        crew.roster.admit(Arc::clone(&task)).unwrap();
        let task: Arc<dyn Interrupt> = task;
        assert!(matches!(Ticket::new(answer, task, None).wait(), Err(Lost::Panicked { .. })));

        let timing = Timing { start: Start::Work, movetime: None, timeout: Duration::from_mins(1) };
        let name = || std::thread::current().name().map(str::to_owned);
        let next = crew.submit(Client::UNKNOWN, timing, move |_| name()).unwrap().wait();
        assert_eq!(next, Ok(Some("mortal-0".to_owned())));
        let seen = crew.snapshot();
        assert_eq!((seen.restarted, seen.workers, seen.fit), (1, 1, 1));
        assert_eq!((seen.accepted, seen.panicked, seen.completed), (2, 1, 1));
        assert_eq!((seen.waiting, seen.running), (0, 0));
    }
}
