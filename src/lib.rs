//! centipawn: what a chess position is worth, what to play, and why.

pub mod api;
pub mod engine;
pub mod pool;
