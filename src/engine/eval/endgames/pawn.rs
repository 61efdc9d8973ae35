//! King and pawn against king.

use super::bitbase::{self, Turn};
use super::setting::Setting;
use super::{Obstacle, Verdict};
use crate::engine::chess::{PieceKind, Side};
use crate::engine::eval::ScaleReason;
use crate::engine::eval::ledger::{Ledger, Posting};
use crate::engine::weights::Feature;

/// Exact, by the table of all positions.
pub(super) fn judge(setting: &Setting) -> Option<Verdict> {
    let pawn = setting.own(PieceKind::Pawn).first()?;
    let turn = if setting.strong_to_move() { Turn::Pawn } else { Turn::BareKing };
    let [king, pawn, bare_king] =
        [setting.strong_king, pawn, setting.weak_king].map(|square| setting.relative(square));
    let wins = bitbase::wins(king, pawn, bare_king, turn);
    Some(if wins {
        Verdict::Win
    } else {
        Verdict::Draw(ScaleReason::Position(Obstacle::PawnIsHeld { defender: setting.weak }))
    })
}

/// The pawn's way so far.
pub(super) fn post<S: Side>(setting: &Setting, ledger: &mut impl Ledger) {
    let rank = |square| setting.relative(square).rank();
    let Some(pawn) = setting.own(PieceKind::Pawn).into_iter().max_by_key(|square| rank(*square)) else {
        return;
    };
    let steps = rank(pawn).index() as i32 - 1;
    ledger.post::<S>(Posting::of(Feature::PawnOnItsWay).times(steps).at(pawn));
}
