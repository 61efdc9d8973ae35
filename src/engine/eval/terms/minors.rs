//! Minor pieces: knights and bishops and the pawns around them.

use crate::engine::chess::attacks::bishop_attacks;
use crate::engine::chess::{Bitboard, PieceKind, Square};
use crate::engine::eval::ledger::{Ledger, Posting};
use crate::engine::eval::survey::Survey;
use crate::engine::weights::Feature;

/// The four squares of the centre.
const CENTER: Bitboard = Bitboard(
    Bitboard::from_square(Square::D4).0
        | Bitboard::from_square(Square::E4).0
        | Bitboard::from_square(Square::D5).0
        | Bitboard::from_square(Square::E5).0,
);

/// The only squares from which a bishop can see two squares of the centre.
const LONG_DIAGONALS: Bitboard = Bitboard(0x8142_2418_1824_4281);

/// Posts the knights and bishops.
#[inline]
pub(in crate::engine::eval) fn post(survey: &Survey, ledger: &mut impl Ledger) {
    let pawns = survey.own.kind(PieceKind::Pawn) | survey.enemy.kind(PieceKind::Pawn);
    for (slot, kind) in [PieceKind::Knight, PieceKind::Bishop].into_iter().enumerate() {
        let posting = Posting::of(Feature::MinorBehindPawn).slot(slot);
        let shielded = survey.own.kind(kind) & pawns.south();
        ledger.post_each(posting, shielded, |square| Bitboard::from_square(square).north());
    }
    for bishop in survey.own.kind(PieceKind::Bishop) {
        let color = bishop.color_complex();
        for (feature, pawns) in [
            (Feature::PawnsOnBishopColor, survey.own.kind(PieceKind::Pawn) & color),
            (Feature::BishopFacesPawns, survey.enemy.kind(PieceKind::Pawn) & color),
        ] {
            ledger.post(Posting::of(feature).slot(pawns.count() as usize).at(bishop).with(pawns));
        }
        if !LONG_DIAGONALS.contains(bishop) {
            continue;
        }
        let center = bishop_attacks(bishop, pawns) & CENTER;
        if center.more_than_one() {
            ledger.post(Posting::of(Feature::LongDiagonal).at(bishop).with(center));
        }
    }
}
