//! Better parameters by small steps: each pair of games is played between two sets on either side of the present one, and
//! all parameters move a little towards the side that won.
//!
//! Source: Spall, "Multivariate Stochastic Approximation Using a Simultaneous Perturbation Gradient Approximation" (1992); the
//! chess programming wiki, "SPSA".

use std::time::Instant;

use super::crew::in_parallel;
use super::opening::Openings;
use super::options::Options;
use super::pair::Ring;
use super::player::{Knob, Player};
use super::score::Score;
use super::shuffle::Generator;

/// Pairs that are played from the same values, so that their results do not depend on the number of cores.
const ROUND: u32 = 16;

/// A parameter is at first tried at this part of its range from its value.
const PERTURBATION: f64 = 0.1;
/// With the number of the pair, perturbations shrink by this power
const PERTURBATION_DECAY: f64 = 0.101;
/// and steps by this.
const STEP_DECAY: f64 = 0.602;
/// Steps shrink as if so large a part of all pairs had been played before.
const STABILITY: f64 = 0.1;

/// Rounds between two reports.
const REPORT: u32 = 8;

/// A number and its value between integers.
struct Tuned {
    knob: Knob,
    value: f64,
}

impl Tuned {
    fn new(knob: Knob) -> Self {
        Self { knob, value: f64::from(knob.get(&Player::DEFAULT)) }
    }

    fn perturbation(&self, pair: u32) -> f64 {
        let (low, high) = self.knob.range();
        (f64::from(high - low) * PERTURBATION / (f64::from(pair) + 1.0).powf(PERTURBATION_DECAY)).max(0.5)
    }

    fn shift(&mut self, by: f64) {
        let (low, high) = self.knob.range();
        self.value = (self.value + by).clamp(f64::from(low), f64::from(high));
    }

    /// The integer near the value plus so much; the lot decides which.
    fn sample(&self, by: f64, lots: &mut Generator) -> i32 {
        let (low, high) = self.knob.range();
        ((self.value + by + fraction(lots)).floor() as i32).clamp(low, high)
    }
}

/// From 0 to 1.
fn fraction(lots: &mut Generator) -> f64 {
    f64::from((lots.next() >> 32) as u32) / (f64::from(u32::MAX) + 1.0)
}

/// Plays the pairs, telling the values as they move; the last report is the result.
pub(crate) fn tune(options: &Options, openings: &Openings, only: &[Knob], rate: f64) {
    let search = Knob::all().filter(|knob| matches!(knob, Knob::Search(_))).collect::<Vec<_>>();
    let mut tuned: Vec<_> =
        if only.is_empty() { &search } else { only }.iter().copied().map(Tuned::new).collect();
    let (mut lots, mut score, started) = (Generator::new(options.seed), Score::default(), Instant::now());
    for first in (0..options.pairs).step_by(ROUND as usize) {
        let round = first..options.pairs.min(first + ROUND);
        let trials: Vec<_> = round.clone().map(|pair| Trial::new(&tuned, pair, &mut lots)).collect();
        let ring = || Ring::new(options, openings);
        let results = in_parallel(round.clone(), ring, |ring, number| {
            let [plus, minus] = &trials[(number - first) as usize].sets;
            ring.play(number, [plus, minus])
        });
        for ((pair, trial), result) in round.zip(&trials).zip(results) {
            score.add(result);
            let won = (f64::from(result.points()) - 2.0) * rate * step(pair, options.pairs);
            for (tuned, sign) in tuned.iter_mut().zip(&trial.signs) {
                tuned.shift(won * sign * tuned.perturbation(pair));
            }
        }
        if (first / ROUND).is_multiple_of(REPORT) || first + ROUND >= options.pairs {
            eprintln!("{} pairs {:?}, {} s", score.pairs(), score.counts(), started.elapsed().as_secs());
            let value = |tuned: &Tuned| format!("{}={:.0}", tuned.knob, tuned.value);
            eprintln!("{}", tuned.iter().map(value).collect::<Vec<_>>().join(","));
        }
    }
}

/// How large the steps of this pair are, beside those of the last.
fn step(pair: u32, pairs: u32) -> f64 {
    let head = STABILITY * f64::from(pairs);
    ((head + f64::from(pairs)) / (head + f64::from(pair) + 1.0)).powf(STEP_DECAY)
}

/// Two sets on either side of the present one.
struct Trial {
    /// Where the first lies, for each parameter: 1 above, -1 below.
    signs: Vec<f64>,
    sets: [Player; 2],
}

impl Trial {
    fn new(tuned: &[Tuned], pair: u32, lots: &mut Generator) -> Self {
        let mut sets = [Player::DEFAULT; 2];
        let mut signs = Vec::with_capacity(tuned.len());
        for one in tuned {
            let sign = if lots.below(2) == 0 { 1.0 } else { -1.0 };
            let by = sign * one.perturbation(pair);
            one.knob.set(&mut sets[0], one.sample(by, lots));
            one.knob.set(&mut sets[1], one.sample(-by, lots));
            signs.push(sign);
        }
        Self { signs, sets }
    }
}

#[cfg(test)]
mod tests {
    use super::{Generator, Knob, Trial, Tuned, step};

    #[test]
    fn trials_lie_on_either_side_and_within_the_range() {
        let tuned: Vec<_> = Knob::all().map(Tuned::new).collect();
        let mut lots = Generator::new(1);
        for pair in [0, 1, 100, 10_000] {
            let trial = Trial::new(&tuned, pair, &mut lots);
            for (tuned, sign) in tuned.iter().zip(&trial.signs) {
                let [plus, minus] = trial.sets.map(|set| tuned.knob.get(&set));
                let (low, high) = tuned.knob.range();
                assert!((low..=high).contains(&plus) && (low..=high).contains(&minus));
                assert!(f64::from(plus - minus) * sign >= 0.0, "{}: {plus} {minus}", tuned.knob);
            }
        }
    }

    #[test]
    fn steps_shrink_to_one() {
        assert!(step(0, 1_000) > 4.0 && step(500, 1_000) > 1.0);
        assert!((step(999, 1_000) - 1.0).abs() < 1e-9);
    }
}
