//! Results of searches that come out the same whenever they are made: kept for who asks again, and searched for once for
//! all who ask at the same time.
//!
//! - What is kept is bounded by its size; what is asked for often stays longest. A search that did not reach its limit
//!   is never kept.
//! - A search that several wait for has no deadline of its own: each of them leaves when its own time is over, and the
//!   search ends with the last.

use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::mem::size_of;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use futures_util::FutureExt;
use futures_util::future::{BoxFuture, Shared, WeakShared};
use moka::sync::Cache;
use tokio::time::timeout_at;

use super::client::Client;
use super::crew::{Refused, SHORTEST_TIME, Start, Timing};
use super::search::{Finished, Job, Pool, Table};
use super::sync::lock;
use super::ticket::Lost;
use crate::engine::chess::{Move, Position};
use crate::engine::eval::Evaluator;
use crate::engine::search::{End, Handicap, Limits, Line, SearchRequest};

/// The results of a service.
pub struct Results {
    kept: Cache<Arc<Question>, Arc<Finished>>,
    flights: Arc<Flights>,
    hits: AtomicU64,
    misses: AtomicU64,
    joined: AtomicU64,
    evicted: Arc<AtomicU64>,
}

/// A result, and where it came from.
#[derive(Clone, Debug)]
pub struct Found {
    /// The result.
    pub finished: Arc<Finished>,
    /// Whether somebody had to search for it.
    pub origin: Origin,
}

/// Where a result came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// It was there already.
    Kept,
    /// Somebody else was searching for it.
    Joined,
    /// It was searched for.
    Searched,
}

/// Why there is no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unanswered {
    /// The pool did not take the search in.
    Refused(Refused),
    /// The search was lost.
    Lost(Lost),
    /// The search did not reach its limit before the time of this request was over.
    Overdue,
}

/// One reading of the counters, which only grow, and of what is kept at this moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ResultsSnapshot {
    /// Requests whose result was there already.
    pub hits: u64,
    /// Requests that began a search.
    pub misses: u64,
    /// Requests that joined a search.
    pub joined: u64,
    /// Results given up for want of room.
    pub evicted: u64,
    /// Gauge: results that are kept.
    pub entries: u64,
    /// Gauge: their size in bytes.
    pub bytes: u64,
}

impl Results {
    /// Nothing kept yet, and never more than so many bytes.
    #[must_use]
    pub fn new(bytes: u64) -> Self {
        let evicted = Arc::<AtomicU64>::default();
        let counter = Arc::clone(&evicted);
        let kept = Cache::builder()
            .max_capacity(bytes)
            .weigher(|question: &Arc<Question>, finished: &Arc<Finished>| weight(question, finished))
            .eviction_listener(move |_, _, cause| {
                counter.fetch_add(u64::from(cause.was_evicted()), Relaxed);
            })
            .build();
        let count = AtomicU64::default;
        Self { kept, flights: Arc::default(), hits: count(), misses: count(), joined: count(), evicted }
    }

    /// The result of a search with a fresh table, within `timeout` from `arrived`; searched for in `pool`, for `client`, where
    /// it is not known. Dropping the future stops the search if nobody else waits for it.
    ///
    /// # Errors
    /// See [`Unanswered`].
    pub async fn find(
        &self,
        pool: &Pool,
        client: Client,
        request: SearchRequest,
        (arrived, timeout): (Instant, Duration),
    ) -> Result<Found, Unanswered> {
        let deadline = arrived + timeout.max(SHORTEST_TIME);
        loop {
            let (origin, flight) = match self.look(pool, client, &request)? {
                Look::Kept(finished) => return Ok(Found { finished, origin: Origin::Kept }),
                Look::Flying(origin, flight) => (origin, flight),
            };
            let Flight { outcome, begun } = flight;
            return match timeout_at(deadline.into(), outcome).await {
                Ok(Ok(finished)) => Ok(Found { finished, origin }),
                // It was displaced for what another client has in the queue, who took it up first.
                Ok(Err(Lost::Displaced { .. })) if origin == Origin::Joined => continue,
                Ok(Err(lost)) => Err(Unanswered::Lost(lost)),
                Err(_) if begun.load(Relaxed) => Err(Unanswered::Overdue),
                Err(_) => Err(Unanswered::Lost(Lost::Expired { retry_after: pool.retry_after() })),
            };
        }
    }

    /// The counters at this moment.
    #[must_use]
    pub fn snapshot(&self) -> ResultsSnapshot {
        // What is counted is put in order from time to time; now is one.
        self.kept.run_pending_tasks();
        ResultsSnapshot {
            hits: self.hits.load(Relaxed),
            misses: self.misses.load(Relaxed),
            joined: self.joined.load(Relaxed),
            evicted: self.evicted.load(Relaxed),
            entries: self.kept.entry_count(),
            bytes: self.kept.weighted_size(),
        }
    }

