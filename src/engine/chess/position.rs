//! A position: the board as bitboards and as a mailbox, and everything that is kept up to date move by move.

use super::attacks::{bishop_attacks, king_attacks, knight_attacks, pawn_attacks, rook_attacks};
use super::lines;
use super::piece::Occupant;
use super::setup::Setup;
use super::{
    Bitboard, CastlingRights, CastlingSide, Color, File, MaterialKey, Piece, PieceKind, Rank, Square, zobrist,
};
use crate::engine::weights::{self, Score};

/// A legal position, small enough to be copied before each move:
/// `let mut child = *position; child.play(mv);`.
///
/// Keys, piece-square sum and phase are changed by `put_piece` and `remove_piece` alone (and by the turn, the rights
/// and the en-passant square), so they always equal what counting from scratch gives.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Position {
    by_color: [Bitboard; 2],
    by_kind: [Bitboard; 6],
    mailbox: [Occupant; 64],
    pub(super) key: u64,
    /// Of the pawns, then of the other men of either side.
    part_keys: [u64; 3],
    material: MaterialKey,
    pub(super) checkers: Bitboard,
    piece_square_sum: Score,
    phase: i32,
    pub(super) castling: CastlingRights,
    pub(super) ep_square: Option<Square>,
    pub(super) halfmoves: u16,
    pub(super) fullmoves: u16,
    pub(super) turn: Color,
}

/// What a piece adds to the phase, by [`Piece::index`]: [`weights::PHASE`] for both colours, padded to a power of two.
const PHASE: [i32; 16] = {
    let mut phase = [0; 16];
    let mut piece = 0;
    while piece < 12 {
        phase[piece] = weights::PHASE[piece / 2];
        piece += 1;
    }
    phase
};

/// Which of the position's part keys a piece belongs to, by [`Piece::index`], padded to a power of two.
const PART: [usize; 16] = {
    let mut part = [0; 16];
    let mut piece = 2;
    while piece < 12 {
        part[piece] = 1 + piece % 2;
        piece += 1;
    }
    part
};

impl Position {
    /// The usual start of a game.
    #[must_use]
    pub fn start() -> Self {
        let back = [
            PieceKind::Rook,
            PieceKind::Knight,
            PieceKind::Bishop,
            PieceKind::Queen,
            PieceKind::King,
            PieceKind::Bishop,
            PieceKind::Knight,
            PieceKind::Rook,
        ];
        let mut setup = Setup::EMPTY;
        for color in Color::ALL {
            for (file, kind) in File::ALL.into_iter().zip(back) {
                let [first, second] =
                    [Rank::One, Rank::Two].map(|rank| Square::new(file, color.relative_rank(rank)));
                setup.put(first, Some(Piece::new(color, kind)));
                setup.put(second, Some(Piece::new(color, PieceKind::Pawn)));
            }
            setup.castling.grant(color, CastlingSide::King, Square::H1.relative(color));
            setup.castling.grant(color, CastlingSide::Queen, Square::A1.relative(color));
        }
        Self::from_setup(&setup)
    }

    /// The position that a validated setup describes.
    ///
    /// An en-passant square is kept only if a capture on it is legal, so that equal keys mean equal positions. A setup
    /// without exactly one king a side gives a position of which nothing is promised: validation comes first.
    #[must_use]
    pub(super) fn from_setup(setup: &Setup) -> Self {
        let mut position = Self {
            by_color: [Bitboard::EMPTY; 2],
            by_kind: [Bitboard::EMPTY; 6],
            mailbox: [Occupant::NONE; 64],
            key: 0,
            part_keys: [0; 3],
            material: MaterialKey::EMPTY,
            checkers: Bitboard::EMPTY,
            piece_square_sum: Score::ZERO,
            phase: 0,
            castling: setup.castling,
            ep_square: None,
            halfmoves: setup.halfmoves,
            fullmoves: setup.fullmoves,
            turn: setup.turn,
        };
        for piece in Piece::ALL {
            for square in setup.pieces(piece.color(), piece.kind()) {
                position.put_piece(piece, square);
            }
        }
        if setup.turn == Color::Black {
            position.key ^= zobrist::TURN;
        }
        position.key ^= zobrist::castling(setup.castling);
        let checkers = position.attackers_to(position.king(setup.turn), position.occupied());
        position.checkers = checkers & position.by_color(!setup.turn);
        if let Some(square) = setup.ep {
            position.offer_en_passant(square);
        }
        position
    }

