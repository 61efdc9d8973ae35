//! Static exchange evaluation: what a move wins or loses if both sides go on capturing on its target square.

use super::parameters::EXCHANGE_WORTH;
use crate::engine::chess::attacks::{bishop_attacks, rook_attacks};
use crate::engine::chess::{Bitboard, Color, Move, Piece, PieceKind, Position, Rank, Square};

/// Worth of a kind of piece in exchanges, in centipawns.
pub(super) const fn worth(kind: PieceKind) -> i32 {
    EXCHANGE_WORTH[kind.index()]
}

/// `true` if the move and the best captures that follow on its target square win `threshold` centipawns or
/// more for
/// the side to move. A pawn that captures on its last rank becomes a queen. Pins are not seen; castling
/// exchanges nothing.
///
/// Source: the chess programming wiki, "SEE - The Swap Algorithm", with a null window around the threshold:
/// `balance` is what the side that has just captured is above what it needs, were its piece lost and the
/// exchange over.
pub(super) fn wins_at_least(position: &Position, mv: Move, threshold: i32) -> bool {
    if mv.is_castle() {
        return threshold <= 0;
    }
    let Some(mover) = position.piece_at(mv.from()) else { return false };
    let balance = most_gain(position, mv) - threshold;
    if balance < 0 {
        return false;
    }
    let standing = worth(mv.promotion().unwrap_or(mover.kind()));
    let balance = balance - standing;
    match mv.to().rank() {
        Rank::One | Rank::Eight => {
            balance >= PROMOTION_GAIN || Exchange::<true>::after(position, mv).ends_well(balance)
        }
        _ => balance >= 0 || Exchange::<false>::after(position, mv).ends_well(balance),
    }
}

/// The captures that may follow on a square, by which pawns become queens or not.
struct Exchange<'p, const PROMOTES: bool> {
    position: &'p Position,
    target: Square,
    occupied: Bitboard,
    attackers: Bitboard,
    /// Bishops and queens,
    diagonal: Bitboard,
    /// and rooks and queens, of both sides.
    straight: Bitboard,
}

impl<'p, const PROMOTES: bool> Exchange<'p, PROMOTES> {
    #[inline]
    fn after(position: &'p Position, mv: Move) -> Self {
        let target = mv.to();
        let mut occupied = (position.occupied() & !Bitboard::from(mv.from())) | target.into();
        if mv.is_en_passant() {
            occupied &= !Bitboard::from(Square::new(target.file(), mv.from().rank()));
        }
        let attackers = position.attackers_to(target, occupied) & occupied;
        let queens = position.by_kind(PieceKind::Queen);
        let diagonal = position.by_kind(PieceKind::Bishop) | queens;
        let straight = position.by_kind(PieceKind::Rook) | queens;
        Self { position, target, occupied, attackers, diagonal, straight }
    }

    /// `true` if the captures in turn end to the advantage of the side to move, which has just made the first.
    /// `balance` is what it is above its need if its piece is lost.
    #[inline]
    fn ends_well(mut self, mut balance: i32) -> bool {
        let us = self.position.turn();
        let mut side = !us;
        let mut own = self.of(side);
        balance -= self.promotion_gain(own);
        while balance < 0 {
            let Some((kind, square)) = self.least_valuable(own) else { break };
            self.occupied &= !Bitboard::from(square);
            self.attackers = (self.attackers | self.uncovered(kind)) & self.occupied;
            side = !side;
            own = self.of(side);
            let standing = if PROMOTES && kind == PieceKind::Pawn { PieceKind::Queen } else { kind };
            balance = -balance - 1 - worth(standing) - self.promotion_gain(own);
            // A king that captures into an attack has not captured at all.
            if balance >= 0 && kind == PieceKind::King && own.any() {
                side = !side;
            }
        }
        side != us
    }

    /// The attackers of one side.
    #[inline]
    fn of(&self, side: Color) -> Bitboard {
        self.attackers & self.position.by_color(side)
    }

    /// What a side with these attackers gains on top if it captures next, its cheapest one being a pawn.
    #[inline]
    fn promotion_gain(&self, own: Bitboard) -> i32 {
        let promotes = PROMOTES && (own & self.position.by_kind(PieceKind::Pawn)).any();
        if promotes { PROMOTION_GAIN } else { 0 }
    }

    /// The cheapest of these pieces.
    #[inline]
    fn least_valuable(&self, pieces: Bitboard) -> Option<(PieceKind, Square)> {
        if pieces.is_empty() {
            return None;
        }
        PieceKind::ALL
            .into_iter()
            .find_map(|kind| (pieces & self.position.by_kind(kind)).first().map(|square| (kind, square)))
    }

    /// The sliders that attack the target now that a piece of this kind has left the board.
    #[inline]
    fn uncovered(&self, kind: PieceKind) -> Bitboard {
        let diagonal = || bishop_attacks(self.target, self.occupied) & self.diagonal;
        let straight = || rook_attacks(self.target, self.occupied) & self.straight;
        match kind {
            PieceKind::Pawn | PieceKind::Bishop => diagonal(),
            PieceKind::Rook => straight(),
            PieceKind::Queen => diagonal() | straight(),
            PieceKind::Knight | PieceKind::King => Bitboard::EMPTY,
        }
    }
}

/// What a pawn gains by becoming a queen, in centipawns.
const PROMOTION_GAIN: i32 = worth(PieceKind::Queen) - worth(PieceKind::Pawn);

/// What the move itself wins, in centipawns: the captured piece, and what the pawn becomes in place of the
/// pawn.
pub(super) fn most_gain(position: &Position, mv: Move) -> i32 {
    victim(position, mv) + mv.promotion().map_or(0, |kind| worth(kind) - worth(PieceKind::Pawn))
}

/// What the captured piece counts, in centipawns; 0 if there is none.
pub(super) fn victim(position: &Position, mv: Move) -> i32 {
    captured(position, mv).map_or(0, worth)
}

/// The kind of piece that a move captures.
pub(super) fn captured(position: &Position, mv: Move) -> Option<PieceKind> {
    if mv.is_en_passant() {
        return Some(PieceKind::Pawn);
    }
    position.piece_at(mv.to()).filter(|_| mv.is_capture()).map(Piece::kind)
}

#[cfg(test)]
mod tests {
    use super::wins_at_least;
    use crate::engine::chess::{Fen, Variant, uci_move};

    fn check(fen: &str, mv: &str, value: i32) {
        let position = Fen::parse(fen, Variant::Standard).unwrap().position;
        let mv = uci_move::parse(&position, mv).unwrap();
        assert!(wins_at_least(&position, mv, value), "{fen} {mv:?} {value}");
        assert!(!wins_at_least(&position, mv, value + 1), "{fen} {mv:?} {value}");
    }

    #[test]
    fn exchanges_are_worth_what_the_suite_says() {
        for line in include_str!("../../../tests/data/rules/see.tsv").lines().skip(1) {
            let fields: Vec<_> = line.split('\t').collect();
            check(fields[0], fields[1], fields[2].parse().unwrap());
        }
    }

    #[test]
    fn a_pawn_captures_and_promotes_in_reply() {
        check("8/8/8/1k6/6b1/4N3/2p3K1/3n4 w - - 0 1", "e3d1", -800);
        check("8/8/8/1k6/6b1/4N3/2p3K1/3n4 w - - 0 1", "e3g4", 300);
    }

    #[test]
    fn castling_exchanges_nothing() {
        check("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", 0);
    }
}
