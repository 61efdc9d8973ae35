//! Why a text is no move here.

use std::fmt;

use thiserror::Error;

use super::{Color, Move, Piece, PieceKind, Position, Square};

/// Why a text is no move of a position. Displayed, it says what to write instead.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MoveError {
    /// Neither UCI nor SAN.
    #[error("'{0}' is not a move; write it as in UCI (e2e4, e7e8q) or as in SAN (Nf3, exd5, e8=Q, O-O)")]
    Syntax(String),
    /// A move that cannot be made here.
    #[error("'{text}' is not legal: {reason}")]
    Illegal {
        /// The move as written.
        text: String,
        /// What stands against it.
        reason: Reason,
    },
    /// Several moves are written so.
    #[error("'{text}' is ambiguous; write {}", .candidates.join(" or "))]
    Ambiguous {
        /// The move as written.
        text: String,
        /// The moves in canonical SAN.
        candidates: Vec<String>,
    },
}

impl MoveError {
    /// Whether the text may be a castling for which the right is missing: it says so, or the king would have to go far.
    #[must_use]
    pub const fn may_be_castling(&self) -> bool {
        match self {
            Self::Illegal {
                reason: Reason::Castling | Reason::Unreachable { kind: Some(PieceKind::King), .. },
                ..
            } => true,
            Self::Syntax(_) | Self::Illegal { .. } | Self::Ambiguous { .. } => false,
        }
    }
}

/// What stands against a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The side to move has no legal move at all.
    GameOver,
    /// Passing is not allowed.
    Pass,
    /// Nothing stands on the square from which the move starts.
    Vacant(Square),
    /// The piece that would move belongs to the other side.
    NotToMove {
        /// Where it stands.
        square: Square,
        /// Whose turn it is.
        turn: Color,
    },
    /// A pawn reaches the last rank, but the text does not say what it becomes.
    PromotionMissing,
    /// The text names a promotion, but the move is legal only without one.
    PromotionImpossible,
    /// This castling is not possible now.
    Castling,
    /// The king is in check and would stay in it.
    InCheck,
    /// No such piece can go there.
    Unreachable {
        /// The piece, as far as the text says.
        kind: Option<PieceKind>,
        /// Where it stands, if the text says so.
        from: Option<Square>,
        /// Where it would go.
        to: Square,
    },
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::GameOver => f.write_str("the game is over"),
            Self::Pass => f.write_str("a side cannot pass"),
            Self::Vacant(square) => write!(f, "there is no piece on {square}"),
            Self::NotToMove { square, turn } => {
                write!(f, "the piece on {square} cannot move because it is {}'s turn", turn.name())
            }
            Self::PromotionMissing => {
                f.write_str("say what the pawn becomes, as in e7e8q (UCI) or e8=Q (SAN)")
            }
            Self::PromotionImpossible => {
                f.write_str("only a pawn on the last rank becomes a queen, rook, bishop or knight")
            }
            Self::Castling => f.write_str("castling is not possible here and now"),
            Self::InCheck => f.write_str("the king is in check, which no such move ends"),
            Self::Unreachable { kind, from, to } => {
                let kind = kind.map_or("piece", PieceKind::name);
                match from {
                    Some(from) => write!(f, "the {kind} on {from} cannot go to {to}"),
                    None => write!(f, "no {kind} can go to {to}"),
                }
            }
        }
    }
}

/// What a text says about a move, as far as both notations have it in common.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted {
    /// Where it starts.
    pub(super) from: Option<Square>,
    /// Where it ends.
    pub(super) to: Square,
    /// The piece that moves.
    pub(super) kind: Option<PieceKind>,
    /// What the pawn becomes.
    pub(super) promotion: Option<PieceKind>,
}

impl Wanted {
    /// The error for a move that none of the position's legal moves is.
    pub(super) fn refusal(self, position: &Position, text: &str) -> MoveError {
        MoveError::Illegal { text: text.to_owned(), reason: self.reason(position) }
    }

    fn reason(self, position: &Position) -> Reason {
        let turn = position.turn();
        if !position.has_legal_move() {
            return Reason::GameOver;
        }
        if let Some(square) = self.from {
            match position.piece_at(square) {
                None => return Reason::Vacant(square),
                Some(piece) if piece.color() != turn => return Reason::NotToMove { square, turn },
                Some(_) => {}
            }
        }
        let moves = position.legal_moves();
        let mut fitting = moves.iter().filter(|mv| self.fits(**mv, position));
        match (fitting.next(), self.promotion) {
            (Some(mv), None) if mv.promotion().is_some() => Reason::PromotionMissing,
            (Some(mv), Some(_)) if mv.promotion().is_none() => Reason::PromotionImpossible,
            _ if position.in_check() => Reason::InCheck,
            _ => {
                let standing = self.from.and_then(|from| position.piece_at(from)).map(Piece::kind);
                Reason::Unreachable { kind: self.kind.or(standing), from: self.from, to: self.to }
            }
        }
    }

    /// Whether a legal move is the one that is wanted, whatever it promotes to.
    fn fits(self, mv: Move, position: &Position) -> bool {
        let kind = position.piece_at(mv.from()).map(Piece::kind);
        mv.to() == self.to
            && self.from.is_none_or(|from| mv.from() == from)
            && self.kind.is_none_or(|wanted| kind == Some(wanted))
    }
}

#[cfg(test)]
mod tests {
    use super::{MoveError, Reason};
    use crate::engine::chess::{Fen, PieceKind, Square, Variant, parse_move};

    #[test]
    fn a_promotion_is_refused_for_what_stands_against_it() {
        let blocked =
            Reason::Unreachable { kind: Some(PieceKind::Pawn), from: Some(Square::E7), to: Square::E8 };
        let cases = [
            ("4n3/4P3/8/8/8/2k5/8/4K3 w - - 0 1", "e7e8q", blocked),
            (
                "4n3/4P3/8/8/8/2k5/8/4K3 w - - 0 1",
                "e8=Q",
                Reason::Unreachable { kind: Some(PieceKind::Pawn), from: None, to: Square::E8 },
            ),
            ("8/4P3/8/8/8/2k5/8/r3K3 w - - 0 1", "e7e8q", Reason::InCheck),
            ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e2e4q", Reason::PromotionImpossible),
            ("8/4P3/8/8/8/2k5/8/4K3 w - - 0 1", "e7e8", Reason::PromotionMissing),
        ];
        for (fen, text, expected) in cases {
            let position = Fen::parse(fen, Variant::Standard).unwrap().position;
            let refusal = MoveError::Illegal { text: text.to_owned(), reason: expected };
            assert_eq!(parse_move(&position, text), Err(refusal), "{fen}");
        }
    }
}
