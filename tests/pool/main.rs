//! The pool's promises, kept by crews whose work is anything but a search: each test injects one kind of trouble.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod fairness;
mod faults;
mod searches;
mod times;

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use centipawn::pool::{
    Client, Clock, Crew, CrewSettings, Drained, Interruption, Lost, Refused, Start, Ticket, Timing,
    WorkerContext,
};

/// Scheduling noise that a loaded test machine may add to any deadline.
const SLACK: Duration = Duration::from_millis(250);

const NOBODY: Client = Client::UNKNOWN;

fn crew(threads: usize, queue: usize) -> Crew<()> {
    let clock = Arc::new(Clock::start().unwrap());
    Crew::start(CrewSettings { name: "test", threads, queue }, &Arc::new(()), &clock).unwrap()
}

fn patient() -> Timing {
    Timing { start: Start::Arrival(Instant::now()), movetime: None, timeout: Duration::from_mins(1) }
}

fn movetime(millis: u64) -> Timing {
    Timing { movetime: Some(Duration::from_millis(millis)), ..patient() }
}

/// Work as a search does it: polls its flag, and says at the end why it stopped.
fn poll_until_stopped(context: &WorkerContext<'_, ()>) -> Option<Interruption> {
    while !context.stop.load(Ordering::Acquire) {
        thread::sleep(Duration::from_millis(1));
    }
    context.interruption()
}

/// Occupies one worker; returns when it has begun.
fn occupy(crew: &Crew<()>, timing: Timing) -> Ticket<Option<Interruption>> {
    let (begun, wait) = mpsc::channel();
    let ticket = crew
        .submit(NOBODY, timing, move |context| {
            begun.send(()).unwrap();
            poll_until_stopped(context)
        })
        .unwrap();
    wait.recv().unwrap();
    ticket
}

fn eventually(what: &str, condition: impl Fn() -> bool) {
    within(Duration::from_secs(5), what, condition);
}

