//! Syzygy endgame tables: the files, and the look-ups in them that the search makes through [`Tablebase`].
//!
//! The crate `pyrrhic-rs` reads the format. What it leaves to its callers is done here:
//!
//! - It takes every table for present and looks for the file at the first probe, which is not safe with several threads if there is
//!   none. So the `catalogue` says which constellations can be looked up, those that a capture or a promotion leads to
//!   included, nothing else is ever asked, and every file is opened before the tables are shared.
//! - It reads what the files say. So they are looked at first, and one that is no table is refused by name.
//! - There is one set of tables in a process.
//! - Inside a look-up of distances it overlooks that a double step may be taken en passant. So no distance is asked for where
//!   one could be.
//! - It does not compile for aarch64, where opening tables is an error that says so.
//!
//! The files are mapped into memory: they must not be changed while they are in use.

mod catalogue;
#[cfg_attr(not(target_arch = "x86_64"), path = "no_prober.rs")]
mod prober;
mod sample;

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use catalogue::{Catalogue, Knowledge};
use prober::Prober;

use crate::engine::chess::{Bitboard, Color, Move, PieceKind, Position, Rank};
use crate::engine::search::{Tablebase, Wdl};

/// Syzygy tables that are open.
pub struct Syzygy {
    catalogue: Catalogue,
    prober: Prober,
}

/// Why tables cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TablebaseError {
    /// A folder cannot be read.
    #[error("cannot read the folder {} of endgame tables: {source}", folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A folder has no tables.
    #[error("the folder {} has no Syzygy tables, which are files like KQvK.rtbw", .0.display())]
    Empty(PathBuf),
    /// A file is not what its name says.
    #[error("{} is damaged or no Syzygy table", .0.display())]
    Damaged(PathBuf),
    /// A file cannot be read.
    #[error("cannot read {}: {source}", file.display())]
    File {
        /// The file.
        file: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// No table can be used without those that are missing.
    #[error(
        "none of the Syzygy tables can be used: those with fewer men, to which captures lead, are missing"
    )]
    Incomplete,
    /// Others are open already.
    #[error("Syzygy tables are open already, and a process has one set of them")]
    AlreadyOpen,
    /// The reader of tables does not work on this kind of processor.
    #[error("Syzygy tables can be used on x86-64 processors only")]
    Unsupported,
}

impl Syzygy {
    /// Opens the tables in these folders; where several have the same file, the first counts.
    ///
    /// # Errors
    /// If a folder cannot be read or has no tables, if a file is damaged, if no table can be used, or if this process has
    /// tables open already.
    pub fn open(folders: &[PathBuf]) -> Result<Self, TablebaseError> {
        let catalogue = Catalogue::of(folders)?;
        let prober = Prober::start(folders)?;
        let tables = Self { catalogue, prober };
        tables.open_files()?;
        Ok(tables)
    }

    /// Looks something up in every file, so that a file that cannot be used is known now, and so that nothing is opened
    /// while several threads look things up.
    fn open_files(&self) -> Result<(), TablebaseError> {
        for (material, table) in self.catalogue.tables() {
            let mut positions = sample::positions(material);
            if positions.next().is_some_and(|position| self.wdl(&position).is_none()) {
                return Err(TablebaseError::Damaged(table.to_owned()));
            }
            if self.catalogue.knowledge(material) == Some(Knowledge::Distance) {
                positions.any(|position| self.prober.reads_distance(&position));
            }
        }
        Ok(())
    }
}

impl Tablebase for Syzygy {
    fn most_men(&self) -> u32 {
        self.catalogue.most_men()
    }

    fn wdl(&self, position: &Position) -> Option<Wdl> {
        if !position.castling().is_empty() {
            return None;
        }
        self.catalogue.knowledge(position.material())?;
        self.prober.wdl(position)
    }

    fn distances(&self, position: &Position) -> Option<Vec<(Move, i32)>> {
        let knowledge = self.catalogue.knowledge(position.material())?;
        if knowledge != Knowledge::Distance
            || !position.castling().is_empty()
            || may_step_past_a_pawn(position)
        {
            return None;
        }
        self.prober.distances(position)
    }
}

/// How many tables there are, for people.
impl fmt::Display for Syzygy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.catalogue, f)
    }
}

impl fmt::Debug for Syzygy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Syzygy").field(&self.to_string()).finish()
    }
}

/// `true` if a pawn that has not moved could step past one of the other side.
fn may_step_past_a_pawn(position: &Position) -> bool {
    let past = |color: Color, arrivals: Bitboard| {
        ((arrivals.east() | arrivals.west()) & position.pieces(!color, PieceKind::Pawn)).any()
    };
    let waiting = |color: Color| {
        position.pieces(color, PieceKind::Pawn) & Bitboard::rank(color.relative_rank(Rank::Two))
    };
    past(Color::White, waiting(Color::White).north().north())
        || past(Color::Black, waiting(Color::Black).south().south())
}

/// The folders of a list as settings name them, separated by `:`; empty ones are passed over.
#[must_use]
pub fn folders(list: &str) -> Vec<PathBuf> {
    list.split(':').filter(|folder| !folder.is_empty()).map(|folder| Path::new(folder).to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use crate::engine::chess::{Fen, Variant};
    use crate::tablebase::may_step_past_a_pawn;

    #[test]
    fn a_double_step_past_a_pawn_is_seen() {
        for (fen, expected) in [
            ("8/8/4k3/8/3p4/8/4P3/4K3 w - - 0 1", true),
            ("8/8/4k3/8/3p4/8/4P3/4K3 b - - 0 1", true),
            ("4k3/p7/8/1P6/8/8/8/4K3 w - - 0 1", true),
            ("4k3/8/8/8/7p/8/P7/4K3 w - - 0 1", false),
            ("4k3/8/8/8/p7/8/P7/4K3 w - - 0 1", false),
            ("4k3/8/8/3p4/8/4P3/8/4K3 w - - 0 1", false),
            ("4k3/8/8/8/8/8/3PP3/4K3 w - - 0 1", false),
        ] {
            let position = Fen::parse(fen, Variant::Standard).map(|fen| fen.position);
            assert_eq!(position.as_ref().map(may_step_past_a_pawn), Ok(expected), "{fen}");
        }
    }
}
