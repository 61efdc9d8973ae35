//! Clients among each other: whatever one of them sends, the others are served.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use centipawn::engine::chess::{Game, Position};
use centipawn::engine::eval::Evaluator;
use centipawn::engine::search::{Limits, SearchRequest};
use centipawn::pool::{
    Client, CrewSettings, Job, Lost, Origin, PoolSettings, Pools, Refusals, Refused, Table, Ticket,
    Unanswered,
};

use crate::{NOBODY, crew, eventually, occupy, patient};

fn clients<const N: usize>() -> [Client; N] {
    std::array::from_fn(|number| Client::of(&number))
}

fn pools(queue: usize, bulk_requests: usize) -> Pools {
    let settings = |name| PoolSettings {
        crew: CrewSettings { name, threads: 1, queue },
        hash_mebibytes: 1,
        search_threads: NonZeroUsize::MIN,
    };
    Pools::start(settings("interactive"), settings("bulk"), bulk_requests).unwrap()
}

/// Holds the one thread of the interactive pool until the ticket is dropped.
fn hold(pools: &Pools) -> Ticket<()> {
    let until_stopped = |stop: &AtomicBool| {
        while !stop.load(Ordering::Acquire) {
            thread::sleep(Duration::from_millis(1));
        }
    };
    let ticket = pools.interactive.run(NOBODY, patient(), until_stopped).unwrap();
    eventually("it runs", || pools.interactive.snapshot().running == 1);
    ticket
}

#[test]
fn who_sends_one_does_not_wait_for_who_sends_sixty() {
    let crew = crew(1, 64);
    let busy = occupy(&crew, patient());
    let [greedy, modest] = clients();
    let order = Arc::new(Mutex::new(Vec::new()));
    let submit = |client, name| {
        let order = Arc::clone(&order);
        crew.submit(client, patient(), move |_| order.lock().unwrap().push(name)).unwrap()
    };
    let mut tickets: Vec<_> = (0..60).map(|number| submit(greedy, number)).collect();
    tickets.push(submit(modest, 1_000));
    drop(busy);
    for ticket in tickets {
        ticket.wait().unwrap();
    }
    let order = order.lock().unwrap();
    assert_eq!(order[..3], [0, 1_000, 1], "one of the others' goes before it");
    assert_eq!(order[2..], (1..60).collect::<Vec<_>>(), "each client's own in their order");
}

#[test]
fn who_has_less_in_a_full_queue_displaces_the_newest_of_who_has_most() {
    let crew = crew(1, 3);
    let busy = occupy(&crew, patient());
    let [greedy, modest] = clients();
    let submit = |client, name: u32| crew.submit(client, patient(), move |_| name);
    let [first, second, third] = [1, 2, 3].map(|name| submit(greedy, name).unwrap());
    assert!(matches!(submit(greedy, 4), Err(Refused::Busy { .. })), "nobody displaces himself");
    let newcomer = submit(modest, 5).unwrap();
    assert!(matches!(third.wait(), Err(Lost::Displaced { .. })), "it is told at once");
    assert_eq!(crew.snapshot().waiting, 3);
    assert!(matches!(submit(modest, 6), Err(Refused::Busy { .. })), "two and one, or one and two: no fairer");
    drop(busy);
    assert_eq!([first, second, newcomer].map(Ticket::wait), [Ok(1), Ok(2), Ok(5)]);
    eventually("the books are closed", || crew.snapshot().cancelled == 1);
    let seen = crew.snapshot();
    assert_eq!((seen.accepted, seen.completed, seen.displaced), (5, 3, 1));
    assert_eq!((seen.refused.full, seen.waiting, seen.running), (2, 0, 0));
}

#[test]
fn one_of_each_client_in_a_full_queue_stays_there() {
    let crew = crew(1, 2);
    let _busy = occupy(&crew, patient());
    let [one, other, third] = clients();
    let _waiting = [one, other].map(|client| crew.submit(client, patient(), |_| ()).unwrap());
    assert!(matches!(crew.submit(third, patient(), |_| ()), Err(Refused::Busy { .. })));
    assert_eq!(crew.snapshot().displaced, 0);
}

