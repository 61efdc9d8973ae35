//! Games: PGN in and out, the names of openings, and what a review says of each move.
//!
//! It knows the rules and what a position is worth, but nothing of HTTP.

pub mod openings;
pub mod pgn;
pub mod review;
