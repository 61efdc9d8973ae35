//! From units of danger to centipawns.

use super::Score;

/// Units of middlegame danger, squared and divided by this, are centipawns.
pub const MG_DIVISOR: i32 = 2048;
/// Units of endgame danger, divided by this, are centipawns.
pub const EG_DIVISOR: i32 = 16;

/// What units of danger are worth to the attacker, in centipawns: in the middlegame quadratic, because each attacker
/// makes the others more dangerous; in the endgame linear. A sum below nothing is no danger.
///
/// The units stay a plain sum until this one step, so that each cause can be given its share of the result.
#[inline]
#[must_use]
pub const fn curve(units: Score) -> Score {
    let mg = if units.mg() > 0 { units.mg() } else { 0 };
    let eg = if units.eg() > 0 { units.eg() } else { 0 };
    Score::new(mg * mg / MG_DIVISOR, eg / EG_DIVISOR)
}
