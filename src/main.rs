//! The `centipawn` binary.
fn main() {}
