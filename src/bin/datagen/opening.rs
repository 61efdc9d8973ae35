//! Where a game begins.

use std::path::{Path, PathBuf};
use std::{fs, io};

use centipawn::engine::chess::{Fen, FenError, Game, Position, Variant};

use super::shuffle::Generator;

/// The positions from which games begin, before some moves by lot; there is one at least.
pub(crate) struct Openings(Vec<Position>);

/// Why a file of openings is of no use.
#[derive(Debug, thiserror::Error)]
pub(crate) enum OpeningsError {
    /// It could not be read.
    #[error("{}: {error}", .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A line is no position.
    #[error("{}, line {line}: {error}", .path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1.
        line: usize,
        /// Why.
        error: FenError,
    },
    /// There is no line in it.
    #[error("{} holds no position", .0.display())]
    Empty(PathBuf),
    /// Too many draws in a row led to a lost game or to none.
    #[error("no balanced opening in {0} draws: lower --random, raise --balance or take other openings")]
    Unbalanced(u32),
}

impl Openings {
    /// The start position.
    pub(crate) fn start() -> Self {
        Self(vec![Position::start()])
    }

    /// Those of a file with one FEN or EPD a line.
    ///
    /// # Errors
    /// If it cannot be read, holds anything else or nothing.
    pub(crate) fn read(path: &Path) -> Result<Self, OpeningsError> {
        let text = fs::read_to_string(path)
            .map_err(|error| OpeningsError::Unreadable { path: path.to_owned(), error })?;
        let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let positions = lines
            .map(|(index, line)| match Fen::parse(line, Variant::Standard) {
                Ok(fen) => Ok(fen.position),
                Err(error) => Err(OpeningsError::Malformed { path: path.to_owned(), line: index + 1, error }),
            })
            .collect::<Result<Vec<_>, _>>()?;
        if positions.is_empty() { Err(OpeningsError::Empty(path.to_owned())) } else { Ok(Self(positions)) }
    }

    /// One of them and so many moves by lot after it; nothing if the game was over before they were played.
    pub(crate) fn draw(&self, lots: &mut Generator, random_plies: u32) -> Option<Game> {
        let mut game = Game::new(self.0[lots.below(self.0.len())]);
        for _ in 0..random_plies {
            let moves = game.position().legal_moves();
            if moves.is_empty() {
                return None;
            }
            game.play(moves[lots.below(moves.len())]);
        }
        (!game.status().is_over()).then_some(game)
    }
}
