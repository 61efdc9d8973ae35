//! The pure engine: rules, evaluation, search.
pub mod chess;
pub mod eval;
pub mod search;
pub mod weights;
