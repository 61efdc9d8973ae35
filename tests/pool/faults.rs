//! What kills threads, and what becomes of the pool then.

use std::num::NonZeroUsize;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};
use std::thread;
use std::time::Duration;

use centipawn::pool::{Crew, CrewSettings, Interruption, Lost, PoolSettings, Pools};

use crate::{NOBODY, crew, eventually, movetime, occupy, patient};

/// Panics where it is dropped, and so does what it throws.
struct Mine;

impl Drop for Mine {
    fn drop(&mut self) {
        if !thread::panicking() {
            std::panic::panic_any(Mine);
        }
    }
}

/// The crew has its one worker, under the name that it always had, and the books are in order.
fn assert_whole(crew: &Crew<()>) {
    let name = || thread::current().name().map(str::to_owned);
    let next = crew.submit(NOBODY, patient(), move |_| name()).unwrap().wait();
    assert_eq!(next, Ok(Some("test-0".to_owned())));
    eventually("the worker is free", || crew.snapshot().running == 0);
    let seen = crew.snapshot();
    assert_eq!((seen.workers, seen.fit, seen.waiting), (1, 1, 0));
    let ended = seen.completed + seen.cancelled + seen.expired + seen.drained + seen.panicked;
    assert_eq!(seen.accepted, ended + seen.displaced, "{seen:?}");
}

#[test]
fn an_answer_that_panics_when_nobody_wants_it_costs_nothing() {
    let crew = crew(1, 1);
    let (left, leaving) = std::sync::mpsc::channel();
    let ticket = crew
        .submit(NOBODY, patient(), move |_| {
            leaving.recv().unwrap();
            Mine
        })
        .unwrap();
    eventually("it runs", || crew.snapshot().running == 1);
    drop(ticket);
    left.send(()).unwrap();
    assert_whole(&crew);
    assert_eq!((crew.snapshot().cancelled, crew.snapshot().restarted), (1, 0));
}

#[test]
fn what_is_thrown_may_panic_too() {
    let crew = crew(1, 1);
    let lost = crew.submit(NOBODY, patient(), |_| std::panic::panic_any(Mine)).unwrap().wait();
    assert_eq!(lost, Err::<(), _>(Lost::Panicked { message: "no message".to_owned() }));
    assert_whole(&crew);
    assert_eq!((crew.snapshot().panicked, crew.snapshot().restarted), (1, 0));
}

/// Work that waits is dropped by whoever ends the wait: its client, the clock, the drain.
#[test]
fn work_that_panics_when_it_is_dropped_hurts_nobody() {
    let crew = crew(1, 4);
    let busy = occupy(&crew, patient());
    let submit = |timing| {
        let mine = Mine;
        crew.submit(NOBODY, timing, move |_| std::mem::forget(mine)).unwrap()
    };
    drop(submit(patient()));
    assert!(matches!(submit(movetime(20)).wait(), Err(Lost::Expired { .. })));
    assert!(matches!(submit(movetime(20)).wait(), Err(Lost::Expired { .. })), "the clock goes on");
    let drained = submit(patient());
    drop(busy);
    assert_eq!(drained.wait(), Ok(()));
    assert_whole(&crew);
    let seen = crew.snapshot();
    assert_eq!((seen.cancelled, seen.expired, seen.restarted), (2, 2, 0));

    let busy = occupy(&crew, patient());
    let waiting = submit(patient());
    assert_eq!(crew.drain(Duration::ZERO).cut_short, 2);
    assert_eq!(waiting.wait(), Err(Lost::Draining));
    assert_eq!(busy.wait(), Ok(Some(Interruption::Draining)));
}

/// A client whose thread cannot even be told that its answer is there.
struct Unwakable;

impl Wake for Unwakable {
    fn wake(self: Arc<Self>) {
        panic!("thrown on purpose");
    }
}

#[test]
fn a_worker_that_dies_is_back_at_once() {
    let crew = crew(1, 4);
    for deaths in 1..=3 {
        let (go, going) = std::sync::mpsc::channel();
        let mut ticket = pin!(crew.submit(NOBODY, patient(), move |_| going.recv().unwrap()).unwrap());
        let waker = Waker::from(Arc::new(Unwakable));
        assert!(ticket.as_mut().poll(&mut Context::from_waker(&waker)).is_pending());
        go.send(7).unwrap();
        eventually("the worker is back", || crew.snapshot().restarted == deaths);
        assert_whole(&crew);
        let answer = ticket.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        assert_eq!(answer, Poll::Ready(Ok(7)), "its answer is there all the same");
    }
}

fn pools() -> Pools {
    let settings = |name| PoolSettings {
        crew: CrewSettings { name, threads: 1, queue: 4 },
        hash_mebibytes: 1,
        search_threads: NonZeroUsize::MIN,
    };
    Pools::start(settings("interactive"), settings("bulk"), 1).unwrap()
}

#[test]
fn a_panic_leaves_the_pools_whole() {
    let pools = pools();
    assert!(pools.is_whole() && pools.is_fit());
    let lost = pools.interactive.run(NOBODY, patient(), |_| panic!("thrown on purpose")).unwrap().wait();
    assert!(matches!(lost, Err::<(), _>(Lost::Panicked { .. })));
    eventually("the pools are whole", || pools.is_whole());
    assert_eq!(pools.clock_restarted(), 0);
}

/// A worker that does not listen is as good as none, until it does.
#[test]
fn a_worker_that_does_not_listen_is_missed() {
    let pools = pools();
    let release = Arc::new(AtomicBool::new(false));
    let released = Arc::clone(&release);
    let deaf = pools.interactive.run(NOBODY, movetime(10), move |_| {
        while !released.load(Ordering::SeqCst) {
            thread::sleep(Duration::from_millis(1));
        }
    });
    let patience = Duration::from_secs(30);
    crate::within(patience, "it is missed", || !pools.is_fit());
    assert!(!pools.is_whole());
    let seen = pools.interactive.snapshot();
    assert_eq!((seen.workers, seen.fit, seen.running), (1, 0, 1));
    release.store(true, Ordering::SeqCst);
    assert_eq!(deaf.unwrap().wait(), Ok(()));
    eventually("it is back", || pools.is_whole() && pools.is_fit());
}
