//! The files in `tests/data`.

use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use centipawn::engine::chess::Variant;
use centipawn::game::pgn::{self, Caps, PgnError, Record};

/// More than any of the files has.
pub(crate) const CAPS: Caps =
    Caps { games: 100, plies: 600, moves: 100_000, tags: 100, comments: 100_000, depth: 8 };

/// A file in `tests/data`.
pub(crate) fn bytes(name: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name);
    fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The rows of a tab-separated file in `tests/data`, without its header.
pub(crate) fn rows(name: &str) -> Vec<Vec<String>> {
    let text = String::from_utf8(bytes(name)).unwrap();
    text.lines().skip(1).map(|line| line.split('\t').map(str::to_owned).collect()).collect()
}

/// Reads a text of standard games.
pub(crate) fn read(text: &str) -> Result<Vec<Record>, PgnError> {
    read_within(text, CAPS)
}

/// Reads a text of standard games, where no more is taken than this.
pub(crate) fn read_within(text: &str, caps: Caps) -> Result<Vec<Record>, PgnError> {
    pgn::read(text, Variant::Standard, caps, &AtomicBool::new(false))
}

/// The one game of a text.
pub(crate) fn game(text: &str) -> Record {
    let mut games = read(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(games.len(), 1, "{text}");
    games.remove(0)
}
