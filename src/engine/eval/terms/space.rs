//! Space: room for the pieces in the centre of the own camp.

use crate::engine::chess::{Bitboard, File, PieceKind, Rank, Side};
use crate::engine::eval::ledger::{Ledger, Posting};
use crate::engine::eval::spans;
use crate::engine::eval::survey::Survey;
use crate::engine::weights::Feature;

/// Posts the space of side `S`: each square on its second to fourth rank in the four centre files that holds no own pawn
/// and that no enemy pawn attacks counts once, and once more behind an own pawn where no enemy piece attacks it. The
/// more pieces, the more room is worth.
#[inline]
pub(in crate::engine::eval) fn post<S: Side>(survey: &Survey, ledger: &mut impl Ledger) {
    let files = [File::C, File::D, File::E, File::F].into_iter();
    let center = files.fold(Bitboard::EMPTY, |files, file| files | Bitboard::file(file));
    let camp = center & (S::COLOR.rank(Rank::Two) | S::COLOR.rank(Rank::Three) | S::COLOR.rank(Rank::Four));
    let pawns = survey.own::<S>(PieceKind::Pawn);
    let safe = camp & !pawns & !survey.pawn_attacks::<S::Enemy>();
    let sheltered = safe & spans::behind::<S>(pawns) & !survey.attacks.by::<S::Enemy>().all;
    let slot = survey.officers::<S>().count().min(8) as usize;
    let times = (safe.count() + sheltered.count()) as i32;
    ledger.post::<S>(Posting::of(Feature::Space).slot(slot).times(times).on(safe));
}
