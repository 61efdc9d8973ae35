//! What material alone knows of draws.

use std::cmp::Ordering;

use super::Roster;
use super::force::Force;
use crate::engine::chess::{Bitboard, Color, PieceKind, Position, Rank};

/// A rule by which a constellation is drawn, or hard to win, wherever the pieces stand.
///
/// "Ahead" is the side with more material by the classic values. The rules are common knowledge of endgame manuals;
/// the scales that are not 0 are near those with which the evaluation predicts the results of labelled games best
/// (`tune --scales`), where games have enough such positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum DrawKnowledge {
    /// Kings alone, or a single knight or bishop besides: no sequence of legal moves mates (FIDE 5.2.2).
    InsufficientMaterial,
    /// Two knights against the bare king: mate exists but cannot be forced.
    TwoKnights,
    /// One knight or bishop on each side: mate exists but cannot be forced.
    SingleMinors,
    /// Ahead with nothing but one minor piece or two knights, against pawns: they alone force no mate.
    NoMatingForce,
    /// No pawns and the same rooks and queens on both sides, and no minor pieces.
    EqualMajors,
    /// Ahead without a pawn by no more than a minor piece, where theory knows wins, though long and exact ones:
    /// two bishops against a knight, queen against two minor pieces with a bishop among them.
    LongWin,
    /// Ahead without a pawn by no more than a minor piece: rook against minor piece, rook and minor piece against
    /// rook, queen against two knights, two minor pieces against one, and the like.
    PawnlessLead,
    /// Ahead with a last pawn that the other side can have for a minor piece, leaving a lead without pawns.
    LastPawn,
}

impl DrawKnowledge {
    /// Every rule.
    pub const ALL: [Self; 8] = [
        Self::InsufficientMaterial,
        Self::TwoKnights,
        Self::SingleMinors,
        Self::NoMatingForce,
        Self::EqualMajors,
        Self::LongWin,
        Self::PawnlessLead,
        Self::LastPawn,
    ];

    /// The rule that a constellation falls under.
    #[must_use]
    pub fn of(roster: &impl Roster) -> Option<Self> {
        let [white, black] = Color::ALL.map(|color| Force::of(roster, color));
        match white.strength().cmp(&black.strength()) {
            Ordering::Greater => judge(white, black),
            Ordering::Less => judge(black, white),
            Ordering::Equal => judge(white, black).or_else(|| judge(black, white)),
        }
    }

    /// How much of the score is left, of 64.
    #[must_use]
    pub const fn scale(self) -> i32 {
        match self {
            Self::InsufficientMaterial | Self::TwoKnights | Self::SingleMinors => 0,
            Self::NoMatingForce => 4,
            Self::PawnlessLead => 7,
            Self::EqualMajors => 16,
            Self::LongWin => 32,
            Self::LastPawn => 24,
        }
    }

    /// `false` where the position overrules the constellation: where the side with more material has no pawns, a pawn of the
    /// other side on its sixth or seventh rank may win, and a scale would hide that.
    #[must_use]
    pub fn holds_in(self, position: &Position) -> bool {
        let far = |side: Color| {
            let ranks = [Rank::Six, Rank::Seven].map(|rank| Bitboard::rank(side.relative_rank(rank)));
            position.pieces(side, PieceKind::Pawn) & (ranks[0] | ranks[1])
        };
        !matches!(self, Self::NoMatingForce | Self::PawnlessLead)
            || (far(Color::White) | far(Color::Black)).is_empty()
    }

    /// The name in the API, in camel case.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::InsufficientMaterial => "insufficientMaterial",
            Self::TwoKnights => "twoKnights",
            Self::SingleMinors => "singleMinors",
            Self::NoMatingForce => "noMatingForce",
            Self::EqualMajors => "equalMajors",
            Self::LongWin => "longWin",
            Self::PawnlessLead => "pawnlessLead",
            Self::LastPawn => "lastPawn",
        }
    }

    /// The rule as a sentence for a reader.
    #[must_use]
    pub const fn reason(self) -> &'static str {
        match self {
            Self::InsufficientMaterial => "Neither side has the material to mate.",
            Self::TwoKnights => "Two knights cannot force mate against a bare king.",
            Self::SingleMinors => "Neither side can force mate with a single minor piece.",
            Self::NoMatingForce => {
                "The side with more material has no pawn and not the pieces to force mate."
            }
            Self::EqualMajors => "Equal major pieces without pawns are usually drawn.",
            Self::LongWin => "Without pawns this lead wins only by long and exact play.",
            Self::PawnlessLead => {
                "Without pawns a lead of a minor piece or less is usually not enough to win."
            }
            Self::LastPawn => "The last pawn can be had for a minor piece, and what is left does not win.",
        }
    }
}

/// The rules in order, `ahead` being at least as strong; of two equally strong sides each is asked.
fn judge(ahead: Force, behind: Force) -> Option<DrawKnowledge> {
    let pawnless = ahead.pawns == 0 && behind.pawns == 0;
    let lead = ahead.units() - behind.units();
    if pawnless && ahead.majors() == 0 && ahead.minors() <= 1 {
        let bare = behind.is_bare();
        return Some(if bare { DrawKnowledge::InsufficientMaterial } else { DrawKnowledge::SingleMinors });
    }
    if ahead.is(0, 2, 0, 0, 0) && behind.is_bare() {
        return Some(DrawKnowledge::TwoKnights);
    }
    if ahead.pawns == 0 && ahead.strength() > behind.strength() {
        if ahead.is(0, 1, 0, 0, 0)
            || ahead.is(0, 0, 1, 0, 0)
            || ahead.is(0, 2, 0, 0, 0) && behind.units() == 0
        {
            return Some(DrawKnowledge::NoMatingForce);
        }
        if lead <= Force::MINOR {
            let long = pawnless && wins_in_the_long_run(ahead, behind);
            return Some(if long { DrawKnowledge::LongWin } else { DrawKnowledge::PawnlessLead });
        }
    }
    if pawnless && ahead == behind && ahead.minors() == 0 {
        return Some(DrawKnowledge::EqualMajors);
    }
    if ahead.pawns == 1 && behind.pawns == 0 && behind.minors() > 0 && lead <= 0 {
        return Some(DrawKnowledge::LastPawn);
    }
    None
}

/// Leads of a minor piece that tablebases know as wins: two bishops against a knight, and the queen against two minor
/// pieces unless both are knights.
fn wins_in_the_long_run(ahead: Force, behind: Force) -> bool {
    let two_bishops = ahead.is(0, 0, 2, 0, 0) && behind.is(0, 1, 0, 0, 0);
    let queen = ahead.is(0, 0, 0, 0, 1) && behind.majors() == 0 && behind.minors() == 2 && behind.bishops > 0;
    two_bishops || queen
}
