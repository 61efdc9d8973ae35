//! Placement: what each piece gains or loses by the square it stands on.

use crate::engine::chess::{PieceKind, Position, Side};
use crate::engine::eval::ledger::{Ledger, Posting};
use crate::engine::weights::Feature;

/// Posts every piece of side `S`: what [`Position::piece_square_sum`] keeps.
pub(in crate::engine::eval) fn post<S: Side>(position: &Position, ledger: &mut impl Ledger) {
    for kind in PieceKind::ALL {
        for square in position.pieces(S::COLOR, kind) {
            let slot = square.relative(S::COLOR).index();
            ledger.post::<S>(Posting::of(feature(kind)).slot(slot).at(square));
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
