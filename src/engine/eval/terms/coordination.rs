//! Coordination: connected rooks, and batteries of the queen with a rook or a bishop.

use crate::engine::chess::{Bitboard, PieceKind, Position, Side, Square};
use crate::engine::eval::attack_map::Officer;
use crate::engine::eval::ledger::{Ledger, Posting};
use crate::engine::weights::Feature;

/// Posts the pairs of side `S` that a rook or queen of it makes with what it attacks, each once.
#[inline]
pub(in crate::engine::eval) fn post_officer<S: Side>(
    position: &Position,
    officer: Officer,
    ledger: &mut impl Ledger,
) {
    let Officer { kind, square, attacks } = officer;
    let own = |kind| attacks & position.pieces(S::COLOR, kind);
    let file = Bitboard::file(square.file());
    match kind {
        PieceKind::Rook => {
            for other in own(PieceKind::Rook) & !up_to(square) {
                let on_file = usize::from(file.contains(other));
                ledger.post::<S>(Posting::of(Feature::ConnectedRooks).slot(on_file).on(pair(square, other)));
            }
        }
        PieceKind::Queen => {
            for rook in own(PieceKind::Rook) & file {
                ledger.post::<S>(Posting::of(Feature::FileBattery).on(pair(square, rook)));
            }
            for bishop in own(PieceKind::Bishop) & !(file | Bitboard::rank(square.rank())) {
                ledger.post::<S>(Posting::of(Feature::DiagonalBattery).on(pair(square, bishop)));
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
