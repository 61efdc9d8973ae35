//! The register of features: what each weight is called, means and is measured in.

use super::{Score, Term, piece_square, values};

/// Declares the features and, from the same lines, everything that is known of each.
macro_rules! features {
    ($($feature:ident, $name:literal, $term:ident, $title:literal, $values:path, by $slot:literal:
       $meaning:literal, from $source:expr;)*) => {
        /// A reason for which points are given: one named entry of a breakdown, with one weight or a row of them.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum Feature {
            $(#[doc = $meaning] $feature,)*
        }

        impl Feature {
            /// Every feature, in the order of the flat table.
            pub const ALL: [Self; Self::NUMBER] = [$(Self::$feature),*];

            const NUMBER: usize = [$($name),*].len();

            const DETAILS: [Details; Self::NUMBER] = [$(Details {
                name: $name,
                term: Term::$term,
                title: $title,
                meaning: $meaning,
                slot: $slot,
                source: $source,
                values: &$values,
            }),*];
        }
    };
}

struct Details {
    name: &'static str,
    term: Term,
    title: &'static str,
    meaning: &'static str,
    slot: &'static str,
    source: &'static str,
    values: &'static [Score],
}

const PIECE_VALUES: &str = "Textbook values: classic 1 3 3 5 9; Max Euwe's 1 3 3 4.5 9.5.";
const OWN: &str = "Set by hand for this engine.";
const TEXTBOOK: &str = "Set by hand within the textbook range.";

features! {
    PawnValue, "pawnValue", Material, "Pawns", values::PAWN_VALUE, by "value set (classic, euwe)":
        "The worth of a pawn by itself.", from PIECE_VALUES;
    KnightValue, "knightValue", Material, "Knights", values::KNIGHT_VALUE, by "value set (classic, euwe)":
        "The worth of a knight by itself.", from PIECE_VALUES;
    BishopValue, "bishopValue", Material, "Bishops", values::BISHOP_VALUE, by "value set (classic, euwe)":
        "The worth of a bishop by itself.", from PIECE_VALUES;
    RookValue, "rookValue", Material, "Rooks", values::ROOK_VALUE, by "value set (classic, euwe)":
        "The worth of a rook by itself.", from PIECE_VALUES;
    QueenValue, "queenValue", Material, "Queens", values::QUEEN_VALUE, by "value set (classic, euwe)":
        "The worth of a queen by itself.", from PIECE_VALUES;

    BishopPair, "bishopPair", Imbalance, "Bishop pair", values::BISHOP_PAIR, by "":
        "Two bishops or more, which together cover both colours.", from TEXTBOOK;
    KnightAgainstBishop, "knightAgainstBishop", Imbalance, "Knights against bishops",
        values::KNIGHT_AGAINST_BISHOP, by "":
        "A knight that faces an enemy bishop, for each pawn on the board beyond eight: pawns help knights, open boards help bishops.",
        from "Textbook formula: (pawns - 8) * 2.";

    PawnPlacement, "pawnPlacement", Placement, "Placement of pawns", piece_square::PAWN_PLACEMENT,
        by "square, a1 to h8 from the owner's side": "Where a pawn stands.", from OWN;
    KnightPlacement, "knightPlacement", Placement, "Placement of knights", piece_square::KNIGHT_PLACEMENT,
        by "square, a1 to h8 from the owner's side": "Where a knight stands.", from OWN;
    BishopPlacement, "bishopPlacement", Placement, "Placement of bishops", piece_square::BISHOP_PLACEMENT,
        by "square, a1 to h8 from the owner's side": "Where a bishop stands.", from OWN;
    RookPlacement, "rookPlacement", Placement, "Placement of rooks", piece_square::ROOK_PLACEMENT,
        by "square, a1 to h8 from the owner's side": "Where a rook stands.", from OWN;
    QueenPlacement, "queenPlacement", Placement, "Placement of queens", piece_square::QUEEN_PLACEMENT,
        by "square, a1 to h8 from the owner's side": "Where a queen stands.", from OWN;
    KingPlacement, "kingPlacement", Placement, "Placement of kings", piece_square::KING_PLACEMENT,
        by "square, a1 to h8 from the owner's side": "Where the king stands.", from OWN;

    KnightMobility, "knightMobility", Mobility, "Knight mobility", values::KNIGHT_MOBILITY,
        by "safe squares, 0 to 8": "The number of safe squares a knight can go to.", from OWN;
    BishopMobility, "bishopMobility", Mobility, "Bishop mobility", values::BISHOP_MOBILITY,
        by "safe squares, 0 to 13": "The number of safe squares a bishop can go to.", from OWN;
    RookMobility, "rookMobility", Mobility, "Rook mobility", values::ROOK_MOBILITY,
        by "safe squares, 0 to 14": "The number of safe squares a rook can go to.", from OWN;
    QueenMobility, "queenMobility", Mobility, "Queen mobility", values::QUEEN_MOBILITY,
        by "safe squares, 0 to 27": "The number of safe squares a queen can go to.", from OWN;

    KnightOutpost, "knightOutpost", Outposts, "Knight outpost", values::KNIGHT_OUTPOST, by "rank, 4 to 6":
        "A knight on the fourth to sixth rank that a pawn protects and no enemy pawn can ever attack.",
        from TEXTBOOK;
    BishopOutpost, "bishopOutpost", Outposts, "Bishop outpost", values::BISHOP_OUTPOST, by "rank, 4 to 6":
        "A bishop on the fourth to sixth rank that a pawn protects and no enemy pawn can ever attack.",
        from TEXTBOOK;

    RookOnOpenFile, "rookOnOpenFile", Rooks, "Rook on an open file", values::ROOK_ON_OPEN_FILE, by "":
        "A rook on a file without pawns.", from TEXTBOOK;
    RookOnSemiOpenFile, "rookOnSemiOpenFile", Rooks, "Rook on a semi-open file",
        values::ROOK_ON_SEMI_OPEN_FILE, by "":
        "A rook on a file without pawns of its own side but with an enemy pawn.", from TEXTBOOK;
    RookOnSeventh, "rookOnSeventh", Rooks, "Rook on the seventh rank", values::ROOK_ON_SEVENTH, by "":
        "A rook on its seventh rank while the enemy king stands on the last rank or enemy pawns stand on the seventh.",
        from TEXTBOOK;

    TrappedBishop, "trappedBishop", Trapped, "Trapped bishop", values::TRAPPED_BISHOP, by "":
        "A bishop on the edge of the seventh rank that an enemy pawn on the sixth shuts in.", from TEXTBOOK;
    TrappedRook, "trappedRook", Trapped, "Trapped rook", values::TRAPPED_ROOK, by "":
        "A rook on its first rank between the edge and its own king that has lost the right to castle.",
        from TEXTBOOK;

    ConnectedRooks, "connectedRooks", Coordination, "Connected rooks", values::CONNECTED_ROOKS, by "":
        "Two rooks of one side on one rank or file with nothing between them.", from TEXTBOOK;
    FileBattery, "fileBattery", Coordination, "Battery on a file", values::FILE_BATTERY, by "":
        "A queen and a rook of one side on one file with nothing between them.", from OWN;
    DiagonalBattery, "diagonalBattery", Coordination, "Battery on a diagonal", values::DIAGONAL_BATTERY, by "":
        "A queen and a bishop of one side on one diagonal with nothing between them.", from OWN;

    Tempo, "tempo", Tempo, "Tempo", values::TEMPO, by "": "The right to move.", from OWN;
}

