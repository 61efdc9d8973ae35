//! Queen against pawn and queen against rook.

use super::bare_king::nearness;
use super::setting::Setting;
use super::{Obstacle, Verdict};
use crate::engine::chess::{File, PieceKind, Rank};
use crate::engine::eval::ScaleReason;
use crate::engine::eval::ledger::{Ledger, Posting};
use crate::engine::weights::Feature;

/// Won while the pawn is not past its fifth rank; later as a rule, unless it is a rook's or bishop's pawn on the seventh
/// with its king beside it.
pub(super) fn judge_against_pawn(setting: &Setting) -> Option<Verdict> {
    let pawn = setting.enemy(PieceKind::Pawn).first()?;
    let quiet = if setting.strong_to_move() { !setting.position.in_check() } else { setting.is_calm() };
    if !quiet {
        return None;
    }
    // As the strong side counts ranks, the pawn comes down to the first: its seventh is the second.
    let rank = setting.relative(pawn).rank();
    let far_enough = if setting.strong_to_move() { Rank::Four } else { Rank::Five };
    if rank >= far_enough {
        return Some(Verdict::Win);
    }
    let guarded = setting.weak_king.distance(pawn) <= 1;
    let awkward = matches!(pawn.file(), File::A | File::C | File::F | File::H);
    if rank == Rank::Two && guarded && awkward {
        return Some(Verdict::Open(Some(ScaleReason::Position(Obstacle::PawnOnTheSeventh { pawn }))));
    }
    Some(Verdict::Promising)
}

/// Won as a rule; a check or a fork by the rook may save its side or even win.
pub(super) fn judge_against_rook(setting: &Setting) -> Option<Verdict> {
    let position = setting.position;
    let quiet = if setting.strong_to_move() {
        !position.in_check()
    } else {
        setting.is_calm() && !position.legal_moves().iter().any(|mv| position.gives_check(*mv))
    };
    quiet.then_some(Verdict::Promising)
}

/// The strong king comes to the pawn.
pub(super) fn post_pawn_hunt(setting: &Setting, ledger: &mut impl Ledger) {
    let Some(pawn) = setting.enemy(PieceKind::Pawn).first() else { return };
    let count = nearness(setting.strong_king, pawn);
    let [king, pawn] = [setting.strong_king, pawn].map(|square| setting.relative(square));
    ledger.post(Posting::of(Feature::KingToEnemyPawn).times(count).at(king).with(pawn.into()));
}
