//! The two pools of a service.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use super::client::Client;
use super::clock::Clock;
use super::crew::{Drained, Refused};
use super::places::{NoPlace, Place, Places};
use super::results::Results;
use super::search::{Pool, PoolSettings, StartError};
use super::second_level::SecondLevel;
use crate::engine::search::Tablebase;

/// Tasks that a bulk request has in the pool at once, for each thread: of each of two kinds, what is read and what is
/// searched, one that runs and one that waits, so that no thread is idle while the request makes up its next.
const TASKS_PER_THREAD: usize = 4;

/// When a bulk request that was turned away should come back: how long the others go on is theirs to say.
const BULK_RETRY_AFTER: Duration = Duration::from_secs(1);

/// One pool for clients who wait, one for batches and reviews: neither can starve the other of threads, queue or table.
pub struct Pools {
    /// Single requests.
    pub interactive: Pool,
    /// Batches and game reviews: many tasks each, of which [`BulkRequest::window`] are in the pool at once.
    pub bulk: Pool,
    /// Results of deterministic searches, where they are kept.
    pub results: Option<Results>,
    bulk_requests: Arc<Places>,
    window: usize,
    clock: Arc<Clock>,
}

/// A batch or a review at work; there are so many at once and no more. Dropping it makes room for another.
pub struct BulkRequest {
    place: Place,
    window: usize,
}

impl BulkRequest {
    /// Whose request it is, for all that it has the bulk pool do.
    #[must_use]
    pub const fn client(&self) -> Client {
        self.place.client()
    }

    /// The tasks that the request may have in the bulk pool at once. For those there is always room.
    #[must_use]
    pub const fn window(&self) -> usize {
        self.window
    }
}

impl Pools {
    /// Starts both pools and the clock they share. So many bulk requests are taken in at once, half of them at the most, and
    /// one at least, from one client; the queue of their pool is as
    /// long as they need together, whatever its settings say.
    ///
    /// # Errors
    /// If the system gives no threads or no memory.
    pub fn start(
        interactive: PoolSettings,
        mut bulk: PoolSettings,
        bulk_requests: usize,
    ) -> Result<Self, StartError> {
        let clock = Clock::start().map_err(|source| StartError::Threads { name: "clock", source })?;
        let clock = Arc::new(clock);
        let window = TASKS_PER_THREAD * bulk.crew.threads.max(1);
        bulk.crew.queue = bulk_requests.saturating_mul(window);
        let interactive = Pool::start(interactive, &clock)?;
        let bulk = Pool::start(bulk, &clock)?;
        // A batch can wait for memory; the first move of a fresh service, which may be asked for in a tenth of a second, cannot.
        interactive.populate_table();
        Ok(Self {
            interactive,
            bulk,
            results: None,
            bulk_requests: Arc::new(Places::new(bulk_requests)),
            window,
            clock,
        })
    }

    /// The same pools with endgame tables, if there are any; see [`Pool::with_tablebase`].
    #[must_use]
    pub fn with_tablebase(self, tablebase: Option<Arc<dyn Tablebase>>) -> Self {
        Self {
            interactive: self.interactive.with_tablebase(tablebase.clone()),
            bulk: self.bulk.with_tablebase(tablebase),
            ..self
        }
    }

    /// The same pools, where no more than so many searches of one client wait and run at once, if there is such a bound.
    /// Those of its batches and reviews are not among them.
    #[must_use]
    pub fn with_searches_per_client(self, most: Option<NonZeroUsize>) -> Self {
        if let Some(most) = most {
            self.interactive.limit_each_client(most);
        }
        self
    }

    /// The same pools, where one client has no more than so many batches and reviews at work at once.
    #[must_use]
    pub fn with_bulk_requests_per_client(self, most: NonZeroUsize) -> Self {
        self.bulk_requests.share(most.get());
        self
    }

    /// The same pools with a cache of so many bytes for the results of deterministic searches; with none of it each is
    /// searched for anew.
    #[must_use]
    pub fn with_result_cache(self, bytes: u64) -> Self {
        Self { results: (bytes > 0).then(|| Results::new(bytes)), ..self }
    }

    /// The same pools with a second level behind the cache of results, if there is one; without that cache it has no use.
    #[must_use]
    pub fn with_second_level(self, second_level: Option<Arc<dyn SecondLevel>>) -> Self {
        Self { results: self.results.map(|results| results.with_second_level(second_level)), ..self }
    }

    /// Takes in a batch or a review of `client`. Its searches are bounded by the window alone, whatever bound the client has
    /// on those that it waits for.
    ///
    /// # Errors
    /// [`Refused`] when as many are at work as there may be, in all or of this client, or the pools are closing.
    pub fn begin_bulk(&self, client: Client) -> Result<BulkRequest, Refused> {
        let refused = match self.bulk_requests.take(client.with_searches(None)) {
            Ok(place) => return Ok(BulkRequest { place, window: self.window }),
            Err(NoPlace::Full) => Refused::Busy { retry_after: BULK_RETRY_AFTER },
            Err(NoPlace::Share(most)) => Refused::TooMany { most, retry_after: BULK_RETRY_AFTER },
            Err(NoPlace::Closed) => Refused::Draining,
        };
        Err(self.bulk.counted(refused))
    }

    /// Whether every worker of both pools is there and does what it is told; see [`Snapshot::fit`](super::Snapshot::fit).
    #[must_use]
    pub fn is_whole(&self) -> bool {
        [&self.interactive, &self.bulk].map(Pool::snapshot).iter().all(|pool| pool.fit == pool.workers)
    }

    /// Whether each pool has a worker left that does what it is told: without one it would take in work that nobody does.
    #[must_use]
    pub fn is_fit(&self) -> bool {
        [&self.interactive, &self.bulk].map(Pool::snapshot).iter().all(|pool| pool.fit > 0)
    }

    /// How often the pools' clock died and began anew.
    #[must_use]
    pub fn clock_restarted(&self) -> u64 {
        self.clock.restarted()
    }

    /// Takes in nothing more; the first step of a drain.
    pub fn close(&self) {
        self.bulk_requests.close();
        self.interactive.close();
        self.bulk.close();
    }

    /// Closes both pools and sends their threads home, together within `grace` or little more; see
    /// [`Crew::drain`](super::Crew::drain). Blocks the calling thread.
    #[must_use]
    pub fn drain(&self, grace: Duration) -> Drained {
        self.close();
        let (one, other) = thread::scope(|scope| {
            let bulk = scope.spawn(|| self.bulk.drain(grace));
            (self.interactive.drain(grace), bulk.join().unwrap_or_default())
        });
        Drained { cut_short: one.cut_short + other.cut_short, stuck: one.stuck + other.stuck }
    }
}
