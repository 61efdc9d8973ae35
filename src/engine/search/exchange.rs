//! Static exchange evaluation: what a move wins or loses if both sides go on capturing on its target square.

use crate::engine::chess::attacks::{bishop_attacks, rook_attacks};
use crate::engine::chess::{Bitboard, Move, PieceKind, Position, Square};

/// What the pieces count in exchanges, in centipawns, by [`PieceKind::index`]; a king is never exchanged.
const WORTH: [i32; 6] = [100, 300, 300, 500, 900, 0];

/// Worth of a kind of piece in exchanges, in centipawns.
pub(super) const fn worth(kind: PieceKind) -> i32 {
    WORTH[kind.index()]
}

/// `true` if the move and the best captures that follow on its target square win `threshold` centipawns or more for
/// the side to move. Pins are not seen; castling exchanges nothing.
///
/// Source: the chess programming wiki, "SEE - The Swap Algorithm", with a null window around the threshold: `balance`
/// is what the side that has just captured is above what it needs, were the exchange to end after the reply.
pub(super) fn wins_at_least(position: &Position, mv: Move, threshold: i32) -> bool {
    if mv.is_castle() {
        return threshold <= 0;
    }
    let Some(mover) = position.piece_at(mv.from()) else { return false };
    let mut balance = most_gain(position, mv) - threshold;
    if balance < 0 {
        return false;
    }
    balance -= worth(mv.promotion().unwrap_or(mover.kind()));
    balance >= 0 || reply_fails(position, mv, balance)
}

/// `true` if the captures in turn after the first end to the advantage of the side to move. `balance`, negative, is what it
/// stands at if its piece is lost.
fn reply_fails(position: &Position, mv: Move, mut balance: i32) -> bool {
    let target = mv.to();
    let mut occupied = (position.occupied() & !Bitboard::from(mv.from())) | target.into();
    if mv.is_en_passant() {
        occupied &= !Bitboard::from(Square::new(target.file(), mv.from().rank()));
    }
    let mut attackers = position.attackers_to(target, occupied) & occupied;
    let mut side = !position.turn();
    loop {
        let own = attackers & position.by_color(side);
        let Some((kind, square)) = least_valuable(position, own) else { break };
        occupied &= !Bitboard::from(square);
        attackers = (attackers | uncovered(position, kind, target, occupied)) & occupied;
        side = !side;
        balance = -balance - 1 - worth(kind);
        if balance >= 0 {
            // A king that captures into an attack has not captured at all.
            if kind == PieceKind::King && (attackers & position.by_color(side)).any() {
                side = !side;
            }
            break;
        }
    }
    side != position.turn()
}

/// The cheapest of these pieces.
fn least_valuable(position: &Position, pieces: Bitboard) -> Option<(PieceKind, Square)> {
    PieceKind::ALL
        .into_iter()
        .find_map(|kind| (pieces & position.by_kind(kind)).first().map(|square| (kind, square)))
}

/// The sliders that attack the target now that a piece of this kind has left the board.
fn uncovered(position: &Position, kind: PieceKind, target: Square, occupied: Bitboard) -> Bitboard {
    let queens = position.by_kind(PieceKind::Queen);
    let diagonal = || bishop_attacks(target, occupied) & (position.by_kind(PieceKind::Bishop) | queens);
    let straight = || rook_attacks(target, occupied) & (position.by_kind(PieceKind::Rook) | queens);
    match kind {
        PieceKind::Pawn | PieceKind::Bishop => diagonal(),
        PieceKind::Rook => straight(),
        PieceKind::Queen => diagonal() | straight(),
        PieceKind::Knight | PieceKind::King => Bitboard::EMPTY,
    }
}

/// What the move itself wins, in centipawns: the captured piece, and what the pawn becomes in place of the pawn.
pub(super) fn most_gain(position: &Position, mv: Move) -> i32 {
    victim(position, mv) + mv.promotion().map_or(0, |kind| worth(kind) - worth(PieceKind::Pawn))
}

/// What the captured piece counts, in centipawns; 0 if there is none.
pub(super) fn victim(position: &Position, mv: Move) -> i32 {
    match position.piece_at(mv.to()) {
        _ if mv.is_en_passant() => worth(PieceKind::Pawn),
        Some(piece) if mv.is_capture() => worth(piece.kind()),
        _ => 0,
    }
}
