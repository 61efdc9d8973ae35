//! The queue of a crew: who is taken in is served, and nobody sleeps over it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::SeqCst};

use loom::sync::mpsc;
use loom::thread;

use super::client::Client;
use super::phases::{assert_ended, task};
use super::roster::Roster;
use super::statistics::Statistics;
use super::task::{End, Interrupt, Interruption, Task};

type Shift = (Arc<Roster<()>>, Arc<Statistics>);

fn open(capacity: usize) -> Shift {
    let statistics = Arc::new(Statistics::new(1));
    (Arc::new(Roster::new(capacity, Arc::clone(&statistics))), statistics)
}

/// A worker's life, as a crew lets it live.
fn work(roster: &Arc<Roster<()>>) -> thread::JoinHandle<()> {
    let (roster, place) = (Arc::clone(roster), roster.sign_in());
    thread::spawn(move || {
        while let Some(task) = roster.next(place) {
            task.run(&());
        }
        roster.sign_out(place);
    })
}

/// A task that counts how often it was done, and tells when it was.
fn counted(
    statistics: &Arc<Statistics>,
    client: Client,
    teller: &mpsc::Sender<()>,
) -> (Arc<Task<()>>, Arc<AtomicU32>) {
    let runs = Arc::new(AtomicU32::new(0));
    let (counter, teller) = (Arc::clone(&runs), teller.clone());
    let work = Box::new(move |context: &super::task::WorkerContext<'_, ()>| {
        counter.fetch_add(1, SeqCst);
        context.finish(End::Returned);
        teller.send(()).unwrap();
    });
    (task(client, statistics, work), runs)
}

pub(crate) fn no_task_waits_for_a_worker_that_sleeps() {
    loom::model(|| {
        let (roster, statistics) = open(2);
        let worker = work(&roster);
        let (teller, done) = mpsc::channel();
        let tasks = [(); 2].map(|()| counted(&statistics, Client::UNKNOWN, &teller));
        for (task, _) in &tasks {
            roster.admit(Arc::clone(task)).unwrap();
        }
        // Closing wakes everybody: what is waited for has to be done before.
        done.recv().unwrap();
        done.recv().unwrap();
        roster.close();
        worker.join().unwrap();
        assert!(tasks.iter().all(|(_, runs)| runs.load(SeqCst) == 1));
        assert_ended(&statistics.snapshot(0), 2);
    });
}

pub(crate) fn two_workers_do_each_task_once() {
    let mut model = loom::model::Builder::new();
    // With more switches than these the orders are too many to try; races that need more are rare.
    model.preemption_bound = Some(2);
    model.check(|| {
        let (roster, statistics) = open(2);
        let workers = [work(&roster), work(&roster)];
        let (teller, done) = mpsc::channel();
        let tasks = [(); 2].map(|()| counted(&statistics, Client::UNKNOWN, &teller));
        for (task, _) in &tasks {
            roster.admit(Arc::clone(task)).unwrap();
        }
        done.recv().unwrap();
        done.recv().unwrap();
        roster.close();
        for worker in workers {
            worker.join().unwrap();
        }
        assert!(tasks.iter().all(|(_, runs)| runs.load(SeqCst) == 1));
        assert_ended(&statistics.snapshot(0), 2);
    });
}

pub(crate) fn who_is_displaced_is_told_and_only_he() {
    loom::model(|| {
        let (roster, statistics) = open(2);
        let [greedy, modest] = [Client::of("greedy"), Client::of("modest")];
        let (teller, _done) = mpsc::channel();
        let older = counted(&statistics, greedy, &teller);
        let newest = counted(&statistics, greedy, &teller);
        let newcomer = counted(&statistics, modest, &teller);
        for (task, _) in [&older, &newest] {
            roster.admit(Arc::clone(task)).unwrap();
        }
        // While room is made, its client leaves.
        let leaving = {
            let task = Arc::clone(&newest.0);
            thread::spawn(move || task.interrupt(Interruption::Left))
        };
        roster.admit(Arc::clone(&newcomer.0)).unwrap();
        leaving.join().unwrap();
        let worker = work(&roster);
        roster.close();
        worker.join().unwrap();
        assert_eq!([&older, &newest, &newcomer].map(|(_, runs)| runs.load(SeqCst)), [1, 0, 1]);
        assert!(matches!(newest.0.abandoned(), Some(Interruption::Left | Interruption::Displaced)));
        assert_ended(&statistics.snapshot(0), 3);
    });
}
