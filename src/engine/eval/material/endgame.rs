//! Endgames with a name, for which exact or special knowledge exists.

use super::Roster;
use super::force::Force;
use crate::engine::chess::Color;

/// A named endgame, without regard to which side is the stronger.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Endgame {
    /// King and pawn against king.
    PawnAgainstKing,
    /// Bishop and knight against the bare king: mate in the corner of the bishop's colour.
    BishopAndKnightMate,
    /// Enough force to mate the bare king by driving it to the edge.
    BareKing,
    /// Two knights against the bare king.
    TwoKnights,
    /// A bishop and pawns against the bare king: the corner may be the wrong one.
    BishopAndPawns,
    /// Queen against pawn.
    QueenAgainstPawn,
    /// Queen against rook.
    QueenAgainstRook,
    /// Rook against pawn.
    RookAgainstPawn,
    /// Rook against bishop.
    RookAgainstBishop,
    /// Rook against knight.
    RookAgainstKnight,
    /// Rook and pawn against rook.
    RookAndPawnAgainstRook,
}

impl Endgame {
    /// The endgame of a constellation and the side that plays for a win.
    #[must_use]
    pub fn of(roster: &impl Roster) -> Option<(Self, Color)> {
        let [white, black] = Color::ALL.map(|color| Force::of(roster, color));
        let side = if white.strength() >= black.strength() { Color::White } else { Color::Black };
        let (strong, weak) = if side == Color::White { (white, black) } else { (black, white) };
        let endgame = if weak.is_bare() { against_bare_king(strong) } else { against_one(strong, weak) };
        endgame.map(|endgame| (endgame, side))
    }

    /// The name in the API, as a signature with the stronger side first; `x` stands for any mating force, `s` for
    /// one or more.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::PawnAgainstKing => "KPvK",
            Self::BishopAndKnightMate => "KBNvK",
            Self::BareKing => "KXvK",
            Self::TwoKnights => "KNNvK",
            Self::BishopAndPawns => "KBPsvK",
            Self::QueenAgainstPawn => "KQvKP",
            Self::QueenAgainstRook => "KQvKR",
            Self::RookAgainstPawn => "KRvKP",
            Self::RookAgainstBishop => "KRvKB",
            Self::RookAgainstKnight => "KRvKN",
            Self::RookAndPawnAgainstRook => "KRPvKR",
        }
    }
}

fn against_bare_king(strong: Force) -> Option<Endgame> {
    let (bishops, minors) = (strong.bishops, strong.minors());
    if strong.is(1, 0, 0, 0, 0) {
        Some(Endgame::PawnAgainstKing)
    } else if strong.is(0, 1, 1, 0, 0) {
        Some(Endgame::BishopAndKnightMate)
    } else if strong.is(0, 2, 0, 0, 0) {
        Some(Endgame::TwoKnights)
    } else if strong.majors() > 0 || minors >= 3 || bishops >= 2 || bishops == 1 && minors == 2 {
        Some(Endgame::BareKing)
    } else if bishops == 1 && strong.pawns > 0 {
        Some(Endgame::BishopAndPawns)
    } else {
        None
    }
}

fn against_one(strong: Force, weak: Force) -> Option<Endgame> {
    let queen = strong.is(0, 0, 0, 0, 1);
    let rook = strong.is(0, 0, 0, 1, 0);
    if weak.is(1, 0, 0, 0, 0) && queen {
        Some(Endgame::QueenAgainstPawn)
    } else if weak.is(1, 0, 0, 0, 0) && rook {
        Some(Endgame::RookAgainstPawn)
    } else if weak.is(0, 0, 0, 1, 0) && queen {
        Some(Endgame::QueenAgainstRook)
    } else if weak.is(0, 0, 0, 1, 0) && strong.is(1, 0, 0, 1, 0) {
        Some(Endgame::RookAndPawnAgainstRook)
    } else if weak.is(0, 0, 1, 0, 0) && rook {
        Some(Endgame::RookAgainstBishop)
    } else if weak.is(0, 1, 0, 0, 0) && rook {
        Some(Endgame::RookAgainstKnight)
    } else {
        None
    }
}
