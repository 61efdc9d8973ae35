//! Pools that search.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use centipawn::engine::chess::{Fen, Game, Move, Position, Variant};
use centipawn::engine::eval::Evaluator;
use centipawn::engine::search::{Limits, SearchRequest, Tablebase, Wdl};
use centipawn::pool::{
    Clock, CrewSettings, Interruption, Job, Pool, PoolSettings, StartError, Table, Timing,
};

use crate::{NOBODY, SLACK, movetime, patient};

fn pool(hash_mebibytes: usize) -> Result<Pool, StartError> {
    pool_of_searches(1, hash_mebibytes)
}

/// So many threads a search.
fn pool_of_searches(threads: usize, hash_mebibytes: usize) -> Result<Pool, StartError> {
    let crew = CrewSettings { name: "search", threads: 1, queue: 4 };
    let search_threads = NonZeroUsize::new(threads).unwrap();
    Pool::start(PoolSettings { crew, hash_mebibytes, search_threads }, &Arc::new(Clock::start().unwrap()))
}

/// Queens and captures everywhere: one node of quiescence can take longer than a client waits.
const EXPLOSION: &str = "8/PPPPPPPP/nr4RN/qb4BQ/kb4BK/nr4RN/pppppppp/8 w - - 0 1";

fn job(limits: Limits, timing: Timing, table: Table) -> Job {
    let game = Game::new(Fen::parse(EXPLOSION, Variant::Standard).unwrap().position);
    Job {
        client: NOBODY,
        request: SearchRequest::new(game, Evaluator::default(), limits),
        timing,
        table,
        observer: None,
    }
}

#[test]
fn a_search_keeps_its_movetime_where_captures_explode() {
    let pool = pool(1).unwrap();
    let begun = Instant::now();
    let finished = pool.submit(job(Limits::default(), movetime(100), Table::Shared)).unwrap().wait().unwrap();
    assert!(begun.elapsed() < Duration::from_millis(100) + SLACK, "{:?}", begun.elapsed());
    assert_eq!(finished.interruption, Some(Interruption::Movetime));
    assert!(finished.report.best_move().is_some());
}

#[test]
fn work_of_the_engine_hears_that_its_time_is_over() {
    let pool = pool(1).unwrap();
    let listen = |stop: &AtomicBool| {
        while !stop.load(Ordering::Acquire) {
            thread::sleep(Duration::from_millis(1));
        }
    };
    assert_eq!(pool.run(NOBODY, movetime(30), listen).unwrap().wait(), Ok(()));
    let job = job(Limits::default(), movetime(30), Table::Shared);
    let ((), finished) = pool.submit_after(listen, job).unwrap().wait().unwrap();
    assert_eq!((finished.interruption, finished.report.depth), (Some(Interruption::Movetime), 0));
    assert!(finished.report.best_move().is_some());
}

#[test]
fn a_fresh_table_knows_nothing_of_earlier_searches() {
    let pool = pool(1).unwrap();
    let limits = Limits { depth: None, nodes: Some(20_000) };
    let search = || pool.submit(job(limits, patient(), Table::Fresh)).unwrap().wait().unwrap().report;
    let first = search();
    pool.submit(job(limits, patient(), Table::Shared)).unwrap().wait().unwrap();
    assert_eq!(first, search());
}

#[test]
fn what_is_the_same_everywhere_is_searched_by_one_thread() {
    let [alone, helped] = [1, 3].map(|threads| pool_of_searches(threads, 1).unwrap());
    let search = |pool: &Pool, table| {
        let limits = Limits { depth: Some(8), nodes: None };
        let request = SearchRequest::new(Game::new(Position::start()), Evaluator::default(), limits);
        let job = Job { client: NOBODY, request, timing: patient(), table, observer: None };
        pool.submit(job).unwrap().wait().unwrap().report
    };
    let report = search(&alone, Table::Fresh);
    assert_eq!(search(&helped, Table::Fresh), report);
    assert_ne!(search(&helped, Table::Shared).nodes, report.nodes, "helpers visit positions too");
}

/// Endgame tables that know every position, and know it to be won.
#[derive(Debug)]
struct AlwaysWon;

impl Tablebase for AlwaysWon {
    fn most_men(&self) -> u32 {
        u32::MAX
    }

    fn wdl(&self, _position: &Position) -> Option<Wdl> {
        Some(Wdl::Win)
    }

    fn distances(&self, _position: &Position) -> Option<Vec<(Move, i32)>> {
        None
    }
}

#[test]
fn what_is_the_same_everywhere_is_searched_without_endgame_tables() {
    let [without, with] = [None, Some(Arc::new(AlwaysWon) as Arc<dyn Tablebase>)]
        .map(|tablebase| pool(1).unwrap().with_tablebase(tablebase));
    let search = |pool: &Pool, table| {
        let limits = Limits { depth: None, nodes: Some(5_000) };
        pool.submit(job(limits, patient(), table)).unwrap().wait().unwrap().report
    };
    assert_eq!(search(&with, Table::Fresh), search(&without, Table::Fresh));
    assert_eq!(search(&without, Table::Shared).tbhits, 0);
    assert!(search(&with, Table::Shared).tbhits > 0);
}

#[test]
fn an_observer_hears_of_every_iteration() {
    let pool = pool(1).unwrap();
    let (teller, told) = mpsc::channel();
    let limits = Limits { depth: Some(4), nodes: None };
    let request = SearchRequest::new(Game::new(Position::start()), Evaluator::default(), limits);
    let observer = Box::new(move |report: &centipawn::engine::search::Report, searched: Duration| {
        teller.send((report.depth, searched)).unwrap();
    });
    let job = Job { request, observer: Some(observer), ..job(limits, patient(), Table::Shared) };
    let finished = pool.submit(job).unwrap().wait().unwrap();
    let heard: Vec<_> = told.iter().collect();
    assert_eq!(heard.iter().map(|(depth, _)| *depth).collect::<Vec<_>>(), [1, 2, 3, 4]);
    assert!(heard.iter().map(|(_, searched)| *searched).is_sorted());
    assert!(heard[3].1 <= finished.searched);
    assert_eq!(finished.report.depth, 4);
}

#[test]
fn a_table_that_nobody_can_have_is_refused_at_the_start() {
    let Err(error) = pool(1 << 40) else { panic!("started") };
    assert!(error.to_string().contains("choose a smaller one"), "{error}");
}
