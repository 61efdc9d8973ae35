//! `cargo fuzz run pgn`: any bytes, read as games.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| centipawn_fuzz::pgn(data));
