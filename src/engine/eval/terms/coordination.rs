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
    if rooks.more_than_one() {
        for rook in rooks {
            let later_rooks = rooks & !Bitboard(rook_and_below(rook));
            for other in rook_attacks(rook, survey.occupied) & later_rooks {
                post_pair::<S>(ledger, Feature::ConnectedRooks, rook, other);
            }
        }
    }
    for queen in survey.own::<S>(PieceKind::Queen) {
        let file = Bitboard::file(queen.file());
        for rook in rook_attacks(queen, survey.occupied) & rooks & file {
            post_pair::<S>(ledger, Feature::FileBattery, queen, rook);
        }
        for bishop in bishop_attacks(queen, survey.occupied) & survey.own::<S>(PieceKind::Bishop) {
            post_pair::<S>(ledger, Feature::DiagonalBattery, queen, bishop);
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
fn post_pair<S: Side>(ledger: &mut impl Ledger, feature: Feature, first: Square, second: Square) {
    let pair = Bitboard::from_square(first) | second.into();
    ledger.post::<S>(Posting::of(feature).on(pair));
}