    /// Under one lock, so that of equal requests exactly one takes off.
    fn look(&self, pool: &Pool, client: Client, request: &SearchRequest) -> Result<Look, Unanswered> {
        let question = Arc::new(Question::of(request));
        let mut under_way = lock(&self.flights.0);
        if let Some(finished) = self.kept.get(&question) {
            self.hits.fetch_add(1, Relaxed);
            return Ok(Look::Kept(finished));
        }
        if let Some(flight) = under_way.get(&question).and_then(Departure::join) {
            self.joined.fetch_add(1, Relaxed);
            return Ok(Look::Flying(Origin::Joined, flight));
        }
        self.misses.fetch_add(1, Relaxed);
        let flight = self
            .take_off(pool, client, request.clone(), Arc::clone(&question))
            .map_err(Unanswered::Refused)?;
        let (outcome, begun) = (flight.outcome.downgrade(), Arc::clone(&flight.begun));
        if let Some(outcome) = outcome {
            under_way.insert(question, Departure { outcome, begun });
        }
        Ok(Look::Flying(Origin::Searched, flight))
    }

    fn take_off(
        &self,
        pool: &Pool,
        client: Client,
        request: SearchRequest,
        question: Arc<Question>,
    ) -> Result<Flight, Refused> {
        let timing = Timing { start: Start::Work, movetime: None, timeout: Duration::MAX };
        let job = Job { client, request, timing, table: Table::Fresh, observer: None };
        let begun = Arc::<AtomicBool>::default();
        let beginning = Arc::clone(&begun);
        let ticket = pool.submit_after(move |_| beginning.store(true, Relaxed), job)?;
        let landing = Landing { flights: Arc::clone(&self.flights), question, begun: Arc::clone(&begun) };
        let kept = self.kept.clone();
        let outcome = async move {
            let finished = ticket.await.map(|((), finished)| Arc::new(finished))?;
            if finished.report.end != End::Stopped {
                kept.insert(Arc::clone(&landing.question), Arc::clone(&finished));
            }
            // Not before it is kept, so that who asks in between finds one or the other.
            drop(landing);
            Ok(finished)
        };
        Ok(Flight { outcome: outcome.boxed().shared(), begun })
    }
}

/// What there is for a question.
enum Look {
    Kept(Arc<Finished>),
    Flying(Origin, Flight),
}

type Outcome = Result<Arc<Finished>, Lost>;

/// A search that somebody waits for.
struct Flight {
    outcome: Shared<BoxFuture<'static, Outcome>>,
    /// Whether a thread has taken it up.
    begun: Arc<AtomicBool>,
}

/// A search under way, as long as somebody waits for it.
struct Departure {
    outcome: WeakShared<BoxFuture<'static, Outcome>>,
    begun: Arc<AtomicBool>,
}

impl Departure {
    fn join(&self) -> Option<Flight> {
        Some(Flight { outcome: self.outcome.upgrade()?, begun: Arc::clone(&self.begun) })
    }
}

/// The searches under way.
#[derive(Default)]
struct Flights(Mutex<HashMap<Arc<Question>, Departure>>);

/// Takes a search off the list when it is over or nobody waits for it any more.
struct Landing {
    flights: Arc<Flights>,
    question: Arc<Question>,
    begun: Arc<AtomicBool>,
}

impl Drop for Landing {
    fn drop(&mut self) {
        let mut under_way = lock(&self.flights.0);
        // Another search for the same may have taken its place.
        if under_way.get(&self.question).is_some_and(|departure| Arc::ptr_eq(&departure.begun, &self.begun)) {
            under_way.remove(&self.question);
        }
    }
}

/// Everything that the result of a search with a fresh table depends on. The history is part of it: the same position
/// with other positions before it is another question.
#[derive(Debug, PartialEq, Eq)]
struct Question {
    position: Position,
    history: Box<[u64]>,
    evaluator: Evaluator,
    limits: Limits,
    multi_pv: NonZeroUsize,
    search_moves: Box<[Move]>,
    handicap: Option<Handicap>,
}

impl Question {
    fn of(request: &SearchRequest) -> Self {
        Self {
            position: *request.game.position(),
            history: request.game.keys().into(),
            evaluator: request.evaluator,
            limits: request.limits,
            multi_pv: request.multi_pv,
            search_moves: request.search_moves.as_slice().into(),
            handicap: request.handicap,
        }
    }
}

impl Hash for Question {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.position.key().hash(state);
        self.history.hash(state);
        self.limits.hash(state);
        self.multi_pv.hash(state);
        self.search_moves.hash(state);
        self.handicap.hash(state);
    }
}

/// Roughly the bytes that a result takes, with what the cache itself needs for it.
fn weight(question: &Question, finished: &Finished) -> u32 {
    const BOOKKEEPING: usize = 256;
    let lines = &finished.report.lines;
    let moves = question.search_moves.len() + lines.iter().map(|line| line.moves.capacity()).sum::<usize>();
    let bytes = BOOKKEEPING
        + size_of::<Question>()
        + size_of_val(&*question.history)
        + size_of::<Finished>()
        + lines.capacity() * size_of::<Line>()
        + moves * size_of::<Move>();
    u32::try_from(bytes).unwrap_or(u32::MAX)
}
