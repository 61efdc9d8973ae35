//! The pool proper: a crew that shares a transposition table and runs searches.

use std::io;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use super::client::Client;
use super::clock::Clock;
use super::crew::{Crew, CrewSettings, Drained, Refused, Timing};
use super::histogram::{Counting, DEPTH_BOUNDS_PLIES, DepthHistogram};
use super::statistics::{Snapshot, Times};
use super::task::{Interruption, WorkerContext};
use super::ticket::Ticket;
use crate::engine::search::{Report, SearchRequest, Tablebase, TranspositionTable, search};

/// Greatest size of the table of a search that gets one of its own, in MiB. Part of what `deterministic` promises: another size
/// is another search.
pub const FRESH_TABLE_MEBIBYTES: usize = 16;

/// The shape of a pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PoolSettings {
    /// Threads and queue.
    pub crew: CrewSettings,
    /// Size of the shared transposition table, in MiB.
    pub hash_mebibytes: usize,
    /// How many threads a search gets: the crew's that takes it, and helpers for its time. A search that has to be the same
    /// on every machine gets one.
    pub search_threads: NonZeroUsize,
}

/// Hears the report of each finished iteration, and how long the search has taken so far, on the worker's thread.
pub type Observer = Box<dyn FnMut(&Report, Duration) + Send>;

/// A search and its circumstances.
pub struct Job {
    /// Who wants it.
    pub client: Client,
    /// What is to be searched.
    pub request: SearchRequest,
    /// When it arrived and how long it may take.
    pub timing: Timing,
    /// Where results are kept.
    pub table: Table,
    /// Who hears of iterations.
    pub observer: Option<Observer>,
}

/// The transposition table of one search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Table {
    /// The pool's, warm from other searches; and the endgame tables, if there are any.
    Shared,
    /// An empty one of a fixed size, and no endgame tables: the same request visits the same positions on every machine.
    Fresh,
}

/// A search that came to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finished {
    /// What it found.
    pub report: Report,
    /// Who ended it, if it did not end by itself.
    pub interruption: Option<Interruption>,
    /// Time of the search.
    pub searched: Duration,
}

/// One reading of what a pool's searches came to. All but the last only grow from the pool's start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchSnapshot {
    /// Positions searched.
    pub nodes: u64,
    /// Time of all searches together, in microseconds.
    pub searched_micros: u64,
    /// How deep the searches went, in plies: the last iteration that each finished.
    pub depths: DepthHistogram,
    /// Gauge: how full the shared table is, per mille.
    pub hashfull: u16,
}

/// Why a pool could not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The system gives no thread.
    #[error("cannot start the threads `{name}`: {source}")]
    Threads {
        /// The pool's name.
        name: &'static str,
        /// The system's reason.
        source: io::Error,
    },
    /// The system gives no memory.
    #[error("cannot get {mebibytes} MiB for the table of `{name}`; choose a smaller one")]
    Memory {
        /// The pool's name.
        name: &'static str,
        /// The size that was asked for.
        mebibytes: usize,
    },
}

/// A request pool: named threads, a bounded queue, and a transposition table. A clone is the same pool.
#[derive(Clone)]
pub struct Pool {
    crew: Arc<Crew<TranspositionTable>>,
    search_threads: NonZeroUsize,
    tablebase: Option<Arc<dyn Tablebase>>,
    table: Arc<TranspositionTable>,
    tally: Arc<Tally>,
}

impl Pool {
    /// Starts the threads. `clock` may serve several pools.
    ///
    /// # Errors
    /// If the system gives no threads or no memory.
    pub fn start(settings: PoolSettings, clock: &Arc<Clock>) -> Result<Self, StartError> {
        let (name, mebibytes) = (settings.crew.name, settings.hash_mebibytes);
        let table = TranspositionTable::new(mebibytes).map_err(|_| StartError::Memory { name, mebibytes })?;
        let table = Arc::new(table);
        let crew = Crew::start(settings.crew, &table, clock)
            .map_err(|source| StartError::Threads { name, source })?;
        let search_threads = settings.search_threads;
        Ok(Self { crew: Arc::new(crew), search_threads, tablebase: None, table, tally: Arc::default() })
    }

    /// Has the system give the memory of the table before a search needs it, on a thread of its own that ends by itself. If
    /// there is no such thread, searches get the memory as they go.
    pub(super) fn populate_table(&self) {
        let table = Arc::clone(&self.table);
        let _ = thread::Builder::new().name("populate".to_owned()).spawn(move || table.populate());
    }

    /// The same pool with endgame tables, if there are any, for every search but those with a fresh table.
    #[must_use]
    pub fn with_tablebase(self, tablebase: Option<Arc<dyn Tablebase>>) -> Self {
        Self { tablebase, ..self }
    }

    /// Hands a search to the next free thread.
    ///
    /// # Errors
    /// [`Refused`] when the queue is full or the pool is closing.
    pub fn submit(&self, job: Job) -> Result<Ticket<Finished>, Refused> {
        let equipment = self.equipment();
        self.crew.submit(job.client, job.timing, move |context| search_for(job, equipment, context))
    }

