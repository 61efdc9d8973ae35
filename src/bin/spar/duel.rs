//! Two sets of parameters against each other.

use std::time::Instant;

use super::crew::in_parallel;
use super::opening::Openings;
use super::options::Options;
use super::pair::Ring;
use super::player::Player;
use super::score::Score;

/// Pairs between two looks at the result.
const ROUND: u32 = 32;

/// Where the sequential test ends: one wrong answer in twenty, on either side.
const DECIDED: f64 = 2.944;

/// Plays the pairs and tells the result as it grows; a test ends it sooner.
pub(crate) fn duel(options: &Options, openings: &Openings, [a, b]: [Player; 2], sprt: Option<&[f64]>) {
    let bounds = sprt.and_then(|bounds| <[f64; 2]>::try_from(bounds).ok());
    let (mut score, started) = (Score::default(), Instant::now());
    while score.pairs() < options.pairs {
        let first = score.pairs();
        let round = first..options.pairs.min(first + ROUND);
        let ring = || Ring::new(options, openings);
        for pair in in_parallel(round, ring, |ring, number| ring.play(number, [&a, &b])) {
            score.add(pair);
        }
        let (elo, error) = score.elo();
        let ratio = bounds.map(|bounds| score.log_likelihood_ratio(bounds));
        let told = ratio.map(|ratio| format!(", ratio {ratio:.2} of {DECIDED}")).unwrap_or_default();
        eprintln!(
            "{} pairs {:?}: {elo:+.1} +- {error:.1} Elo{told}, {} s",
            score.pairs(),
            score.counts(),
            started.elapsed().as_secs()
        );
        if ratio.is_some_and(|ratio| ratio.abs() >= DECIDED) {
            return;
        }
    }
}
