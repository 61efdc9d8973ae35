//! What each of many changes is worth, from the same games: in each pair, lots give every change to one side or the other.
//!
//! The effect of a change is the mean result of the side that has it; all others average out, so that a pair tells of
//! each of them as much as if it had been played for that one alone. What two changes do to each other is not seen.
//!
//! Source: Satterthwaite, "Random Balance Experimentation" (1959).

use std::time::Instant;

use super::crew::in_parallel;
use super::opening::Openings;
use super::options::{Choice, Options};
use super::pair::Ring;
use super::player::Player;
use super::score::Score;
use super::shuffle::Generator;

/// Pairs between two reports.
const ROUND: u32 = 64;

/// Plays the pairs and tells what each change is worth, as the figures grow.
pub(crate) fn screen(options: &Options, openings: &Openings, choices: &[Choice]) {
    let (mut scores, started) = (vec![Score::default(); choices.len()], Instant::now());
    for first in (0..options.pairs).step_by(ROUND as usize) {
        let round = first..options.pairs.min(first + ROUND);
        let ring = || Ring::new(options, openings);
        let results = in_parallel(round.clone(), ring, |ring, number| {
            let first_has = shares(options.seed, number, choices.len());
            let with = |own: bool| {
                let mut player = Player::DEFAULT;
                for (choice, first_has) in choices.iter().zip(&first_has) {
                    choice.apply(&mut player, *first_has == own);
                }
                player
            };
            (ring.play(number, [&with(true), &with(false)]), first_has)
        });
        for (pair, first_has) in results {
            for (score, has) in scores.iter_mut().zip(first_has) {
                score.add(if has { pair } else { pair.reversed() });
            }
        }
        eprintln!("{} pairs, {} s", round.end, started.elapsed().as_secs());
        for (score, choice) in scores.iter().zip(choices) {
            let (elo, error) = score.elo();
            eprintln!("  {elo:+6.1} +- {error:4.1} Elo  {choice}");
        }
    }
}

/// Which of the changes the first contestant of this pair has; the second has the others.
fn shares(seed: u64, number: u32, changes: usize) -> Vec<bool> {
    let mut lots = Generator::new(!seed ^ u64::from(number) << 32);
    (0..changes).map(|_| lots.below(2) == 0).collect()
}

#[cfg(test)]
mod tests {
    use super::shares;

    #[test]
    fn every_change_goes_to_each_side_about_as_often_and_apart_from_the_others() {
        let shares: Vec<_> = (0..2_000).map(|number| shares(1, number, 5)).collect();
        for change in 0..5 {
            for other in 0..5 {
                let together = shares.iter().filter(|has| has[change] == has[other]).count();
                let firsts = shares.iter().filter(|has| has[change]).count();
                assert!((900..1_100).contains(&firsts), "{change}: {firsts}");
                assert!(change == other || (900..1_100).contains(&together), "{change}, {other}: {together}");
            }
        }
    }
}
