//! A search under way: its timer and its way out.

use std::io::Write;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::clock::{Allowance, Pace};
use super::runner::{Failed, Runner, Running};
use super::wire;
use crate::engine::chess::{Position, Variant, perft, uci_move};
use crate::engine::search::{Limits, Memory, Report, SearchRequest, TranspositionTable, search_on};

/// Where the answers go, line by line. A line that cannot be written is lost: whoever closed the output does
/// not read it.
#[derive(Clone)]
pub(super) struct Output(Arc<Mutex<dyn Write + Send>>);

impl Output {
    pub(super) fn new(output: impl Write + Send + 'static) -> Self {
        Self(Arc::new(Mutex::new(output)))
    }

    pub(super) fn line(&self, line: &str) {
        let mut output = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = writeln!(output, "{line}").and_then(|()| output.flush());
    }
}

/// A search to be started.
pub(super) struct Task {
    pub(super) request: SearchRequest,
    pub(super) table: Arc<TranspositionTable>,
    /// What earlier searches of the game have learnt; used by one search at a time.
    pub(super) memory: Arc<Mutex<Memory>>,
    /// The clock; in pondering it runs from [`Thinking::ponder_hit`] on.
    pub(super) allowance: Option<Allowance>,
    /// Whether the best move has to wait.
    pub(super) hold: Hold,
}

impl Task {
    /// Whether the search ends by itself, if the best move need not wait.
    pub(super) fn is_limited(&self) -> bool {
        let request = &self.request;
        self.allowance.is_some() || request.handicap.is_some() || request.limits != Limits::default()
    }
}

/// When the best move may be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hold {
    /// As soon as it is found.
    No,
    /// Not before `stop`.
    Infinite,
    /// Not before `stop` or `ponderhit`.
    Ponder,
}

/// A search under way.
pub(super) struct Thinking {
    stop: Arc<AtomicBool>,
    started: Instant,
    /// The milliseconds after which the clock began to run; the greatest number before that.
    clock_from_ms: Arc<AtomicU64>,
    /// Dropped to let the best move be told.
    hold: Option<Sender<()>>,
    /// Waits for a clock to start.
    ponder: Option<(Allowance, Receiver<()>)>,
    running: Running,
}

/// Who thinks and who looks at the clock.
pub(super) struct Threads {
    search: Runner,
    timer: Runner,
}

impl Threads {
    /// # Errors
    /// If the system gives no threads.
    pub(super) fn start() -> std::io::Result<Self> {
        Ok(Self { search: Runner::start("search")?, timer: Runner::start("timer")? })
    }
}

