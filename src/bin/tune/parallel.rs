//! Work on every core, with results that do not depend on how many there are.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Does `pieces` pieces of work on all cores and gives the results in the order of the pieces.
///
/// Whoever is free takes the next piece, so only the order in which results are folded matters for rounding; folding
/// what this returns gives the same sum on every machine.
pub(crate) fn in_order<T: Send>(pieces: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let cores = thread::available_parallelism().map_or(1, std::num::NonZero::get);
    on_threads(cores, pieces, work)
}

fn on_threads<T: Send>(threads: usize, pieces: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let take = || {
        let mut done = Vec::new();
        loop {
            let piece = next.fetch_add(1, Ordering::Relaxed);
            if piece >= pieces {
                return done;
            }
            done.push((piece, work(piece)));
        }
    };
    let mut results = thread::scope(|scope| {
        let others: Vec<_> = (1..threads.min(pieces)).map(|_| scope.spawn(take)).collect();
        let mut results = take();
        for other in others {
            match other.join() {
                Ok(done) => results.extend(done),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        results
    });
    results.sort_unstable_by_key(|(piece, _)| *piece);
    results.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::on_threads;

    #[test]
    fn results_come_in_the_order_of_the_pieces() {
        let squares: Vec<_> = (0..100).map(|piece| piece * piece).collect();
        for threads in [1, 2, 7, 200] {
            assert_eq!(on_threads(threads, 100, |piece| piece * piece), squares, "{threads} threads");
        }
        assert_eq!(on_threads(3, 0, |piece| piece), Vec::<usize>::new());
    }
}
