//! Rook against pawn, bishop and knight.

use super::setting::Setting;
use super::{Obstacle, Verdict, bare_king};
use crate::engine::chess::{PieceKind, Rank};
use crate::engine::eval::ScaleReason;
use crate::engine::eval::ledger::{Ledger, Posting};
use crate::engine::weights::Feature;

/// Won with the king before the pawn, as a rule with the other king far away; often drawn if that king leads a pawn that
/// has come far. Nothing is known of a pawn about to queen.
pub(super) fn judge_against_pawn(setting: &Setting) -> Option<Verdict> {
    let pawn = setting.enemy(PieceKind::Pawn).first()?;
    if !setting.strong_to_move() && !setting.is_calm() {
        return None;
    }
    let [king, weak_king, square] =
        [setting.strong_king, setting.weak_king, pawn].map(|square| setting.relative(square));
    let in_front = king.file() == square.file() && king.rank() < square.rank();
    if in_front {
        return Some(Verdict::Win);
    }
    let next_to_queening = if setting.strong_to_move() { Rank::Two } else { Rank::Three };
    if square.rank() <= next_to_queening {
        return None;
    }
    let steps = weak_king.distance(square);
    if steps <= 1 && square.rank() <= Rank::Four && king.distance(square) > 2 {
        return Some(Verdict::Open(Some(ScaleReason::Position(Obstacle::PawnLedByKing { pawn }))));
    }
    Some(if steps >= 3 { Verdict::Promising } else { Verdict::Open(None) })
}

/// Drawn as a rule.
pub(super) fn judge_against_minor(setting: &Setting) -> Option<Verdict> {
    (setting.strong_to_move() || setting.is_calm()).then_some(Verdict::Open(None))
}

/// The weak king at the edge and the knight away from it.
pub(super) fn post_against_knight(setting: &Setting, ledger: &mut impl Ledger) {
    bare_king::post_edge(setting, ledger);
    let Some(knight) = setting.enemy(PieceKind::Knight).first() else { return };
    let count = setting.weak_king.distance(knight) as i32 - 1;
    let [king, knight] = [setting.weak_king, knight].map(|square| setting.relative(square));
    ledger.post(Posting::of(Feature::KnightAstray).times(count).at(knight).with(king.into()));
}
