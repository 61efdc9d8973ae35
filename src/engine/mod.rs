//! The pure engine: rules, evaluation, search.
pub mod chess;
pub mod weights;
