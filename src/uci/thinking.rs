//! A search under way: its timer and its way out.

use std::io::Write;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed, Ordering::SeqCst};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::clock::{Allowance, Pace};
use super::runner::{Failed, Runner, Running};
use super::wire;
use crate::engine::chess::{Position, Variant, perft, uci_move};
use crate::engine::search::{Limits, Memory, Progress, Report, SearchRequest, TranspositionTable, search_on};

/// Where the answers go, line by line.
#[derive(Clone)]
pub(super) struct Output {
    writer: Arc<Mutex<dyn Write + Send>>,
    closed: Arc<AtomicBool>,
}

impl Output {
    pub(super) fn new(output: impl Write + Send + 'static) -> Self {
        Self { writer: Arc::new(Mutex::new(output)), closed: Arc::default() }
    }

    /// Writes a line. One that cannot be written is lost: whoever closed the output does not read it.
    pub(super) fn line(&self, line: &str) {
        self.line_unless(|| false, line);
    }

    /// The same unless it is too late by the time that nobody else is writing.
    fn line_unless(&self, is_late: impl FnOnce() -> bool, line: &str) {
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        if !is_late() && writeln!(writer, "{line}").and_then(|()| writer.flush()).is_err() {
            self.closed.store(true, Relaxed);
        }
    }

    /// Nobody reads what is written any more.
    fn is_closed(&self) -> bool {
        self.closed.load(Relaxed)
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
    signals: Arc<Signals>,
    /// Dropped to let the best move be told.
    hold: Option<Sender<()>>,
    /// The opponent has not made the expected move yet.
    is_pondering: bool,
    /// Waits for a clock to start.
    ponder: Option<(Allowance, Receiver<()>)>,
    /// Counts moves, and tells no best move.
    is_counting: bool,
    running: Running,
}

/// What a search and whoever hears of stops and clocks tell each other.
struct Signals {
    stop: AtomicBool,
    started: Instant,
    /// The clock runs since so many microseconds after the start, or [`NEVER`]: there may be enough.
    clock_from_us: AtomicU64,
    /// The best move was told then.
    told_us: AtomicU64,
    /// After so many microseconds the search has thought enough, by its last iteration; in the opponent's time too.
    enough_us: AtomicU64,
    /// The nodes that were told with the last iteration,
    told_nodes: AtomicU64,
    /// and those of all threads so far, with the move of the root that is being searched.
    progress: Arc<Progress>,
    /// Nothing more is to be told but the best move.
    ended: AtomicBool,
}

/// A time that does not come.
const NEVER: u64 = u64::MAX;

impl Signals {
    fn new() -> Arc<Self> {
        Arc::new(Self {
            stop: AtomicBool::new(false),
            started: Instant::now(),
            clock_from_us: AtomicU64::new(NEVER),
            told_us: AtomicU64::new(NEVER),
            enough_us: AtomicU64::new(NEVER),
            told_nodes: AtomicU64::new(0),
            progress: Arc::default(),
            ended: AtomicBool::new(false),
        })
    }

    /// An iteration has ended, after which so much time is enough.
    fn set_enough(&self, enough: Duration) {
        self.enough_us.store(enough.as_micros() as u64, SeqCst);
        self.stop_if_enough();
    }

    /// What was thought in the opponent's time counts: there may be enough already.
    fn start_clock(&self) {
        self.clock_from_us.store(self.now_us(), SeqCst);
        self.stop_if_enough();
    }

    /// Both of the above write first and then read what the other writes, so that one of them sees it.
    fn stop_if_enough(&self) {
        if self.now_us() >= self.enough_us.load(SeqCst) && self.clock_from_us.load(SeqCst) != NEVER {
            self.stop.store(true, Relaxed);
        }
    }

    fn now_us(&self) -> u64 {
        self.started.elapsed().as_micros() as u64
    }

    /// How long the clock ran until the best move was told; of what is over.
    fn thought(&self) -> Option<Duration> {
        let [from, told] = [&self.clock_from_us, &self.told_us].map(|time| time.load(SeqCst));
        (from != NEVER && told != NEVER).then(|| Duration::from_micros(told.saturating_sub(from)))
    }
}

/// Who thinks, who looks at the clock, and who tells how far the search is.
pub(super) struct Threads {
    search: Runner,
    timer: Runner,
    reporter: Runner,
}

impl Threads {
    /// # Errors
    /// If the system gives no threads.
    pub(super) fn start() -> std::io::Result<Self> {
        let [search, timer, reporter] = ["search", "timer", "reporter"].map(Runner::start);
        Ok(Self { search: search?, timer: timer?, reporter: reporter? })
    }
}

impl Thinking {
    /// Starts a search.
    pub(super) fn start(mut task: Task, threads: &Threads, output: Output) -> Self {
        let signals = Signals::new();
        task.request.progress = Some(Arc::clone(&signals.progress));
        let (finished, finish) = mpsc::channel();
        let reporting = tell_progress(&signals, &task, threads, output.clone());
        let (release, released) = mpsc::channel();
        let (hold, allowance) = (task.hold, task.allowance);
        let shared = Arc::clone(&signals);
        let running = threads.search.run(move || {
            let (report, variant) = think(&task, &shared, &output);
            shared.ended.store(true, Relaxed);
            drop((finished, reporting));
            // Ends when the other half is dropped: nothing is ever sent.
            let _: Result<(), _> = released.recv();
            output.line(&wire::best_move(report.best_move(), report.ponder_move(), variant));
            shared.told_us.store(shared.now_us(), SeqCst);
        });
        let mut thinking = Self::held(signals, hold, release, running);
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
        Self::held(Signals::new(), hold, release, running)
    }

