//! In place of the reader of tables, where that does not compile: opening tables is an error.

use std::path::PathBuf;

use super::TablebaseError;
use crate::engine::chess::{Move, Position};
use crate::engine::search::Wdl;

/// There is none.
pub(super) enum Prober {}

impl Prober {
    /// # Errors
    /// Always.
    pub(super) fn start(_folders: &[PathBuf]) -> Result<Self, TablebaseError> {
        Err(TablebaseError::Unsupported)
    }

    pub(super) fn wdl(&self, _position: &Position) -> Option<Wdl> {
        match *self {}
    }

    pub(super) fn distances(&self, _position: &Position) -> Option<Vec<(Move, i32)>> {
        match *self {}
    }

    pub(super) fn reads_distance(&self, _position: &Position) -> bool {
        match *self {}
    }
}
