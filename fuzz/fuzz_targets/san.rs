//! `cargo fuzz run san`: any bytes, read as a move.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| centipawn_fuzz::words(data));
