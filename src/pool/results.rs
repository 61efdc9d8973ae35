//! Results of searches that come out the same whenever they are made: kept for who asks again, and searched for once for
//! all who ask at the same time.
//!
//! - What is kept is bounded by its size; what is asked for often stays longest. A search that did not reach its limit
//!   is never kept.
//! - What is not kept here may be known to a [`SecondLevel`]. It is asked for all who wait at once, and before a thread is.
//! - A search that several wait for has no deadline of its own: each of them leaves when its own time is over, and the
//!   search ends with the last.

use std::collections::HashMap;
use std::mem::size_of;
use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use futures_util::FutureExt;
use futures_util::future::{BoxFuture, Shared, WeakShared};
use moka::sync::Cache;
use tokio::sync::Notify;
use tokio::time::timeout_at;

use super::client::Client;
use super::crew::{Refused, SHORTEST_TIME, Start, Timing};
use super::question::Question;
use super::search::{Finished, Job, Pool, Table};
use super::second_level::SecondLevel;
use super::sync::lock;
use super::ticket::Lost;
use crate::engine::chess::Move;
use crate::engine::search::{End, Line, SearchRequest};

/// The results of a service.
pub struct Results {
    kept: Cache<Arc<Question>, Arc<Finished>>,
    second_level: Option<Arc<dyn SecondLevel>>,
    flights: Arc<Flights>,
    counters: Arc<Counters>,
}

#[derive(Default)]
struct Counters {
    hits: AtomicU64,
    shared_hits: AtomicU64,
    misses: AtomicU64,
    joined: AtomicU64,
    evicted: AtomicU64,
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
    /// The second level had it.
    Shared,
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
    /// Requests whose result the second level had.
    pub shared_hits: u64,
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
        let counters = Arc::<Counters>::default();
        let listener = Arc::clone(&counters);
        let kept = Cache::builder()
            .max_capacity(bytes)
            .weigher(|question: &Arc<Question>, finished: &Arc<Finished>| weight(question, finished))
            .eviction_listener(move |_, _, cause| {
                listener.evicted.fetch_add(u64::from(cause.was_evicted()), Relaxed);
            })
            .build();
        Self { kept, second_level: None, flights: Arc::default(), counters }
    }

    /// The same with a second level behind it, if there is one.
    #[must_use]
    pub fn with_second_level(self, second_level: Option<Arc<dyn SecondLevel>>) -> Self {
        Self { second_level, ..self }
    }

    /// The cache behind this one, if there is one.
    #[must_use]
    pub fn second_level(&self) -> Option<&dyn SecondLevel> {
        self.second_level.as_deref()
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
        let question = Arc::new(Question::of(&request));
        let time = timeout.max(SHORTEST_TIME);
        loop {
            let (role, flight) = match self.look((pool, client), &request, &question) {
                Look::Kept(finished) => return Ok(Found { finished, origin: Origin::Kept }),
                Look::Flying(role, flight) => (role, flight),
            };
            let begun = Arc::clone(&flight.begun);
            match (role, flight.land(arrived, time).await) {
                (Role::First, Some(outcome)) => return outcome,
                // The pool has refused somebody else, or displaced what that one had in the queue: which says nothing about
                // this one.
                (
                    Role::Joined,
                    Some(Err(Unanswered::Refused(_) | Unanswered::Lost(Lost::Displaced { .. }))),
                ) => {}
                (Role::Joined, Some(outcome)) => return outcome.map(Found::joined),
                (_, None) if begun.load(Relaxed) => return Err(Unanswered::Overdue),
                (_, None) => {
                    return Err(Unanswered::Lost(Lost::Expired { retry_after: pool.retry_after() }));
                }
            }
        }
    }

    /// The counters at this moment.
    #[must_use]
    pub fn snapshot(&self) -> ResultsSnapshot {
        // What is counted is put in order from time to time; now is one.
        self.kept.run_pending_tasks();
        let counters = &self.counters;
        ResultsSnapshot {
            hits: counters.hits.load(Relaxed),
            shared_hits: counters.shared_hits.load(Relaxed),
            misses: counters.misses.load(Relaxed),
            joined: counters.joined.load(Relaxed),
            evicted: counters.evicted.load(Relaxed),
            entries: self.kept.entry_count(),
            bytes: self.kept.weighted_size(),
        }
    }

    /// Under one lock, so that of equal requests exactly one takes off.
    fn look(
        &self,
        (pool, client): (&Pool, Client),
        request: &SearchRequest,
        question: &Arc<Question>,
    ) -> Look {
        let mut under_way = lock(&self.flights.0);
        if let Some(finished) = self.kept.get(question) {
            self.counters.hits.fetch_add(1, Relaxed);
            return Look::Kept(finished);
        }
        if let Some(flight) = under_way.get(question).and_then(Departure::join) {
            self.counters.joined.fetch_add(1, Relaxed);
            return Look::Flying(Role::Joined, flight);
        }
        let flight = self.take_off((pool.clone(), client), request.clone(), Arc::clone(question));
        if let Some(departure) = flight.departure() {
            under_way.insert(Arc::clone(question), departure);
        }
        Look::Flying(Role::First, flight)
    }

    /// What finds a result that is not kept: the second level, or else a search. Nothing happens before it is awaited.
    fn take_off(
        &self,
        (pool, client): (Pool, Client),
        request: SearchRequest,
        question: Arc<Question>,
    ) -> Flight {
        let (kept, counters) = (self.kept.clone(), Arc::clone(&self.counters));
        let second_level = self.second_level.clone();
        let begun = Arc::<AtomicBool>::default();
        let haste = second_level.is_some().then(Arc::<Notify>::default);
        let landing = Landing { flights: Arc::clone(&self.flights), question, begun: Arc::clone(&begun) };
        let (beginning, hurry) = (Arc::clone(&begun), haste.clone());
        let outcome = async move {
            let question = &landing.question;
            if let (Some(second_level), Some(hurry)) = (&second_level, hurry)
                && let Some(finished) = ask(&**second_level, question, &hurry).await
            {
                counters.shared_hits.fetch_add(1, Relaxed);
                kept.insert(Arc::clone(question), Arc::clone(&finished));
                return Ok(Found { finished, origin: Origin::Shared });
            }
            counters.misses.fetch_add(1, Relaxed);
            let finished = search((&pool, client), request, beginning).await?;
            if finished.report.end != End::Stopped {
                kept.insert(Arc::clone(question), Arc::clone(&finished));
                if let Some(second_level) = second_level {
                    second_level.store(question, &finished);
                }
            }
            // Not before it is kept, so that who asks in between finds one or the other.
            drop(landing);
            Ok(Found { finished, origin: Origin::Searched })
        };
        // Of those who share a future that panics, only the one who met it would be told; the others would wait in vain. What is
        // shared with it is behind locks that survive a panic.
        let outcome = AssertUnwindSafe(outcome)
            .catch_unwind()
            .map(|outcome| outcome.unwrap_or_else(|panic| Err(Unanswered::Lost(Lost::panicked(panic)))));
        Flight { outcome: outcome.boxed().shared(), begun, haste }
    }
}