    /// Everything that a FEN says of the position.
    #[must_use]
    pub(super) fn setup(&self) -> Setup {
        let mut setup = Setup::EMPTY;
        setup.turn = self.turn;
        setup.castling = self.castling;
        setup.ep = self.ep_square;
        setup.halfmoves = self.halfmoves;
        setup.fullmoves = self.fullmoves;
        for square in self.occupied() {
            setup.put(square, self.piece_at(square));
        }
        setup
    }

    /// The same position with every key and sum counted anew: always equal to the one that moves have kept.
    #[must_use]
    pub fn recomputed(&self) -> Self {
        Self::from_setup(&self.setup())
    }

    /// The same position with colours and ranks exchanged, and the other side to move.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        let mut mirror = self.setup();
        for square in Square::all() {
            let mirrored = self.piece_at(square).map(|piece| Piece::new(!piece.color(), piece.kind()));
            mirror.put(square.flip(), mirrored);
        }
        mirror.turn = !self.turn;
        mirror.ep = self.ep_square.map(Square::flip);
        mirror.castling = CastlingRights::NONE;
        for color in Color::ALL {
            for side in CastlingSide::ALL {
                if let Some(rook) = self.castling.rook(color, side) {
                    mirror.castling.grant(!color, side, rook.flip());
                }
            }
        }
        Self::from_setup(&mirror)
    }

    /// Puts a piece on an empty square; with [`Self::remove_piece`] the only way to change the board.
    #[inline]
    pub(super) fn put_piece(&mut self, piece: Piece, square: Square) {
        self.mailbox[square.index()] = Occupant::new(piece);
        self.toggle(piece, square);
        self.material.add(piece);
        self.phase += PHASE[piece.index()];
        self.piece_square_sum += zobrist::piece(piece, square).value;
    }

    /// Takes the piece off a square; with [`Self::put_piece`] the only way to change the board.
    #[inline]
    pub(super) fn remove_piece(&mut self, piece: Piece, square: Square) {
        self.mailbox[square.index()] = Occupant::NONE;
        self.toggle(piece, square);
        self.material.remove(piece);
        self.phase -= PHASE[piece.index()];
        self.piece_square_sum -= zobrist::piece(piece, square).value;
    }

    #[inline]
    fn toggle(&mut self, piece: Piece, square: Square) {
        let bit = Bitboard::from_square(square);
        self.by_color[piece.color().index()] ^= bit;
        self.by_kind[piece.kind().index()] ^= bit;
        let key = zobrist::piece(piece, square).key;
        self.key ^= key;
        self.part_keys[PART[piece.index()]] ^= key;
    }

    /// Keeps the square behind a double step if the side to move can legally capture there.
    pub(super) fn offer_en_passant(&mut self, square: Square) {
        let capturers = pawn_attacks(!self.turn, square) & self.pieces(self.turn, PieceKind::Pawn);
        if capturers.into_iter().any(|from| self.en_passant_is_safe(from, square)) {
            self.ep_square = Some(square);
            self.key ^= zobrist::en_passant(square.file());
        }
    }

    /// `true` if capturing en passant from `from` to `to` leaves the own king unattacked.
    pub(super) fn en_passant_is_safe(&self, from: Square, to: Square) -> bool {
        let victim = Bitboard::from_square(Square::new(to.file(), from.rank()));
        let occupied = (self.occupied() ^ Bitboard::from_square(from) ^ victim) | Bitboard::from_square(to);
        let attackers = self.attackers_to(self.king(self.turn), occupied);
        (attackers & self.by_color(!self.turn) & !victim).is_empty()
    }

    /// Who is to move.
    #[must_use]
    #[inline]
    pub const fn turn(&self) -> Color {
        self.turn
    }

    /// All pieces.
    #[must_use]
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.by_color[0] | self.by_color[1]
    }

    /// The pieces of a side.
    #[must_use]
    #[inline]
    pub const fn by_color(&self, color: Color) -> Bitboard {
        self.by_color[color.index()]
    }

    /// The pieces of a kind, of both sides.
    #[must_use]
    #[inline]
    pub const fn by_kind(&self, kind: PieceKind) -> Bitboard {
        self.by_kind[kind.index()]
    }

    /// The pieces of a side and kind.
    #[must_use]
    #[inline]
    pub fn pieces(&self, color: Color, kind: PieceKind) -> Bitboard {
        self.by_color(color) & self.by_kind(kind)
    }

    /// What stands on a square.
    #[must_use]
    #[inline]
    pub const fn piece_at(&self, square: Square) -> Option<Piece> {
        self.mailbox[square.index()].piece()
    }

    /// Where the king stands.
    #[must_use]
    #[inline]
    pub fn king(&self, color: Color) -> Square {
        Square::from_index(self.pieces(color, PieceKind::King).0.trailing_zeros() as u8)
    }

    /// The pieces that give check.
    #[must_use]
    #[inline]
    pub const fn checkers(&self) -> Bitboard {
        self.checkers
    }

    /// `true` if the side to move is in check.
    #[must_use]
    #[inline]
    pub const fn in_check(&self) -> bool {
        self.checkers.any()
    }

    /// Who may still castle with which rook.
    #[must_use]
    pub const fn castling(&self) -> CastlingRights {
        self.castling
    }

    /// Where an en-passant capture ends, if one is legal.
    #[must_use]
    pub const fn ep_square(&self) -> Option<Square> {
        self.ep_square
    }

    /// Plies since the last capture or pawn move.
    #[must_use]
    #[inline]
    pub const fn halfmoves(&self) -> u16 {
        self.halfmoves
    }

    /// The number of the move, from 1, raised after Black's.
    #[must_use]
    pub const fn fullmoves(&self) -> u16 {
        self.fullmoves
    }

    /// The Zobrist key of everything but the counters.
    #[must_use]
    #[inline]
    pub const fn key(&self) -> u64 {
        self.key
    }

    /// The Zobrist key of the pawns.
    #[must_use]
    #[inline]
    pub const fn pawn_key(&self) -> u64 {
        self.part_keys[0]
    }

    /// The Zobrist key of a side's men, pawns apart.
    #[inline]
    #[must_use]
    pub(in crate::engine) const fn piece_key(&self, color: Color) -> u64 {
        self.part_keys[1 + color.index()]
    }

    /// The Zobrist key of pawns and kings alone.
    #[inline]
    #[must_use]
    pub(in crate::engine) fn pawn_and_king_key(&self) -> u64 {
        let king = |color| zobrist::piece(Piece::new(color, PieceKind::King), self.king(color)).key;
        self.pawn_key() ^ king(Color::White) ^ king(Color::Black)
    }

    /// Which pieces are on the board.
    #[must_use]
    #[inline]
    pub const fn material(&self) -> MaterialKey {
        self.material
    }

    /// The piece-square values, White's minus Black's, in centipawns.
    #[must_use]
    #[inline]
    pub const fn piece_square_sum(&self) -> Score {
        self.piece_square_sum
    }

    /// Knights and bishops 1, rooks 2, queens 4: 24 at the start, more after promotions.
    #[must_use]
    #[inline]
    pub const fn phase(&self) -> i32 {
        self.phase
    }

    /// The pieces of both sides that attack a square if these squares are occupied.
    #[must_use]
    pub fn attackers_to(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let diagonal = self.by_kind(PieceKind::Bishop) | self.by_kind(PieceKind::Queen);
        let straight = self.by_kind(PieceKind::Rook) | self.by_kind(PieceKind::Queen);
        pawn_attacks(Color::Black, square) & self.pieces(Color::White, PieceKind::Pawn)
            | pawn_attacks(Color::White, square) & self.pieces(Color::Black, PieceKind::Pawn)
            | knight_attacks(square) & self.by_kind(PieceKind::Knight)
            | king_attacks(square) & self.by_kind(PieceKind::King)
            | bishop_attacks(square, occupied) & diagonal
            | rook_attacks(square, occupied) & straight
    }

    /// The pieces of a side that may not leave the line to their own king.
    #[must_use]
    pub fn pinned(&self, color: Color) -> Bitboard {
        self.screens(self.king(color), !color, color)
    }

    /// The pieces of side `screen` that alone stand between a king and a bishop, rook or queen of side `sliders`.
    pub(super) fn screens(&self, king: Square, sliders: Color, screen: Color) -> Bitboard {
        let (own, others) = (self.by_color(screen), self.by_color(!screen));
        let queens = self.pieces(sliders, PieceKind::Queen);
        let diagonal = self.pieces(sliders, PieceKind::Bishop) | queens;
        let straight = self.pieces(sliders, PieceKind::Rook) | queens;
        lines::screens(
            king,
            own,
            bishop_attacks(king, others) & diagonal | rook_attacks(king, others) & straight,
        )
    }
}

impl std::fmt::Debug for Position {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for rank in Rank::ALL.into_iter().rev() {
            for file in File::ALL {
                let piece = self.piece_at(Square::new(file, rank));
                write!(f, "{}", piece.map_or('.', Piece::letter))?;
            }
            f.write_str(if rank == Rank::One { " " } else { "/" })?;
        }
        write!(
            f,
            "{:?} {:?} {:?} {} {}",
            self.turn, self.castling, self.ep_square, self.halfmoves, self.fullmoves
        )
    }
}
