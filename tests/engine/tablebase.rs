//! Syzygy tables: those of three men and of rook against rook are in `tests/data/endgames/syzygy`.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use centipawn::engine::chess::parse_move;
use centipawn::engine::search::{Tablebase, Wdl};
use centipawn::tablebase::{Syzygy, folders};

use crate::data::{position, rows};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/endgames/syzygy")
}

/// The tables; a process has one set of them.
pub(crate) fn tables() -> Arc<dyn Tablebase> {
    static TABLES: OnceLock<Arc<Syzygy>> = OnceLock::new();
    TABLES.get_or_init(|| Arc::new(Syzygy::open(&[folder()]).unwrap())).clone()
}

/// The constellations of the tables, as the file of facts names them.
const KNOWN: [&str; 6] = ["KQvK", "KRvK", "KBvK", "KNvK", "KPvK", "KRvKR"];

#[test]
fn results_are_the_truth_and_what_has_no_table_is_unknown() {
    let mut known = 0;
    for [material, fen, wdl] in rows::<3>("endgames/tablebase-truth.tsv") {
        let truth = match wdl.as_str() {
            "2" => Wdl::Win,
            "0" => Wdl::Draw,
            _ => Wdl::Loss,
        };
        let expected = KNOWN.contains(&material.as_str()).then_some(truth);
        assert_eq!(tables().wdl(&position(&fen)), expected, "{fen}");
        known += usize::from(expected.is_some());
    }
    assert!(known > 150, "{known}");
}

#[test]
fn distances_agree_with_results() {
    for [material, fen, wdl] in rows::<3>("endgames/tablebase-truth.tsv") {
        let position = position(&fen);
        let Some(distances) = tables().distances(&position) else {
            assert!(!KNOWN.contains(&material.as_str()), "{fen}");
            continue;
        };
        assert_eq!(distances.len(), position.legal_moves().len(), "{fen}");
        let best = if distances.iter().any(|(_, plies)| *plies > 0) {
            "2"
        } else if distances.iter().any(|(_, plies)| *plies == 0) {
            "0"
        } else {
            "-2"
        };
        assert_eq!(best, wdl, "{fen}");
    }
}

#[test]
fn distances_are_plies_to_the_next_capture_pawn_move_or_mate() {
    for (fen, mv, plies) in [
        ("k7/8/1K6/8/8/8/8/6Q1 w - - 0 1", "g1g8", 1),
        ("8/8/8/4P3/5k2/8/8/5K2 w - - 0 1", "e5e6", 1),
        ("8/8/8/4P3/5k2/8/8/5K2 w - - 0 1", "f1f2", 0),
        ("8/6K1/2R5/1k6/8/8/8/8 b - - 0 1", "b5c6", 0),
        ("1k6/8/1K6/8/8/8/8/7R b - - 0 1", "b8a8", -2),
    ] {
        let position = position(fen);
        let distances = tables().distances(&position).unwrap();
        let mv = parse_move(&position, mv).unwrap();
        let found = distances.iter().find(|(known, _)| *known == mv);
        assert_eq!(found.map(|(_, plies)| *plies), Some(plies), "{fen}");
    }
}

#[test]
fn what_tables_cannot_know_is_unknown() {
    let men = tables().most_men();
    assert_eq!(men, 4);
    for fen in [
        "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1",
        "8/8/8/3k4/8/8/3PP3/4K3 w - - 0 1",
        "8/8/8/3k4/8/8/2R1B3/4K3 w - - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    ] {
        let position = position(fen);
        assert_eq!((tables().wdl(&position), tables().distances(&position)), (None, None), "{fen}");
    }
    assert_eq!(tables().wdl(&position("4k3/8/8/8/8/8/8/R3K3 w - - 0 1")), Some(Wdl::Win));
}

/// A folder of its own for each test, gone at its end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("centipawn-syzygy-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn folders_without_good_tables_are_refused() {
    let (empty, broken, torn, lonely) =
        (Folder::new("empty"), Folder::new("broken"), Folder::new("torn"), Folder::new("lonely"));
    fs::write(empty.0.join("KQK.rtbw"), "not a name of a table").unwrap();
    fs::write(broken.0.join("KQvK.rtbw"), [7; 80]).unwrap();
    let good = fs::read(folder().join("KQvK.rtbw")).unwrap();
    fs::write(torn.0.join("KQvK.rtbw"), &good[..good.len() - 1]).unwrap();
    fs::copy(folder().join("KRvKR.rtbw"), lonely.0.join("KRvKR.rtbw")).unwrap();
    for (folder, said) in [
        (&empty.0.join("nowhere"), "cannot read the folder"),
        (&empty.0, "has no Syzygy tables"),
        (&broken.0, "KQvK.rtbw is damaged or no Syzygy table"),
        (&torn.0, "KQvK.rtbw is damaged or no Syzygy table"),
        (&lonely.0, "those with fewer men, to which captures lead, are missing"),
    ] {
        let error = Syzygy::open(std::slice::from_ref(folder)).unwrap_err().to_string();
        assert!(error.contains(said), "{error}");
    }
}

#[test]
fn one_set_of_tables_is_open_at_a_time() {
    let tables = tables();
    assert_eq!(format!("{tables:?}"), "Syzygy(\"6 Syzygy tables of up to 4 men, 6 of them with distances\")");
    let error = Syzygy::open(&[folder()]).unwrap_err().to_string();
    assert!(error.contains("open already"), "{error}");
}

#[test]
fn folders_are_listed_with_colons() {
    let paths = |names: &[&str]| names.iter().map(PathBuf::from).collect::<Vec<_>>();
    assert_eq!(folders(""), paths(&[]));
    assert_eq!(folders("/a b:/c"), paths(&["/a b", "/c"]));
    assert_eq!(folders(":/c:"), paths(&["/c"]));
}
