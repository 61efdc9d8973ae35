//! Several threads on one search: each deepens by itself, and they help each other through the shared table.
//!
//! Source: the chess programming wiki, "Lazy SMP". What is reported is what the first thread finds. Every second helper
//! leaves out every second iteration: it is where the first thread will be, instead of where it is.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;

use super::limits::{Budget, Limits, SearchRequest};
use super::memory::Memory;
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

/// What a helper has done so far.
#[derive(Default)]
struct Tally {
    nodes: AtomicU64,
    tbhits: AtomicU64,
}

impl Tally {
    fn note(&self, report: &Report) {
        self.nodes.store(report.nodes, Relaxed);
        self.tbhits.store(report.tbhits, Relaxed);
    }
}

/// A report of the first thread, with what the helpers have done added.
fn with_help(report: Report, helpers: &[Tally]) -> Report {
    let sum =
        |count: fn(&Tally) -> &AtomicU64| helpers.iter().map(|tally| count(tally).load(Relaxed)).sum::<u64>();
    let nodes = report.nodes + sum(|tally| &tally.nodes);
    let tbhits = report.tbhits + sum(|tally| &tally.tbhits);
    Report { nodes, tbhits, ..report }
}

/// The search of a request with as many threads as it asks for: this one, and helpers that end with it. A thread that the
/// system does not give is done without.
pub(super) fn search<E: Evaluate>(run: Run<'_>, evaluator: E) -> Report {
    let Run { request, table, memory, stop, observe } = run;
    let finished = AtomicBool::new(false);
    let helpers: Vec<Tally> = (1..request.threads.get()).map(|_| Tally::default()).collect();
    let mut memories = std::mem::take(&mut memory.helpers);
    memories.resize_with(helpers.len(), Memory::new);
    let report = thread::scope(|scope| {
        let _end = RaisedAtTheEnd(&finished);
        for (number, (tally, memory)) in helpers.iter().zip(&mut memories).enumerate() {
            let (stride, finished) = (2 - number % 2, &finished);
            let helper = move || {
                let request = SearchRequest { limits: Limits::default(), ..request.clone() };
                let mut helper = worker(&request, evaluator, table, memory, finished);
                helper.stride = stride;
                assist(helper, &request, tally);
            };
            let thread = thread::Builder::new().name("helper".to_owned()).stack_size(STACK_BYTES);
            if thread.spawn_scoped(scope, helper).is_err() {
                break;
            }
        }
        let mut observe = |report: &Report| observe(&with_help(report.clone(), &helpers));
        worker(request, evaluator, table, memory, stop).deepen(request, &mut observe)
    });
    memory.helpers = memories;
    with_help(report, &helpers)
}

/// Searches the same position until told to stop, for the table's sake alone.
fn assist<E: Evaluate>(mut helper: Worker<'_, E>, request: &SearchRequest, tally: &Tally) {
    let report = helper.deepen(request, &mut |report| tally.note(report));
    tally.note(&report);
}

/// One thread of a search; only the first has a limit.
pub(super) fn worker<'a, E: Evaluate>(
    request: &'a SearchRequest,
    evaluator: E,
    table: &'a TranspositionTable,
    memory: &'a mut Memory,
    stop: &'a AtomicBool,
) -> Worker<'a, E> {
    let budget = Budget::new(request.limits.nodes, stop);
    let mut worker = Worker::new(&request.game, evaluator, request.evaluator.salt(), table, memory, budget);
    worker.parameters = &request.parameters;
    worker.tables = Tables::new(request.tablebase.as_deref());
    worker
}
