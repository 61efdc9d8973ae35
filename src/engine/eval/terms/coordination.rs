//! Coordination: connected rooks, and batteries of the queen with a rook or a bishop.

use crate::engine::chess::{Bitboard, PieceKind, Square};
use crate::engine::eval::camp::{Camp, Officer};
use crate::engine::eval::ledger::{Ledger, Posting};
use crate::engine::weights::Feature;

/// Posts the pairs that a rook or queen makes with what it attacks, each once.
#[inline]
pub(in crate::engine::eval) fn post_officer(own: &Camp, officer: Officer, ledger: &mut impl Ledger) {
    let Officer { kind, square, attacks } = officer;
    let attacked = |kind| attacks & own.kind(kind);
    let file = Bitboard::file(square.file());
    match kind {
        PieceKind::Rook => {
            for other in attacked(PieceKind::Rook) & !up_to(square) {
                let on_file = usize::from(file.contains(other));
                ledger.post(Posting::of(Feature::ConnectedRooks).slot(on_file).on(pair(square, other)));
            }
        }
        PieceKind::Queen => {
            for rook in attacked(PieceKind::Rook) & file {
                ledger.post(Posting::of(Feature::FileBattery).on(pair(square, rook)));
            }
            for bishop in attacked(PieceKind::Bishop) & !(file | Bitboard::rank(square.rank())) {
                ledger.post(Posting::of(Feature::DiagonalBattery).on(pair(square, bishop)));
            }
        }
        _ => {}
    }
}

/// The squares up to and with this one, so that each pair is met once.
#[inline]
const fn up_to(square: Square) -> Bitboard {
    let bit = Bitboard::from_square(square).0;
    Bitboard(bit | (bit - 1))
}

#[inline]
fn pair(first: Square, second: Square) -> Bitboard {
    Bitboard::from_square(first) | second.into()
}
