//! Which moves give check, found once for all moves of a position.

use super::attacks::{bishop_attacks, knight_attacks, pawn_attacks, rook_attacks};
use super::moves::MoveKind;
use super::sink::{self, Sink};
use super::{Bitboard, Move, MoveList, PieceKind, Position, Square, lines};

/// From where the side to move attacks the enemy's king, and what stands in its own way.
#[derive(Clone, Copy, Debug)]
pub struct Checks {
    king: Square,
    /// By [`PieceKind::index`], the squares from which a piece of the kind attacks the king.
    direct: [Bitboard; 6],
    /// Pieces that open a line to the king when they leave it.
    screens: Bitboard,
}

impl Checks {
    fn of(position: &Position) -> Self {
        let (us, occupied) = (position.turn(), position.occupied());
        let king = position.king(!us);
        let (diagonal, straight) = (bishop_attacks(king, occupied), rook_attacks(king, occupied));
        let direct = PieceKind::ALL.map(|kind| match kind {
            PieceKind::Pawn => pawn_attacks(!us, king),
            PieceKind::Knight => knight_attacks(king),
            PieceKind::Bishop => diagonal,
            PieceKind::Rook => straight,
            PieceKind::Queen => diagonal | straight,
            PieceKind::King => Bitboard::EMPTY,
        });
        Self { king, direct, screens: position.screens(king, us, us) }
    }

    /// Of these squares, those from which a piece of this kind gives check once it has come there from `from`, itself or by
    /// opening a line.
    #[inline]
    #[must_use]
    pub fn among(&self, targets: Bitboard, kind: PieceKind, from: Square) -> Bitboard {
        let opening =
            if self.screens.contains(from) { !lines::line(self.king, from) } else { Bitboard::EMPTY };
        targets & (self.direct[kind.index()] | opening)
    }

    /// `true` if this legal move of the position attacks the enemy's king, itself or by opening a line.
    #[inline]
    #[must_use]
    pub fn gives(&self, position: &Position, mv: Move) -> bool {
        let (from, to) = (mv.from(), mv.to());
        // These change more squares than two, or the piece.
        if mv.is_castle() || mv.is_en_passant() || mv.promotion().is_some() {
            return position.gives_check(mv);
        }
        position.piece_at(from).is_some_and(|piece| self.among(to.into(), piece.kind(), from).any())
    }
}

/// Passes on the quiet moves that give check.
struct Checking<'a, K> {
    position: &'a Position,
    checks: &'a Checks,
    sink: &'a mut K,
}

impl<K: Sink> Sink for Checking<'_, K> {
    #[inline]
    fn add(&mut self, from: Square, targets: Bitboard, enemy: Bitboard) {
        if let Some(piece) = self.position.piece_at(from) {
            self.sink.add(from, self.checks.among(targets, piece.kind(), from), enemy);
        }
    }

    #[inline]
    fn add_pawns(&mut self, targets: Bitboard, step: i8, kind: MoveKind) {
        let from = |to| sink::origin(to, step);
        let checking = targets
            .into_iter()
            .filter(|to| self.checks.among((*to).into(), PieceKind::Pawn, from(*to)).any());
        self.sink.add_pawns(checking.collect(), step, kind);
    }

    fn add_promotions(&mut self, _: Bitboard, _: i8, _: MoveKind) {
        debug_assert!(false, "a promotion is not quiet");
    }

    #[inline]
    fn add_move(&mut self, mv: Move) {
        if self.checks.gives(self.position, mv) {
            self.sink.add_move(mv);
        }
    }
}

impl Position {
    /// Which moves of this position give check.
    #[inline]
    #[must_use]
    pub fn checks(&self) -> Checks {
        Checks::of(self)
    }

    /// Appends the legal moves that give check and neither capture nor promote.
    pub fn quiet_checks(&self, checks: &Checks, list: &mut MoveList) {
        self.quiet_checks_to(checks, list);
    }

    /// Gives the same to the sink.
    #[inline]
    pub fn quiet_checks_to(&self, checks: &Checks, sink: &mut impl Sink) {
        self.quiets_to(&mut Checking { position: self, checks, sink });
    }
}

#[cfg(test)]
mod tests {
    use crate::engine::chess::{Fen, MoveList, Position, Variant};

    /// Compares with what making each move shows, here and after every move down to a depth; how many checks it met.
    fn compare(position: &Position, depth: u8) -> usize {
        let checks = position.checks();
        let after = |mv| {
            let mut child = *position;
            child.play(mv);
            child
        };
        for mv in &position.legal_moves() {
            assert_eq!(checks.gives(position, *mv), after(*mv).in_check(), "{position:?} {mv:?}");
        }
        let (mut quiets, mut found) = (MoveList::new(), MoveList::new());
        position.quiets(&mut quiets);
        position.quiet_checks(&checks, &mut found);
        let expected: Vec<_> = quiets.iter().copied().filter(|mv| after(*mv).in_check()).collect();
        assert_eq!(found.iter().copied().collect::<Vec<_>>(), expected, "{position:?}");
        let deeper = |mv| compare(&after(mv), depth - 1);
        let below = if depth == 0 { 0 } else { position.legal_moves().iter().copied().map(deeper).sum() };
        found.len() + below
    }

    #[test]
    fn quiet_checks_are_the_quiet_moves_after_which_the_king_is_attacked() {
        for (fen, depth, least) in [
            ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 2, 100),
            ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 3, 100),
            // Castling that checks, a double step that checks, and pieces that open lines.
            ("5k2/8/8/8/8/8/8/4K2R w K - 0 1", 2, 10),
            ("8/8/8/5k2/8/1B6/4P1P1/R3K3 w - - 0 1", 2, 10),
            ("3k4/8/8/3N4/8/8/3R4/3K4 w - - 0 1", 2, 10),
        ] {
            let position = Fen::parse(fen, Variant::Standard).unwrap().position;
            assert!(compare(&position, depth) >= least, "{fen}");
        }
    }
}
