//! The circuit breaker: whether the cache is asked at all.
//!
//! It is open while there is no connection; the keeper makes one after a pause, which grows as long as nothing comes of it.
//! With a new connection it is half-open: one look-up tries it. An answer closes the breaker, whatever it says; too
//! many failures in a row, or the loss of the connection, open it again.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;

use crate::pool::BreakerState;

/// Failures in a row that open it.
const MOST_FAILURES: u32 = 5;
/// The pause before the first attempt to connect again. It doubles with each that fails.
const FIRST_PAUSE: Duration = Duration::from_millis(100);
/// The longest pause. An attempt costs one look-up its time at the most.
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// The breaker, which hands out the connection `L` to those who may use it.
pub(super) struct Breaker<L> {
    inner: Mutex<Inner<L>>,
    opened: Notify,
}

struct Inner<L> {
    state: State<L>,
    /// Of the connection: what becomes of an older one is no news.
    number: u64,
    pause: Duration,
}

enum State<L> {
    Open,
    HalfOpen { link: L, trial: Trial },
    Closed { link: L, failures: u32 },
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Trial {
    Wanted,
    UnderWay,
}

/// What a look-up or a write may use.
pub(super) struct Pass<L> {
    pub(super) link: L,
    number: u64,
}

/// How a look-up failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Failure {
    /// The connection may still be good.
    Passing,
    /// The connection is no use any more.
    Fatal,
}

/// What a verdict has done to the breaker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    /// It was closed and is open.
    Opened,
    /// It is closed again.
    Closed,
}

impl<L: Clone> Breaker<L> {
    /// Open, until there is a connection.
    pub(super) fn new() -> Self {
        let inner = Inner { state: State::Open, number: 0, pause: FIRST_PAUSE };
        Self { inner: Mutex::new(inner), opened: Notify::new() }
    }

    /// Lets a look-up pass, or does not. Whoever is let pass has to tell how it went.
    pub(super) fn admit(&self) -> Option<Pass<L>> {
        let mut inner = self.lock();
        let number = inner.number;
        match &mut inner.state {
            State::Open | State::HalfOpen { trial: Trial::UnderWay, .. } => None,
            State::HalfOpen { link, trial } => {
                *trial = Trial::UnderWay;
                Some(Pass { link: link.clone(), number })
            }
            State::Closed { link, .. } => Some(Pass { link: link.clone(), number }),
        }
    }

    /// The connection for what nobody waits for.
    pub(super) fn link(&self) -> Option<Pass<L>> {
        let inner = self.lock();
        match &inner.state {
            State::Open => None,
            State::HalfOpen { link, .. } | State::Closed { link, .. } => {
                Some(Pass { link: link.clone(), number: inner.number })
            }
        }
    }

    /// The cache has answered.
    pub(super) fn answered(&self, pass: &Pass<L>) -> Option<Turn> {
        let mut inner = self.lock();
        if inner.number != pass.number {
            return None;
        }
        match &mut inner.state {
            State::Open => None,
            State::HalfOpen { link, .. } => {
                inner.state = State::Closed { link: link.clone(), failures: 0 };
                inner.pause = FIRST_PAUSE;
                Some(Turn::Closed)
            }
            State::Closed { failures, .. } => {
                *failures = 0;
                None
            }
        }
    }

    /// The cache has not answered, or not as it should.
    pub(super) fn failed(&self, pass: &Pass<L>, failure: Failure) -> Option<Turn> {
        let mut inner = self.lock();
        if inner.number != pass.number {
            return None;
        }
        let turn = match &mut inner.state {
            State::Open => return None,
            State::HalfOpen { .. } => None,
            State::Closed { failures, .. } => {
                *failures += 1;
                if failure == Failure::Passing && *failures < MOST_FAILURES {
                    return None;
                }
                Some(Turn::Opened)
            }
        };
        inner.state = State::Open;
        drop(inner);
        self.opened.notify_one();
        turn
    }

