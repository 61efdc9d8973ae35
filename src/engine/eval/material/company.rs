//! The company of pieces: what pairs of kinds gain or lose by each other. Together with the piece values a polynomial of
//! the second degree in the numbers of pieces, as in Larry Kaufman's "The Evaluation of Material Imbalances".

use super::Roster;
use crate::engine::chess::{PieceKind, Side};
use crate::engine::eval::ledger::{Ledger, Posting};
use crate::engine::weights::Feature;

const KINDS: [PieceKind; 5] =
    [PieceKind::Pawn, PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen];

/// Posts each pair of kinds that side `S` has, as often as there are pairs of pieces, and each pair of a kind of its own
/// with a lesser kind of the enemy's.
pub(in crate::engine::eval) fn post<S: Side>(roster: &impl Roster, ledger: &mut impl Ledger) {
    let own = KINDS.map(|kind| roster.count(S::COLOR, kind));
    let enemy = KINDS.map(|kind| roster.count(<S::Enemy as Side>::COLOR, kind));
    let squares = |kind: usize| roster.squares(S::COLOR, KINDS[kind]);
    for greater in 0..KINDS.len() {
        for lesser in 0..=greater {
            let alike = greater == lesser;
            let pairs =
                if alike { own[greater] * (own[greater] - 1) / 2 } else { own[greater] * own[lesser] };
            if pairs > 0 {
                let posting = Posting::of(Feature::OwnCompany).slot(greater * (greater + 1) / 2 + lesser);
                ledger.post::<S>(posting.times(pairs).on(squares(greater) | squares(lesser)));
            }
            let facing = own[greater] * enemy[lesser];
            if !alike && facing > 0 {
                let posting = Posting::of(Feature::EnemyCompany).slot(greater * (greater - 1) / 2 + lesser);
                let enemies = roster.squares(<S::Enemy as Side>::COLOR, KINDS[lesser]);
                ledger.post::<S>(posting.times(facing).on(squares(greater)).with(enemies));
            }
        }
    }
}
