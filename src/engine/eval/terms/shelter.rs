//! The king's pawns: shelter, storm, open files, and the right to castle.

use crate::engine::chess::{Bitboard, CastlingSide, Color, File, PieceKind, Position, Side, Square};
use crate::engine::eval::ledger::{Ledger, Posting};
use crate::engine::eval::spans;
use crate::engine::eval::terms::pawns::distance_from_edge;
use crate::engine::weights::Feature;

/// The slot of a file without a pawn, after the second to seventh rank.
const NO_PAWN: usize = 6;

/// Posts what the pawns do for and against the king of side `S`.
pub(in crate::engine::eval) fn post_pawns<S: Side>(position: &Position, ledger: &mut impl Ledger) {
    let king = position.king(S::COLOR);
    let own = position.pieces(S::COLOR, PieceKind::Pawn);
    let enemy = position.pieces(<S::Enemy as Side>::COLOR, PieceKind::Pawn);
    let from_king_on = spans::from_here_on::<S>(S::COLOR.rank(king.relative(S::COLOR).rank()));
    for file in files_at(king) {
        file_at_king::<S>(own, enemy, king, (file, from_king_on), ledger);
    }
    pawn_distance::<S>(own | enemy, king, ledger);
}

/// Posts the open file of the king of side `S` and its right to castle, which take rooks and queens.
#[inline]
pub(in crate::engine::eval) fn post_pieces<S: Side>(position: &Position, ledger: &mut impl Ledger) {
    let king = position.king(S::COLOR);
    open_file::<S>(position, king, ledger);
    for (slot, side) in [CastlingSide::King, CastlingSide::Queen].into_iter().enumerate() {
        if let Some(rook) = position.castling().rook(S::COLOR, side) {
            let posting = Posting::of(Feature::CastlingRight).slot(slot).at(king);
            ledger.post::<S>(posting.with(rook.into()));
        }
    }
}

/// The king's file and the two beside it; of a king on the edge the three files of the edge.
#[inline]
pub(in crate::engine::eval) fn files_at(king: Square) -> [File; 3] {
    let middle = king.file().index().clamp(1, 6) as u8;
    [middle - 1, middle, middle + 1].map(File::from_index)
}

fn file_at_king<S: Side>(
    own: Bitboard,
    enemy: Bitboard,
    king: Square,
    (file, from_king_on): (File, Bitboard),
    ledger: &mut impl Ledger,
) {
    let from_king_on = from_king_on & Bitboard::file(file);
    let (shield, storm) = (nearest::<S>(own & from_king_on), nearest::<S>(enemy & from_king_on));
    let edge = distance_from_edge(file);
    let beside = usize::from(file != king.file());
    let slot = 28 * beside + 7 * edge + shield.map_or(NO_PAWN, row::<S>);
    let whereabouts = |pawn: Option<Square>| pawn.map_or(Bitboard::file(file), Bitboard::from_square);
    ledger.post::<S>(Posting::of(Feature::KingShelter).slot(slot).at(king).with(whereabouts(shield)));
    let stopped = storm.is_some_and(|pawn| ((!S::COLOR).forward(pawn.into()) & own).any());
    let slot = 28 * usize::from(stopped) + 7 * edge + storm.map_or(NO_PAWN, row::<S>);
    ledger.post::<S>(Posting::of(Feature::PawnStorm).slot(slot).at(king).with(whereabouts(storm)));
}

/// The one of a file's pawns that is nearest to the first rank of side `S`.
#[inline]
fn nearest<S: Side>(pawns: Bitboard) -> Option<Square> {
    match S::COLOR {
        Color::White => pawns.first(),
        Color::Black => pawns.last(),
    }
}

/// 0 for the second rank of side `S` to 5 for the seventh.
#[inline]
fn row<S: Side>(pawn: Square) -> usize {
    pawn.relative(S::COLOR).rank().index() - 1
}

#[inline]
fn open_file<S: Side>(position: &Position, king: Square, ledger: &mut impl Ledger) {
    let enemy = |kind| position.pieces(<S::Enemy as Side>::COLOR, kind);
    let file = Bitboard::file(king.file());
    let majors = enemy(PieceKind::Rook) | enemy(PieceKind::Queen);
    if majors.any() && (file & position.pieces(S::COLOR, PieceKind::Pawn)).is_empty() {
        let slot = usize::from((file & enemy(PieceKind::Pawn)).any());
        ledger.post::<S>(Posting::of(Feature::KingOnOpenFile).slot(slot).at(king).with(majors));
    }
}

fn pawn_distance<S: Side>(pawns: Bitboard, king: Square, ledger: &mut impl Ledger) {
    if pawns.is_empty() {
        return;
    }
    let (mut reach, mut moves) = (Bitboard::from_square(king), 0);
    while (reach & pawns).is_empty() {
        let wider = reach | spans::beside(reach);
        reach = wider | S::COLOR.forward(wider) | (!S::COLOR).forward(wider);
        moves += 1;
    }
    let posting = Posting::of(Feature::KingPawnDistance).slot(moves).at(king);
    ledger.post::<S>(posting.with(reach & pawns));
}
