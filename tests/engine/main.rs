//! The engine, tested from outside: facts from files, properties on random games, and a second opinion.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

#[path = "../../fuzz/src/lib.rs"]
#[allow(unreachable_pub, reason = "public for the fuzz targets")]
mod bodies;
mod data;
mod evaluation;
mod fen;
mod fuzz_bodies;
mod game;
mod legal_moves;
mod outcome;
mod perft;
mod random_games;
mod san;
mod search;
mod slow_validator;
#[cfg(target_arch = "x86_64")]
mod tablebase;
mod uci_move;
mod validation;
