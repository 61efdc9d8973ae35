//! `cargo fuzz run router`: any bytes, as a request to the whole service.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| centipawn_fuzz::router(data));
