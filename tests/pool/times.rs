//! What a pool measures about itself.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use centipawn::engine::chess::{Game, Position};
use centipawn::engine::eval::Evaluator;
use centipawn::engine::search::{Limits, SearchRequest};
use centipawn::pool::{
    Clock, CrewSettings, DEPTH_BOUNDS_PLIES, Job, Pool, PoolSettings, TIME_BOUNDS_MICROS, Table,
};

use crate::{NOBODY, crew, eventually, occupy, patient};

fn pool() -> Pool {
    let crew = CrewSettings { name: "search", threads: 1, queue: 4 };
    let settings = PoolSettings { crew, hash_mebibytes: 1, search_threads: NonZeroUsize::MIN };
    Pool::start(settings, &Arc::new(Clock::start().unwrap())).unwrap()
}

fn job(limits: Limits) -> Job {
    let request = SearchRequest::new(Game::new(Position::start()), Evaluator::default(), limits);
    Job { client: NOBODY, request, timing: patient(), table: Table::Shared, observer: None }
}

#[test]
fn waits_and_services_are_counted_once_each() {
    let crew = crew(1, 4);
    let busy = occupy(&crew, patient());
    let tickets =
        [(); 2].map(|()| crew.submit(NOBODY, patient(), |_| std::thread::sleep(Duration::from_millis(30))));
    drop(crew.submit(NOBODY, patient(), |_| ()).unwrap());
    drop(busy);
    for ticket in tickets {
        ticket.unwrap().wait().unwrap();
    }
    let (times, seen) = (crew.times(), crew.snapshot());
    assert_eq!((times.waits.total(), times.services.total()), (3, 3), "who left the queue did not begin");
    assert_eq!((times.waits.sum, times.services.sum), (seen.waited_micros, seen.served_micros));
    assert!(times.services.sum >= 60_000, "{times:?}");
    let at_most_25_ms = TIME_BOUNDS_MICROS.iter().position(|bound| *bound == 25_000).unwrap();
    let quick: u64 = times.services.counts[..=at_most_25_ms].iter().sum();
    assert!(quick <= 1, "two took 30 ms: {times:?}");
}

#[test]
fn how_long_a_search_outlives_its_client_is_measured() {
    let pool = pool();
    assert_eq!(pool.times().farewells.total(), 0);
    let ticket = pool.submit(job(Limits::default())).unwrap();
    eventually("it runs", || pool.snapshot().running == 1);
    drop(ticket);
    eventually("it has stopped", || pool.snapshot().running == 0);
    let times = pool.times();
    assert_eq!(times.farewells.total(), 1);
    assert_eq!(times.farewells.sum, times.longest_farewell_micros);
    assert!(times.longest_farewell_micros > 0, "{times:?}");
}

#[test]
fn who_leaves_the_queue_or_gets_an_answer_leaves_nothing_running() {
    let crew = crew(1, 1);
    let busy = occupy(&crew, crate::movetime(30));
    drop(crew.submit(NOBODY, patient(), |_| ()).unwrap());
    busy.wait().unwrap();
    assert_eq!(crew.times().farewells.total(), 0);
}

#[test]
fn a_slow_farewell_shows() {
    let crew = crew(1, 1);
    let ticket = crew
        .submit(NOBODY, patient(), |context| {
            crate::poll_until_stopped(context);
            std::thread::sleep(Duration::from_millis(60));
        })
        .unwrap();
    eventually("it runs", || crew.snapshot().running == 1);
    drop(ticket);
    eventually("it has stopped", || crew.snapshot().running == 0);
    let times = crew.times();
    assert!(times.longest_farewell_micros >= 60_000, "{times:?}");
    let in_50_ms = TIME_BOUNDS_MICROS.iter().position(|bound| *bound == 50_000).unwrap();
    assert_eq!(times.farewells.counts[..=in_50_ms].iter().sum::<u64>(), 0, "{times:?}");
}

#[test]
fn searches_tell_their_nodes_and_depth_and_how_full_the_table_is() {
    let pool = pool();
    assert_eq!(pool.searches(), centipawn::pool::SearchSnapshot::default());
    let reports = [3, 6].map(|depth| {
        let limits = Limits { depth: Some(depth), nodes: None };
        pool.submit(job(limits)).unwrap().wait().unwrap().report
    });
    let seen = pool.searches();
    assert_eq!(seen.nodes, reports.iter().map(|report| report.nodes).sum::<u64>());
    assert_eq!((seen.depths.total(), seen.depths.sum), (2, 9));
    for depth in [3, 6] {
        let place = DEPTH_BOUNDS_PLIES.partition_point(|bound| *bound < depth);
        assert_eq!(seen.depths.counts[place], 1, "depth {depth}: {seen:?}");
    }
    assert!(seen.searched_micros > 0);
    let limits = Limits { depth: None, nodes: Some(60_000) };
    pool.submit(job(limits)).unwrap().wait().unwrap();
    assert!(pool.searches().hashfull > 0);
}
