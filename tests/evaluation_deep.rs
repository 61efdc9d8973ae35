//! That every breakdown adds up to the centipawn, on hundreds of thousands of positions: those of the files in `tests/data`,
//! of random games from many starts, and of the files that `CENTIPAWN_POSITIONS` names.
//!
//! `CENTIPAWN_POSITIONS=one.epd:two.txt cargo test --release --test evaluation_deep -- --nocapture`
//!
//! Where the environment variable `CENTIPAWN_GAMES` is set, so many random games are played and no more.
//!
//! A file has a FEN or EPD a line; what follows a `|`, a `;` or a tab is passed over.

#![allow(clippy::panic, clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "../fuzz/src/lib.rs"]
#[allow(dead_code, unreachable_pub, unused_imports, reason = "shared with the fuzz targets")]
mod bodies;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;
use std::{env, fs, thread};

use centipawn::engine::chess::{Fen, History, Position, Status, Variant};

/// Games, each from a start of its own, unless somebody says otherwise.
const GAMES: u64 = 3_000;
/// Plies of a game, unless it ends before.
const PLIES: u64 = 80;

#[test]
#[cfg_attr(debug_assertions, ignore = "minutes of work: cargo test --release --test evaluation_deep")]
fn everything_adds_up_everywhere() {
    let named = env::var_os("CENTIPAWN_POSITIONS").unwrap_or_default();
    let named = env::split_paths(&named).filter(|path| !path.as_os_str().is_empty());
    let own = files_below(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data"));
    let own =
        own.into_iter().filter(|path| path.extension().is_some_and(|kind| kind == "epd" || kind == "tsv"));
    let mut positions: Vec<Position> = own.chain(named).flat_map(|path| read(&path)).collect();
    eprintln!("{} positions from files", positions.len());
    let games = env::var("CENTIPAWN_GAMES").map_or(GAMES, |games| games.parse().unwrap());
    positions.extend((0..games).flat_map(random_game));
    let (next, start) = (AtomicUsize::new(0), Instant::now());
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                loop {
                    let turn = next.fetch_add(1, Ordering::Relaxed);
                    let Some(position) = positions.get(turn) else { break };
                    check(position, turn);
                }
            });
        }
    });
    eprintln!("{} positions, all exact, after {} s", positions.len(), start.elapsed().as_secs());
    assert!(positions.len() as u64 > 12_000 + 60 * games);
}

/// Every evaluator on a position: as it stands, and each eighth one with a status that it need not have.
fn check(position: &Position, turn: usize) {
    let other = bodies::evaluation::STATUSES[turn / 8 % bodies::evaluation::STATUSES.len()];
    for evaluator in bodies::evaluation::evaluators() {
        bodies::evaluation::check_ledgers(position, evaluator);
        bodies::evaluation::check_breakdown(position, evaluator, Status::of(position, 1));
        if turn.is_multiple_of(8) {
            bodies::evaluation::check_breakdown(position, evaluator, other);
        }
    }
    if turn.is_multiple_of(100_000) {
        eprintln!("{turn} positions");
    }
}

/// The positions of a game whose start and moves are drawn by lot, from its number alone.
fn random_game(number: u64) -> Vec<Position> {
    let mut lots = number;
    let mut draw = || {
        // The linear congruential generator of Knuth's MMIX.
        lots = lots.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (lots >> 33) as usize
    };
    let mut position = bodies::start([draw() as u8, draw() as u8]);
    let mut positions = vec![position];
    for _ in 0..PLIES {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        position.play(moves[draw() % moves.len()]);
        positions.push(position);
    }
    positions
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files_below(&path) } else { vec![path] }).collect()
}

fn read(path: &Path) -> Vec<Position> {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let lines = text.lines().map(|line| line.split(['|', ';', '\t']).next().unwrap_or_default().trim());
    lines
        .filter_map(|line| Fen::parse_with(line, Variant::Chess960, History::Any).ok())
        .map(|fen| fen.position)
        .collect()
}
