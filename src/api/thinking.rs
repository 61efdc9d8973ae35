//! The way to the pool: what a search may cost, and what is said where it brings nothing back.

use std::time::{Duration, Instant};

use tokio::sync::mpsc;

use crate::api::AppState;
use crate::api::asked::Asked;
use crate::api::budget::Budget;
use crate::api::problem::{Code, Problem};
use crate::api::searched::{Clockwork, StopReason};
use crate::api::subject::Subject;
use crate::config::Limits as Caps;
use crate::engine::chess::Game;
use crate::engine::eval::Evaluator;
use crate::engine::search::{End, Limits, Quiescence, Report, SearchRequest, greedy, quiescence};
use crate::pool::{
    Client, Finished, Found, Interruption, Job, Lost, Observer, Origin, Pool, Refused, Start, Table, Ticket,
    Timing, Unanswered,
};

/// How long a request may take, and whose it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Allowance {
    /// Who asks.
    client: Client,
    /// What ends the search.
    pub(crate) budget: Budget,
    /// When its time begins.
    pub(crate) start: Start,
    /// How long the whole request may take, from that on.
    pub(crate) timeout: Duration,
}

impl Allowance {
    /// Holds a budget against the caps of this server.
    ///
    /// # Errors
    /// `limit_exceeded`, naming the cap.
    pub(crate) fn new(
        client: Client,
        budget: Budget,
        timeout_ms: Option<u64>,
        start: Start,
        caps: &Caps,
    ) -> Result<Self, Problem> {
        match budget {
            Budget::Depth(depth) => within("depth", u64::from(depth), u64::from(caps.max_depth))?,
            Budget::Nodes(nodes) => within("nodes", nodes, caps.max_nodes)?,
            Budget::Movetime(time) => within("movetime", time.as_millis() as u64, caps.max_movetime_ms)?,
        }
        Ok(Self { client, budget, start, timeout: timeout(timeout_ms, caps)? })
    }

    /// The limits that the search itself watches; time is the pool's business.
    pub(crate) fn limits(&self) -> Limits {
        match self.budget {
            Budget::Depth(depth) => Limits { depth: Some(depth), nodes: None },
            Budget::Nodes(nodes) => Limits { depth: None, nodes: Some(nodes) },
            Budget::Movetime(_) => Limits { depth: None, nodes: None },
        }
    }

    /// The deadlines that the pool watches.
    fn timing(&self) -> Timing {
        let movetime = match self.budget {
            Budget::Movetime(time) => Some(time),
            Budget::Depth(_) | Budget::Nodes(_) => None,
        };
        Timing { start: self.start, movetime, timeout: self.timeout }
    }

    fn job(&self, request: SearchRequest, table: Table) -> Job {
        Job { client: self.client, request, timing: self.timing(), table, observer: None }
    }
}

/// How long the whole request may take.
///
/// # Errors
/// `limit_exceeded` for a longer time than this server gives.
pub(crate) fn timeout(timeout_ms: Option<u64>, caps: &Caps) -> Result<Duration, Problem> {
    let timeout_ms = timeout_ms.unwrap_or(caps.request_timeout_ms);
    within("timeoutMs", timeout_ms, caps.request_timeout_ms)?;
    Ok(Duration::from_millis(timeout_ms))
}

/// Holds a value against a cap of this server.
///
/// # Errors
/// `limit_exceeded`, naming field and cap.
pub(crate) fn within(field: &'static str, value: u64, cap: u64) -> Result<(), Problem> {
    if value <= cap {
        return Ok(());
    }
    Err(beyond(field, &format!("is {value}"), cap))
}

/// Holds a list of moves against the cap of this server.
///
/// # Errors
/// `limit_exceeded`, naming field and cap.
pub(crate) fn few_enough(field: &'static str, moves: usize, caps: &Caps) -> Result<(), Problem> {
    if moves <= caps.max_moves {
        return Ok(());
    }
    Err(beyond(field, &format!("has {moves} moves"), caps.max_moves as u64))
}

fn beyond(field: &'static str, excess: &str, cap: u64) -> Problem {
    let detail = format!("`{field}` {excess}; this server allows {cap} at the most (see /v1/limits).");
    Problem::new(Code::LimitExceeded, detail).in_field(field)
}

/// Where a search keeps its results: a deterministic one has a table of its own, and a limit that does not depend on a
/// clock.
///
/// # Errors
/// `conflicting_fields` for a deterministic search that is not limited by `depth` or `nodes`.
pub(crate) fn table(deterministic: Option<bool>, budget: Option<Budget>) -> Result<Table, Problem> {
    match deterministic {
        None | Some(false) => Ok(Table::Shared),
        Some(true) if budget.is_some_and(Budget::is_reproducible) => Ok(Table::Fresh),
        Some(true) => {
            let detail =
                "`deterministic` goes with `depth` or `nodes`: what a search finds in a given time differs.";
            Err(Problem::new(Code::ConflictingFields, detail).in_field("deterministic"))
        }
    }
}

