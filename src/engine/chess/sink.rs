//! Where generated moves go: into a list, a count, or the answer to a question.

use super::moves::MoveKind;
use super::{Bitboard, Move, MoveList, PieceKind, Square};

/// Receives the moves of a generator.
pub trait Sink {
    /// The moves of one piece; those to squares in `enemy` capture.
    fn add(&mut self, from: Square, targets: Bitboard, enemy: Bitboard);

    /// Pawn moves to these squares, each from `step` squares before.
    fn add_pawns(&mut self, targets: Bitboard, step: i8, kind: MoveKind);

    /// Four promotions for each square.
    fn add_promotions(&mut self, targets: Bitboard, step: i8, kind: MoveKind);

    /// One special move.
    fn add_move(&mut self, mv: Move);

    /// `true` if no further move changes the answer.
    #[inline]
    fn is_full(&self) -> bool {
        false
    }
}

/// The square `step` before.
#[inline]
#[must_use]
pub fn origin(to: Square, step: i8) -> Square {
    Square::from_index((to.index() as i8 - step) as u8)
}

impl Sink for MoveList {
    #[inline]
    fn add(&mut self, from: Square, targets: Bitboard, enemy: Bitboard) {
        for to in targets {
            let kind = if enemy.contains(to) { MoveKind::Capture } else { MoveKind::Quiet };
            self.push(Move::new(from, to, kind));
        }
    }

    #[inline]
    fn add_pawns(&mut self, targets: Bitboard, step: i8, kind: MoveKind) {
        for to in targets {
            self.push(Move::new(origin(to, step), to, kind));
        }
    }

    #[inline]
    fn add_promotions(&mut self, targets: Bitboard, step: i8, kind: MoveKind) {
        for to in targets {
            for piece in PieceKind::PROMOTIONS {
                self.push(Move::promoting(origin(to, step), to, kind, piece));
            }
        }
    }

    #[inline]
    fn add_move(&mut self, mv: Move) {
        self.push(mv);
    }
}

/// Counts.
pub(super) struct Count(pub(super) u64);

impl Sink for Count {
    #[inline]
    fn add(&mut self, _: Square, targets: Bitboard, _: Bitboard) {
        self.0 += u64::from(targets.count());
    }

    #[inline]
    fn add_pawns(&mut self, targets: Bitboard, _: i8, _: MoveKind) {
        self.0 += u64::from(targets.count());
    }

    #[inline]
    fn add_promotions(&mut self, targets: Bitboard, _: i8, _: MoveKind) {
        self.0 += 4 * u64::from(targets.count());
    }

    #[inline]
    fn add_move(&mut self, _: Move) {
        self.0 += 1;
    }
}

/// Is there any move?
pub(super) struct Exists(pub(super) bool);

impl Sink for Exists {
    #[inline]
    fn add(&mut self, _: Square, targets: Bitboard, _: Bitboard) {
        self.0 |= targets.any();
    }

    #[inline]
    fn add_pawns(&mut self, targets: Bitboard, _: i8, _: MoveKind) {
        self.0 |= targets.any();
    }

    #[inline]
    fn add_promotions(&mut self, targets: Bitboard, _: i8, _: MoveKind) {
        self.0 |= targets.any();
    }

    #[inline]
    fn add_move(&mut self, _: Move) {
        self.0 = true;
    }

    #[inline]
    fn is_full(&self) -> bool {
        self.0
    }
}
