//! Who waits, who runs, and whether the doors are open: the one lock between clients and workers.
//!
//! A queue of our own rather than a channel, because clients take turns in it, a full queue must be able to forget those
//! who left it, and a drain must see what waits and what runs in one look.

use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use super::client::Client;
use super::statistics::Statistics;
use super::sync::{Condvar, Mutex, lock};
use super::task::{Interrupt, Interruption, Task};
use super::turns::Turns;

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
    waiting: Turns<Arc<Task<Shared>>>,
    /// What each worker at the desk holds; as many places as workers have signed in.
    running: Vec<Option<Arc<Task<Shared>>>>,
    /// How many tasks of one client may wait and run; those of nobody in particular are not counted.
    per_client: usize,
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
    /// The client has as many as it may, which is so many.
    TooMany(usize),
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

    /// How many tasks of a client wait or run. Who has left the queue does not count, though still in it.
    fn held_by(&self, client: Client) -> usize {
        let waiting = self.waiting.of(client).filter(|task| task.is_waiting()).count();
        let own = |task: &&Arc<Task<Shared>>| task.client() == client && !task.is_over();
        waiting + self.running.iter().flatten().filter(own).count()
    }

    /// How many tasks a client may have, if it has as many.
    fn sated(&self, client: Client) -> Option<usize> {
        let most = client.searches().unwrap_or(self.per_client);
        (most < usize::MAX && !client.is_unknown() && self.held_by(client) >= most).then_some(most)
    }
}

impl<Shared> Roster<Shared> {
    /// A roster with open doors where at most `capacity` tasks wait beside those that idle workers are about to take.
    pub(super) fn new(capacity: usize, statistics: Arc<Statistics>) -> Self {
        let state = State {
            waiting: Turns::new(),
            running: Vec::new(),
            per_client: usize::MAX,
            doors: Doors::Open,
            present: 0,
        };
        Self {
            state: Mutex::new(state),
            news: Condvar::new(),
            farewell: Condvar::new(),
            capacity,
            statistics,
        }
    }

    /// From now on lets no more than so many tasks of one client wait and run.
    pub(super) fn limit_each_client(&self, most: usize) {
        lock(&self.state).per_client = most;
    }

    /// Lets a task wait for a worker. Where the queue is full, the newest of the client that has the most waiting makes
    /// room for one whose client has fewer.
    pub(super) fn admit(&self, task: Arc<Task<Shared>>) -> Result<(), TurnedAway> {
        let mut state = lock(&self.state);
        if state.doors == Doors::Closed {
            return Err(TurnedAway::Closed);
        }
        if let Some(most) = state.sated(task.client()) {
            return Err(TurnedAway::TooMany(most));
        }
        let mut displaced = None;
        if state.waiting.len() >= self.capacity {
            state.waiting.retain(|waiting| waiting.is_waiting());
            if state.waiting.len() >= self.capacity + state.idle() {
                displaced = state.waiting.make_room_for(task.client());
                if displaced.is_none() {
                    return Err(TurnedAway::Full);
                }
            }
        }
        self.statistics.accepted();
        state.waiting.push(task.client(), task);
        self.news.notify_one();
        drop(state);
        if let Some(displaced) = displaced {
            displaced.interrupt(Interruption::Displaced);
        }
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

    /// How many workers are at their places and do what they are told.
    pub(super) fn fit(&self) -> usize {
        let state = lock(&self.state);
        state.present - state.running.iter().flatten().filter(|task| task.is_deaf()).count()
    }

    /// What the worker at `place` holds, taken from it.
    pub(super) fn take_from(&self, Place(place): Place) -> Option<Arc<Task<Shared>>> {
        lock(&self.state).running[place].take()
    }

    /// The next task for the worker at `place`; blocks until there is one. `None` when the doors are closed and
    /// nobody waits any more.
    pub(super) fn next(&self, Place(place): Place) -> Option<Arc<Task<Shared>>> {
        let mut state = lock(&self.state);
        state.running[place] = None;
        loop {
            while let Some(task) = state.waiting.pop() {
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

    /// Takes off the roster whatever waits, and names it together with whatever runs. A worker may still hold what is over.
    pub(super) fn clear(&self) -> Vec<Arc<Task<Shared>>> {
        let mut state = lock(&self.state);
        let mut tasks: Vec<_> = state.waiting.take_all().filter(|task| task.is_waiting()).collect();
        tasks.extend(state.running.iter().flatten().filter(|task| !task.is_over()).map(Arc::clone));
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Instant;

    use super::{Roster, Statistics};
    use crate::pool::Client;
    use crate::pool::sync::poison;
    use crate::pool::task::{End, Task, Work};

    #[test]
    fn a_thread_that_dies_with_the_roster_in_hand_costs_nothing() {
        let roster = Roster::new(1, Arc::new(Statistics::new(1)));
        let place = roster.sign_in();
        poison(&roster.state);
        let statistics = Arc::clone(&roster.statistics);
        let task = Arc::new(Task::new(Client::UNKNOWN, Box::new(|_| ()), Instant::now(), None, statistics));
        assert_eq!(roster.admit(Arc::clone(&task)), Ok(()));
        let next = roster.next(place).unwrap();
        assert!(Arc::ptr_eq(&next, &task));
        next.run(&());
        assert_eq!(roster.fit(), 1);
    }

    #[test]
    fn what_is_over_is_not_cut_short() {
        let roster = Roster::new(1, Arc::new(Statistics::new(1)));
        let place = roster.sign_in();
        let statistics = Arc::clone(&roster.statistics);
        let work: Work<()> = Box::new(|context| context.finish(End::Returned));
        let task = Arc::new(Task::new(Client::UNKNOWN, work, Instant::now(), None, statistics));
        assert_eq!(roster.admit(task), Ok(()));
        let next = roster.next(place).unwrap();
        next.run(&());
        assert!(roster.clear().is_empty(), "its worker has not come back to the desk");
    }
}