impl Feature {
    /// The name in the API, in camel case.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.details().name
    }

    /// The family it belongs to.
    #[must_use]
    pub const fn term(self) -> Term {
        self.details().term
    }

    /// The heading a reader sees.
    #[must_use]
    pub const fn title(self) -> &'static str {
        self.details().title
    }

    /// What the feature is, in a sentence.
    #[must_use]
    pub const fn meaning(self) -> &'static str {
        self.details().meaning
    }

    /// What the place of a weight in the row stands for; empty for a feature with a single weight.
    #[must_use]
    pub const fn slot(self) -> &'static str {
        self.details().slot
    }

    /// The unit of the weights.
    #[must_use]
    pub const fn unit(self) -> &'static str {
        "centipawns"
    }

    /// Where the numbers come from.
    #[must_use]
    pub const fn source(self) -> &'static str {
        self.details().source
    }

    /// The row of weights.
    #[must_use]
    pub const fn weights(self) -> &'static [Score] {
        self.details().values
    }

    /// The place of a weight in [`WEIGHTS`].
    ///
    /// `slot` must be below the length of [`Self::weights`]; a larger one names another feature's weight.
    #[inline]
    #[must_use]
    pub const fn index(self, slot: usize) -> usize {
        OFFSETS[self as usize] + slot
    }

    /// One weight of the row.
    ///
    /// # Panics
    /// If `slot` is beyond the end of the whole table.
    #[inline]
    #[must_use]
    pub const fn weight(self, slot: usize) -> Score {
        WEIGHTS[self.index(slot)]
    }

    const fn details(self) -> &'static Details {
        &DETAILS[self as usize]
    }
}

static DETAILS: [Details; Feature::NUMBER] = Feature::DETAILS;

/// Where each feature's row begins in [`WEIGHTS`].
const OFFSETS: [usize; Feature::NUMBER] = {
    let mut offsets = [0; Feature::NUMBER];
    let mut feature = 1;
    while feature < Feature::NUMBER {
        offsets[feature] = offsets[feature - 1] + Feature::DETAILS[feature - 1].values.len();
        feature += 1;
    }
    offsets
};

const LENGTH: usize = OFFSETS[Feature::NUMBER - 1] + Feature::DETAILS[Feature::NUMBER - 1].values.len();

/// All weights in one row, feature after feature: the order of a tuner's coefficients.
pub static WEIGHTS: [Score; LENGTH] = {
    let mut weights = [Score::ZERO; LENGTH];
    let mut feature = 0;
    while feature < Feature::NUMBER {
        let values = Feature::DETAILS[feature].values;
        let mut slot = 0;
        while slot < values.len() {
            weights[OFFSETS[feature] + slot] = values[slot];
            slot += 1;
        }
        feature += 1;
    }
    weights
};

#[cfg(test)]
mod tests {
    use super::{Feature, WEIGHTS};
    use std::collections::HashSet;

    #[test]
    fn the_flat_table_is_the_rows_end_to_end() {
        let rows: Vec<_> = Feature::ALL.iter().flat_map(|feature| feature.weights()).copied().collect();
        assert_eq!(rows, WEIGHTS);
        for feature in Feature::ALL {
            for (slot, weight) in feature.weights().iter().enumerate() {
                assert_eq!(feature.weight(slot), *weight, "{feature:?} {slot}");
            }
        }
    }

    #[test]
    fn names_are_unique_and_texts_are_sentences() {
        let names: HashSet<_> = Feature::ALL.iter().map(|feature| feature.name()).collect();
        assert_eq!(names.len(), Feature::ALL.len());
        for feature in Feature::ALL {
            assert!(feature.meaning().ends_with('.') && feature.source().ends_with('.'), "{feature:?}");
            assert_eq!(feature.slot().is_empty(), feature.weights().len() == 1, "{feature:?}");
        }
    }
}
