//! The second level behind the cache of results: Valkey or Redis, shared by several services.
//!
//! - **Never in the way**: a thread of its own keeps the connection. A look-up waits a few milliseconds at the most; results
//!   are written in the background, through a bounded queue. While the cache does not answer, the breaker keeps every
//!   request from asking it.
//! - **Never believed**: what comes back has a checksum and the digest of its question, its moves are played from the position,
//!   its numbers are held against what was asked (`value`). What is wrong is a miss.
//! - **Never mixed up**: the key names the version of the format and of the engine (`version`) and a digest of the
//!   whole question (`digest`).
//!
//! The keeper connects, and connects again when the connection is lost; the writer writes. Credentials of the address appear
//! nowhere: what the library or the server says is never passed on, only what kind of error it was.

mod address;
mod bounded;
mod breaker;
mod bytes;
mod core;
mod digest;
mod journal;
mod keeper;
mod link;
mod value;
mod version;

use std::io;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use tokio::runtime::{self, Handle};
use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;

use self::core::{Core, Write};
use crate::engine::search::Report;
use crate::pool::{Finished, Question, SecondLevel, SecondLevelSnapshot};
pub use address::{Address, AddressError};
use journal::Event;

/// Results that may wait to be written: some hundred kilobytes.
const WRITE_QUEUE: usize = 1024;

/// How a shared cache is used.
#[derive(Clone, Debug)]
pub struct SharedCacheSettings {
    /// Where it is.
    pub address: Address,
    /// The longest wait of a look-up.
    pub timeout: Duration,
    /// How long it keeps a result, in seconds; at least 1.
    pub ttl_seconds: u64,
    /// What tells this engine from others: whatever differs, so do the keys.
    pub engine: &'static str,
}

/// A cache that several services share. Dropping it ends its thread; what is not written by then is lost.
pub struct SharedCache {
    core: Arc<Core>,
    runtime: Handle,
    writes: mpsc::Sender<Write>,
    _stop: oneshot::Sender<()>,
}

impl SharedCache {
    /// Starts the thread that connects to the cache. Does not wait for it: until it is there, it has nothing.
    ///
    /// # Errors
    /// If the system gives no thread.
    pub fn start(settings: SharedCacheSettings) -> io::Result<Self> {
        let runtime = runtime::Builder::new_current_thread().enable_all().build()?;
        let handle = runtime.handle().clone();
        let core = Arc::new(Core::new(settings));
        let (writes, waiting) = mpsc::channel(WRITE_QUEUE);
        let (stop, stopped) = oneshot::channel();
        let keeping = Arc::clone(&core);
        thread::Builder::new().name("shared-cache".to_owned()).spawn(move || {
            keeping.identify();
            runtime.block_on(async {
                tokio::select! {
                    () = keeper::keep(&keeping) => {}
                    () = keeper::write(&keeping, waiting) => {}
                    _ = stopped => {}
                }
            });
            // Look-ups under way are dropped, and with them whoever waits hears that there is nothing.
            runtime.shutdown_background();
        })?;
        Ok(Self { core, runtime: handle, writes, _stop: stop })
    }
}

impl SecondLevel for SharedCache {
    fn look_up(&self, question: &Arc<Question>) -> Option<BoxFuture<'static, Option<Report>>> {
        let Some(pass) = self.core.breaker.admit() else {
            self.core.journal.count(Event::Skipped);
            return None;
        };
        let limit = self.core.settings.timeout;
        // On the cache's own thread, so that the breaker hears of it even if whoever asks does not wait so long.
        let look_up = self.runtime.spawn(Arc::clone(&self.core).look_up(pass, Arc::clone(question)));
        // Here too, because that thread may be held up by what the cache sends.
        Some(async move { timeout(limit, look_up).await.ok()?.ok()? }.boxed())
    }

    fn store(&self, question: &Arc<Question>, finished: &Arc<Finished>) {
        let write = Write { question: Arc::clone(question), finished: Arc::clone(finished) };
        if self.writes.try_send(write).is_err() {
            self.core.journal.count(Event::WriteDropped);
        }
    }

    fn snapshot(&self) -> SecondLevelSnapshot {
        SecondLevelSnapshot { state: self.core.breaker.state(), ..self.core.journal.snapshot() }
    }
}
