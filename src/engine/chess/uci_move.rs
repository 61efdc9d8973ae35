//! Moves as the Universal Chess Interface writes them: `e2e4`, `e7e8q`, `e1g1` or, in Chess960, `e1h1`.

use super::fen::Variant;
use super::move_error::{MoveError, Reason, Wanted};
use super::play::castling_side;
use super::{Color, Move, PieceKind, Position, Rank, Square};

/// Reads a move. Castling may be written as the king's two steps or as king takes rook, in either variant; the letter of a
/// promotion may have either case.
///
/// # Errors
/// [`MoveError::Syntax`] if it does not have the shape of one, [`MoveError::Illegal`] if it cannot be made, the null
/// move `0000` among them.
pub fn parse(position: &Position, text: &str) -> Result<Move, MoveError> {
    if text == "0000" {
        return Err(MoveError::Illegal { text: text.to_owned(), reason: Reason::Pass });
    }
    let wanted = read(text).ok_or_else(|| MoveError::Syntax(text.to_owned()))?;
    let moves = position.legal_moves();
    let starts = |mv: &&Move| Some(mv.from()) == wanted.from && mv.promotion() == wanted.promotion;
    let exact = moves.iter().filter(starts).find(|mv| mv.to() == wanted.to);
    exact
        .or_else(|| moves.iter().filter(starts).find(|mv| castles_to(**mv, wanted.to)))
        .copied()
        .ok_or_else(|| wanted.refusal(position, text))
}

/// Writes a move; the variant says how castling is written.
#[must_use]
pub fn format(mv: Move, variant: Variant) -> String {
    let to = match variant {
        Variant::Standard if mv.is_castle() => king_target(mv),
        Variant::Standard | Variant::Chess960 => mv.to(),
    };
    let promotion = mv.promotion().map(|kind| kind.letter().to_ascii_lowercase());
    std::format!("{}{to}{}", mv.from(), promotion.map_or_else(String::new, String::from))
}

/// Whether this is a castling that takes the king to a square, over more than one step.
///
/// A single step is a move of the king alone, also where a Chess960 castling would end on the same square.
pub(super) fn castles_to(mv: Move, king_to: Square) -> bool {
    mv.is_castle() && king_target(mv) == king_to && mv.from().distance(king_to) > 1
}

fn king_target(castling: Move) -> Square {
    let color = if castling.from().rank() == Rank::One { Color::White } else { Color::Black };
    castling_side(castling).king_target(color)
}

fn read(text: &str) -> Option<Wanted> {
    let promotion = match text.get(4..)? {
        "" => None,
        "q" | "Q" => Some(PieceKind::Queen),
        "r" | "R" => Some(PieceKind::Rook),
        "b" | "B" => Some(PieceKind::Bishop),
        "n" | "N" => Some(PieceKind::Knight),
        _ => return None,
    };
    let from = text.get(..2)?.parse().ok()?;
    let to = text.get(2..4)?.parse().ok()?;
    Some(Wanted { from: Some(from), to, kind: None, promotion })
}
