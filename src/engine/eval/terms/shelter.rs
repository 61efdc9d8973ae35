//! The king's pawns: shelter, storm, open files, and the right to castle.

use crate::engine::chess::{Bitboard, CastlingSide, File, PieceKind, Rank, Square};
use crate::engine::eval::ledger::{Ledger, Posting};
use crate::engine::eval::spans;
use crate::engine::eval::survey::Survey;
use crate::engine::eval::terms::pawns::distance_from_edge;
use crate::engine::weights::Feature;

/// By the king's file, that file and the two beside it; on the edge of the board the three files of the edge.
pub(in crate::engine::eval) const WINGS: [Bitboard; 8] = {
    let mut wings = [Bitboard::EMPTY; 8];
    let mut king = 0;
    while king < 8 {
        let middle = Bitboard::file(
            File::ALL[match king {
                0 => 1,
                7 => 6,
                other => other,
            }],
        );
        wings[king] = Bitboard(middle.0 | middle.beside().0);
        king += 1;
    }
    wings
};

/// The slot of a file without a pawn, after the second to seventh rank.
const NO_PAWN: usize = 6;

/// Posts what the pawns do for and against the own king.
pub(in crate::engine::eval) fn post_pawns(survey: &Survey, ledger: &mut impl Ledger) {
    let king = survey.own.king();
    let own = survey.own.kind(PieceKind::Pawn);
    let enemy = survey.enemy.kind(PieceKind::Pawn);
    let from_king_on = spans::from_here_on(Bitboard::rank(king.rank()));
    for first in WINGS[king.file().index()] & Bitboard::rank(Rank::One) {
        file_at_king(own, enemy, king, (first.file(), from_king_on), ledger);
    }
    pawn_distance(own | enemy, king, ledger);
}

/// Posts the open file of the own king and its right to castle, which take rooks and queens.
#[inline]
pub(in crate::engine::eval) fn post_pieces(survey: &Survey, ledger: &mut impl Ledger) {
    let king = survey.own.king();
    open_file(survey, king, ledger);
    for (slot, side) in [CastlingSide::King, CastlingSide::Queen].into_iter().enumerate() {
        if let Some(rook) = survey.castling_rook(side) {
            let posting = Posting::of(Feature::CastlingRight).slot(slot).at(king);
            ledger.post(posting.with(rook.into()));
        }
    }
}

fn file_at_king(
    own: Bitboard,
    enemy: Bitboard,
    king: Square,
    (file, from_king_on): (File, Bitboard),
    ledger: &mut impl Ledger,
) {
    let from_king_on = from_king_on & Bitboard::file(file);
    let (shield, storm) = ((own & from_king_on).first(), (enemy & from_king_on).first());
    let edge = distance_from_edge(file);
    let beside = usize::from(file != king.file());
    let slot = 28 * beside + 7 * edge + shield.map_or(NO_PAWN, row);
    let whereabouts = |pawn: Option<Square>| pawn.map_or(Bitboard::file(file), Bitboard::from_square);
    ledger.post(Posting::of(Feature::KingShelter).slot(slot).at(king).with(whereabouts(shield)));
    let stopped = storm.is_some_and(|pawn| (Bitboard::from_square(pawn).south() & own).any());
    let slot = 28 * usize::from(stopped) + 7 * edge + storm.map_or(NO_PAWN, row);
    ledger.post(Posting::of(Feature::PawnStorm).slot(slot).at(king).with(whereabouts(storm)));
}

/// 0 for the second rank to 5 for the seventh.
#[inline]
fn row(pawn: Square) -> usize {
    pawn.rank().index() - 1
}

#[inline]
fn open_file(survey: &Survey, king: Square, ledger: &mut impl Ledger) {
    let file = Bitboard::file(king.file());
    let majors = survey.enemy.kind(PieceKind::Rook) | survey.enemy.kind(PieceKind::Queen);
    if majors.any() && (file & survey.own.kind(PieceKind::Pawn)).is_empty() {
        let slot = usize::from((file & survey.enemy.kind(PieceKind::Pawn)).any());
        ledger.post(Posting::of(Feature::KingOnOpenFile).slot(slot).at(king).with(majors));
    }
}

fn pawn_distance(pawns: Bitboard, king: Square, ledger: &mut impl Ledger) {
    if pawns.is_empty() {
        return;
    }
    let (mut reach, mut moves) = (Bitboard::from_square(king), 0);
    while (reach & pawns).is_empty() {
        let wider = reach | reach.beside();
        reach = wider | wider.north() | wider.south();
        moves += 1;
    }
    let posting = Posting::of(Feature::KingPawnDistance).slot(moves).at(king);
    ledger.post(posting.with(reach & pawns));
}
