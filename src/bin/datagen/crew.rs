//! Many games on all cores, handed over in order.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;

use super::game::{Played, Player};
use super::opening::{Openings, OpeningsError};
use super::options::Options;

/// Plays the games and gives each to `take`, in the order of their numbers.
///
/// # Errors
/// The first of `take`; no game is begun after it.
pub(crate) fn play_all<E>(
    options: &Options,
    openings: &Openings,
    take: &mut dyn FnMut(Result<Played, OpeningsError>) -> Result<(), E>,
) -> Result<(), E> {
    let (next, given_up) = (AtomicU64::new(0), AtomicBool::new(false));
    let (sender, finished) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, NonZero::get) {
            let (sender, next, given_up) = (sender.clone(), &next, &given_up);
            scope.spawn(move || {
                let mut player = Player::new(options, openings);
                while !given_up.load(Ordering::Relaxed) {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= options.games || sender.send((number, player.play(number))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let taken = in_order(&finished, take);
        given_up.store(true, Ordering::Relaxed);
        taken
    })
}

/// Holds back what comes too early.
fn in_order<T, E>(
    finished: &mpsc::Receiver<(u64, T)>,
    take: &mut dyn FnMut(T) -> Result<(), E>,
) -> Result<(), E> {
    let (mut early, mut due) = (BTreeMap::new(), 0);
    for (number, thing) in finished {
        early.insert(number, thing);
        while let Some(thing) = early.remove(&due) {
            take(thing)?;
            due += 1;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::in_order;

    #[test]
    fn what_comes_early_waits() {
        let (sender, receiver) = mpsc::channel();
        for number in [2, 0, 1, 4, 3] {
            sender.send((number, number)).unwrap();
        }
        drop(sender);
        let mut taken = Vec::new();
        in_order(&receiver, &mut |number| {
            taken.push(number);
            Ok::<(), ()>(())
        })
        .unwrap();
        assert_eq!(taken, [0, 1, 2, 3, 4]);
    }

    #[test]
    fn the_first_error_ends_it() {
        let (sender, receiver) = mpsc::channel();
        for number in 0..3 {
            sender.send((number, number)).unwrap();
        }
        drop(sender);
        let full = |number| if number == 1 { Err("full") } else { Ok(()) };
        assert_eq!(in_order(&receiver, &mut { full }), Err("full"));
    }
}
