//! The rules of chess: squares, pieces, positions, legal moves, keys, notation and how a game ends.

pub mod attacks;
mod bitboard;
mod castling;
mod color;
pub mod lines;
#[cfg(not(target_feature = "bmi2"))]
mod magics;
mod material_key;
mod movegen;
mod moves;
mod perft;
#[cfg(target_feature = "bmi2")]
mod pext;
mod piece;
mod play;
mod position;
mod setup;
mod sink;
mod square;
mod zobrist;

pub use bitboard::{Bitboard, Squares};
pub use castling::{CastlingRights, CastlingSide};
pub use color::{Black, ByColor, Color, Side, White};
pub use material_key::MaterialKey;
pub use moves::{Move, MoveList};
pub use perft::{divide, perft};
pub use piece::{Piece, PieceKind};
pub use position::Position;
pub use square::{File, Rank, Square, SquareError};
