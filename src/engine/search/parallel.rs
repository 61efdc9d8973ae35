//! Several threads on one search: each deepens by itself, and they help each other through the shared table.
//!
//! Source: the chess programming wiki, "Lazy SMP". What is reported is what the first thread finds; the others go where it
//! goes sooner or later, as no two threads visit the nodes at the same pace.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;

use super::limits::{Budget, Limits, SearchRequest};
use super::table::TranspositionTable;
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

/// The search of a request with as many threads as it asks for: this one, and helpers that end with it. A thread that the
/// system does not give is done without.
pub(super) fn search<E: Evaluate>(run: Run<'_>, evaluator: E) -> Report {
    let Run { request, table, stop, observe } = run;
    let finished = AtomicBool::new(false);
    let nodes: Vec<AtomicU64> = (1..request.threads.get()).map(|_| AtomicU64::new(0)).collect();
    let help = || nodes.iter().map(|nodes| nodes.load(Relaxed)).sum::<u64>();
    let report = thread::scope(|scope| {
        let _end = RaisedAtTheEnd(&finished);
        for nodes in &nodes {
            let helper = || assist(request, evaluator, table, &finished, nodes);
            let thread = thread::Builder::new().name("helper".to_owned()).stack_size(STACK_BYTES);
            if thread.spawn_scoped(scope, helper).is_err() {
                break;
            }
        }
        let mut observe =
            |report: &Report| observe(&Report { nodes: report.nodes + help(), ..report.clone() });
        worker(request, evaluator, table, stop).deepen(request, &mut observe)
    });
    Report { nodes: report.nodes + help(), ..report }
}

/// Searches the same position until told to stop, for the table's sake alone.
fn assist<E: Evaluate>(
    request: &SearchRequest,
    evaluator: E,
    table: &TranspositionTable,
    stop: &AtomicBool,
    nodes: &AtomicU64,
) {
    let request = SearchRequest { limits: Limits::default(), ..request.clone() };
    let mut count = |report: &Report| nodes.store(report.nodes, Relaxed);
    let report = worker(&request, evaluator, table, stop).deepen(&request, &mut count);
    count(&report);
}

/// One thread of a search; only the first has a limit.
pub(super) fn worker<'a, E: Evaluate>(
    request: &SearchRequest,
    evaluator: E,
    table: &'a TranspositionTable,
    stop: &'a AtomicBool,
) -> Worker<'a, E> {
    let budget = Budget::new(request.limits.nodes, stop);
    Worker::new(&request.game, evaluator, request.evaluator.salt(), table, budget)
}
