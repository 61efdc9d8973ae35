//! King and pawn against king.

use super::bitbase::{self, Turn};
use super::setting::Setting;
use super::{Obstacle, Verdict};
use crate::engine::chess::PieceKind;
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
pub(super) fn post(setting: &Setting, ledger: &mut impl Ledger) {
    let pawns = setting.own(PieceKind::Pawn).relative(setting.strong);
    let Some(pawn) = pawns.into_iter().max_by_key(|square| square.rank()) else { return };
    let steps = pawn.rank().index() as i32 - 1;
    ledger.post(Posting::of(Feature::PawnOnItsWay).times(steps).at(pawn));
}
