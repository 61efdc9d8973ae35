//! A position as it is written down, before anybody has asked whether it is one.

use super::{Bitboard, CastlingRights, Color, Piece, PieceKind, Square};

/// The content of a FEN, field by field.
///
/// `Position::from_setup` takes one that has passed validation; it keeps the en-passant square only if a capture on it
/// is legal, so that equal keys mean equal positions.
#[derive(Clone, Debug)]
pub(super) struct Setup {
    /// What stands on each square, by [`Square::index`].
    board: [Option<Piece>; 64],
    /// The same by [`Piece::index`], so that validation need not look at 64 squares for every question; and a place for what
    /// [`Self::add`] adds where there is no piece.
    pieces: [Bitboard; 13],
    /// Whose move it is.
    pub(super) turn: Color,
    /// The rooks that may still castle.
    pub(super) castling: CastlingRights,
    /// The square that a pawn has just passed over.
    pub(super) ep: Option<Square>,
    /// Plies since the last capture or pawn move.
    pub(super) halfmoves: u16,
    /// The number of the move, from 1, counted up after Black's.
    pub(super) fullmoves: u16,
}

impl Setup {
    /// An empty board, White to move.
    pub(super) const EMPTY: Self = Self {
        board: [None; 64],
        pieces: [Bitboard::EMPTY; 13],
        turn: Color::White,
        castling: CastlingRights::NONE,
        ep: None,
        halfmoves: 0,
        fullmoves: 1,
    };

    /// What stands on a square.
    pub(super) const fn piece_at(&self, square: Square) -> Option<Piece> {
        self.board[square.index()]
    }

    /// Puts a piece or nothing on a square, whatever stood there.
    pub(super) fn put(&mut self, square: Square, piece: Option<Piece>) {
        if let Some(old) = self.piece_at(square) {
            self.pieces[old.index()] &= !Bitboard::from_square(square);
        }
        if let Some(new) = piece {
            self.pieces[new.index()] |= square.into();
        }
        self.board[square.index()] = piece;
    }

    /// Puts a piece or nothing on a square on which nothing stands, without a branch on which of both it is.
    pub(super) fn add(&mut self, square: Square, piece: Option<Piece>) {
        self.pieces[piece.map_or(12, Piece::index)] |= square.into();
        self.board[square.index()] = piece;
    }

    /// The squares of a piece.
    pub(super) const fn pieces(&self, color: Color, kind: PieceKind) -> Bitboard {
        self.pieces[Piece::new(color, kind).index()]
    }

    /// All squares of a side.
    pub(super) fn by_color(&self, color: Color) -> Bitboard {
        PieceKind::ALL.into_iter().fold(Bitboard::EMPTY, |squares, kind| squares | self.pieces(color, kind))
    }
}
