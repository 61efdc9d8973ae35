//! Families of features: the rows of a breakdown.

/// A family of features, shown as one row of a breakdown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Term {
    /// What the pieces are worth by themselves.
    Material,
    /// What pieces gain or lose by the company they keep.
    Imbalance,
    /// Where the pieces stand.
    Placement,
    /// How many safe squares the pieces can go to.
    Mobility,
    /// Minor pieces that no pawn can drive away.
    Outposts,
    /// Rooks on files and ranks that suit them.
    Rooks,
    /// Pieces that cannot get out.
    Trapped,
    /// Pieces that work together.
    Coordination,
    /// The right to move.
    Tempo,
}

impl Term {
    /// Every term, in the order of a breakdown.
    pub const ALL: [Self; 9] = [
        Self::Material,
        Self::Imbalance,
        Self::Placement,
        Self::Mobility,
        Self::Outposts,
        Self::Rooks,
        Self::Trapped,
        Self::Coordination,
        Self::Tempo,
    ];

    /// The name in the API.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Material => "material",
            Self::Imbalance => "imbalance",
            Self::Placement => "placement",
            Self::Mobility => "mobility",
            Self::Outposts => "outposts",
            Self::Rooks => "rooks",
            Self::Trapped => "trapped",
            Self::Coordination => "coordination",
            Self::Tempo => "tempo",
        }
    }

    /// The heading a reader sees.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Material => "Material",
            Self::Imbalance => "Imbalance",
            Self::Placement => "Piece placement",
            Self::Mobility => "Mobility",
            Self::Outposts => "Outposts",
            Self::Rooks => "Rooks",
            Self::Trapped => "Trapped pieces",
            Self::Coordination => "Coordination",
            Self::Tempo => "Tempo",
        }
    }

    /// What the term is about, in a sentence.
    #[must_use]
    pub const fn description(self) -> &'static str {
        match self {
            Self::Material => "What the pieces are worth by themselves, wherever they stand.",
            Self::Imbalance => {
                "What pieces gain or lose by the company they keep: the pair of bishops, and knights against \
                 bishops by the number of pawns."
            }
            Self::Placement => "What each piece gains or loses by the square it stands on.",
            Self::Mobility => {
                "How many safe squares each knight, bishop, rook and queen can go to: squares that hold no piece \
                 of its own side and that no enemy pawn attacks."
            }
            Self::Outposts => {
                "Knights and bishops on the fourth to sixth rank that a pawn protects and no enemy pawn can ever \
                 attack."
            }
            Self::Rooks => "Rooks on open and semi-open files and on the seventh rank.",
            Self::Trapped => {
                "Bishops shut in at the edge by a pawn, and rooks shut in beside their own king."
            }
            Self::Coordination => {
                "Pieces that work together: connected rooks, and batteries of the queen with a rook or a bishop."
            }
            Self::Tempo => "The right to move.",
        }
    }
}
