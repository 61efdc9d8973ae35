//! A bishop and pawns against the bare king.

use super::setting::Setting;
use super::{Obstacle, Verdict, pawn};
use crate::engine::eval::ScaleReason;
use crate::engine::eval::ledger::Ledger;

/// Drawn if the bare king holds the corner that the bishop cannot reach.
pub(super) fn judge(setting: &Setting) -> Option<Verdict> {
    match Obstacle::wrong_corner(setting.position, setting.strong) {
        Some(obstacle @ Obstacle::CornerHeld { .. }) => Some(Verdict::Draw(ScaleReason::Position(obstacle))),
        Some(obstacle) => Some(Verdict::Open(Some(ScaleReason::Position(obstacle)))),
        None if setting.strong_to_move() || setting.is_calm() => Some(Verdict::Promising),
        None => None,
    }
}

/// The foremost pawn's way so far.
pub(super) fn post(setting: &Setting, ledger: &mut impl Ledger) {
    pawn::post(setting, ledger);
}
