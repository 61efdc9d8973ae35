//! `cargo fuzz run uci`: any bytes, as what a chess program says.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| centipawn_fuzz::conversation(data));