fn within(patience: Duration, what: &str, condition: impl Fn() -> bool) {
    let begun = Instant::now();
    while !condition() {
        assert!(begun.elapsed() < patience, "{what} within {patience:?}");
        thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn work_runs_on_a_named_thread_with_what_the_crew_shares() {
    let clock = Arc::new(Clock::start().unwrap());
    let settings = CrewSettings { name: "interactive", threads: 1, queue: 1 };
    let crew = Crew::start(settings, &Arc::new(42), &clock).unwrap();
    let ticket = crew
        .submit(NOBODY, patient(), |context| (*context.shared, thread::current().name().map(str::to_owned)))
        .unwrap();
    assert_eq!(ticket.wait(), Ok((42, Some("interactive-0".to_owned()))));
    let snapshot = crew.snapshot();
    assert_eq!((snapshot.accepted, snapshot.completed, snapshot.waiting, snapshot.running), (1, 1, 0, 0));
}

#[test]
fn movetime_counts_from_arrival() {
    let crew = crew(1, 1);
    let begun = Instant::now();
    let arrived = begun.checked_sub(Duration::from_millis(60)).unwrap();
    let late = Timing { start: Start::Arrival(arrived), ..movetime(160) };
    assert_eq!(
        crew.submit(NOBODY, late, poll_until_stopped).unwrap().wait(),
        Ok(Some(Interruption::Movetime))
    );
    let elapsed = begun.elapsed();
    assert!(elapsed >= Duration::from_millis(100), "{elapsed:?}");
    assert!(elapsed < Duration::from_millis(100) + SLACK, "{elapsed:?}");
    assert_eq!(crew.snapshot().deadline_hits, 1);
}

#[test]
fn the_time_of_one_task_of_many_counts_from_its_beginning() {
    let crew = crew(1, 1);
    let first = crew.submit(NOBODY, movetime(150), poll_until_stopped).unwrap();
    let one_of_many = Timing { start: Start::Work, ..movetime(60) };
    let second = crew.submit(NOBODY, one_of_many, poll_until_stopped).unwrap();
    assert_eq!(first.wait(), Ok(Some(Interruption::Movetime)));
    let freed = Instant::now();
    assert_eq!(second.wait(), Ok(Some(Interruption::Movetime)), "it has waited longer than it may take");
    assert!(freed.elapsed() >= Duration::from_millis(50), "{:?}", freed.elapsed());
}

#[test]
fn the_timeout_caps_the_movetime() {
    let crew = crew(1, 1);
    let timing = Timing { timeout: Duration::from_millis(20), ..movetime(60_000) };
    assert_eq!(
        crew.submit(NOBODY, timing, poll_until_stopped).unwrap().wait(),
        Ok(Some(Interruption::Timeout))
    );
}

/// A free thread gets the time to wake up, whichever of the two times is too short for that.
#[test]
fn the_shortest_times_are_long_enough_to_begin() {
    let crew = crew(1, 1);
    let none = Duration::ZERO;
    for (movetime, timeout, why) in
        [(Some(none), Duration::from_mins(1), Interruption::Movetime), (None, none, Interruption::Timeout)]
    {
        let begun = Instant::now();
        let timing = Timing { start: Start::Arrival(begun), movetime, timeout };
        assert_eq!(crew.submit(NOBODY, timing, poll_until_stopped).unwrap().wait(), Ok(Some(why)));
        assert!(begun.elapsed() >= Duration::from_millis(10));
    }
}

#[test]
fn deadlines_ring_in_their_order_however_they_came() {
    let crew = crew(3, 3);
    let begun = Instant::now();
    let (heard, rung) = mpsc::channel();
    let tickets = [300, 100, 200].map(|millis| {
        let heard = heard.clone();
        let work = move |context: &WorkerContext<'_, ()>| {
            let why = poll_until_stopped(context);
            heard.send((millis, begun.elapsed())).unwrap();
            why
        };
        crew.submit(NOBODY, movetime(millis), work).unwrap()
    });
    for ticket in tickets {
        assert_eq!(ticket.wait(), Ok(Some(Interruption::Movetime)));
    }
    drop(heard);
    let rung: Vec<_> = rung.iter().collect();
    assert!(rung.is_sorted_by_key(|&(millis, _)| millis), "{rung:?}");
    for (millis, elapsed) in rung {
        let deadline = Duration::from_millis(millis);
        assert!((deadline..deadline + SLACK).contains(&elapsed), "{millis} ms rang after {elapsed:?}");
    }
}

#[test]
fn a_deadline_that_cannot_be_told_is_none() {
    let crew = crew(1, 1);
    let timing = Timing { timeout: Duration::MAX, ..patient() };
    assert_eq!(crew.submit(NOBODY, timing, |_| 7).unwrap().wait(), Ok(7));
}

#[test]
fn who_waits_beyond_the_deadline_is_told_at_the_deadline() {
    let crew = crew(1, 1);
    let busy = occupy(&crew, patient());
    let begun = Instant::now();
    let lost = crew.submit(NOBODY, movetime(50), |_| ()).unwrap().wait();
    assert!(matches!(lost, Err(Lost::Expired { .. })), "{lost:?}");
    assert!(begun.elapsed() < Duration::from_millis(50) + SLACK);
    drop(busy);
    assert_eq!(crew.snapshot().expired, 1);
}

#[test]
fn a_full_queue_refuses_with_an_estimate() {
    let crew = crew(1, 2);
    crew.submit(NOBODY, patient(), |_| thread::sleep(Duration::from_millis(20))).unwrap().wait().unwrap();
    let _busy = occupy(&crew, patient());
    let _first = crew.submit(NOBODY, patient(), |_| ()).unwrap();
    let _second = crew.submit(NOBODY, patient(), |_| ()).unwrap();
    let Err(Refused::Busy { retry_after }) = crew.submit(NOBODY, patient(), |_| ()) else {
        panic!("not refused")
    };
    // Two wait, one comes: three rounds of at least 20 ms each.
    assert!(retry_after >= Duration::from_millis(60), "{retry_after:?}");
    assert!(retry_after < Duration::from_secs(2), "{retry_after:?}");
    assert_eq!((crew.snapshot().refused.full, crew.snapshot().waiting), (1, 2));
}

#[test]
fn without_a_queue_idle_threads_still_get_work() {
    let crew = crew(2, 0);
    for number in 0..200 {
        assert_eq!(crew.submit(NOBODY, patient(), move |_| number).unwrap().wait(), Ok(number));
    }
    let _busy = [occupy(&crew, patient()), occupy(&crew, patient())];
    assert!(matches!(crew.submit(NOBODY, patient(), |_| ()), Err(Refused::Busy { .. })));
}

#[test]
fn a_burst_finds_room_for_the_idle_threads_and_the_queue() {
    let crew = crew(8, 4);
    let tickets: Vec<_> =
        (0..12).map(|_| crew.submit(NOBODY, patient(), poll_until_stopped).map_err(|_| "refused")).collect();
    assert!(tickets.iter().all(Result::is_ok));
    assert!(matches!(crew.submit(NOBODY, patient(), |_| ()), Err(Refused::Busy { .. })));
}

#[test]
fn who_leaves_the_queue_makes_room_and_never_runs() {
    let crew = crew(1, 1);
    let busy = occupy(&crew, patient());
    let ran = Arc::new(AtomicBool::new(false));
    let witness = Arc::clone(&ran);
    drop(crew.submit(NOBODY, patient(), move |_| witness.store(true, Ordering::SeqCst)).unwrap());
    let next = crew.submit(NOBODY, patient(), |_| 5).unwrap();
    drop(busy);
    assert_eq!(next.wait(), Ok(5));
    assert!(!ran.load(Ordering::SeqCst));
    assert_eq!(crew.snapshot().cancelled, 2);
}

#[test]
fn who_leaves_stops_the_work_at_once() {
    let crew = crew(1, 1);
    let (stopped, wait) = mpsc::channel();
    let (begun, started) = mpsc::channel();
    let ticket = crew
        .submit(NOBODY, patient(), move |context| {
            begun.send(()).unwrap();
            stopped.send((poll_until_stopped(context), Instant::now())).unwrap();
        })
        .unwrap();
    started.recv().unwrap();
    let left = Instant::now();
    drop(ticket);
    let (why, when) = wait.recv().unwrap();
    assert_eq!(why, Some(Interruption::Left));
    assert!(when.duration_since(left) < SLACK);
    eventually("the books are closed", || crew.snapshot().cancelled == 1);
}

#[test]
fn a_future_that_is_dropped_leaves_too() {
    let crew = crew(1, 1);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    runtime.block_on(async {
        let ticket = crew.submit(NOBODY, patient(), poll_until_stopped).unwrap();
        assert!(tokio::time::timeout(Duration::from_millis(20), ticket).await.is_err());
        assert_eq!(crew.submit(NOBODY, patient(), |_| 3).unwrap().await, Ok(3));
    });
    assert_eq!((crew.snapshot().cancelled, crew.snapshot().completed), (1, 1));
}

#[test]
fn a_panic_costs_one_task() {
    let crew = crew(1, 4);
    let lost = crew
        .submit(NOBODY, patient(), |context| {
            assert!(context.stop.load(Ordering::Relaxed), "square {} of 63", 64);
        })
        .unwrap()
        .wait();
    assert_eq!(lost, Err(Lost::Panicked { message: "square 64 of 63".to_owned() }));
    assert_eq!(crew.submit(NOBODY, patient(), |_| 1).unwrap().wait(), Ok(1));
    assert_eq!((crew.snapshot().panicked, crew.snapshot().completed), (1, 1));
}

#[test]
fn a_drain_lets_work_finish() {
    let crew = Arc::new(crew(1, 4));
    let tickets = [(); 3]
        .map(|()| crew.submit(NOBODY, patient(), |_| thread::sleep(Duration::from_millis(20))).unwrap());
    assert_eq!(crew.drain(Duration::from_secs(10)), Drained { cut_short: 0, stuck: 0 });
    for ticket in tickets {
        assert_eq!(ticket.wait(), Ok(()));
    }
    assert!(matches!(crew.submit(NOBODY, patient(), |_| ()), Err(Refused::Draining)));
}

#[test]
fn a_drain_answers_everybody_when_its_patience_is_over() {
    let crew = crew(1, 4);
    let running = occupy(&crew, patient());
    let waiting = crew.submit(NOBODY, patient(), |_| ()).unwrap();
    let begun = Instant::now();
    assert_eq!(crew.drain(Duration::from_millis(50)), Drained { cut_short: 2, stuck: 0 });
    assert!(begun.elapsed() < Duration::from_millis(50) + SLACK);
    assert_eq!(running.wait(), Ok(Some(Interruption::Draining)));
    assert_eq!(waiting.wait(), Err(Lost::Draining));
}

#[test]
fn a_drain_does_not_wait_for_the_deaf() {
    let crew = crew(1, 1);
    let deaf = crew.submit(NOBODY, patient(), |_| thread::sleep(Duration::from_secs(3))).unwrap();
    eventually("the deaf one runs", || crew.snapshot().running == 1);
    assert_eq!(crew.drain(Duration::ZERO), Drained { cut_short: 1, stuck: 1 });
    drop(deaf);
}

#[test]
fn every_accepted_task_ends_exactly_once() {
    let crew = Arc::new(crew(3, 8));
    let answered = Arc::new(AtomicUsize::new(0));
    let clients: Vec<_> = (0..6_u64)
        .map(|client| {
            let (crew, answered) = (Arc::clone(&crew), Arc::clone(&answered));
            thread::spawn(move || {
                for round in 0..200 {
                    storm(&crew, client * 200 + round, &answered);
                }
            })
        })
        .collect();
    for client in clients {
        client.join().unwrap();
    }
    crew.drain(Duration::from_secs(10));
    let seen = crew.snapshot();
    assert_eq!((seen.waiting, seen.running), (0, 0));
    assert_eq!(
        seen.accepted,
        seen.completed + seen.cancelled + seen.expired + seen.drained + seen.panicked,
        "{seen:?}"
    );
    assert_eq!(seen.accepted + seen.refused.all(), 1200);
    // Who left may have had an answer by then, but nobody gets one that is not in the books.
    assert!(answered.load(Ordering::SeqCst) as u64 <= seen.completed, "{seen:?}");
}

/// One client's request of the storm: by its number it is quick, deaf for a while, a panic, or leaves early.
fn storm(crew: &Crew<()>, number: u64, answered: &AtomicUsize) {
    let work = move |context: &WorkerContext<'_, ()>| match number % 7 {
        0 => panic!("thrown on purpose"),
        1 | 2 => thread::sleep(Duration::from_micros(300)),
        3 => drop(poll_until_stopped(context)),
        _ => {}
    };
    let Ok(ticket) = crew.submit(NOBODY, movetime(1 + number % 3), work) else { return };
    if number.is_multiple_of(11) {
        drop(ticket);
    } else if ticket.wait().is_ok() {
        answered.fetch_add(1, Ordering::SeqCst);
    }
}
