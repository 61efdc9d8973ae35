//! centipawn: what a chess position is worth, what to play, and why.

pub mod api;
pub mod cli;
pub mod config;
pub mod cpu;
pub mod engine;
pub mod pool;
pub mod telemetry;
pub mod uci;
