//! `cargo fuzz run fen`: any text, read as a FEN.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| centipawn_fuzz::fen(data));
