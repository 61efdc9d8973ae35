//! The descent: epochs of shuffled batches, until the validation loss stops falling.

use std::time::Instant;

use super::adam::Adam;
use super::model::Pair;
use super::objective::{Label, Objective};
use super::shuffle::Generator;

/// How to go about it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    /// At most so many times through the data.
    pub(crate) epochs: u32,
    /// Epochs without a better validation loss after which it stops.
    pub(crate) patience: u32,
    /// How far a step moves a weight at first, in centipawns; it falls along a cosine to a hundredth.
    pub(crate) rate: f64,
    /// Positions whose gradients make a step.
    pub(crate) batch: usize,
    /// What decides the order of the positions.
    pub(crate) seed: u64,
    /// How strongly the weights are held to their anchor: as strongly as by so many positions.
    pub(crate) lambda: f64,
}

/// What is trained on what.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Task<'data> {
    /// What is made small, over the rows of training; the validation loss is that of the results alone.
    pub(crate) objective: Objective<'data>,
    /// The rows of training.
    pub(crate) training: &'data [u32],
    /// The rows that say when to stop.
    pub(crate) validation: &'data [u32],
    /// Which weights may move.
    pub(crate) free: &'data [bool],
    /// Where the weights are held.
    pub(crate) anchor: &'data [Pair],
}

/// How an epoch went.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Epoch {
    /// Its number, from 1.
    pub(crate) number: u32,
    /// The mean loss of its batches, each before its step.
    pub(crate) training: f64,
    /// The validation loss after it.
    pub(crate) validation: f64,
    /// Since the start.
    pub(crate) seconds: f64,
    /// Whether no epoch was better.
    pub(crate) best: bool,
}

/// Runs the plan and gives the weights with the smallest validation loss, those of the start if none is smaller.
pub(crate) fn train(
    task: &Task<'_>,
    start: &[Pair],
    plan: &Plan,
    mut progress: impl FnMut(Epoch),
) -> Vec<Pair> {
    let began = Instant::now();
    let judge = Objective { label: Label::Result, ..task.objective };
    let mut weights = start.to_vec();
    let (mut best, mut best_loss, mut best_epoch) = (weights.clone(), judge.loss(task.validation, start), 0);
    let mut adam = Adam::new(weights.len());
    let mut random = Generator::new(plan.seed);
    let mut groups = task.objective.groups(task.training);
    for number in 1..=plan.epochs {
        random.shuffle(&mut groups);
        let rows = groups.concat();
        let mut sum = 0.0;
        // A group at the end of a batch may be split; its parts are compared each for itself.
        for (at, batch) in rows.chunks(plan.batch).enumerate() {
            let (loss, mut gradient) = task.objective.gradient(batch, &weights);
            sum += loss * batch.len() as f64;
            hold(task, plan, &weights, &mut gradient);
            let done = (f64::from(number - 1) + (at * plan.batch) as f64 / rows.len() as f64)
                / f64::from(plan.epochs);
            adam.step(&mut weights, &gradient, task.free, plan.rate * cooling(done));
        }
        let validation = judge.loss(task.validation, &weights);
        let is_best = validation < best_loss;
        if is_best {
            (best_loss, best_epoch) = (validation, number);
            best.clone_from(&weights);
        }
        let training = sum / rows.len() as f64;
        progress(Epoch {
            number,
            training,
            validation,
            seconds: began.elapsed().as_secs_f64(),
            best: is_best,
        });
        if number - best_epoch >= plan.patience {
            break;
        }
    }
    best
}

/// Adds the pull to the anchor: the curvature of a position's loss at even chances, times `lambda` positions.
fn hold(task: &Task<'_>, plan: &Plan, weights: &[Pair], gradient: &mut [Pair]) {
    let curvature = 2.0 * (task.objective.k / 4.0).powi(2);
    let strength = plan.lambda / task.training.len() as f64 * curvature;
    for ((gradient, weight), anchor) in gradient.iter_mut().zip(weights).zip(task.anchor) {
        gradient[0] += strength * (weight[0] - anchor[0]);
        gradient[1] += strength * (weight[1] - anchor[1]);
    }
}

