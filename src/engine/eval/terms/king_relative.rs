//! Placement by the kings: where each piece stands, by the place of its own king and by that of the enemy's.

use crate::engine::chess::{File, PieceKind, Rank, Square};
use crate::engine::eval::camp::Officer;
use crate::engine::eval::ledger::{Ledger, Posting};
use crate::engine::eval::survey::Survey;
use crate::engine::weights::Feature;

/// Posts king and pawns: the king by its square, each pawn by its square and the place of either king.
pub(in crate::engine::eval) fn post_pawns(survey: &Survey, ledger: &mut impl Ledger) {
    let king = survey.own.king();
    ledger.post(Posting::of(Feature::KingPlacement).slot(king.index()).at(king));
    let views = Views::of(king, survey.enemy.king());
    for pawn in survey.own.kind(PieceKind::Pawn) {
        post(views, pawn, [Feature::PawnByOwnKing, Feature::PawnByEnemyKing], ledger);
    }
}

/// Posts an officer by its square and the place of either king.
#[inline]
pub(in crate::engine::eval) fn post_officer(views: Views, officer: Officer, ledger: &mut impl Ledger) {
    let features = match officer.kind {
        PieceKind::Knight => [Feature::KnightByOwnKing, Feature::KnightByEnemyKing],
        PieceKind::Bishop => [Feature::BishopByOwnKing, Feature::BishopByEnemyKing],
        PieceKind::Rook => [Feature::RookByOwnKing, Feature::RookByEnemyKing],
        PieceKind::Queen => [Feature::QueenByOwnKing, Feature::QueenByEnemyKing],
        PieceKind::Pawn | PieceKind::King => return,
    };
    post(views, officer.square, features, ledger);
}

/// Posts a piece by the feature of its own king and by that of the enemy's.
#[inline]
fn post(views: Views, square: Square, [by_own, by_enemy]: [Feature; 2], ledger: &mut impl Ledger) {
    ledger.post(Posting::of(by_own).slot(views.own.slot(square)).at(square));
    ledger.post(Posting::of(by_enemy).slot(views.enemy.slot(square)).at(square));
}

/// How the two kings see the pieces of one side.
#[derive(Clone, Copy)]
pub(in crate::engine::eval) struct Views {
    own: View,
    enemy: View,
}

impl Views {
    #[inline]
    pub(in crate::engine::eval) fn of(own: Square, enemy: Square) -> Self {
        Self { own: View::of(own), enemy: View::of(enemy.flip()) }
    }
}

/// The board as a king sees it: files mirrored so that it stands on e to h, and its place among eight. The place is the upper
/// bits, what is to be flipped in the names of squares the lower six.
#[derive(Clone, Copy)]
struct View(u16);

impl View {
    /// The view of a king on this square, named from its own side. The mask changes nothing; by it the compiler knows that
    /// a slot is within the row.
    #[inline]
    const fn of(king: Square) -> Self {
        Self(VIEWS[king.index()].0 & 0x1ff)
    }

    /// The weight of a square, named from the owner's side.
    #[inline]
    const fn slot(self, square: Square) -> usize {
        self.0 as usize ^ square.index()
    }
}

/// The view of a king from each square, named from its own side.
const VIEWS: [View; 64] = {
    let mut views = [View(0); 64];
    let mut square = 0;
    while square < 64 {
        let king = Square::from_index(square as u8);
        let mirror = if king.file().index() < File::E.index() { 7 } else { 0 };
        views[square] = View((place(king, king.file().index() ^ mirror) * 64 + mirror) as u16);
        square += 1;
    }
    views
};

/// On the first rank each file (4 to 7 after mirroring) is a place of its own, on the second each half of the wing; the
/// third and fourth rank are a place, and so are all beyond.
const fn place(king: Square, file: usize) -> usize {
    match king.rank() {
        Rank::One => file - 4,
        Rank::Two => 4 + (file - 4) / 2,
        Rank::Three | Rank::Four => 6,
        Rank::Five | Rank::Six | Rank::Seven | Rank::Eight => 7,
    }
}