/// What a search brought.
pub(crate) struct Thought {
    pub(crate) report: Report,
    pub(crate) stop_reason: StopReason,
    /// From the beginning of the request's time to the end of the search.
    elapsed: Duration,
    /// Of that, the search alone.
    searched: Duration,
    /// Where it came from, if it went through the cache of results.
    pub(crate) origin: Option<Origin>,
}

impl Thought {
    /// What a finished search brought.
    ///
    /// # Errors
    /// `timeout` or `draining` where a search with a fresh table had to be stopped.
    pub(crate) fn new(finished: Finished, allowance: &Allowance, table: Table) -> Result<Self, Problem> {
        if table == Table::Fresh && finished.report.end == End::Stopped {
            return Err(stopped_short(finished.interruption));
        }
        let stop_reason = StopReason::of(finished.report.end, finished.interruption);
        let (elapsed, searched) = (elapsed(allowance.start, finished.searched), finished.searched);
        Ok(Self { report: finished.report, stop_reason, elapsed, searched, origin: None })
    }

    /// What the reply may tell of time.
    pub(crate) fn clockwork(&self, table: Table) -> Clockwork {
        clockwork(table, self.elapsed, self.searched)
    }
}

/// How long a request has taken, so long of it to search.
fn elapsed(start: Start, searched: Duration) -> Duration {
    match start {
        Start::Arrival(arrived) => arrived.elapsed(),
        Start::Work => searched,
    }
}

fn clockwork(table: Table, elapsed: Duration, searched: Duration) -> Clockwork {
    match table {
        Table::Shared => Clockwork::Timed { elapsed, searched },
        Table::Fresh => Clockwork::Deterministic,
    }
}

/// A search that is heard of while it runs. Dropping it stops the search.
pub(crate) struct Overheard {
    /// What each finished iteration found, and what may be told of its time. At most one for each ply of depth.
    pub(crate) iterations: mpsc::UnboundedReceiver<(Report, Clockwork)>,
    /// The end.
    pub(crate) ticket: Ticket<Finished>,
    /// For the trace of the request.
    pub(crate) asked: Asked,
}

/// Searches on a thread of the pool, and tells of each iteration.
///
/// # Errors
/// `queue_full`, `too_many_searches` or `draining` where the pool has no room.
pub(crate) fn overhear(
    state: &AppState,
    request: SearchRequest,
    allowance: Allowance,
    table: Table,
) -> Result<Overheard, Problem> {
    let (teller, iterations) = mpsc::unbounded_channel();
    let observer: Observer = Box::new(move |report, searched| {
        // Nobody listens any more where the client has left, and the search is about to hear of it.
        let _ = teller.send((report.clone(), clockwork(table, elapsed(allowance.start, searched), searched)));
    });
    let job = Job { observer: Some(observer), ..allowance.job(request, table) };
    let asked = Asked::now();
    Ok(Overheard { iterations, ticket: state.pools().interactive.submit(job)?, asked })
}

/// The one-ply choice, here and now: it costs some forty static evaluations, less than a thread's attention.
pub(crate) fn greedily(game: &Game, evaluator: Evaluator, start: Start) -> Thought {
    let begun = Instant::now();
    let line = greedy(game, evaluator);
    let is_over = line.moves.is_empty();
    let nodes = if is_over { 0 } else { game.position().legal_moves().len() as u64 };
    let (end, stop_reason) =
        if is_over { (End::Terminal, StopReason::Terminal) } else { (End::Depth, StopReason::Depth) };
    let depth = line.depth;
    let report =
        Report { depth, seldepth: depth, nodes, hashfull: 0, tbhits: 0, effort: 0, lines: vec![line], end };
    let searched = begun.elapsed();
    Thought { report, stop_reason, elapsed: elapsed(start, searched), searched, origin: None }
}

/// Searches on a thread of the pool; a game that is over needs none, because there is nothing to search.
///
/// # Errors
/// `queue_full`, `too_many_searches` or `draining` where the pool has no room, `internal` where the engine failed; and `timeout` where a
/// search with a fresh table had to be stopped, since what it has by then is an accident of the clock.
pub(crate) async fn search(
    pool: &Pool,
    request: SearchRequest,
    allowance: &Allowance,
    table: Table,
) -> Result<Thought, Problem> {
    if request.game.status().is_over() {
        return Ok(greedily(&request.game, request.evaluator, allowance.start));
    }
    let asked = Asked::now();
    let finished = pool.submit(allowance.job(request, table))?.await?;
    asked.answered(&finished);
    Thought::new(finished, allowance, table)
}