/// The rate's factor after a share of the epochs: from 1 along a cosine to a hundredth.
fn cooling(done: f64) -> f64 {
    0.01 + 0.99 * (1.0 + (done * std::f64::consts::PI).cos()) / 2.0
}

#[cfg(test)]
mod tests {
    use super::{Epoch, Plan, Task, cooling, train};
    use crate::objective::{Label, Objective};
    use crate::synthetic;

    const PLAN: Plan = Plan { epochs: 60, patience: 60, rate: 2.0, batch: 256, seed: 1, lambda: 0.0 };

    /// Trains from weights that are wrong but not dead, and gives what came out.
    fn trained(plan: &Plan, free: &[bool]) -> (Vec<[f64; 2]>, Vec<[f64; 2]>, Vec<Epoch>) {
        let problem = synthetic::problem(6000);
        let curve = synthetic::CURVE;
        let objective =
            Objective { matrix: &problem.matrix, curve, k: synthetic::K, label: Label::Result, common: 1.0 };
        let rows: Vec<_> = (0..6000).collect();
        let (training, validation) = rows.split_at(5000);
        let start: Vec<_> =
            (0..problem.truth.len()).map(|index| if index < 8 { [0.0; 2] } else { [30.0, 30.0] }).collect();
        let task = Task { objective, training, validation, free, anchor: &start };
        let mut epochs = Vec::new();
        let weights = train(&task, &start, plan, |epoch| epochs.push(epoch));
        (problem.truth, weights, epochs)
    }

    #[test]
    fn known_weights_are_recovered_danger_included() {
        let (truth, weights, epochs) = trained(&PLAN, &[true; 12]);
        for (index, (truth, weight)) in truth.iter().zip(&weights).enumerate() {
            for half in 0..2 {
                assert!((truth[half] - weight[half]).abs() < 1.0, "{index}: {truth:?} {weight:?}");
            }
        }
        assert!(epochs.last().is_some_and(|last| last.validation < epochs[0].validation / 100.0));
    }

    #[test]
    fn the_same_plan_gives_the_same_bits() {
        let plan = Plan { epochs: 3, ..PLAN };
        let (_, first, _) = trained(&plan, &[true; 12]);
        assert_eq!(first, trained(&plan, &[true; 12]).1);
        assert_ne!(first, trained(&Plan { seed: 2, ..plan }, &[true; 12]).1);
    }

    #[test]
    fn what_is_not_free_stays_and_what_is_held_moves_less() {
        let plan = Plan { epochs: 3, ..PLAN };
        let free: Vec<_> = (0..12).map(|index| index != 0).collect();
        let (_, weights, _) = trained(&plan, &free);
        assert_eq!(weights[0], [0.0; 2]);
        let (_, held, _) = trained(&Plan { lambda: 1e9, ..plan }, &free);
        assert!(held[7][0].abs() < 5.0 && weights[7][0].abs() > 20.0, "{held:?} {weights:?}");
    }

    #[test]
    fn no_progress_ends_it_and_keeps_the_start() {
        let plan = Plan { rate: 0.0, patience: 2, ..PLAN };
        let (_, weights, epochs) = trained(&plan, &[true; 12]);
        assert_eq!(epochs.len(), 2);
        assert_eq!((weights[0], weights[11]), ([0.0; 2], [30.0, 30.0]));
    }

    #[test]
    fn the_rate_falls_from_all_to_a_hundredth() {
        for (done, factor) in [(0.0, 1.0), (0.5, 0.505), (1.0, 0.01)] {
            assert!((cooling(done) - factor).abs() < 1e-12, "{done}");
        }
    }
}
