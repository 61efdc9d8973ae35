//! What stands in the way of a win by where the pieces stand.

use crate::engine::chess::{Bitboard, Color, File, PieceKind, Position, Rank, Square};
use crate::engine::eval::PieceValues;
use crate::engine::eval::material::Entry;

/// A reason why a lead is hard or impossible to turn into a win.
///
/// What is certain has the scale 0. The other scales are near those with which the evaluation predicts the results of
/// labelled games best (`tune --scales`); those that hardly occur in games are set by hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Obstacle {
    /// King and pawn against king, drawn by the exact table.
    PawnIsHeld {
        /// The side without the pawn.
        defender: Color,
    },
    /// Bishops of one colour against the bare king.
    BishopsOfOneColour {
        /// Whose bishops.
        owner: Color,
    },
    /// Pawns on one rook's file, no piece or a bishop that does not reach their last square, and a bare king that holds
    /// it.
    CornerHeld {
        /// The side of that king.
        defender: Color,
        /// The last square of the pawns.
        corner: Square,
    },
    /// The same with pawns beside the king, or with a king that is as near to the corner as the other king.
    CornerInReach {
        /// The side of that king.
        defender: Color,
        /// Where that king stands.
        king: Square,
        /// The last square of the pawns.
        corner: Square,
    },
    /// Queen against a rook's or bishop's pawn on its seventh rank with its king beside it.
    PawnOnTheSeventh {
        /// The pawn.
        pawn: Square,
    },
    /// Rook against a far pawn with its own king beside it and the other king away.
    PawnLedByKing {
        /// The pawn.
        pawn: Square,
    },
    /// Rook and pawn against rook with the defending king in the pawn's way.
    KingInFrontOfPawn {
        /// The defending king.
        king: Square,
        /// The pawn.
        pawn: Square,
    },
    /// One bishop each, on different colours, and nothing else but pawns.
    OppositeBishops {
        /// By how many pawns the sides differ, at most 3.
        lead: u8,
    },
    /// One bishop each, on different colours, and beside them the same pieces on both sides.
    OppositeBishopsAmongOthers,
    /// One rook each, pawns on one wing alone, and at most one pawn more on one side.
    RooksAndOneWing,
    /// Pawns on one wing alone, and nobody more than a minor piece ahead.
    OneWing,
    /// Even material, and so many pawns at most on each side.
    EvenWithFewPawns {
        /// 0 or 1.
        pawns: u8,
    },
    /// The side with more material has few pawns and no more than a minor piece besides.
    FewPawns {
        /// That side.
        side: Color,
        /// Its pawns.
        pawns: u8,
    },
}

impl Obstacle {
    /// Pawns beyond which [`Self::FewPawns`] does not count them.
    const FEW: u32 = 2;

    /// With two minor pieces at the most, few pawns and pawns on one wing still win.
    const LEAST_PHASE: i32 = 3;

    /// A minor piece in centipawns: a larger lead needs no pawns.
    const MOST_LEAD: i32 = 300;

    /// The obstacle with the smallest scale that a position shows, known endgames aside. `entry` is that of its material;
    /// which side is ahead is told by the classic piece values.
    #[inline]
    #[must_use]
    pub fn of(position: &Position, entry: &Entry) -> Option<Self> {
        if position.phase() > Self::MOST_PHASE {
            return opposite_bishops(position);
        }
        let balance = entry.value(PieceValues::Classic).eg();
        let found = opposite_bishops(position).or_else(|| one_wing(position, balance.abs()));
        if position.phase() > Self::FEW_PIECES_PHASE {
            return found;
        }
        let strong = if balance >= 0 { Color::White } else { Color::Black };
        let candidates = [
            found,
            (balance != 0).then(|| Self::wrong_corner(position, strong)).flatten(),
            rook_ending(position, strong),
            few_pawns(position, strong, balance.abs()),
        ];
        candidates.into_iter().flatten().min_by_key(|obstacle| obstacle.scale())
    }

    /// Up to this phase, less than queen and two rooks each, it counts where the pawns stand.
    const MOST_PHASE: i32 = 15;
    /// Up to this phase, a rook and a minor piece each, everything does.
    const FEW_PIECES_PHASE: i32 = 6;

