//! The files in `tests/data`, and positions from text.

use std::fs;
use std::path::Path;

use centipawn::engine::chess::{Fen, History, Position, Variant};

/// The lines of a file in `tests/data`, without empty ones.
pub(crate) fn lines(name: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name);
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.lines().filter(|line| !line.trim().is_empty()).map(str::to_owned).collect()
}

/// The rows of a tab-separated file in `tests/data`, without its header; every row has `COLUMNS` columns.
pub(crate) fn rows<const COLUMNS: usize>(name: &str) -> Vec<[String; COLUMNS]> {
    lines(name)
        .iter()
        .skip(1)
        .map(|line| {
            let cells: Vec<String> = line.split('\t').map(str::to_owned).collect();
            cells.try_into().unwrap_or_else(|cells| panic!("{name}: {cells:?}"))
        })
        .collect()
}

/// A position of the standard game that needs no repair.
pub(crate) fn position(fen: &str) -> Position {
    position_of(fen, Variant::Standard)
}

/// A position that needs no repair.
pub(crate) fn position_of(fen: &str, variant: Variant) -> Position {
    let fen = Fen::parse(fen, variant).unwrap_or_else(|error| panic!("{fen}: {error}"));
    assert_eq!(fen.warnings, [], "{:?}", fen.position);
    fen.position
}

/// A position to which perhaps no game leads; the files know such.
pub(crate) fn any_position(fen: &str, variant: Variant) -> Position {
    let read = Fen::parse_with(fen, variant, History::Any);
    read.unwrap_or_else(|error| panic!("{fen}: {error}")).position
}

/// A line of a perft file: `FEN ;D1 20 ;D2 400`.
pub(crate) struct PerftCase {
    pub(crate) fen: String,
    pub(crate) position: Position,
    /// Depth and leaves, by rising depth.
    pub(crate) counts: Vec<(u32, u64)>,
}

/// The cases of a perft file.
pub(crate) fn perft_cases(name: &str) -> Vec<PerftCase> {
    lines(name).iter().map(|line| perft_case(line)).collect()
}

fn perft_case(line: &str) -> PerftCase {
    let (fen, counts) = line.split_once(';').unwrap_or_else(|| panic!("{line}"));
    let position = any_position(fen, Variant::Chess960);
    let counts = counts
        .split(';')
        .map(|count| {
            let (depth, leaves) =
                count.trim().strip_prefix('D').and_then(|count| count.split_once(' ')).unwrap();
            (depth.parse().unwrap(), leaves.trim().parse().unwrap())
        })
        .collect();
    PerftCase { fen: fen.trim().to_owned(), position, counts }
}
