//! The sets of piece values to choose from.

/// A textbook's opinion of what the pieces are worth, in centipawns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum PieceValues {
    /// Pawn 100, knight and bishop 300, rook 500, queen 900.
    #[default]
    Classic,
    /// Max Euwe's: pawn 100, knight and bishop 300, rook 450, queen 950.
    Euwe,
}

impl PieceValues {
    /// Every set, in the order of the weights' rows.
    pub const ALL: [Self; 2] = [Self::Classic, Self::Euwe];

    /// The place of this set's values in the row of a piece-value feature.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }
}