/// What the second level has, unless somebody who waits has no time for it any more.
async fn ask(
    second_level: &dyn SecondLevel,
    question: &Arc<Question>,
    hurry: &Notify,
) -> Option<Arc<Finished>> {
    let look_up = second_level.look_up(question)?;
    let report = tokio::select! {
        report = look_up => report?,
        () = hurry.notified() => return None,
    };
    Some(Arc::new(Finished { report, interruption: None, searched: Duration::ZERO }))
}

/// Searches without a deadline; `beginning` is set when a thread takes it up.
async fn search(
    (pool, client): (&Pool, Client),
    request: SearchRequest,
    beginning: Arc<AtomicBool>,
) -> Result<Arc<Finished>, Unanswered> {
    let timing = Timing { start: Start::Work, movetime: None, timeout: Duration::MAX };
    let job = Job { client, request, timing, table: Table::Fresh, observer: None };
    let ticket =
        pool.submit_after(move |_| beginning.store(true, Relaxed), job).map_err(Unanswered::Refused)?;
    let ((), finished) = ticket.await.map_err(Unanswered::Lost)?;
    Ok(Arc::new(finished))
}

impl Found {
    /// The same for who joined the search.
    fn joined(self) -> Self {
        match self.origin {
            Origin::Searched => Self { origin: Origin::Joined, ..self },
            Origin::Kept | Origin::Shared | Origin::Joined => self,
        }
    }
}

/// What there is for a question.
enum Look {
    Kept(Arc<Finished>),
    Flying(Role, Flight),
}

/// Whether somebody has set out first, or waits for what another has begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    First,
    Joined,
}

type Outcome = Result<Found, Unanswered>;

/// A result that somebody waits for.
struct Flight {
    outcome: Shared<BoxFuture<'static, Outcome>>,
    /// Whether a thread has taken up its search.
    begun: Arc<AtomicBool>,
    /// Ends the look-up in the second level, where there is one.
    haste: Option<Arc<Notify>>,
}

impl Flight {
    /// The outcome, if it is there within `time` from `arrived`. The look-up gets half of that at the most, whoever began
    /// it: the rest is for the search.
    async fn land(self, arrived: Instant, time: Duration) -> Option<Outcome> {
        if let Some(haste) = self.haste {
            if let Ok(outcome) = timeout_at((arrived + time / 2).into(), self.outcome.clone()).await {
                return Some(outcome);
            }
            haste.notify_one();
        }
        timeout_at((arrived + time).into(), self.outcome).await.ok()
    }

    /// What others need to join.
    fn departure(&self) -> Option<Departure> {
        let outcome = self.outcome.downgrade()?;
        Some(Departure { outcome, begun: Arc::clone(&self.begun), haste: self.haste.clone() })
    }
}

/// A result under way, as long as somebody waits for it.
struct Departure {
    outcome: WeakShared<BoxFuture<'static, Outcome>>,
    begun: Arc<AtomicBool>,
    haste: Option<Arc<Notify>>,
}

impl Departure {
    fn join(&self) -> Option<Flight> {
        let outcome = self.outcome.upgrade()?;
        Some(Flight { outcome, begun: Arc::clone(&self.begun), haste: self.haste.clone() })
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