    /// The obstacle of a rook's pawn that its bishop does not help.
    #[must_use]
    pub fn wrong_corner(position: &Position, strong: Color) -> Option<Self> {
        let weak = !strong;
        let pawns = position.pieces(strong, PieceKind::Pawn);
        let file = pawns.first()?.file();
        if !matches!(file, File::A | File::H) || (pawns & !Bitboard::file(file)).any() {
            return None;
        }
        let corner = Square::new(file, strong.relative_rank(Rank::Eight));
        let bishops = position.pieces(strong, PieceKind::Bishop);
        let others = position.by_color(strong) & !(pawns | bishops) & !Bitboard::from(position.king(strong));
        let reaches = corner.color_complex();
        let enemy_pieces = position.by_color(weak)
            & !position.pieces(weak, PieceKind::Pawn)
            & !Bitboard::from(position.king(weak));
        if others.any() || (bishops & reaches).any() || enemy_pieces.any() {
            return None;
        }
        let distance = |color| position.king(color).distance(corner);
        let bare = position.pieces(weak, PieceKind::Pawn).is_empty();
        if bare && distance(weak) <= 1 {
            Some(Self::CornerHeld { defender: weak, corner })
        } else if distance(weak) <= distance(strong).min(2) {
            Some(Self::CornerInReach { defender: weak, king: position.king(weak), corner })
        } else {
            None
        }
    }

    /// How much of the score is left, of 64.
    #[must_use]
    pub const fn scale(self) -> i32 {
        match self {
            Self::PawnIsHeld { .. } | Self::BishopsOfOneColour { .. } | Self::CornerHeld { .. } => 0,
            Self::PawnOnTheSeventh { .. } | Self::EvenWithFewPawns { pawns: 0 } => 6,
            Self::PawnLedByKing { .. } => 8,
            Self::CornerInReach { .. } => 4,
            Self::KingInFrontOfPawn { .. } => 14,
            Self::OppositeBishops { lead: 0 | 1 } => 10,
            Self::OppositeBishops { lead: 2 } | Self::FewPawns { pawns: 0, .. } => 16,
            Self::OppositeBishops { .. } => 36,
            Self::RooksAndOneWing => 20,
            Self::EvenWithFewPawns { .. } => 24,
            Self::FewPawns { pawns: 1, .. } => 42,
            Self::OneWing => 44,
            Self::FewPawns { .. } => 48,
            Self::OppositeBishopsAmongOthers => 54,
        }
    }

    /// The name in the API, in camel case.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::PawnIsHeld { .. } => "pawnIsHeld",
            Self::BishopsOfOneColour { .. } => "bishopsOfOneColour",
            Self::CornerHeld { .. } => "cornerHeld",
            Self::CornerInReach { .. } => "cornerInReach",
            Self::PawnOnTheSeventh { .. } => "pawnOnTheSeventh",
            Self::PawnLedByKing { .. } => "pawnLedByKing",
            Self::KingInFrontOfPawn { .. } => "kingInFrontOfPawn",
            Self::OppositeBishops { .. } => "oppositeBishops",
            Self::OppositeBishopsAmongOthers => "oppositeBishopsAmongOthers",
            Self::RooksAndOneWing => "rooksAndOneWing",
            Self::OneWing => "oneWing",
            Self::EvenWithFewPawns { .. } => "evenWithFewPawns",
            Self::FewPawns { .. } => "fewPawns",
        }
    }

    /// The reason as a sentence for a reader.
    #[must_use]
    pub fn sentence(self) -> String {
        match self {
            Self::PawnIsHeld { defender } => {
                format!(
                    "{} holds the draw: the table of king and pawn against king is exact.",
                    defender.name()
                )
            }
            Self::BishopsOfOneColour { owner } => {
                format!("All of {}'s bishops stand on one colour and cannot mate.", owner.name())
            }
            Self::CornerHeld { defender, corner } => format!(
                "The {} king holds the corner {corner}, and {} has nothing to drive it out.",
                defender.adjective(),
                (!defender).name()
            ),
            Self::CornerInReach { defender, king, corner } => {
                let there = if king == corner { "stands in" } else { "is near" };
                let once = if king == corner { "" } else { "once there " };
                format!(
                    "The {} king {there} the corner {corner}, and {once}{} has nothing to drive it out.",
                    defender.adjective(),
                    (!defender).name()
                )
            }
            Self::PawnOnTheSeventh { pawn } => format!(
                "With its king beside it the pawn on {pawn} often draws against the queen, by stalemate."
            ),
            Self::PawnLedByKing { pawn } => {
                format!("The pawn on {pawn} has its king beside it and often costs the rook.")
            }
            Self::KingInFrontOfPawn { king, pawn } => {
                format!("The king on {king} stands in the way of the pawn on {pawn}, the last one.")
            }
            Self::OppositeBishops { .. } => {
                "Bishops of opposite colours and pawns alone are hard to win: neither bishop can contest the \
                 other's squares."
                    .to_owned()
            }
            Self::OppositeBishopsAmongOthers => {
                "With bishops of opposite colours a lead is harder to turn into a win.".to_owned()
            }
            Self::RooksAndOneWing => {
                "Rook endings with all pawns on one wing and at most one pawn more are often drawn."
                    .to_owned()
            }
            Self::OneWing => {
                "All pawns stand on one wing, where the other side can hold them more easily.".to_owned()
            }
            Self::EvenWithFewPawns { pawns: 0 } => {
                "Material is even and no pawn is left, so that there is hardly anything to win with."
                    .to_owned()
            }
            Self::EvenWithFewPawns { .. } => {
                "Material is even and neither side has more than one pawn left to win with.".to_owned()
            }
            Self::FewPawns { side: owner, pawns } => few_pawns_sentence(owner, pawns),
        }
    }
}

