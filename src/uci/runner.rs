//! A thread that does one job after the other.
//!
//! It stays between two searches, and so does what each thread keeps for itself: the values of pawns and of material that
//! it has seen, which the next move of a game asks for again.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;

/// A thread. It ends when this is dropped and its jobs are done.
pub(super) struct Runner(Sender<Job>);

struct Job {
    work: Box<dyn FnOnce() + Send>,
    /// Dropped without a word if the work panics.
    done: Sender<()>,
}

/// A job handed to a [`Runner`].
pub(super) struct Running(Receiver<()>);

/// The job panicked.
#[derive(Debug)]
pub(super) struct Failed;

impl Runner {
    /// # Errors
    /// If the system gives no thread.
    pub(super) fn start(name: &str) -> io::Result<Self> {
        let (sender, jobs) = mpsc::channel::<Job>();
        thread::Builder::new().name(name.to_owned()).spawn(move || {
            for Job { work, done } in jobs {
                // What a job shares with others, it leaves in a state that is as good as any.
                if catch_unwind(AssertUnwindSafe(work)).is_ok() {
                    // Nobody may be waiting.
                    let _ = done.send(());
                }
            }
        })?;
        Ok(Self(sender))
    }

    /// Has this done after the jobs before it.
    pub(super) fn run(&self, work: impl FnOnce() + Send + 'static) -> Running {
        let (done, end) = mpsc::channel();
        // If the thread were gone, the job would be dropped, and whoever waits for it would see that it failed.
        let _ = self.0.send(Job { work: Box::new(work), done });
        Running(end)
    }
}

impl Running {
    /// Waits for the end.
    ///
    /// # Errors
    /// If the job panicked.
    pub(super) fn join(self) -> Result<(), Failed> {
        self.0.recv().map_err(|_| Failed)
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::Runner;

    #[test]
    fn jobs_share_a_thread_that_survives_a_panic() {
        let runner = Runner::start("test").unwrap();
        let (sender, ids) = std::sync::mpsc::channel();
        let first = sender.clone();
        assert!(runner.run(move || first.send(thread::current().id()).unwrap()).join().is_ok());
        assert!(runner.run(|| panic!("on purpose")).join().is_err());
        assert!(runner.run(move || sender.send(thread::current().id()).unwrap()).join().is_ok());
        let [before, after] = [ids.recv().unwrap(), ids.recv().unwrap()];
        assert_eq!(before, after);
        assert_ne!(before, thread::current().id());
    }
}
