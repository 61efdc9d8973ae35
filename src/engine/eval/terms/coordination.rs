//! Coordination: connected rooks, and batteries of the queen with a rook or a bishop.

use crate::engine::chess::attacks::{bishop_attacks, rook_attacks};
use crate::engine::chess::{Bitboard, PieceKind, Side, Square};
use crate::engine::eval::ledger::{Ledger, Posting};
use crate::engine::eval::survey::Survey;
use crate::engine::weights::Feature;

/// Posts the pairs of side `S`, each once.
#[inline]
pub(in crate::engine::eval) fn post<S: Side>(survey: &Survey, ledger: &mut impl Ledger) {
    let rooks = survey.own::<S>(PieceKind::Rook);
    let attacks = survey.attacks.by::<S>();
    if (attacks.kind(PieceKind::Rook) & rooks).any() {
        for rook in rooks {
            let later_rooks = rooks & !Bitboard(rook_and_below(rook));
            for other in rook_attacks(rook, survey.occupied) & later_rooks {
                let on_file = usize::from(rook.file() == other.file());
                ledger.post::<S>(Posting::of(Feature::ConnectedRooks).slot(on_file).on(pair(rook, other)));
            }
        }
    }
    if (attacks.kind(PieceKind::Queen) & (rooks | survey.own::<S>(PieceKind::Bishop))).is_empty() {
        return;
    }
    for queen in survey.own::<S>(PieceKind::Queen) {
        let file = Bitboard::file(queen.file());
        for rook in rook_attacks(queen, survey.occupied) & rooks & file {
            ledger.post::<S>(Posting::of(Feature::FileBattery).on(pair(queen, rook)));
        }
        for bishop in bishop_attacks(queen, survey.occupied) & survey.own::<S>(PieceKind::Bishop) {
            ledger.post::<S>(Posting::of(Feature::DiagonalBattery).on(pair(queen, bishop)));
        }
    }
}

/// The bits up to and with a square, so that each pair is met once.
#[inline]
const fn rook_and_below(square: Square) -> u64 {
    let bit = Bitboard::from_square(square).0;
    bit | (bit - 1)
}

#[inline]
fn pair(first: Square, second: Square) -> Bitboard {
    Bitboard::from_square(first) | second.into()
}