    /// Counts moves to a depth instead of searching. If it is stopped, there is no total.
    pub(super) fn perft(
        position: Position,
        depth: u8,
        variant: Variant,
        threads: &Threads,
        output: Output,
    ) -> Self {
        let signals = Signals::new();
        let shared = Arc::clone(&signals);
        let running = threads.search.run(move || {
            let mut total = 0;
            for mv in &position.legal_moves() {
                let mut child = position;
                child.play(*mv);
                let Some(nodes) = count(&child, depth - 1, &shared.stop) else { return };
                output.line(&format!("{}: {nodes}", uci_move::format(*mv, variant)));
                total += nodes;
            }
            output.line(&format!("\nNodes searched: {total}"));
        });
        let (release, _) = mpsc::channel();
        Self { is_counting: true, ..Self::held(signals, Hold::No, release, running) }
    }

    /// A best move that is held back until `release` is dropped, and no clock runs.
    fn held(signals: Arc<Signals>, hold: Hold, release: Sender<()>, running: Running) -> Self {
        Self {
            signals,
            hold: (hold != Hold::No).then_some(release),
            is_pondering: hold == Hold::Ponder,
            ponder: None,
            is_counting: false,
            running,
        }
    }

    /// Whether moves are counted, which no best move ends.
    pub(super) const fn is_counting(&self) -> bool {
        self.is_counting
    }

    /// The opponent made the expected move: the clock runs from now. `false` if there was none to expect.
    pub(super) fn ponder_hit(&mut self, threads: &Threads) -> bool {
        if !self.is_pondering {
            return false;
        }
        self.is_pondering = false;
        self.hold = None;
        if let Some((allowance, finish)) = self.ponder.take() {
            self.run_clock(allowance, finish, threads);
        }
        true
    }

    /// Waits for the end. Without [`Self::stop`] before it, the search is left to end by itself. How long its clock ran, if
    /// there was one.
    pub(super) fn join(mut self) -> Result<Option<Duration>, Failed> {
        self.hold = None;
        self.running.join().map(|()| self.signals.thought())
    }

    /// Ends the search; its best move is told at once.
    pub(super) fn stop(&mut self) {
        self.signals.stop.store(true, Relaxed);
        self.hold = None;
    }

    fn run_clock(&self, allowance: Allowance, finish: Receiver<()>, threads: &Threads) {
        self.signals.start_clock();
        let signals = Arc::clone(&self.signals);
        threads.timer.run(move || {
            if finish.recv_timeout(allowance.hard) == Err(RecvTimeoutError::Timeout) {
                signals.stop.store(true, Relaxed);
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
fn think(task: &Task, signals: &Signals, output: &Output) -> (Report, Variant) {
    let variant = task.request.game.variant();
    let mut told = None;
    let mut pace = Pace::default();
    let mut observe = |report: &Report| {
        told = Some(report.nodes);
        signals.told_nodes.store(report.nodes, Relaxed);
        tell(report, signals.started.elapsed(), variant, output);
        if output.is_closed() {
            signals.stop.store(true, Relaxed);
        }
        pace.observe(report);
        if let Some(soft) = task.allowance.and_then(|allowance| allowance.soft) {
            signals.set_enough(soft.mul_f64(pace.factor()));
        }
    };
    // A search that panicked leaves a memory that is as good as any.
    let mut memory = task.memory.lock().unwrap_or_else(PoisonError::into_inner);
    let mut report = search_on(&task.request, &task.table, &mut memory, &signals.stop, &mut observe);
    if report.depth == 0 && report.nodes < FIRST_ITERATION_NODES {
        let limits = Limits { depth: Some(1), nodes: Some(FIRST_ITERATION_NODES) };
        let request = SearchRequest { limits, ..task.request.clone() };
        report = search_on(&request, &task.table, &mut memory, &AtomicBool::new(false), &mut |_| {});
    }
    drop(memory);
    if told != Some(report.nodes) {
        tell(&report, signals.started.elapsed(), variant, output);
    }
    (report, variant)
}

/// How often it is told how far the search is: the later iterations are long.
const PROGRESS_EVERY: Duration = Duration::from_secs(1);

/// Tells how far the search is, until what is returned is dropped.
fn tell_progress(signals: &Arc<Signals>, task: &Task, threads: &Threads, output: Output) -> Sender<()> {
    let (signals, table) = (Arc::clone(signals), Arc::clone(&task.table));
    let variant = task.request.game.variant();
    let (reporting, end) = mpsc::channel();
    threads.reporter.run(move || {
        while end.recv_timeout(PROGRESS_EVERY) == Err(RecvTimeoutError::Timeout) {
            let nodes = signals.told_nodes.load(Relaxed).max(signals.progress.nodes());
            let overall = wire::progress(nodes, table.hashfull(), signals.started.elapsed());
            let current = signals.progress.at().map(|at| wire::current(at, variant));
            for line in [Some(overall), current].into_iter().flatten() {
                output.line_unless(|| signals.ended.load(Relaxed), &line);
            }
            if output.is_closed() {
                signals.stop.store(true, Relaxed);
            }
        }
    });
    reporting
}

fn tell(report: &Report, elapsed: Duration, variant: Variant, output: &Output) {
    for line in wire::info(report, elapsed, variant) {
        output.line(&line);
    }
}
