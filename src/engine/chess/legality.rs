//! Whether a move is legal, without generating all moves.

use super::attacks::piece_attacks;
use super::moves::MoveKind;
use super::{Bitboard, Move, PieceKind, Position, Rank, Square, lines};

impl Position {
    /// `true` if these sixteen bits, wherever they come from, are a legal move here.
    #[must_use]
    pub fn is_legal(&self, mv: Move) -> bool {
        if mv.is_plain() {
            self.leads_there(mv) && self.leaves_king_safe(mv)
        } else {
            self.is_legal_special(mv)
        }
    }

    /// Castling, captures en passant and promotions are too rare to be worth rules of their own.
    #[cold]
    fn is_legal_special(&self, mv: Move) -> bool {
        self.legal_moves().contains(&mv)
    }

    /// `true` if the side to move has a piece that moves so, its king's safety apart.
    fn leads_there(&self, mv: Move) -> bool {
        let (us, from, to) = (self.turn, mv.from(), mv.to());
        let Some(piece) = self.piece_at(from).filter(|piece| piece.color() == us) else { return false };
        let targets = if mv.is_capture() { self.by_color(!us) } else { !self.occupied() };
        if !targets.contains(to) {
            return false;
        }
        if piece.kind() != PieceKind::Pawn {
            return !mv.is_double_push() && piece_attacks(piece, from, self.occupied()).contains(to);
        }
        let pawn = Bitboard::from_square(from);
        let step = us.forward(pawn) & !us.rank(Rank::Eight);
        let reached = if mv.is_capture() {
            us.pawn_attacks(pawn) & !us.rank(Rank::Eight)
        } else if mv.is_double_push() {
            us.forward(step & us.rank(Rank::Three) & !self.occupied())
        } else {
            step
        };
        reached.contains(to)
    }

    /// `true` if the own king is not attacked after a move that does nothing but carry a piece to another square.
    fn leaves_king_safe(&self, mv: Move) -> bool {
        let (from, to) = (mv.from(), mv.to());
        let king = self.king(self.turn);
        let safe = |king: Square| {
            let occupied = self.occupied() & !Bitboard::from_square(from) | to.into();
            let enemies = self.by_color(!self.turn) & !Bitboard::from_square(to);
            (self.attackers_to(king, occupied) & enemies).is_empty()
        };
        if from == king {
            return safe(to);
        }
        let may_open_a_line = lines::line(king, from).any();
        !(self.in_check() || may_open_a_line) || safe(king)
    }
}

impl Move {
    /// Carries a piece to an empty or an enemy's square and does nothing else.
    const fn is_plain(self) -> bool {
        let kind = self.kind_bits();
        kind == MoveKind::Quiet as u16
            || kind == MoveKind::DoublePush as u16
            || kind == MoveKind::Capture as u16
    }
}
