//! Quiet moves as they are generated, each with what it is ordered by.

use super::history::Quiets;
use super::keys::Keys;
use super::parameters::Parameters;
use super::threats::Threats;
use crate::engine::chess::{
    Bitboard, Checks, Move, MoveKind, MoveList, Piece, PieceKind, Position, Sink, Square, origin,
};

/// Takes quiet moves into a list and their scores into keys, marked if they give check.
///
/// What is the same for all moves of a piece is looked up once.
pub(super) struct Scoring<'a> {
    pub(super) parameters: &'a Parameters,
    pub(super) position: &'a Position,
    pub(super) checks: &'a Checks,
    pub(super) history: Quiets<'a>,
    pub(super) threats: Threats,
    pub(super) list: &'a mut MoveList,
    pub(super) keys: &'a mut Keys,
}

impl Scoring<'_> {
    #[inline]
    fn push(&mut self, mv: Move, score: i32, check: bool) {
        self.list.push(mv);
        self.keys.add(score + if check { self.parameters.order_check } else { 0 }, check);
    }
}

impl Sink for Scoring<'_> {
    #[inline]
    fn add(&mut self, from: Square, targets: Bitboard, _: Bitboard) {
        if targets.is_empty() {
            return;
        }
        let Some(piece) = self.position.piece_at(from) else { return };
        let history = self.history.of(piece, from);
        let checking = self.checks.among(targets, piece.kind(), from);
        let (safe, worth) = self.threats.escapes(piece.kind(), from);
        let escape = self.parameters.order_escape * worth;
        for to in targets {
            let score = history.to(to) + if safe.contains(to) { escape } else { 0 };
            self.push(Move::new(from, to, MoveKind::Quiet), score, checking.contains(to));
        }
    }

    #[inline]
    fn add_pawns(&mut self, targets: Bitboard, step: i8, kind: MoveKind) {
        let pawn = Piece::new(self.position.turn(), PieceKind::Pawn);
        for to in targets {
            let from = origin(to, step);
            let check = self.checks.among(to.into(), PieceKind::Pawn, from).any();
            let score = self.history.of(pawn, from).to(to);
            self.push(Move::new(from, to, kind), score, check);
        }
    }

    fn add_promotions(&mut self, _: Bitboard, _: i8, _: MoveKind) {
        debug_assert!(false, "a promotion is not quiet");
    }

    fn add_move(&mut self, mv: Move) {
        let (from, to) = (mv.from(), mv.to());
        let Some(piece) = self.position.piece_at(from) else { return };
        self.push(mv, self.history.of(piece, from).to(to), self.checks.gives(self.position, mv));
    }
}
