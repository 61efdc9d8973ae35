//! Space: room for the pieces in the centre of the own camp.

use crate::engine::chess::{Bitboard, File, PieceKind, Rank};
use crate::engine::eval::ledger::{Ledger, Posting};
use crate::engine::eval::spans;
use crate::engine::eval::survey::Survey;
use crate::engine::weights::Feature;

/// Posts the own space: each square on the second to fourth rank in the four centre files that holds no own pawn
/// and that no enemy pawn attacks counts once, and once more behind an own pawn where no enemy piece attacks it. The
/// more pieces, the more room is worth.
#[inline]
pub(in crate::engine::eval) fn post(survey: &Survey, ledger: &mut impl Ledger) {
    let files = [File::C, File::D, File::E, File::F].into_iter();
    let center = files.fold(Bitboard::EMPTY, |files, file| files | Bitboard::file(file));
    let camp =
        center & (Bitboard::rank(Rank::Two) | Bitboard::rank(Rank::Three) | Bitboard::rank(Rank::Four));
    let pawns = survey.own.kind(PieceKind::Pawn);
    let safe = camp & !pawns & !survey.enemy.pawn_attacks();
    let sheltered = safe & spans::behind(pawns) & !survey.enemy.attacks.all;
    let slot = survey.own.officers().count().min(8) as usize;
    let times = (safe.count() + sheltered.count()) as i32;
    ledger.post(Posting::of(Feature::Space).slot(slot).times(times).on(safe));
}
