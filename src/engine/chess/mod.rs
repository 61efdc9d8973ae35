//! The rules of chess: squares, pieces, positions, legal moves, keys, notation and how a game ends.

mod bitboard;
mod castling;
mod color;
mod material_key;
mod moves;
mod piece;
mod setup;
mod square;

pub use bitboard::{Bitboard, Squares};
pub use castling::{CastlingRights, CastlingSide};
pub use color::{Black, ByColor, Color, Side, White};
pub use material_key::MaterialKey;
pub use moves::{Move, MoveList};
pub use piece::{Piece, PieceKind};
pub use square::{File, Rank, Square, SquareError};
