//! How a game stands.

use super::{Bitboard, PieceKind, Position};

/// How a game stands, in the order in which the reasons are asked for: a mate on the board is a mate, whatever the
/// counters say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// Somebody is to move and may win.
    Ongoing,
    /// The side to move is mated.
    Checkmate,
    /// The side to move has no legal move and is not in check.
    Stalemate,
    /// Neither side can mate, however badly the other plays.
    InsufficientMaterial,
    /// A draw may be claimed: 50 moves of each side without a capture or a pawn move.
    FiftyMoves,
    /// A draw: 75 such moves.
    SeventyFiveMoves,
    /// A draw may be claimed: the position is on the board for the third time.
    Threefold,
    /// A draw: for the fifth time.
    Fivefold,
}

impl Status {
    /// Plies without capture or pawn move after which a draw may be claimed (FIDE 9.3).
    pub const FIFTY_MOVES_PLIES: u16 = 100;

    /// Plies without capture or pawn move after which the game is drawn (FIDE 9.6.2).
    pub const SEVENTY_FIVE_MOVES_PLIES: u16 = 150;

    /// How a position stands that is on the board for the `occurrence`-th time, counted from 1.
    #[must_use]
    pub fn of(position: &Position, occurrence: usize) -> Self {
        if !position.has_legal_move() {
            if position.in_check() { Self::Checkmate } else { Self::Stalemate }
        } else if is_insufficient_material(position) {
            Self::InsufficientMaterial
        } else if position.halfmoves() >= Self::SEVENTY_FIVE_MOVES_PLIES {
            Self::SeventyFiveMoves
        } else if occurrence >= 5 {
            Self::Fivefold
        } else if occurrence >= 3 {
            Self::Threefold
        } else if position.halfmoves() >= Self::FIFTY_MOVES_PLIES {
            Self::FiftyMoves
        } else {
            Self::Ongoing
        }
    }

    /// `true` if the game has ended; a draw that may only be claimed does not end it.
    #[must_use]
    pub const fn is_over(self) -> bool {
        match self {
            Self::Ongoing | Self::FiftyMoves | Self::Threefold => false,
            Self::Checkmate
            | Self::Stalemate
            | Self::InsufficientMaterial
            | Self::SeventyFiveMoves
            | Self::Fivefold => true,
        }
    }

    /// `true` if the game has ended in a draw.
    #[must_use]
    pub const fn is_drawn(self) -> bool {
        self.is_over() && !matches!(self, Self::Checkmate)
    }

    /// The name in the HTTP contract.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ongoing => "ongoing",
            Self::Checkmate => "checkmate",
            Self::Stalemate => "stalemate",
            Self::InsufficientMaterial => "insufficientMaterial",
            Self::FiftyMoves => "fiftyMoves",
            Self::SeventyFiveMoves => "seventyFiveMoves",
            Self::Threefold => "threefold",
            Self::Fivefold => "fivefold",
        }
    }
}

/// `true` if no sequence of legal moves can end in mate (FIDE 5.2.2), as far as the pieces alone tell: bare kings, a single
/// knight, or any bishops that all stand on one colour of squares.
#[must_use]
#[inline]
pub fn is_insufficient_material(position: &Position) -> bool {
    let kings = position.by_kind(PieceKind::King);
    let knights = position.by_kind(PieceKind::Knight);
    let bishops = position.by_kind(PieceKind::Bishop);
    let pieces = position.occupied() & !kings;
    if pieces == knights {
        return !knights.more_than_one();
    }
    pieces == bishops && ((bishops & Bitboard::LIGHT).is_empty() || (bishops & Bitboard::DARK).is_empty())
}
