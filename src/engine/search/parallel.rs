//! Several threads on one search: each deepens by itself, and they help each other through the shared table. And on one large
//! memory: each does a part.
//!
//! Source: the chess programming wiki, "Lazy SMP". What is reported is what the first thread finds. Every second helper
//! leaves out every second iteration: it is where the first thread will be, instead of where it is.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;

use super::limits::{Budget, Limits, PROGRESS_NODES, SearchRequest};
use super::memory::Memory;
use super::progress::Progress;
use super::table::TranspositionTable;
use super::tablebase::Tables;
use super::worker::Worker;
use super::{Report, Run};
use crate::engine::eval::Evaluate;

/// Bytes of stack of a helper: a search recurses once per ply and quiescence ply.
const STACK_BYTES: usize = 16 << 20;

/// Raises a flag when it is dropped, be it by a panic.
struct RaisedAtTheEnd<'a>(&'a AtomicBool);

impl Drop for RaisedAtTheEnd<'_> {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

/// What all threads together have done so far.
struct Tally {
    progress: Arc<Progress>,
    /// Its nodes when the search began.
    nodes_before: u64,
    /// What each helper has found in endgame tables.
    tbhits: Vec<AtomicU64>,
}

impl Tally {
    fn new(request: &SearchRequest) -> Self {
        let progress = request.progress.clone().unwrap_or_default();
        let nodes_before = progress.nodes();
        let tbhits = (1..request.threads.get()).map(|_| AtomicU64::new(0)).collect();
        Self { progress, nodes_before, tbhits }
    }

    /// A report of the first thread, with what the helpers have done added.
    fn complete(&self, report: Report) -> Report {
        let counted = self.progress.nodes() - self.nodes_before;
        let nodes = counted + report.nodes % PROGRESS_NODES;
        let helpers: u64 = self.tbhits.iter().map(|hits| hits.load(Relaxed)).sum();
        Report { nodes, tbhits: report.tbhits + helpers, ..report }
    }
}

/// The search of a request with as many threads as it asks for: this one, and helpers that end with it. A thread that the
/// system does not give is done without.
pub(super) fn search<E: Evaluate>(run: Run<'_>, evaluator: E) -> Report {
    let Run { request, table, memory, stop, observe } = run;
    let finished = AtomicBool::new(false);
    let tally = Tally::new(request);
    let request = &SearchRequest { progress: Some(Arc::clone(&tally.progress)), ..request.clone() };
    let mut memories = std::mem::take(&mut memory.helpers);
    memories.resize_with(tally.tbhits.len(), Memory::new);
    let report = thread::scope(|scope| {
        let _end = RaisedAtTheEnd(&finished);
        for (number, (tbhits, memory)) in tally.tbhits.iter().zip(&mut memories).enumerate() {
            let (stride, finished) = (2 - number % 2, &finished);
            let helper = move || {
                let request = SearchRequest { limits: Limits::default(), ..request.clone() };
                let mut helper = worker(&request, evaluator, table, memory, finished);
                helper.stride = stride;
                helper.onlooker = None;
                assist(helper, &request, tbhits);
            };
            let thread = thread::Builder::new().name("helper".to_owned()).stack_size(STACK_BYTES);
            if thread.spawn_scoped(scope, helper).is_err() {
                break;
            }
        }
        let mut observe = |report: &Report| observe(&tally.complete(report.clone()));
        worker(request, evaluator, table, memory, stop).deepen(request, &mut observe)
    });
    memory.helpers = memories;
    tally.complete(report)
}

/// Searches the same position until told to stop, for the table's sake alone.
fn assist<E: Evaluate>(mut helper: Worker<'_, E>, request: &SearchRequest, tbhits: &AtomicU64) {
    let report = helper.deepen(request, &mut |report| tbhits.store(report.tbhits, Relaxed));
    tbhits.store(report.tbhits, Relaxed);
}

/// One thread of a search; only the first has a limit.
pub(super) fn worker<'a, E: Evaluate>(
    request: &'a SearchRequest,
    evaluator: E,
    table: &'a TranspositionTable,
    memory: &'a mut Memory,
    stop: &'a AtomicBool,
) -> Worker<'a, E> {
    let budget = Budget::new(request.limits.nodes, stop).with_progress(request.progress.as_deref());
    let mut worker = Worker::new(&request.game, evaluator, request.evaluator.salt(), table, memory, budget);
    worker.onlooker = request.progress.as_deref();
    worker.parameters = &request.parameters;
    worker.tables = Tables::new(request.tablebase.as_deref());
    worker
}

/// To write so much takes far longer than to start a thread.
pub(super) const LEAST_PART_BYTES: usize = 64 << 20;

/// Has this done with every part of a memory, by all cores together where it is large.
pub(super) fn in_parts<T: Sync>(memory: &[T], work: impl Fn(&[T]) + Sync) {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let parts = cores.min(size_of_val(memory) / LEAST_PART_BYTES).max(1);
    let mut parts = memory.chunks(memory.len().div_ceil(parts).max(1));
    let own = parts.next();
    thread::scope(|scope| {
        for part in parts {
            if thread::Builder::new().spawn_scoped(scope, || work(part)).is_err() {
                work(part);
            }
        }
        own.into_iter().for_each(&work);
    });
}