/// The same for a single request. What comes out the same whenever it is searched for is kept, and equal requests at once
/// are one search.
///
/// # Errors
/// Those of [`search`].
pub(crate) async fn find(
    state: &AppState,
    request: SearchRequest,
    allowance: &Allowance,
    table: Table,
) -> Result<Thought, Problem> {
    let pools = state.pools();
    match (&pools.results, table) {
        (Some(results), Table::Fresh) if !request.game.status().is_over() => {
            let arrived = match allowance.start {
                Start::Arrival(arrived) => arrived,
                Start::Work => Instant::now(),
            };
            let within = (arrived, allowance.timeout);
            let asked = Asked::now();
            let Found { finished, origin } =
                results.find(&pools.interactive, allowance.client, request, within).await?;
            if origin != Origin::Kept {
                asked.answered(&finished);
            }
            let thought = Thought::new(Finished::clone(&finished), allowance, table)?;
            Ok(Thought { origin: Some(origin), ..thought })
        }
        _ => search(&pools.interactive, request, allowance, table).await,
    }
}

/// Plays out the captures of the position and then searches it, both as one task in the time of the search: of two tasks
/// the second could find the time over or the queue full.
///
/// # Errors
/// Those of [`search`].
pub(crate) async fn resolve_and_search(
    pool: &Pool,
    request: SearchRequest,
    allowance: &Allowance,
    table: Table,
) -> Result<(Quiescence, Thought), Problem> {
    let (position, evaluator) = (*request.game.position(), request.evaluator);
    let job = allowance.job(request, table);
    let asked = Asked::now();
    let ticket = pool.submit_after(move |stop| quiescence(&position, evaluator, stop), job)?;
    let (resolved, finished) = ticket.await?;
    asked.answered(&finished);
    Ok((resolved, Thought::new(finished, allowance, table)?))
}

/// Plays out the captures of a position on a thread of the pool: they may be tens of thousands of positions.
///
/// # Errors
/// `queue_full`, `too_many_searches` or `draining` where the pool has no room, `internal` where the engine failed.
pub(crate) async fn resolve_captures(
    pool: &Pool,
    client: Client,
    subject: &Subject,
    (start, caps): (Start, &Caps),
) -> Result<Quiescence, Problem> {
    let timeout = Duration::from_millis(caps.request_timeout_ms);
    let timing = Timing { start, movetime: None, timeout };
    let (position, evaluator) = (*subject.position(), subject.evaluator);
    let ticket = pool.run(client, timing, move |stop| quiescence(&position, evaluator, stop))?;
    Ok(ticket.await?)
}

/// The answer to a deterministic search that did not reach its limit.
fn stopped_short(interruption: Option<Interruption>) -> Problem {
    match interruption {
        Some(Interruption::Draining) => draining(),
        Some(
            Interruption::Movetime | Interruption::Timeout | Interruption::Left | Interruption::Displaced,
        )
        | None => {
            let detail = "The deterministic search did not reach its limit in time; ask for less depth or fewer nodes.";
            Problem::new(Code::Timeout, detail)
        }
    }
}

impl StopReason {
    fn of(end: End, interruption: Option<Interruption>) -> Self {
        match end {
            End::Depth => Self::Depth,
            End::Nodes => Self::Nodes,
            End::Mate => Self::Mate,
            End::OnlyMove => Self::OnlyMove,
            End::Terminal => Self::Terminal,
            End::Stopped | End::Running => match interruption {
                Some(Interruption::Movetime) => Self::Movetime,
                Some(
                    Interruption::Timeout
                    | Interruption::Left
                    | Interruption::Displaced
                    | Interruption::Draining,
                )
                | None => Self::Timeout,
            },
        }
    }
}

impl From<Unanswered> for Problem {
    fn from(unanswered: Unanswered) -> Self {
        match unanswered {
            Unanswered::Refused(refused) => refused.into(),
            Unanswered::Lost(lost) => lost.into(),
            Unanswered::Overdue => stopped_short(Some(Interruption::Timeout)),
        }
    }
}

impl From<Refused> for Problem {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::Busy { retry_after } => {
                Self::new(Code::QueueFull, "All engines are busy and the queue is full.")
                    .retry_after(retry_after)
            }
            Refused::TooMany { most, retry_after } => {
                let detail = format!(
                    "One client may have {most} of these at once, waiting or at work, and this one has; wait for an answer."
                );
                Self::new(Code::TooManySearches, detail).retry_after(retry_after)
            }
            Refused::Draining => draining(),
        }
    }
}

impl From<Lost> for Problem {
    fn from(lost: Lost) -> Self {
        match lost {
            Lost::Panicked { message } => {
                Self::new(Code::Internal, "An engine fault; this request alone is lost.").because(message)
            }
            Lost::Expired { retry_after } => {
                Self::new(Code::QueueFull, "No engine was free before the time of this request was over.")
                    .retry_after(retry_after)
            }
            Lost::Displaced { retry_after } => {
                let detail = "The queue is full, and others have less waiting in it than this client.";
                Self::new(Code::QueueFull, detail).retry_after(retry_after)
            }
            Lost::Draining => draining(),
        }
    }
}

/// The answer to new work while the server shuts down: another one is likely to be up in a second.
pub(crate) fn draining() -> Problem {
    Problem::new(Code::Draining, "The server is shutting down.").retry_after(Duration::from_secs(1))
}
