//! The term of the piece values: what the pieces are worth by themselves.

use super::Roster;
use crate::engine::chess::{Color, PieceKind};
use crate::engine::eval::PieceValues;
use crate::engine::eval::ledger::{Ledger, Posting};
use crate::engine::weights::Feature;

/// Posts the pieces of the side that posts, kind by kind.
#[inline]
pub(in crate::engine::eval) fn post(
    roster: &impl Roster,
    side: Color,
    values: PieceValues,
    ledger: &mut impl Ledger,
) {
    let kinds = [
        (PieceKind::Pawn, Feature::PawnValue),
        (PieceKind::Knight, Feature::KnightValue),
        (PieceKind::Bishop, Feature::BishopValue),
        (PieceKind::Rook, Feature::RookValue),
        (PieceKind::Queen, Feature::QueenValue),
    ];
    for (kind, feature) in kinds {
        let count = roster.count(side, kind);
        if count > 0 {
            let squares = roster.squares(side, kind).relative(side);
            ledger.post(Posting::of(feature).slot(values.index()).times(count).on(squares));
        }
    }
}
