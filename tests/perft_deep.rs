//! Every perft position to its full depth: 2.43e12 leaves, counted on all cores.
//!
//! The counts to depth 4 are made leaf by leaf. At depth 5 and beyond each thread keeps a table of the counts of positions that
//! it has met before; it needs 64 bits of key to agree, so that it also proves that equal keys mean equal positions.
//!
//! Where the environment variable `CENTIPAWN_PERFT_LEAVES` is set, only the counts of so many leaves or fewer are made.

#![allow(clippy::panic, clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "engine/data.rs"]
#[allow(dead_code, reason = "shared with the other engine tests")]
mod data;

use std::io::{Write, stderr};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

use centipawn::engine::chess::{Position, perft};

const FILES: [&str; 7] = [
    "perft/chess960-extra-a.epd",
    "perft/chess960-first480.epd",
    "perft/edge-cases.epd",
    "perft/en-passant-a.epd",
    "perft/random-odd.epd",
    "perft/single-check-a.epd",
    "perft/standard.epd",
];

/// Counts from this depth on use the table.
const TABLE_FROM_DEPTH: u32 = 5;

#[test]
#[cfg_attr(debug_assertions, ignore = "minutes of work: cargo test --release --test perft_deep")]
fn every_count() {
    let jobs = jobs(most_leaves());
    let total: u64 = jobs.iter().map(|job| job.leaves).sum();
    let threads = thread::available_parallelism().map_or(1, usize::from);
    progress(&format!("{} counts, {total} leaves, {threads} threads", jobs.len()));
    let queue =
        Queue { jobs, total, next: AtomicUsize::new(0), counted: AtomicU64::new(0), start: Instant::now() };
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| queue.work());
        }
    });
    progress(&format!("all counts right after {} s", queue.start.elapsed().as_secs()));
}

/// The counts to be made, shared by the threads.
struct Queue {
    jobs: Vec<Job>,
    /// The leaves of all counts.
    total: u64,
    /// The first count that nobody has taken yet.
    next: AtomicUsize,
    /// The leaves of the counts that are done.
    counted: AtomicU64,
    start: Instant,
}

/// One count to be made.
struct Job {
    fen: String,
    position: Position,
    depth: u32,
    leaves: u64,
}

/// The largest count that is wanted.
fn most_leaves() -> u64 {
    std::env::var("CENTIPAWN_PERFT_LEAVES").map_or(u64::MAX, |leaves| leaves.parse().unwrap())
}

/// All counts of all files up to this one, the largest first, so that no thread is left alone with a large one at the end.
fn jobs(most_leaves: u64) -> Vec<Job> {
    let cases = FILES.iter().flat_map(|file| data::perft_cases(file));
    let mut jobs: Vec<Job> = cases
        .flat_map(|case| {
            let (fen, position) = (case.fen, case.position);
            case.counts.into_iter().map(move |(depth, leaves)| Job {
                fen: fen.clone(),
                position,
                depth,
                leaves,
            })
        })
        .filter(|job| job.leaves <= most_leaves)
        .collect();
    jobs.sort_by_key(|job| std::cmp::Reverse(job.leaves));
    jobs
}

impl Queue {
    fn work(&self) {
        let mut table = Table::new();
        while let Some(Job { fen, position, depth, leaves }) =
            self.jobs.get(self.next.fetch_add(1, Ordering::Relaxed))
        {
            let counted = if *depth < TABLE_FROM_DEPTH {
                perft(position, *depth)
            } else {
                table.perft(position, *depth)
            };
            assert_eq!(counted, *leaves, "{fen} at depth {depth}");
            self.report(*leaves);
        }
    }

    /// Adds a finished count, and says so at every hundredth of the whole.
    fn report(&self, leaves: u64) {
        let before = self.counted.fetch_add(leaves, Ordering::Relaxed);
        let percent = |counted: u64| u128::from(counted) * 100 / u128::from(self.total);
        if percent(before) != percent(before + leaves) {
            progress(&format!("{} % after {} s", percent(before + leaves), self.start.elapsed().as_secs()));
        }
    }
}

/// Standard error itself: what the macros print is held back until the test has ended.
fn progress(line: &str) {
    let mut stderr = stderr().lock();
    writeln!(stderr, "{line}").unwrap();
}

/// Counts of positions by key and depth.
struct Table(Vec<(u64, u64)>);

impl Table {
    /// 16 MiB: the positions two plies from the leaves of one depth-6 count mostly fit, and the caches still help.
    const ENTRIES: usize = 1 << 20;

    fn new() -> Self {
        Self(vec![(0, 0); Self::ENTRIES])
    }

    fn perft(&mut self, position: &Position, depth: u32) -> u64 {
        if depth < 2 {
            return perft(position, depth);
        }
        // An odd factor per depth keeps the keys of one position at different depths apart.
        let key = position.key().wrapping_mul(2 * u64::from(depth) + 1);
        let slot = (key >> 44) as usize % Self::ENTRIES;
        if self.0[slot].0 == key {
            return self.0[slot].1;
        }
        let mut leaves = 0;
        for mv in &position.legal_moves() {
            let mut child = *position;
            child.play(*mv);
            leaves += self.perft(&child, depth - 1);
        }
        self.0[slot] = (key, leaves);
        leaves
    }
}
