//! One side's pieces as the rules of thumb of the endgame count them.

use super::Roster;
use crate::engine::chess::{Color, PieceKind};

/// The pieces of one side without the king.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Force {
    pub(super) pawns: i32,
    pub(super) knights: i32,
    pub(super) bishops: i32,
    pub(super) rooks: i32,
    pub(super) queens: i32,
}

impl Force {
    /// What a minor piece counts in [`Self::units`].
    pub(super) const MINOR: i32 = 3;

    pub(super) fn of(roster: &impl Roster, color: Color) -> Self {
        let count = |kind| roster.count(color, kind);
        Self {
            pawns: count(PieceKind::Pawn),
            knights: count(PieceKind::Knight),
            bishops: count(PieceKind::Bishop),
            rooks: count(PieceKind::Rook),
            queens: count(PieceKind::Queen),
        }
    }

    /// Knights and bishops.
    pub(super) const fn minors(self) -> i32 {
        self.knights + self.bishops
    }

    /// Rooks and queens.
    pub(super) const fn majors(self) -> i32 {
        self.rooks + self.queens
    }

    /// The pieces without the pawns: minor 3, rook 5, queen 9.
    pub(super) const fn units(self) -> i32 {
        Self::MINOR * self.minors() + 5 * self.rooks + 9 * self.queens
    }

    /// The pieces and the pawns, in the same units.
    pub(super) const fn strength(self) -> i32 {
        self.units() + self.pawns
    }

    /// A king and nothing else.
    pub(super) const fn is_bare(self) -> bool {
        self.strength() == 0
    }

    /// Exactly these pieces: pawns, knights, bishops, rooks, queens.
    pub(super) const fn is(self, pawns: i32, knights: i32, bishops: i32, rooks: i32, queens: i32) -> bool {
        self.pawns == pawns
            && self.knights == knights
            && self.bishops == bishops
            && self.rooks == rooks
            && self.queens == queens
    }
}
