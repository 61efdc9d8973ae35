//! Minor pieces: knights and bishops and the pawns around them.

use crate::engine::chess::attacks::bishop_attacks;
use crate::engine::chess::{Bitboard, PieceKind, Side, Square};
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

/// Posts the knights and bishops of side `S`.
#[inline]
pub(in crate::engine::eval) fn post<S: Side>(survey: &Survey, ledger: &mut impl Ledger) {
    let pawns = survey.position.by_kind(PieceKind::Pawn);
    for (slot, kind) in [PieceKind::Knight, PieceKind::Bishop].into_iter().enumerate() {
        for square in survey.own::<S>(kind) & (!S::COLOR).forward(pawns) {
            let shield = S::COLOR.forward(square.into());
            let posting = Posting::of(Feature::MinorBehindPawn).slot(slot);
            ledger.post::<S>(posting.at(square).with(shield));
        }
    }
    for bishop in survey.own::<S>(PieceKind::Bishop) {
        let color = if bishop.is_light() { Bitboard::LIGHT } else { Bitboard::DARK };
        for (feature, pawns) in [
            (Feature::PawnsOnBishopColor, survey.own::<S>(PieceKind::Pawn) & color),
            (Feature::BishopFacesPawns, survey.enemy::<S>(PieceKind::Pawn) & color),
        ] {
            let slot = pawns.count().min(8) as usize;
            ledger.post::<S>(Posting::of(feature).slot(slot).at(bishop).with(pawns));
        }
        if !LONG_DIAGONALS.contains(bishop) {
            continue;
        }
        let center = bishop_attacks(bishop, pawns) & CENTER;
        if center.more_than_one() {
            ledger.post::<S>(Posting::of(Feature::LongDiagonal).at(bishop).with(center));
        }
    }
}
