//! The thread that turns absolute deadlines into raised stop flags, so that nothing else looks at a clock.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Condvar, Mutex, PoisonError, Weak};
use std::thread;
use std::time::Instant;

use super::lock;
use super::task::{Interrupt, Interruption};

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
        let face = Arc::new(Face { alarms: Mutex::default(), changed: Condvar::new() });
        let own = Arc::clone(&face);
        thread::Builder::new().name("clock".to_owned()).spawn(move || own.run())?;
        Ok(Self { face })
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
}

impl Face {
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
