//! The thread that turns absolute deadlines into raised stop flags, so that nothing else looks at a clock.

use std::collections::BTreeMap;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError, Weak};
use std::thread;
use std::time::Instant;

use super::sync::lock;
use super::task::{Interrupt, Interruption, discard};

/// A running clock thread. One serves all pools of a process; it ends when its last owner and last alarm are gone.
pub struct Clock {
    face: Arc<Face>,
}

impl Clock {
    /// Starts the thread `clock`.
    ///
    /// # Errors
    /// The system's, if it refuses another thread.
    pub fn start() -> io::Result<Self> {
        let face = Face { alarms: Mutex::default(), changed: Condvar::new(), restarted: AtomicU64::new(0) };
        let face = Arc::new(face);
        let own = Arc::clone(&face);
        thread::Builder::new().name("clock".to_owned()).spawn(move || own.keep_running())?;
        Ok(Self { face })
    }

    /// How often the clock died and began anew.
    #[must_use]
    pub fn restarted(&self) -> u64 {
        self.face.restarted.load(Ordering::Relaxed)
    }

    /// Interrupts `task` at `deadline`, unless the returned alarm is dropped before.
    pub(super) fn arm(&self, deadline: Instant, task: Weak<dyn Interrupt>, why: Interruption) -> Alarm {
        let mut alarms = lock(&self.face.alarms);
        alarms.issued += 1;
        let key = (deadline, alarms.issued);
        alarms.pending.insert(key, Armed { task, why });
        if alarms.pending.first_key_value().is_some_and(|(first, _)| *first == key) {
            self.face.changed.notify_one();
        }
        Alarm { face: Arc::clone(&self.face), key }
    }
}

impl Drop for Clock {
    fn drop(&mut self) {
        lock(&self.face.alarms).closed = true;
        self.face.changed.notify_one();
    }
}

/// A deadline that is watched; dropping it takes it off the clock.
pub(super) struct Alarm {
    face: Arc<Face>,
    key: Key,
}

impl Drop for Alarm {
    fn drop(&mut self) {
        lock(&self.face.alarms).pending.remove(&self.key);
    }
}

/// The deadline, and a running number that keeps equal deadlines apart.
type Key = (Instant, u64);

struct Armed {
    task: Weak<dyn Interrupt>,
    why: Interruption,
}

/// All pending alarms, soonest first. A map rather than a heap, because nearly every alarm is taken off before it rings.
#[derive(Default)]
struct Alarms {
    pending: BTreeMap<Key, Armed>,
    issued: u64,
    closed: bool,
}

struct Face {
    alarms: Mutex<Alarms>,
    changed: Condvar,
    restarted: AtomicU64,
}

impl Face {
    /// Runs to the end, whatever a task does to the clock that interrupts it: other tasks have their alarms here. The one
    /// that rang is off the clock by then, so no alarm stops it twice.
    fn keep_running(&self) {
        while let Err(panic) = catch_unwind(AssertUnwindSafe(|| self.run())) {
            discard(panic);
            self.restarted.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn run(&self) {
        let mut alarms = lock(&self.alarms);
        loop {
            let Some((&(deadline, _), _)) = alarms.pending.first_key_value() else {
                if alarms.closed {
                    return;
                }
                alarms = self.changed.wait(alarms).unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                let due = alarms.pending.pop_first();
                drop(alarms);
                ring(due);
                alarms = lock(&self.alarms);
            } else {
                alarms = self.changed.wait_timeout(alarms, left).unwrap_or_else(PoisonError::into_inner).0;
            }
        }
    }
}

/// Called without the clock's lock: what an interrupted task drops may itself take an alarm off the clock.
fn ring(due: Option<(Key, Armed)>) {
    if let Some((_, armed)) = due
        && let Some(task) = armed.task.upgrade()
    {
        task.interrupt(armed.why);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Sender, channel};
    use std::sync::{Arc, Mutex};
    use std::time::{Duration, Instant};

    use super::{Clock, Interrupt, Interruption};
    use crate::pool::sync::{lock, poison};

    /// Says when it is interrupted; or dies of it, where there is nobody to tell.
    struct Fragile(Option<Mutex<Sender<()>>>);

    impl Interrupt for Fragile {
        fn interrupt(&self, _: Interruption) {
            lock(self.0.as_ref().expect("thrown on purpose")).send(()).unwrap();
        }

        fn abandoned(&self) -> Option<Interruption> {
            None
        }

        fn retry_after(&self) -> Duration {
            Duration::ZERO
        }
    }

    #[test]
    fn a_clock_that_dies_rings_the_other_alarms_in_time() {
        let clock = Clock::start().unwrap();
        let (heard, rung) = channel();
        let deadly: Arc<dyn Interrupt> = Arc::new(Fragile(None));
        let harmless: Arc<dyn Interrupt> = Arc::new(Fragile(Some(Mutex::new(heard))));
        let begun = Instant::now();
        let alarms =
            [(&deadly, 10), (&harmless, 20), (&deadly, 30), (&harmless, 40)].map(|(task, millis)| {
                clock.arm(begun + Duration::from_millis(millis), Arc::downgrade(task), Interruption::Timeout)
            });
        for millis in [20, 40] {
            assert_eq!(rung.recv_timeout(Duration::from_secs(10)), Ok(()));
            assert!(begun.elapsed() >= Duration::from_millis(millis));
        }
        assert_eq!(clock.restarted(), 2);
        drop(alarms);
    }

    #[test]
    fn a_thread_that_dies_with_the_clock_in_hand_costs_nothing() {
        let clock = Clock::start().unwrap();
        poison(&clock.face.alarms);
        let (heard, rung) = channel();
        let task: Arc<dyn Interrupt> = Arc::new(Fragile(Some(Mutex::new(heard))));
        let _alarm = clock.arm(Instant::now(), Arc::downgrade(&task), Interruption::Timeout);
        assert_eq!(rung.recv_timeout(Duration::from_secs(10)), Ok(()));
        assert_eq!(clock.restarted(), 0);
    }
}
