//! The phases of a task: worker, clock, client and drain all reach for it, and it ends once.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::SeqCst};
use std::time::Instant;

use loom::thread;

use super::client::Client;
use super::statistics::{Snapshot, Statistics};
use super::sync::Ordering;
use super::task::{End, Interrupt, Interruption, Task, Work};

/// A task of a crew that shares nothing, and its books.
pub(super) fn task(client: Client, statistics: &Arc<Statistics>, work: Work<()>) -> Arc<Task<()>> {
    Arc::new(Task::new(client, work, Instant::now(), None, Arc::clone(statistics)))
}

/// The task has ended in exactly one way.
pub(super) fn assert_ended(seen: &Snapshot, accepted: u64) {
    let ended =
        seen.completed + seen.cancelled + seen.expired + seen.displaced + seen.drained + seen.panicked;
    assert_eq!((seen.accepted, ended, seen.waiting, seen.running), (accepted, accepted, 0, 0), "{seen:?}");
}

fn interrupt(task: &Arc<Task<()>>, why: Interruption) -> thread::JoinHandle<()> {
    let task = Arc::clone(task);
    thread::spawn(move || task.interrupt(why))
}

pub(crate) fn exactly_one_end_whoever_comes_first() {
    loom::model(|| {
        let statistics = Arc::new(Statistics::new(1));
        let runs = Arc::new(AtomicU32::new(0));
        let counter = Arc::clone(&runs);
        let task = task(
            Client::UNKNOWN,
            &statistics,
            Box::new(move |context| {
                counter.fetch_add(1, SeqCst);
                let stopped = context.stop.load(Ordering::Acquire);
                assert!(!stopped || context.interruption().is_some(), "a raised flag has a reason");
                context.finish(End::Returned);
            }),
        );
        statistics.accepted();
        let others = [Interruption::Left, Interruption::Timeout].map(|why| interrupt(&task, why));
        task.run(&());
        for other in others {
            other.join().unwrap();
        }
        assert!(task.is_over());
        let abandoned = u32::from(task.abandoned().is_some());
        assert_eq!(runs.load(SeqCst) + abandoned, 1, "it ran or was given up");
        assert_ended(&statistics.snapshot(1), 1);
    });
}

pub(crate) fn a_stop_is_never_lost() {
    loom::model(|| {
        let statistics = Arc::new(Statistics::new(1));
        let work: Work<()> = Box::new(|context| {
            // Ends only if it is told to: if a stop were lost, it would go on for ever.
            while !context.stop.load(Ordering::Acquire) {
                thread::yield_now();
            }
            assert_eq!(context.interruption(), Some(Interruption::Left));
            context.finish(End::Returned);
        });
        let task = task(Client::UNKNOWN, &statistics, work);
        statistics.accepted();
        let client = interrupt(&task, Interruption::Left);
        task.run(&());
        client.join().unwrap();
        assert_eq!(statistics.snapshot(1).cancelled, 1);
        assert_ended(&statistics.snapshot(1), 1);
    });
}

pub(crate) fn a_dead_worker_and_a_client_who_leaves() {
    loom::model(|| {
        let statistics = Arc::new(Statistics::new(1));
        let task = task(Client::UNKNOWN, &statistics, Box::new(|_| ()));
        statistics.accepted();
        let others = [Interruption::Left, Interruption::Draining].map(|why| interrupt(&task, why));
        // The worker dies with the task in hand, begun or not.
        task.bury();
        for other in others {
            other.join().unwrap();
        }
        assert!(task.is_over());
        assert_ended(&statistics.snapshot(1), 1);
    });
}
