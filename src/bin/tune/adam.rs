//! Adam: a step for each weight that is as long as its gradient is steady.

use super::model::Pair;

/// The optimiser of Kingma and Ba, "Adam: A Method for Stochastic Optimization" (2014), with their constants.
#[derive(Clone, Debug)]
pub(crate) struct Adam {
    mean: Vec<Pair>,
    square: Vec<Pair>,
    steps: i32,
}

impl Adam {
    const MEAN_DECAY: f64 = 0.9;
    const SQUARE_DECAY: f64 = 0.999;
    /// Far below the gradients, which are some millionths for a weight in centipawns.
    const EPSILON: f64 = 1e-12;

    /// An optimiser of so many weights.
    pub(crate) fn new(weights: usize) -> Self {
        Self { mean: vec![[0.0; 2]; weights], square: vec![[0.0; 2]; weights], steps: 0 }
    }

    /// Moves the weights that are `free` against their gradient, by about `rate` centipawns where it is steady.
    pub(crate) fn step(&mut self, weights: &mut [Pair], gradient: &[Pair], free: &[bool], rate: f64) {
        self.steps += 1;
        let mean_share = 1.0 - Self::MEAN_DECAY.powi(self.steps);
        let square_share = 1.0 - Self::SQUARE_DECAY.powi(self.steps);
        for index in (0..weights.len()).filter(|index| free[*index]) {
            for half in 0..2 {
                let slope = gradient[index][half];
                let mean = &mut self.mean[index][half];
                *mean = Self::MEAN_DECAY * *mean + (1.0 - Self::MEAN_DECAY) * slope;
                let square = &mut self.square[index][half];
                *square = Self::SQUARE_DECAY * *square + (1.0 - Self::SQUARE_DECAY) * slope * slope;
                let length = (*square / square_share).sqrt() + Self::EPSILON;
                weights[index][half] -= rate * (*mean / mean_share) / length;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Adam;

    #[test]
    fn the_bottom_of_a_bowl_is_found_and_what_is_not_free_stays() {
        let bottom = [[3.0, -4.0], [100.0, 0.5], [7.0, 7.0]];
        let mut weights = vec![[0.0; 2]; 3];
        let mut adam = Adam::new(3);
        for step in 0..4000 {
            let gradient: Vec<_> = (0..3)
                .map(|index| [0, 1].map(|half: usize| 1e-7 * (weights[index][half] - bottom[index][half])))
                .collect();
            let rate = 0.5 * (1.0 - f64::from(step) / 4000.0);
            adam.step(&mut weights, &gradient, &[true, true, false], rate);
        }
        for index in 0..2 {
            for half in 0..2 {
                assert!((weights[index][half] - bottom[index][half]).abs() < 0.01, "{weights:?}");
            }
        }
        assert_eq!(weights[2], [0.0; 2]);
    }

    #[test]
    fn a_first_step_is_as_long_as_the_rate() {
        let mut weights = vec![[0.0; 2]];
        Adam::new(1).step(&mut weights, &[[2.0, -1e-6]], &[true], 0.25);
        assert!((weights[0][0] + 0.25).abs() < 1e-6 && (weights[0][1] - 0.25).abs() < 1e-6, "{weights:?}");
    }
}
