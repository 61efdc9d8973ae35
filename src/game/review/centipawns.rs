//! The average centipawn loss.

use super::{Course, win};
use crate::engine::chess::Color;

/// What a side's moves have lost on average, rounded; none without a move of which both evaluations are known.
pub(super) fn average_loss(course: &Course<'_>, side: Color) -> Option<u32> {
    let own = (0..course.counted().len()).filter(|index| course.mover(*index) == side);
    let losses: Vec<i32> = own
        .filter_map(|index| {
            let [before, after] = [course.before(index)?, course.evals[index]?].map(win::clamped);
            Some(((before - after) * side.sign()).max(0))
        })
        .collect();
    let mean = f64::from(losses.iter().sum::<i32>()) / f64::from(losses.len() as u32);
    (!losses.is_empty()).then_some(mean.round() as u32)
}
