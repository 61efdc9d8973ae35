//! Clients who ask all the time and know the right answers.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use axum::body::Bytes;

use crate::house::{FOREVER, House, LOOK_UP, question};

/// More than a search of a few hundred positions and its way through a busy machine take.
const PATIENCE: Duration = Duration::from_secs(15);

/// Questions and the bytes that answer them.
pub(crate) struct Exam(HashMap<String, Bytes>);

impl Exam {
    pub(crate) fn of(questions: usize) -> Self {
        let plain = House::alone();
        Self((0..questions).map(question).map(|path| (path.clone(), plain.get(&path).bytes)).collect())
    }

    /// Every answer is right, and none has waited for the cache longer than a look-up.
    pub(crate) fn sit(&self, house: &House) {
        self.0.keys().for_each(|path| self.ask(house, path));
    }

    fn ask(&self, house: &House, path: &str) {
        let begun = Instant::now();
        let reply = house.get(path);
        let took = begun.elapsed();
        assert_eq!(reply.status, 200, "{path}: {:?}", reply.bytes);
        assert_eq!(reply.bytes, self.0[path], "{path}");
        assert!(took < LOOK_UP + PATIENCE, "{path} took {took:?}");
    }
}

/// The answers given so far, while clients go on asking.
pub(crate) struct Load<'a> {
    answers: &'a AtomicU64,
    house: &'a House,
}

impl Load<'_> {
    /// Waits until so many more requests are answered, whatever has become of the cache.
    pub(crate) fn wait_for_answers(&self, more: u64) {
        let (enough, begun) = (self.answers.load(Relaxed) + more, Instant::now());
        while self.answers.load(Relaxed) < enough {
            assert!(begun.elapsed() < FOREVER, "nothing is answered: {:?}", self.house.shared());
            thread::sleep(Duration::from_millis(2));
        }
    }

    /// Waits until so many more requests are answered from the cache.
    pub(crate) fn wait_for_hits(&self, more: u64) {
        let enough = self.house.shared().hits + more;
        self.house.wait_until("hits come back", |shared| shared.hits >= enough);
    }
}

/// Does something while clients ask a house; all their answers are right.
pub(crate) fn under_load(exam: &Exam, house: &House, work: impl FnOnce(&Load<'_>)) {
    const CLIENTS: usize = 3;
    let (answers, is_over) = (AtomicU64::new(0), AtomicBool::new(false));
    thread::scope(|scope| {
        for client in 0..CLIENTS {
            let (answers, is_over) = (&answers, &is_over);
            scope.spawn(move || {
                // A client that fails must not leave the others asking.
                let _end = End(is_over);
                let mut paths = exam.0.keys().cycle().skip(client * exam.0.len() / CLIENTS);
                while !is_over.load(Relaxed) {
                    exam.ask(house, paths.next().unwrap());
                    answers.fetch_add(1, Relaxed);
                }
            });
        }
        let _end = End(&is_over);
        work(&Load { answers: &answers, house });
    });
}

struct End<'a>(&'a AtomicBool);

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}