fn few_pawns_sentence(owner: Color, pawns: u8) -> String {
    let left = match pawns {
        0 => "no pawn".to_owned(),
        1 => "only 1 pawn".to_owned(),
        _ => format!("only {pawns} pawns"),
    };
    format!("{} has more material but {left} left, which makes winning harder.", owner.name())
}

/// One bishop each, on different colours, and otherwise the same pieces.
#[inline]
fn opposite_bishops(position: &Position) -> Option<Obstacle> {
    let bishops = position.by_kind(PieceKind::Bishop);
    let white = bishops & position.by_color(Color::White);
    if bishops.count() != 2 || white.count() != 1 || (bishops & Bitboard::LIGHT).count() != 1 {
        return None;
    }
    if position.phase() > 2 {
        let count = |color, kind| position.pieces(color, kind).count();
        let alike = [PieceKind::Knight, PieceKind::Rook, PieceKind::Queen]
            .into_iter()
            .all(|kind| count(Color::White, kind) == count(Color::Black, kind));
        return alike.then_some(Obstacle::OppositeBishopsAmongOthers);
    }
    let pawns = |color| position.pieces(color, PieceKind::Pawn).count();
    let lead = pawns(Color::White).abs_diff(pawns(Color::Black)).min(3) as u8;
    Some(Obstacle::OppositeBishops { lead })
}

/// One rook each and pawns.
fn rook_ending(position: &Position, strong: Color) -> Option<Obstacle> {
    let rooks = |color| position.pieces(color, PieceKind::Rook).count();
    if position.phase() != 4 || rooks(Color::White) != 1 || rooks(Color::Black) != 1 {
        return None;
    }
    let pawns = |color| position.pieces(color, PieceKind::Pawn);
    let (own, enemy) = (pawns(strong), pawns(!strong));
    if own.count() == 1 && enemy.is_empty() {
        return king_in_front(own.first()?, position.king(!strong), strong);
    }
    let close = own.count().abs_diff(enemy.count()) <= 1 && enemy.any() && own.any();
    (close && are_on_one_wing(own | enemy)).then_some(Obstacle::RooksAndOneWing)
}

/// Pieces on the board, a lead of no more than a minor piece, and pawns on one wing alone.
#[inline]
fn one_wing(position: &Position, lead: i32) -> Option<Obstacle> {
    let pawns = position.by_kind(PieceKind::Pawn);
    let counts = pawns.any() && position.phase() >= Obstacle::LEAST_PHASE && lead <= Obstacle::MOST_LEAD;
    (counts && are_on_one_wing(pawns)).then_some(Obstacle::OneWing)
}

#[inline]
fn are_on_one_wing(pawns: Bitboard) -> bool {
    (pawns & Bitboard::QUEENSIDE).is_empty() || (pawns & !Bitboard::QUEENSIDE).is_empty()
}

/// The king stands on the pawn's file or beside it, further on.
fn king_in_front(pawn: Square, king: Square, strong: Color) -> Option<Obstacle> {
    let [relative_pawn, relative_king] = [pawn, king].map(|square| square.relative(strong));
    let files = relative_pawn.file().index().abs_diff(relative_king.file().index());
    let in_front = files <= 1 && relative_king.rank() > relative_pawn.rank();
    in_front.then_some(Obstacle::KingInFrontOfPawn { king, pawn })
}

/// The side with more material has few pawns, its lead is no more than a minor piece, and the other side has a piece to
/// give for the last of them; or nobody has more.
fn few_pawns(position: &Position, strong: Color, lead: i32) -> Option<Obstacle> {
    let [pawns, others] = [strong, !strong].map(|color| position.pieces(color, PieceKind::Pawn).count());
    if lead == 0 {
        let pawns = pawns.max(others);
        let few = pawns <= 1 && position.phase() >= Obstacle::LEAST_PHASE;
        return few.then_some(Obstacle::EvenWithFewPawns { pawns: pawns as u8 });
    }
    let kings_and_pawns = position.by_kind(PieceKind::King) | position.by_kind(PieceKind::Pawn);
    let has_piece = (position.by_color(!strong) & !kings_and_pawns).any();
    let few = pawns <= Obstacle::FEW && has_piece && lead <= Obstacle::MOST_LEAD;
    few.then_some(Obstacle::FewPawns { side: strong, pawns: pawns as u8 })
}