impl Thinking {
    /// Starts a search.
    pub(super) fn start(task: Task, threads: &Threads, output: Output) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let clock_from_ms = Arc::new(AtomicU64::new(u64::MAX));
        let (finished, finish) = mpsc::channel();
        let (release, released) = mpsc::channel();
        let (hold, allowance) = (task.hold, task.allowance);
        let started = Instant::now();
        let shared = (Arc::clone(&stop), Arc::clone(&clock_from_ms));
        let running = threads.search.run(move || {
            let (report, variant) = think(&task, &shared.0, &shared.1, &output);
            drop(finished);
            // Ends when the other half is dropped: nothing is ever sent.
            let _: Result<(), _> = released.recv();
            output.line(&wire::best_move(report.best_move(), report.ponder_move(), variant));
        });
        let hold_back = (hold != Hold::No).then_some(release);
        let mut thinking = Self { stop, started, clock_from_ms, hold: hold_back, ponder: None, running };
        match (hold, allowance) {
            (Hold::Ponder, Some(allowance)) => thinking.ponder = Some((allowance, finish)),
            (Hold::No, Some(allowance)) => thinking.run_clock(allowance, finish, threads),
            _ => {}
        }
        thinking
    }

    /// There is nothing to search: the null move is told as soon as a best move may be.
    pub(super) fn of_nothing(hold: Hold, threads: &Threads, output: Output) -> Self {
        let (release, released) = mpsc::channel();
        let running = threads.search.run(move || {
            let _: Result<(), _> = released.recv();
            output.line(&wire::best_move(None, None, Variant::Standard));
        });
        let mut thinking = Self::unlimited(Arc::default(), running);
        thinking.hold = (hold != Hold::No).then_some(release);
        thinking
    }

    /// Counts moves to a depth instead of searching. If it is stopped, there is no total.
    pub(super) fn perft(
        position: Position,
        depth: u8,
        variant: Variant,
        threads: &Threads,
        output: Output,
    ) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        let running = threads.search.run(move || {
            let mut total = 0;
            for mv in &position.legal_moves() {
                let mut child = position;
                child.play(*mv);
                let Some(nodes) = count(&child, depth - 1, &stopped) else { return };
                output.line(&format!("{}: {nodes}", uci_move::format(*mv, variant)));
                total += nodes;
            }
            output.line(&format!("\nNodes searched: {total}"));
        });
        Self::unlimited(stop, running)
    }

    /// No clock runs, and nothing is held back.
    fn unlimited(stop: Arc<AtomicBool>, running: Running) -> Self {
        let clock_from_ms = Arc::new(AtomicU64::new(u64::MAX));
        Self { stop, started: Instant::now(), clock_from_ms, hold: None, ponder: None, running }
    }

    /// The opponent made the expected move: the clock runs from now.
    pub(super) fn ponder_hit(&mut self, threads: &Threads) {
        self.hold = None;
        if let Some((allowance, finish)) = self.ponder.take() {
            self.run_clock(allowance, finish, threads);
        }
    }

    /// Waits for the end. Without [`Self::stop`] before it, the search is left to end by itself.
    pub(super) fn join(mut self) -> Result<(), Failed> {
        self.hold = None;
        self.running.join()
    }

    /// Ends the search; its best move is told at once.
    pub(super) fn stop(&mut self) {
        self.stop.store(true, Relaxed);
        self.hold = None;
    }

    fn run_clock(&self, allowance: Allowance, finish: Receiver<()>, threads: &Threads) {
        self.clock_from_ms.store(self.started.elapsed().as_millis() as u64, Relaxed);
        let stop = Arc::clone(&self.stop);
        threads.timer.run(move || {
            if finish.recv_timeout(allowance.hard) == Err(RecvTimeoutError::Timeout) {
                stop.store(true, Relaxed);
            }
        });
    }
}

/// The leaves below a position, if nobody stops the count. The last plies are counted in one go: they take far less than a
/// millisecond.
fn count(position: &Position, depth: u8, stop: &AtomicBool) -> Option<u64> {
    if depth <= 2 {
        return (!stop.load(Relaxed)).then(|| perft(position, u32::from(depth)));
    }
    let mut leaves = 0;
    for mv in &position.legal_moves() {
        let mut child = *position;
        child.play(*mv);
        leaves += count(&child, depth - 1, stop)?;
    }
    Some(leaves)
}

/// However narrow the limits are, or soon the end comes, the first iteration may visit so many positions: nearly always it is
/// finished, and the best move is better than any.
const FIRST_ITERATION_NODES: u64 = 1_000;

/// Searches and tells every iteration, and what came of one that was cut short.
fn think(task: &Task, stop: &AtomicBool, clock_from_ms: &AtomicU64, output: &Output) -> (Report, Variant) {
    let started = Instant::now();
    let variant = task.request.game.variant();
    let mut told = None;
    let mut pace = Pace::default();
    let mut observe = |report: &Report| {
        let elapsed = started.elapsed();
        told = Some(report.nodes);
        tell(report, elapsed, variant, output);
        pace.observe(report);
        let clock = elapsed.checked_sub(Duration::from_millis(clock_from_ms.load(Relaxed)));
        let soft = task.allowance.and_then(|allowance| allowance.soft);
        if clock.zip(soft).is_some_and(|(clock, soft)| clock >= soft.mul_f64(pace.factor())) {
            stop.store(true, Relaxed);
        }
    };
    // A search that panicked leaves a memory that is as good as any.
    let mut memory = task.memory.lock().unwrap_or_else(PoisonError::into_inner);
    let mut report = search_on(&task.request, &task.table, &mut memory, stop, &mut observe);
    if report.depth == 0 && report.nodes < FIRST_ITERATION_NODES {
        let limits = Limits { depth: Some(1), nodes: Some(FIRST_ITERATION_NODES) };
        let request = SearchRequest { limits, ..task.request.clone() };
        report = search_on(&request, &task.table, &mut memory, &AtomicBool::new(false), &mut |_| {});
    }
    drop(memory);
    if told != Some(report.nodes) {
        tell(&report, started.elapsed(), variant, output);
    }
    (report, variant)
}

fn tell(report: &Report, elapsed: Duration, variant: Variant, output: &Output) {
    for line in wire::info(report, elapsed, variant) {
        output.line(&line);
    }
}
