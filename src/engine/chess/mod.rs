//! The rules of chess: squares, pieces, positions, legal moves, keys, notation and how a game ends.

pub mod attacks;
mod bitboard;
mod castling;
mod checks;
mod color;
pub mod fen;
mod game;
mod legality;
pub mod lines;
#[cfg(not(target_feature = "bmi2"))]
mod magics;
mod material_key;
mod move_error;
mod movegen;
mod moves;
mod outcome;
mod perft;
#[cfg(target_feature = "bmi2")]
mod pext;
mod piece;
mod play;
mod position;
pub mod san;
mod setup;
mod sink;
mod square;
mod travel;
pub mod uci_move;
mod validate;
mod zobrist;

pub use bitboard::{Bitboard, Squares};
pub use castling::{CastlingRights, CastlingSide};
pub use checks::Checks;
pub use color::{ByColor, Color};
pub use fen::{Fen, FenError, FenStyle, FenWarning, History, Variant};
pub use game::Game;
pub use material_key::MaterialKey;
pub use move_error::{MoveError, Reason};
pub use moves::{Move, MoveKind, MoveList};
pub use outcome::{Status, is_insufficient_material};
pub use perft::{divide, perft};
pub use piece::{Piece, PieceKind};
pub use position::Position;
pub use sink::{Sink, origin};
pub use square::{File, Rank, Square, SquareError};
pub use travel::Travel;

/// Reads a move in either notation: UCI if it has that shape, else SAN.
///
/// # Errors
/// As [`uci_move::parse`] and [`san::parse`].
pub fn parse_move(position: &Position, text: &str) -> Result<Move, MoveError> {
    let text = text.trim();
    match uci_move::parse(position, text) {
        Err(MoveError::Syntax(_)) => san::parse(position, text),
        result => result,
    }
}
