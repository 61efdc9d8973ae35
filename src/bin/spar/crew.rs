//! Work on all cores, its results in order.

use std::num::NonZero;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

/// Does the work of each number of a range; a thread makes its own tools first.
pub(crate) fn in_parallel<T: Send, Tools>(
    numbers: std::ops::Range<u32>,
    tools: impl Fn() -> Tools + Sync,
    work: impl Fn(&mut Tools, u32) -> T + Sync,
) -> Vec<T> {
    let next = AtomicU32::new(numbers.start);
    let results = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, NonZero::get) {
            scope.spawn(|| {
                let mut tools = tools();
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= numbers.end {
                        return;
                    }
                    let result = work(&mut tools, number);
                    results.lock().unwrap_or_else(PoisonError::into_inner).push((number, result));
                }
            });
        }
    });
    let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.sort_by_key(|(number, _)| *number);
    results.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::in_parallel;

    #[test]
    fn results_come_in_order() {
        let squares = in_parallel(3..40, || (), |(), number| number * number);
        assert_eq!(squares, (3..40).map(|number| number * number).collect::<Vec<_>>());
    }
}
