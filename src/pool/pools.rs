//! The two pools of a service.

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use super::clock::Clock;
use super::crew::Drained;
use super::search::{Pool, PoolSettings, StartError};
use crate::engine::search::Tablebase;

/// One pool for clients who wait, one for batches and reviews: neither can starve the other of threads, queue or table.
pub struct Pools {
    /// Single requests.
    pub interactive: Pool,
    /// Batches and game reviews.
    pub bulk: Pool,
}

impl Pools {
    /// Starts both pools and the clock they share.
    ///
    /// # Errors
    /// If the system gives no threads or no memory.
    pub fn start(interactive: PoolSettings, bulk: PoolSettings) -> Result<Self, StartError> {
        let clock = Clock::start().map_err(|source| StartError::Threads { name: "clock", source })?;
        let clock = Arc::new(clock);
        Ok(Self { interactive: Pool::start(interactive, &clock)?, bulk: Pool::start(bulk, &clock)? })
    }

    /// The same pools with endgame tables, if there are any; see [`Pool::with_tablebase`].
    #[must_use]
    pub fn with_tablebase(self, tablebase: Option<Arc<dyn Tablebase>>) -> Self {
        let (interactive, bulk) = (self.interactive, self.bulk);
        Self {
            interactive: interactive.with_tablebase(tablebase.clone()),
            bulk: bulk.with_tablebase(tablebase),
        }
    }

    /// Takes in nothing more; the first step of a drain.
    pub fn close(&self) {
        self.interactive.close();
        self.bulk.close();
    }

    /// Closes both pools and sends their threads home, together within `grace` or little more; see
    /// [`Crew::drain`](super::Crew::drain). Blocks the calling thread.
    pub fn drain(&self, grace: Duration) -> Drained {
        self.close();
        let (one, other) = thread::scope(|scope| {
            let bulk = scope.spawn(|| self.bulk.drain(grace));
            (self.interactive.drain(grace), bulk.join().unwrap_or_default())
        });
        Drained { cut_short: one.cut_short + other.cut_short, stuck: one.stuck + other.stuck }
    }
}