#[test]
fn a_client_has_no_more_than_it_may() {
    let crew = crew(1, 8);
    crew.limit_each_client(NonZeroUsize::new(2).unwrap());
    let [one, other] = clients();
    let submit = |client| crew.submit(client, patient(), |_| ());
    let busy = occupy(&crew, patient());
    let first = submit(one).unwrap();
    let second = submit(one).unwrap();
    let Err(Refused::TooMany { most, .. }) = submit(one) else { panic!("taken in") };
    assert_eq!(most, 2);
    let _other = submit(other).unwrap();
    drop(first);
    let third = submit(one).unwrap();
    assert!(submit(one).is_err(), "who has left counts no more, who came does");
    let _unknown = [(); 3].map(|()| submit(NOBODY).unwrap());
    drop(busy);
    assert_eq!([second, third].map(Ticket::wait), [Ok(()), Ok(())]);
    assert!(submit(one).is_ok(), "what is over counts no more");
    assert_eq!(crew.snapshot().refused, Refusals { client: 2, ..Refusals::default() });
}

#[test]
fn what_runs_counts_as_well() {
    let pools = pools(8, 1).with_searches_per_client(NonZeroUsize::new(1));
    let client = Client::of("one");
    let search = || {
        let limits = Limits::default();
        let request = SearchRequest::new(Game::new(Position::start()), Evaluator::default(), limits);
        let job = Job { client, request, timing: patient(), table: Table::Shared, observer: None };
        pools.interactive.submit(job)
    };
    let first = search().unwrap();
    eventually("it runs", || pools.interactive.snapshot().running == 1);
    assert!(matches!(search(), Err(Refused::TooMany { most: 1, .. })));
    drop(first);
    eventually("it is over", || pools.interactive.snapshot().running == 0);
    assert!(search().is_ok());
}

#[test]
fn one_client_does_not_get_all_places_for_batches() {
    let pools = pools(1, 5);
    let [greedy, modest] = clients();
    let held: Vec<_> = (0..3).map(|_| pools.begin_bulk(greedy).map_err(|_| "refused").unwrap()).collect();
    assert!(matches!(pools.begin_bulk(greedy), Err(Refused::TooMany { most: 3, .. })));
    let _modest = [pools.begin_bulk(modest).is_ok(), pools.begin_bulk(modest).is_ok()];
    assert_eq!(held[0].client(), greedy);
    drop(held);
    assert!(pools.begin_bulk(greedy).is_ok());
    let pools = pools.with_bulk_requests_per_client(NonZeroUsize::MIN);
    let _one = pools.begin_bulk(greedy).map_err(|_| "refused").unwrap();
    assert!(matches!(pools.begin_bulk(greedy), Err(Refused::TooMany { most: 1, .. })));
    assert!(pools.begin_bulk(modest).is_ok());
    let _others = [(); 4].map(|()| pools.begin_bulk(NOBODY).map_err(|_| "refused").unwrap());
    assert!(matches!(pools.begin_bulk(modest), Err(Refused::Busy { .. })));
    pools.close();
    assert!(matches!(pools.begin_bulk(modest), Err(Refused::Draining)));
    assert_eq!(pools.bulk.snapshot().refused, Refusals { full: 1, client: 2, draining: 1 });
}

/// Two ask the same, and what the first has in the queue is displaced: that is no reason to refuse the second.
#[test]
fn who_joined_a_search_is_not_displaced_with_it() {
    let pools = pools(3, 1).with_result_cache(1 << 20);
    let results = pools.results.as_ref().unwrap();
    let [greedy, joining, newcomer] = clients();
    let question = || {
        let limits = Limits { depth: Some(2), nodes: None };
        SearchRequest::new(Game::new(Position::start()), Evaluator::default(), limits)
    };
    let within = || (Instant::now(), Duration::from_mins(1));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    runtime.block_on(async {
        let busy = hold(&pools);
        let _older = [(); 2].map(|()| pools.interactive.run(greedy, patient(), |_| ()).unwrap());
        let first = results.find(&pools.interactive, greedy, question(), within());
        let second = results.find(&pools.interactive, joining, question(), within());
        let shove = async {
            // Both have asked by now: a joined future is polled in its order.
            assert_eq!(results.snapshot().joined, 1);
            let newcomer = pools.interactive.run(newcomer, patient(), |_| ()).unwrap();
            drop(busy);
            newcomer.await.unwrap();
        };
        let (first, second, ()) = tokio::join!(first, second, shove);
        assert!(matches!(first, Err(Unanswered::Lost(Lost::Displaced { .. }))), "{first:?}");
        assert_eq!(second.unwrap().origin, Origin::Searched);
    });
}
