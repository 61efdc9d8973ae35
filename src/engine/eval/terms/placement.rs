//! Placement: what each piece gains or loses by the square it stands on.

use crate::engine::chess::PieceKind;
use crate::engine::eval::camp::Camp;
use crate::engine::eval::ledger::{Ledger, Posting};
use crate::engine::weights::Feature;

/// Posts every own piece: what [`piece_square_sum`](crate::engine::chess::Position::piece_square_sum) keeps.
pub(in crate::engine::eval) fn post(own: &Camp, ledger: &mut impl Ledger) {
    for kind in PieceKind::ALL {
        for square in own.kind(kind) {
            let slot = square.index();
            ledger.post(Posting::of(feature(kind)).slot(slot).at(square));
        }
    }
}

const fn feature(kind: PieceKind) -> Feature {
    match kind {
        PieceKind::Pawn => Feature::PawnPlacement,
        PieceKind::Knight => Feature::KnightPlacement,
        PieceKind::Bishop => Feature::BishopPlacement,
        PieceKind::Rook => Feature::RookPlacement,
        PieceKind::Queen => Feature::QueenPlacement,
        PieceKind::King => Feature::KingPlacement,
    }
}
