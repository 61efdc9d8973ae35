//! The pure engine: rules, evaluation, search.
pub mod chess;
pub mod eval;
mod prefetch;
pub mod search;
pub mod weights;
