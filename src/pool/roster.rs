//! Who waits, who runs, and whether the doors are open: the one lock between clients and workers.
//!
//! A queue of our own rather than a channel, because a full queue must be able to forget those who left it, and a
//! drain must see what waits and what runs in one look.

use std::collections::VecDeque;
use std::mem;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::lock;
use super::statistics::Statistics;
use super::task::Task;

/// The waiting and the running tasks of one crew.
pub(super) struct Roster<Shared> {
    state: Mutex<State<Shared>>,
    /// A task came in, or the doors closed.
    news: Condvar,
    /// A worker went home.
    farewell: Condvar,
    capacity: usize,
    statistics: Arc<Statistics>,
}

struct State<Shared> {
    waiting: VecDeque<Arc<Task<Shared>>>,
    /// What each worker at the desk holds; as many places as workers have signed in.
    running: Vec<Option<Arc<Task<Shared>>>>,
    doors: Doors,
    present: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Doors {
    Open,
    Closed,
}

/// Why a task was not taken in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TurnedAway {
    Full,
    Closed,
}

/// A worker's place on the roster.
#[derive(Clone, Copy)]
pub(super) struct Place(usize);

impl<Shared> State<Shared> {
    /// Workers who are free: a task that is over has given its answer, so its client may come back with another one
    /// before the worker has come to the desk.
    fn idle(&self) -> usize {
        self.present - self.running.iter().flatten().filter(|task| !task.is_over()).count()
    }
}

impl<Shared> Roster<Shared> {
    /// A roster with open doors where at most `capacity` tasks wait beside those that idle workers are about to take.
    pub(super) fn new(capacity: usize, statistics: Arc<Statistics>) -> Self {
        let state = State { waiting: VecDeque::new(), running: Vec::new(), doors: Doors::Open, present: 0 };
        Self {
            state: Mutex::new(state),
            news: Condvar::new(),
            farewell: Condvar::new(),
            capacity,
            statistics,
        }
    }

    /// Lets a task wait for a worker.
    pub(super) fn admit(&self, task: Arc<Task<Shared>>) -> Result<(), TurnedAway> {
        let mut state = lock(&self.state);
        if state.doors == Doors::Closed {
            return Err(TurnedAway::Closed);
        }
        if state.waiting.len() >= self.capacity {
            state.waiting.retain(|waiting| waiting.is_waiting());
            if state.waiting.len() >= self.capacity + state.idle() {
                return Err(TurnedAway::Full);
            }
        }
        self.statistics.accepted();
        state.waiting.push_back(task);
        self.news.notify_one();
        Ok(())
    }

    /// Gives one more worker a place.
    pub(super) fn sign_in(&self) -> Place {
        let mut state = lock(&self.state);
        state.running.push(None);
        state.present += 1;
        Place(state.running.len() - 1)
    }

    /// Gives the place back; the last word of every worker that signed in.
    pub(super) fn sign_out(&self, Place(place): Place) {
        let mut state = lock(&self.state);
        state.running[place] = None;
        state.present -= 1;
        self.farewell.notify_all();
    }

    /// The next task for the worker at `place`; blocks until there is one. `None` when the doors are closed and
    /// nobody waits any more.
    pub(super) fn next(&self, Place(place): Place) -> Option<Arc<Task<Shared>>> {
        let mut state = lock(&self.state);
        state.running[place] = None;
        loop {
            while let Some(task) = state.waiting.pop_front() {
                if task.is_waiting() {
                    state.running[place] = Some(Arc::clone(&task));
                    return Some(task);
                }
            }
            if state.doors == Doors::Closed {
                return None;
            }
            state = self.news.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Takes in nothing more; what waits is still served.
    pub(super) fn close(&self) {
        lock(&self.state).doors = Doors::Closed;
        self.news.notify_all();
    }

    /// Takes off the roster whatever waits, and names it together with whatever runs.
    pub(super) fn clear(&self) -> Vec<Arc<Task<Shared>>> {
        let mut state = lock(&self.state);
        let mut tasks: Vec<_> =
            mem::take(&mut state.waiting).into_iter().filter(|task| task.is_waiting()).collect();
        tasks.extend(state.running.iter().flatten().map(Arc::clone));
        tasks
    }

    /// Waits until every worker has signed out, but not beyond `patience`. Returns how many are still there.
    pub(super) fn await_farewell(&self, patience: Duration) -> usize {
        let begun = Instant::now();
        let mut state = lock(&self.state);
        while state.present > 0 {
            let left = patience.saturating_sub(begun.elapsed());
            if left.is_zero() {
                break;
            }
            state = self.farewell.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        state.present
    }
}
