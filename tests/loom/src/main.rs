//! Tries every order of events of what threads share without, or around, a lock. See `Cargo.toml` for how to run it.
//!
//! Where an order of events breaks a promise, the model panics and says so; where it hangs, because a wake-up or a stop is
//! lost, loom finds all threads blocked, or one that spins for ever, and panics too.

#![allow(clippy::print_stdout, reason = "a command-line tool")]

mod pool;
mod search;

use pool::{phases, queue};
use search::slots;

fn main() {
    let models: [(&str, fn()); 10] = [
        ("a torn slot is never believed", slots::a_torn_slot_is_never_believed),
        ("two results of one position are not mixed", slots::two_results_of_one_position_are_not_mixed),
        ("a slot that is cleared says nothing false", slots::a_slot_that_is_cleared_says_nothing_false),
        ("a slot that is populated says nothing false", slots::a_slot_that_is_populated_says_nothing_false),
        ("exactly one end, whoever comes first", phases::exactly_one_end_whoever_comes_first),
        ("a stop is never lost", phases::a_stop_is_never_lost),
        ("a dead worker and a client who leaves", phases::a_dead_worker_and_a_client_who_leaves),
        ("no task waits for a worker that sleeps", queue::no_task_waits_for_a_worker_that_sleeps),
        ("two workers do each task once", queue::two_workers_do_each_task_once),
        ("who is displaced is told, and only he", queue::who_is_displaced_is_told_and_only_he),
    ];
    for (name, model) in models {
        let begun = std::time::Instant::now();
        model();
        println!("ok {:>6.1} s  {name}", begun.elapsed().as_secs_f64());
    }
}
