//! Legal moves: one generator, generic over what is wanted and over where the moves go. Both colours share its code:
//! what is compiled once stays in the processor's cache.
//!
//! Nothing illegal is generated. A mask of squares that answer a check, two masks of pins (along ranks and files, along
//! diagonals) and a map of the squares denied to the king decide before a move is made.

use super::attacks::{bishop_attacks, king_attacks, knight_attacks, pawn_attacks, rook_attacks};
use super::lines::between;
use super::moves::MoveKind;
use super::sink::{Count, Exists, Sink};
use super::{Bitboard, CastlingSide, Color, Move, MoveList, PieceKind, Position, Rank, Square};

/// Which moves are wanted.
trait Stage {
    /// Captures and promotions.
    const NOISY: bool;
    /// All others.
    const QUIET: bool;
}

struct All;
struct Noisy;
struct Quiet;

impl Stage for All {
    const NOISY: bool = true;
    const QUIET: bool = true;
}

impl Stage for Noisy {
    const NOISY: bool = true;
    const QUIET: bool = false;
}

impl Stage for Quiet {
    const NOISY: bool = false;
    const QUIET: bool = true;
}

impl Position {
    /// All legal moves.
    #[must_use]
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.generate::<All, _>(&mut list);
        list
    }

    /// Appends the legal captures and promotions.
    pub fn captures(&self, list: &mut MoveList) {
        self.generate::<Noisy, _>(list);
    }

    /// Appends the legal moves that neither capture nor promote.
    pub fn quiets(&self, list: &mut MoveList) {
        self.quiets_to(list);
    }

    /// Gives the legal moves that neither capture nor promote to the sink.
    #[inline]
    pub fn quiets_to(&self, sink: &mut impl Sink) {
        self.generate::<Quiet, _>(sink);
    }

    /// The number of legal moves.
    #[must_use]
    pub fn count_legal_moves(&self) -> u64 {
        let mut count = Count(0);
        self.generate::<All, _>(&mut count);
        count.0
    }

    /// `true` unless the side to move is mated or stalemated.
    #[must_use]
    pub fn has_legal_move(&self) -> bool {
        let mut found = Exists(false);
        self.generate::<All, _>(&mut found);
        found.0
    }

    /// Gives the legal moves to the sink.
    #[inline]
    fn generate<G: Stage, K: Sink>(&self, sink: &mut K) {
        Generator::new(self).run::<G, K>(sink);
    }
}

/// What every kind of move needs to know.
struct Generator<'a> {
    position: &'a Position,
    color: Color,
    king: Square,
    own: Bitboard,
    enemy: Bitboard,
    occupied: Bitboard,
    /// The squares that end a check: all, if there is none.
    answers: Bitboard,
    /// The lines of the pins along ranks and files, pinner included.
    pins_straight: Bitboard,
    /// The lines of the pins along diagonals, pinner included.
    pins_diagonal: Bitboard,
}

impl<'a> Generator<'a> {
    #[inline]
    fn new(position: &'a Position) -> Self {
        let color = position.turn;
        let (own, enemy) = (position.by_color(color), position.by_color(!color));
        let king = position.king(color);
        let queens = position.by_kind(PieceKind::Queen);
        let straight = (position.by_kind(PieceKind::Rook) | queens) & enemy;
        let diagonal = (position.by_kind(PieceKind::Bishop) | queens) & enemy;
        let checkers = position.checkers;
        let answers = match checkers.first() {
            None => Bitboard::ALL,
            Some(checker) => between(king, checker) | checkers,
        };
        Self {
            position,
            color,
            king,
            own,
            enemy,
            occupied: own | enemy,
            answers,
            pins_straight: pin_lines(king, own, rook_attacks(king, enemy) & straight),
            pins_diagonal: pin_lines(king, own, bishop_attacks(king, enemy) & diagonal),
        }
    }

    #[inline]
    fn run<G: Stage, K: Sink>(&self, sink: &mut K) {
        self.king_moves::<G, K>(sink);
        if self.position.checkers.more_than_one() || sink.is_full() {
            return;
        }
        self.pawn_moves::<G, K>(sink);
        if sink.is_full() {
            return;
        }
        let targets = self.wanted::<G>() & self.answers;
        let free = !(self.pins_straight | self.pins_diagonal);
        for from in self.mine(PieceKind::Knight) & free {
            sink.add(from, knight_attacks(from) & targets, self.enemy);
        }
        let queens = self.mine(PieceKind::Queen);
        for from in (self.mine(PieceKind::Bishop) | queens) & !self.pins_straight {
            let attacks = bishop_attacks(from, self.occupied) & targets;
            sink.add(from, attacks & confined(from, self.pins_diagonal), self.enemy);
        }
        for from in (self.mine(PieceKind::Rook) | queens) & !self.pins_diagonal {
            let attacks = rook_attacks(from, self.occupied) & targets;
            sink.add(from, attacks & confined(from, self.pins_straight), self.enemy);
        }
    }

    #[inline]
    fn mine(&self, kind: PieceKind) -> Bitboard {
        self.position.by_kind(kind) & self.own
    }

    /// One rank towards the enemy. Pawns stand on neither outer rank, so that nothing comes round to the other end.
    #[inline]
    const fn forward(&self, pawns: Bitboard) -> Bitboard {
        Bitboard(pawns.0.rotate_left(self.color.rank_shift()))
    }

