//! `cargo fuzz run json`: any bytes, as the JSON body of a request.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| centipawn_fuzz::json(data));
