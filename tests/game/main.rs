//! Games, tested from outside: PGN as it is found in the wild, and reviews against those of Lichess.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod data;
mod pgn;
mod pgn_faults;
mod pgn_sizes;
mod review;