    /// There is a new connection.
    pub(super) fn connected(&self, link: L) {
        let mut inner = self.lock();
        inner.number += 1;
        inner.state = State::HalfOpen { link, trial: Trial::Wanted };
    }

    /// Waits until it opens.
    pub(super) async fn opened(&self) {
        while self.state() != BreakerState::Open {
            self.opened.notified().await;
        }
    }

    /// The pause before the next attempt to connect; the one after it is longer.
    pub(super) fn next_pause(&self) -> Duration {
        let mut inner = self.lock();
        let pause = inner.pause;
        inner.pause = (2 * pause).min(LONGEST_PAUSE);
        pause
    }

    /// The state at this moment.
    pub(super) fn state(&self) -> BreakerState {
        match self.lock().state {
            State::Open => BreakerState::Open,
            State::HalfOpen { .. } => BreakerState::HalfOpen,
            State::Closed { .. } => BreakerState::Closed,
        }
    }

    /// No critical section leaves it half changed.
    fn lock(&self) -> MutexGuard<'_, Inner<L>> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A breaker with its first connection, which nobody has tried.
    fn connected() -> Breaker<u32> {
        let breaker = Breaker::new();
        breaker.connected(1);
        breaker
    }

    fn closed() -> Breaker<u32> {
        let breaker = connected();
        let trial = breaker.admit().unwrap();
        assert_eq!(breaker.answered(&trial), Some(Turn::Closed));
        breaker
    }

    #[test]
    fn one_look_up_tries_a_new_connection() {
        let breaker = Breaker::<u32>::new();
        assert!(breaker.admit().is_none() && breaker.link().is_none());
        breaker.connected(1);
        let trial = breaker.admit().unwrap();
        assert!(breaker.admit().is_none(), "a second waits for the first");
        assert_eq!((breaker.state(), trial.link), (BreakerState::HalfOpen, 1));
        assert_eq!(breaker.answered(&trial), Some(Turn::Closed));
        assert!(breaker.admit().is_some() && breaker.admit().is_some());
        let breaker = connected();
        let trial = breaker.admit().unwrap();
        assert_eq!(breaker.failed(&trial, Failure::Passing), None, "it was not closed");
        assert_eq!(breaker.state(), BreakerState::Open);
    }

    #[test]
    fn failures_in_a_row_open_it() {
        let breaker = closed();
        let pass = breaker.admit().unwrap();
        for _ in 1..MOST_FAILURES {
            assert_eq!(breaker.failed(&pass, Failure::Passing), None);
        }
        assert_eq!(breaker.answered(&pass), None, "one answer, and they count anew");
        for _ in 1..MOST_FAILURES {
            assert_eq!(breaker.failed(&pass, Failure::Passing), None);
        }
        assert_eq!(breaker.failed(&pass, Failure::Passing), Some(Turn::Opened));
        assert_eq!(breaker.failed(&pass, Failure::Passing), None, "it is open already");
        let breaker = closed();
        let pass = breaker.admit().unwrap();
        assert_eq!(breaker.failed(&pass, Failure::Fatal), Some(Turn::Opened), "the connection is lost");
    }

    #[test]
    fn what_becomes_of_an_older_connection_is_no_news() {
        let breaker = closed();
        let old = breaker.admit().unwrap();
        assert_eq!(breaker.failed(&old, Failure::Fatal), Some(Turn::Opened));
        breaker.connected(2);
        assert_eq!((breaker.answered(&old), breaker.failed(&old, Failure::Fatal)), (None, None));
        let trial = breaker.admit().unwrap();
        assert_eq!((trial.link, breaker.state()), (2, BreakerState::HalfOpen));
    }

    #[test]
    fn pauses_grow_until_it_is_closed_again() {
        let breaker = connected();
        let pauses = [(); 8].map(|()| breaker.next_pause());
        assert_eq!(pauses[..3], [100, 200, 400].map(Duration::from_millis));
        assert_eq!(pauses[6..], [LONGEST_PAUSE; 2]);
        breaker.answered(&breaker.admit().unwrap());
        assert_eq!(breaker.next_pause(), FIRST_PAUSE);
    }
}
