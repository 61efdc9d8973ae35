//! Placement by the kings: where each piece stands, by the place of its own king and by that of the enemy's.

use crate::engine::chess::{Color, File, PieceKind, Position, Rank, Side, Square};
use crate::engine::eval::ledger::{Ledger, Posting};
use crate::engine::weights::Feature;

/// Posts king and pawns of side `S`: the king by its square, each pawn by its square and the place of either king.
pub(in crate::engine::eval) fn post_pawns<S: Side>(position: &Position, ledger: &mut impl Ledger) {
    let king = position.king(S::COLOR);
    ledger.post::<S>(Posting::of(Feature::KingPlacement).slot(S::relative(king).index()).at(king));
    let kinds = [(PieceKind::Pawn, Feature::PawnByOwnKing, Feature::PawnByEnemyKing)];
    post::<S>(position, kinds, ledger);
}

/// Posts the other pieces of side `S`, each by its square and the place of either king.
#[inline]
pub(in crate::engine::eval) fn post_pieces<S: Side>(position: &Position, ledger: &mut impl Ledger) {
    let kinds = [
        (PieceKind::Knight, Feature::KnightByOwnKing, Feature::KnightByEnemyKing),
        (PieceKind::Bishop, Feature::BishopByOwnKing, Feature::BishopByEnemyKing),
        (PieceKind::Rook, Feature::RookByOwnKing, Feature::RookByEnemyKing),
        (PieceKind::Queen, Feature::QueenByOwnKing, Feature::QueenByEnemyKing),
    ];
    post::<S>(position, kinds, ledger);
}

/// Posts each piece of these kinds by the feature of its own king and by that of the enemy's.
#[inline]
fn post<S: Side>(
    position: &Position,
    kinds: impl IntoIterator<Item = (PieceKind, Feature, Feature)>,
    ledger: &mut impl Ledger,
) {
    let own = View::of(position, S::COLOR);
    let enemy = View::of(position, <S::Enemy as Side>::COLOR);
    for (kind, by_own, by_enemy) in kinds {
        for square in position.pieces(S::COLOR, kind) {
            let relative = S::relative(square);
            ledger.post::<S>(Posting::of(by_own).slot(own.slot(relative)).at(square));
            ledger.post::<S>(Posting::of(by_enemy).slot(enemy.slot(relative)).at(square));
        }
    }
}

/// The board as a king sees it: files mirrored so that it stands on e to h, and its place among eight.
#[derive(Clone, Copy)]
struct View {
    mirror: usize,
    place: usize,
}

impl View {
    #[inline]
    fn of(position: &Position, side: Color) -> Self {
        let king = position.king(side).relative(side);
        let mirror = if king.file() < File::E { 7 } else { 0 };
        Self { mirror, place: place(king, king.file().index() ^ mirror) }
    }

    /// The weight of a square, named from the owner's side.
    #[inline]
    const fn slot(self, square: Square) -> usize {
        self.place * 64 + (square.index() ^ self.mirror)
    }
}

/// On the first rank each file (4 to 7 after mirroring) is a place of its own, on the second each half of the wing; the
/// third and fourth rank are a place, and so are all beyond.
#[inline]
const fn place(king: Square, file: usize) -> usize {
    match king.rank() {
        Rank::One => file - 4,
        Rank::Two => 4 + (file - 4) / 2,
        Rank::Three | Rank::Four => 6,
        Rank::Five | Rank::Six | Rank::Seven | Rank::Eight => 7,
    }
}
