//! Making moves.

use super::attacks::{bishop_attacks, piece_attacks, rook_attacks};
use super::moves::MoveKind;
use super::{Bitboard, CastlingSide, Color, Move, Piece, PieceKind, Position, Square, zobrist};

impl Position {
    /// Makes a legal move. An illegal one leaves a position of which nothing is promised.
    pub fn play(&mut self, mv: Move) {
        let us = self.turn;
        self.begin_move();
        if mv.is_castle() {
            self.castle(mv);
        } else {
            self.move_piece(mv);
        }
        self.end_turn(!us);
        self.checkers = self.attackers_to(self.king(!us), self.occupied()) & self.by_color(us);
        if mv.is_double_push() {
            self.offer_en_passant(passed_square(mv));
        }
    }

    /// The key after a legal move, without making it. Not what the move does to castling rights, or where it castles, takes or
    /// offers a pawn en passant: it tells which memory will be asked for, and may err now and then.
    #[inline]
    #[must_use]
    pub fn likely_key_after(&self, mv: Move) -> u64 {
        let (from, to) = (mv.from(), mv.to());
        let mut key = self.key ^ zobrist::TURN;
        if let Some(square) = self.ep_square {
            key ^= zobrist::en_passant(square.file());
        }
        if let Some(victim) = self.piece_at(to) {
            key ^= zobrist::piece(victim, to).key;
        }
        let Some(piece) = self.piece_at(from) else { return key };
        let arriving = mv.promotion().map_or(piece, |kind| Piece::new(self.turn, kind));
        key ^ zobrist::piece(piece, from).key ^ zobrist::piece(arriving, to).key
    }

    /// Passes. Not to be used in check.
    pub fn play_null(&mut self) {
        self.begin_move();
        self.end_turn(!self.turn);
        self.checkers = Bitboard::EMPTY;
    }

    #[inline]
    fn begin_move(&mut self) {
        if let Some(square) = self.ep_square.take() {
            self.key ^= zobrist::en_passant(square.file());
        }
        self.halfmoves = self.halfmoves.saturating_add(1);
    }

    #[inline]
    fn end_turn(&mut self, next: Color) {
        self.fullmoves = self.fullmoves.saturating_add(u16::from(self.turn == Color::Black));
        self.turn = next;
        self.key ^= zobrist::TURN;
    }

    #[inline]
    fn move_piece(&mut self, mv: Move) {
        let (us, from, to) = (self.turn, mv.from(), mv.to());
        let Some(piece) = self.piece_at(from) else { return };
        if mv.is_capture() {
            let target = if mv.is_en_passant() { Square::new(to.file(), from.rank()) } else { to };
            if let Some(victim) = self.piece_at(target) {
                self.remove_piece(victim, target);
            }
            self.halfmoves = 0;
        }
        self.remove_piece(piece, from);
        if piece.kind() == PieceKind::Pawn {
            self.halfmoves = 0;
        }
        let arriving = mv.promotion().map_or(piece, |kind| Piece::new(us, kind));
        self.put_piece(arriving, to);
        let is_king = piece.kind() == PieceKind::King && self.castling.any(us);
        let touched = Bitboard::from_square(from) | to.into();
        if is_king || (touched & self.castling.rooks()).any() {
            self.key ^= zobrist::castling(self.castling);
            self.castling.revoke_rooks(touched);
            if is_king {
                self.castling.revoke(us);
            }
            self.key ^= zobrist::castling(self.castling);
        }
    }

    fn castle(&mut self, mv: Move) {
        let us = self.turn;
        let (king, rook) = (Piece::new(us, PieceKind::King), Piece::new(us, PieceKind::Rook));
        let side = castling_side(mv);
        self.remove_piece(king, mv.from());
        self.remove_piece(rook, mv.to());
        self.put_piece(king, side.king_target(us));
        self.put_piece(rook, side.rook_target(us));
        self.key ^= zobrist::castling(self.castling);
        self.castling.revoke(us);
        self.key ^= zobrist::castling(self.castling);
    }

    /// `true` if this legal move attacks the enemy's king, itself or by opening a line.
    #[must_use]
    pub fn gives_check(&self, mv: Move) -> bool {
        let (us, from, to) = (self.turn, mv.from(), mv.to());
        let king = self.king(!us);
        let mut left = Bitboard::from_square(from);
        let mut occupied = self.occupied() & !left;
        let mut rooks_arrived = Bitboard::EMPTY;
        if mv.is_castle() {
            let side = castling_side(mv);
            left |= to.into();
            rooks_arrived = side.rook_target(us).into();
            occupied = (occupied & !left) | rooks_arrived | side.king_target(us).into();
        } else {
            occupied |= to.into();
            if mv.is_en_passant() {
                occupied &= !Bitboard::from_square(Square::new(to.file(), from.rank()));
            }
            let arriving = mv.promotion().or_else(|| self.piece_at(from).map(Piece::kind));
            if arriving.is_some_and(|kind| piece_attacks(Piece::new(us, kind), to, occupied).contains(king)) {
                return true;
            }
        }
        let queens = self.pieces(us, PieceKind::Queen);
        let diagonal = (self.pieces(us, PieceKind::Bishop) | queens) & !left;
        let straight = ((self.pieces(us, PieceKind::Rook) | queens) & !left) | rooks_arrived;
        (bishop_attacks(king, occupied) & diagonal | rook_attacks(king, occupied) & straight).any()
    }
}

/// The side to which a castling move (king takes rook) castles.
pub(super) fn castling_side(mv: Move) -> CastlingSide {
    if mv.to() > mv.from() { CastlingSide::King } else { CastlingSide::Queen }
}

/// The square that a double step passes over.
fn passed_square(mv: Move) -> Square {
    debug_assert!(mv.kind_bits() == MoveKind::DoublePush as u16, "only a double step passes a square");
    Square::from_index(usize::midpoint(mv.from().index(), mv.to().index()) as u8)
}
