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
    /// How the pawns stand to each other.
    Pawns,
    /// Pawns that no enemy pawn can stop.
    PassedPawns,
    /// How many safe squares the pieces can go to.
    Mobility,
    /// Minor pieces that no pawn can drive away.
    Outposts,
    /// Knights and bishops among the pawns.
    Minors,
    /// Rooks on files and ranks that suit them.
    Rooks,
    /// Pieces that cannot get out.
    Trapped,
    /// Pieces that work together.
    Coordination,
    /// How safe the king is.
    KingSafety,
    /// Enemy pieces under attack.
    Threats,
    /// Room in a side's own camp.
    Space,
    /// The right to move.
    Tempo,
    /// Few pieces, of which more is known.
    Endgame,
}

impl Term {
    /// Every term, in the order of a breakdown.
    pub const ALL: [Self; 16] = [
        Self::Material,
        Self::Imbalance,
        Self::Placement,
        Self::Pawns,
        Self::PassedPawns,
        Self::Mobility,
        Self::Outposts,
        Self::Minors,
        Self::Rooks,
        Self::Trapped,
        Self::Coordination,
        Self::KingSafety,
        Self::Threats,
        Self::Space,
        Self::Tempo,
        Self::Endgame,
    ];

    /// The name in the API.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Material => "material",
            Self::Imbalance => "imbalance",
            Self::Placement => "placement",
            Self::Pawns => "pawns",
            Self::PassedPawns => "passedPawns",
            Self::Mobility => "mobility",
            Self::Outposts => "outposts",
            Self::Minors => "minors",
            Self::Rooks => "rooks",
            Self::Trapped => "trapped",
            Self::Coordination => "coordination",
            Self::KingSafety => "kingSafety",
            Self::Threats => "threats",
            Self::Space => "space",
            Self::Tempo => "tempo",
            Self::Endgame => "endgame",
        }
    }

    /// The heading a reader sees.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Material => "Material",
            Self::Imbalance => "Imbalance",
            Self::Placement => "Piece placement",
            Self::Pawns => "Pawn structure",
            Self::PassedPawns => "Passed pawns",
            Self::Mobility => "Mobility",
            Self::Outposts => "Outposts",
            Self::Minors => "Minor pieces",
            Self::Rooks => "Rooks",
            Self::Trapped => "Trapped pieces",
            Self::Coordination => "Coordination",
            Self::KingSafety => "King safety",
            Self::Threats => "Threats",
            Self::Space => "Space",
            Self::Tempo => "Tempo",
            Self::Endgame => "Known endgame",
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
                 attack, or that can go to such a square with their next move."
            }
            Self::Rooks => "Rooks on open and semi-open files and on the seventh rank.",
            Self::Trapped => {
                "Bishops shut in at the edge by a pawn, and rooks shut in beside their own king."
            }
            Self::Coordination => {
                "Pieces that work together: connected rooks, and batteries of the queen with a rook or a bishop."
            }
            Self::Pawns => {
                "How the pawns stand to each other and to the enemy's pawns: isolated, doubled, backward, protected, side by side, stopped, about to become passed, and in islands."
            }
            Self::PassedPawns => {
                "Pawns that no enemy pawn can stop any more: how far they are, what helps them and what is in their way."
            }
            Self::Minors => {
                "Knights and bishops and the pawns around them: behind a pawn, the colour of the squares that the pawns stand on, and bishops on the long diagonal."
            }
            Self::KingSafety => {
                "The pawns at the king, open files and the right to castle, and what the enemy pieces threaten the king with: attackers, attacked squares near it, checks and pins."
            }
            Self::Threats => {
                "Pieces that are attacked, or can be with the next move, by something that costs less or that they cannot well withstand."
            }
            Self::Space => "Room for the pieces in the centre of a side's own camp.",
            Self::Tempo => "The right to move.",
            Self::Endgame => {
                "Endgames of few pieces of which more is known than the other terms can say: there this term and \
                 what the material says replace them all."
            }
        }
    }
}