    /// One rank towards the own side.
    #[inline]
    const fn back(&self, pawns: Bitboard) -> Bitboard {
        Bitboard(pawns.0.rotate_right(self.color.rank_shift()))
    }

    /// The squares where the wanted moves of pieces end.
    #[inline]
    fn wanted<G: Stage>(&self) -> Bitboard {
        match (G::NOISY, G::QUIET) {
            (true, true) => !self.own,
            (true, false) => self.enemy,
            _ => !self.occupied,
        }
    }

    #[inline]
    fn king_moves<G: Stage, K: Sink>(&self, sink: &mut K) {
        let steps = king_attacks(self.king) & self.wanted::<G>();
        let may_castle =
            G::QUIET && self.position.checkers.is_empty() && self.position.castling.any(self.color);
        let castlings =
            if may_castle { CastlingSide::ALL.map(|side| self.open_castling(side)) } else { [None; 2] };
        if steps.is_empty() && castlings == [None; 2] {
            return;
        }
        let denied = self.denied();
        sink.add(self.king, steps & !denied, self.enemy);
        for (rook, path) in castlings.into_iter().flatten() {
            if (path & denied).is_empty() {
                sink.add_move(Move::new(self.king, rook, MoveKind::Castle));
            }
        }
    }

    /// The rook of a castling for which nothing stands in the way, and the squares that the king crosses. A rook that
    /// shields the king on its own rank is pinned; nothing else can open a line by castling.
    #[inline]
    fn open_castling(&self, side: CastlingSide) -> Option<(Square, Bitboard)> {
        let rook = self.position.castling.rook(self.color, side)?;
        let (king_target, rook_target) = (side.king_target(self.color), side.rook_target(self.color));
        let others = self.occupied & !(Bitboard::from_square(self.king) | rook.into());
        let king_path = between(self.king, king_target) | king_target.into();
        let rook_path = between(rook, rook_target) | rook_target.into();
        let is_open = ((king_path | rook_path) & others).is_empty() && !self.pins_straight.contains(rook);
        is_open.then_some((rook, king_path))
    }

    /// The squares that the enemy attacks when the king steps out of the way.
    #[inline]
    fn denied(&self) -> Bitboard {
        let position = self.position;
        let enemy = |kind| position.by_kind(kind) & self.enemy;
        let open = self.occupied ^ Bitboard::from_square(self.king);
        let mut denied = self.back(enemy(PieceKind::Pawn)).beside();
        denied |= king_attacks(position.king(!self.color));
        for from in enemy(PieceKind::Knight) {
            denied |= knight_attacks(from);
        }
        for from in enemy(PieceKind::Bishop) | enemy(PieceKind::Queen) {
            denied |= bishop_attacks(from, open);
        }
        for from in enemy(PieceKind::Rook) | enemy(PieceKind::Queen) {
            denied |= rook_attacks(from, open);
        }
        denied
    }

    #[inline]
    fn pawn_moves<G: Stage, K: Sink>(&self, sink: &mut K) {
        let pawns = self.mine(PieceKind::Pawn);
        let pushers = pawns & !self.pins_diagonal;
        let takers = pawns & !self.pins_straight;
        let last = Bitboard::rank(Rank::One) | Bitboard::rank(Rank::Eight);
        let forward_step = 8 * self.color.sign() as i8;

        let empty = !self.occupied;
        let (held, free) = (pushers & self.pins_straight, pushers & !self.pins_straight);
        let single = (self.forward(free) | self.forward(held) & self.pins_straight) & empty;
        let double = self.forward(single & self.color.rank(Rank::Three)) & empty & self.answers;
        let single = single & self.answers;
        if G::QUIET {
            sink.add_pawns(single & !last, forward_step, MoveKind::Quiet);
            sink.add_pawns(double, 2 * forward_step, MoveKind::DoublePush);
        }
        if G::NOISY {
            sink.add_promotions(single & last, forward_step, MoveKind::Promotion);
            let (held, free) = (takers & self.pins_diagonal, takers & !self.pins_diagonal);
            let targets = self.enemy & self.answers;
            let (held, free) = (self.forward(held), self.forward(free));
            let west = free.west() | held.west() & self.pins_diagonal;
            let east = free.east() | held.east() & self.pins_diagonal;
            for (attacked, step) in [(west & targets, -1), (east & targets, 1)] {
                let step = forward_step + step;
                sink.add_pawns(attacked & !last, step, MoveKind::Capture);
                sink.add_promotions(attacked & last, step, MoveKind::PromotionCapture);
            }
            if let Some(to) = self.position.ep_square {
                for from in pawn_attacks(!self.color, to) & pawns {
                    if self.position.en_passant_is_safe(from, to) {
                        sink.add_move(Move::new(from, to, MoveKind::EnPassant));
                    }
                }
            }
        }
    }
}

/// The lines from the king to each pinner, pinner included, that hold exactly one own piece.
#[inline]
fn pin_lines(king: Square, own: Bitboard, pinners: Bitboard) -> Bitboard {
    let mut lines = Bitboard::EMPTY;
    for pinner in pinners {
        let gap = between(king, pinner);
        let shields = gap & own;
        if shields.any() && !shields.more_than_one() {
            lines |= gap | pinner.into();
        }
    }
    lines
}

/// A pinned piece stays on the pin lines of its own kind of movement; a free one goes anywhere. Two pin lines of one
/// kind never meet but in the king, so their union does for each.
#[inline]
fn confined(from: Square, lines: Bitboard) -> Bitboard {
    if lines.contains(from) { lines } else { Bitboard::ALL }
}
