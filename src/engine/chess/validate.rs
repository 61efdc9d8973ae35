//! Whether a written-down position can be played on.
//!
//! The reasons are those of the `shakmaty` crate and of Lichess: a position is refused if the rules do not work on it
//! (kings, opposite check) or if a quick look shows that no game leads to it (material, pawns, impossible checks).

use super::attacks::{bishop_attacks, king_attacks, knight_attacks, pawn_attacks, rook_attacks};
use super::fen::{FenError, Surplus};
use super::lines;
use super::setup::Setup;
use super::{Bitboard, Color, Piece, PieceKind, Rank, Square};

/// Checks what the rules and the data structures need: one king a side, no pawn on a last rank, not too many pieces.
///
/// # Errors
/// The first of [`FenError::MissingKing`], [`FenError::TooManyKings`], [`FenError::PawnsOnBackrank`] and
/// [`FenError::TooMuchMaterial`] that applies, White before Black.
pub(super) fn material(setup: &Setup) -> Result<(), FenError> {
    for color in Color::ALL {
        match setup.pieces(color, PieceKind::King).count() {
            0 => return Err(FenError::MissingKing(color)),
            1 => {}
            count => return Err(FenError::TooManyKings { color, count }),
        }
    }
    let backranks = Bitboard::rank(Rank::One) | Bitboard::rank(Rank::Eight);
    for color in Color::ALL {
        if let Some(square) = (setup.pieces(color, PieceKind::Pawn) & backranks).first() {
            return Err(FenError::PawnsOnBackrank(square));
        }
    }
    for color in Color::ALL {
        let (pieces, pawns) = (setup.by_color(color).count(), setup.pieces(color, PieceKind::Pawn).count());
        let surplus = match (pieces, pawns) {
            (17.., _) => Surplus::Pieces(pieces),
            (_, 9..) => Surplus::Pawns(pawns),
            _ => continue,
        };
        return Err(FenError::TooMuchMaterial { color, surplus });
    }
    Ok(())
}

/// What a side has at the start, pawns and king apart: how many of a kind on some squares, and their name.
const AT_START: [(u32, PieceKind, Bitboard, &str); 5] = [
    (2, PieceKind::Knight, Bitboard::ALL, "knights"),
    (1, PieceKind::Bishop, Bitboard::LIGHT, "bishops on light squares"),
    (1, PieceKind::Bishop, Bitboard::DARK, "bishops on dark squares"),
    (2, PieceKind::Rook, Bitboard::ALL, "rooks"),
    (1, PieceKind::Queen, Bitboard::ALL, "queens"),
];

/// Checks that enough pawns are gone for the pieces that only promotion can explain.
///
/// # Errors
/// [`FenError::TooMuchMaterial`].
pub(super) fn promotions(setup: &Setup) -> Result<(), FenError> {
    for color in Color::ALL {
        let missing_pawns = 8_u32.saturating_sub(setup.pieces(color, PieceKind::Pawn).count());
        let counted = AT_START.map(|(most, kind, squares, name)| {
            let pieces: Bitboard = setup.pieces(color, kind) & squares;
            (pieces.count(), most, name)
        });
        let promoted: u32 = counted.iter().map(|(count, most, _)| count.saturating_sub(*most)).sum();
        if promoted > missing_pawns {
            let more = counted.into_iter().filter(|(count, most, _)| count > most);
            let pieces = more.map(|(count, _, name)| (count, name)).collect();
            let surplus = Surplus::Promoted { pieces, promoted, missing_pawns };
            return Err(FenError::TooMuchMaterial { color, surplus });
        }
    }
    Ok(())
}

/// Checks that the side which has just moved did not leave its king in check.
///
/// # Errors
/// [`FenError::OppositeCheck`].
pub(super) fn opposite_check(setup: &Setup) -> Result<(), FenError> {
    match setup.pieces(!setup.turn, PieceKind::King).first() {
        Some(king) if attackers(setup, king, setup.turn).any() => {
            Err(FenError::OppositeCheck { turn: setup.turn, king })
        }
        _ => Ok(()),
    }
}

/// Whether the side that has just moved can have moved a pawn over this square by a double step.
///
/// The pawn must be there with nothing behind it, and before its step the king now to move cannot have been in check.
pub(super) fn is_possible_ep_square(setup: &Setup, square: Square) -> bool {
    let mover = !setup.turn;
    if square.rank() != mover.relative_rank(Rank::Three) {
        return false;
    }
    let from = Square::new(square.file(), mover.relative_rank(Rank::Two));
    let to = Square::new(square.file(), mover.relative_rank(Rank::Four));
    let pawn = Piece::new(mover, PieceKind::Pawn);
    if [from, square].iter().any(|square| setup.piece_at(*square).is_some())
        || setup.piece_at(to) != Some(pawn)
    {
        return false;
    }
    let mut before = setup.clone();
    before.put(to, None);
    before.put(from, Some(pawn));
    setup
        .pieces(setup.turn, PieceKind::King)
        .first()
        .is_none_or(|king| attackers(&before, king, mover).is_empty())
}

/// Checks that one move can have given the check that the side to move is in: at most two pieces give it, and not from
/// opposite sides of the king.
///
/// # Errors
/// [`FenError::ImpossibleCheck`].
pub(super) fn check_history(setup: &Setup) -> Result<(), FenError> {
    let Some(king) = setup.pieces(setup.turn, PieceKind::King).first() else { return Ok(()) };
    let checkers = attackers(setup, king, !setup.turn);
    let mut squares = checkers.into_iter();
    let possible = match (squares.next(), squares.next(), squares.next()) {
        (Some(first), Some(second), None) => !lines::line(first, second).contains(king),
        (.., third) => third.is_none(),
    };
    if possible { Ok(()) } else { Err(FenError::ImpossibleCheck { king, checkers }) }
}

/// The pieces of a side that attack a square.
fn attackers(setup: &Setup, square: Square, by: Color) -> Bitboard {
    let occupied = setup.by_color(Color::White) | setup.by_color(Color::Black);
    let pieces = |kind| setup.pieces(by, kind);
    let queens = pieces(PieceKind::Queen);
    (pawn_attacks(!by, square) & pieces(PieceKind::Pawn))
        | (knight_attacks(square) & pieces(PieceKind::Knight))
        | (king_attacks(square) & pieces(PieceKind::King))
        | (bishop_attacks(square, occupied) & (pieces(PieceKind::Bishop) | queens))
        | (rook_attacks(square, occupied) & (pieces(PieceKind::Rook) | queens))
}
