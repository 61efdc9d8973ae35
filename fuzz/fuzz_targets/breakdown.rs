//! `cargo fuzz run breakdown`: the evaluation of every position of a game driven by bytes.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| centipawn_fuzz::breakdown(data));
