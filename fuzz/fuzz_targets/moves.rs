//! `cargo fuzz run moves`: a game driven by bytes.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| centipawn_fuzz::moves(data));