    /// Hands a search to the next free thread, and with it other work that comes first: both in the one time of the
    /// search, as one task. The work has to look at the stop flag that it is handed.
    ///
    /// # Errors
    /// [`Refused`] when the queue is full or the pool is closing.
    pub fn submit_after<T: Send + 'static>(
        &self,
        work: impl FnOnce(&AtomicBool) -> T + Send + 'static,
        job: Job,
    ) -> Result<Ticket<(T, Finished)>, Refused> {
        let equipment = self.equipment();
        self.crew.submit(job.client, job.timing, move |context| {
            (work(context.stop), search_for(job, equipment, context))
        })
    }

    /// Hands other work of the engine to the next free thread: work that is too long for the thread that serves a
    /// connection. It has to look at the stop flag that it is handed.
    ///
    /// # Errors
    /// [`Refused`] when the queue is full or the pool is closing.
    pub fn run<T: Send + 'static>(
        &self,
        client: Client,
        timing: Timing,
        work: impl FnOnce(&AtomicBool) -> T + Send + 'static,
    ) -> Result<Ticket<T>, Refused> {
        self.crew.submit(client, timing, move |context| work(context.stop))
    }

    fn equipment(&self) -> Equipment {
        Equipment {
            threads: self.search_threads,
            tablebase: self.tablebase.clone(),
            tally: Arc::clone(&self.tally),
        }
    }

    /// See [`Crew::limit_each_client`].
    pub fn limit_each_client(&self, most: NonZeroUsize) {
        self.crew.limit_each_client(most);
    }

    /// The pool's counters at this moment.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        self.crew.snapshot()
    }

    /// How long things took in the pool until now.
    #[must_use]
    pub fn times(&self) -> Times {
        self.crew.times()
    }

    /// What the pool's searches came to until now.
    #[must_use]
    pub fn searches(&self) -> SearchSnapshot {
        SearchSnapshot {
            nodes: self.tally.nodes.load(Relaxed),
            searched_micros: self.tally.searched_micros.load(Relaxed),
            depths: self.tally.depths.read(),
            hashfull: self.table.hashfull(),
        }
    }

    /// How long until a thread should be free.
    #[must_use]
    pub fn retry_after(&self) -> Duration {
        self.crew.retry_after()
    }

    /// Counts a refusal that was uttered for the pool before its own doors.
    pub(super) fn counted(&self, refused: Refused) -> Refused {
        self.crew.counted(refused)
    }

    /// Takes in nothing more; the first step of a drain.
    pub fn close(&self) {
        self.crew.close();
    }

    /// Closes the pool and sends its threads home, within `grace` or little more; see [`Crew::drain`]. Blocks.
    #[must_use]
    pub fn drain(&self, grace: Duration) -> Drained {
        self.crew.drain(grace)
    }
}

/// What a pool gives to its searches beside the transposition table.
struct Equipment {
    threads: NonZeroUsize,
    tablebase: Option<Arc<dyn Tablebase>>,
    tally: Arc<Tally>,
}

/// What the searches of a pool come to.
#[derive(Debug)]
struct Tally {
    nodes: AtomicU64,
    searched_micros: AtomicU64,
    depths: Counting<{ DEPTH_BOUNDS_PLIES.len() }>,
}

impl Default for Tally {
    fn default() -> Self {
        let (nodes, searched_micros) = (AtomicU64::new(0), AtomicU64::new(0));
        Self { nodes, searched_micros, depths: Counting::new(&DEPTH_BOUNDS_PLIES) }
    }
}

impl Tally {
    fn count(&self, report: &Report, searched: Duration) {
        self.nodes.fetch_add(report.nodes, Relaxed);
        self.searched_micros.fetch_add(u64::try_from(searched.as_micros()).unwrap_or(u64::MAX), Relaxed);
        self.depths.count(u64::from(report.depth));
    }
}

/// One search, on the calling thread and its helpers.
///
/// # Panics
/// If the system has no memory for a fresh table: that costs this one search.
fn search_for(job: Job, equipment: Equipment, context: &WorkerContext<'_, TranspositionTable>) -> Finished {
    let begun = Instant::now();
    let tally = Arc::clone(&equipment.tally);
    let mut observer = job.observer.unwrap_or_else(|| Box::new(|_, _| ()));
    let mut observe = |report: &Report| observer(report, begun.elapsed());
    let report = match job.table {
        Table::Shared => {
            let Equipment { threads, tablebase, .. } = equipment;
            let request = SearchRequest { threads, tablebase, ..job.request };
            search(&request, context.shared, context.stop, &mut observe)
        }
        Table::Fresh => {
            let table = TranspositionTable::for_one_search(job.request.limits, FRESH_TABLE_MEBIBYTES)
                .unwrap_or_else(|error| panic!("{error}"));
            search(&job.request, &table, context.stop, &mut observe)
        }
    };
    let searched = begun.elapsed();
    tally.count(&report, searched);
    Finished { report, interruption: context.interruption(), searched }
}
