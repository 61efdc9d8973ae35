//! Every perft position to the depths that take little time; `tests/perft_deep.rs` goes to the end.

use centipawn::engine::chess::perft;

use super::data::perft_cases;

/// Counts beyond this many leaves are left to the release-mode test.
fn check(file: &str, most_leaves: u64) {
    for case in perft_cases(file) {
        for (depth, leaves) in case.counts.into_iter().filter(|(_, leaves)| *leaves <= most_leaves) {
            assert_eq!(perft(&case.position, depth), leaves, "{} at depth {depth}", case.fen);
        }
    }
}

#[test]
fn standard() {
    check("perft/standard.epd", 20_000_000);
}

#[test]
fn edge_cases() {
    check("perft/edge-cases.epd", 100_000_000);
}

#[test]
fn chess960() {
    check("perft/chess960-first480.epd", 1_000_000);
    check("perft/chess960-extra-a.epd", 20_000_000);
}

#[test]
fn random_positions() {
    check("perft/random-odd.epd", 1_000_000);
}

#[test]
fn en_passant() {
    check("perft/en-passant-a.epd", 5_200_000);
}

#[test]
fn single_checks() {
    check("perft/single-check-a.epd", 1_000_000);
}
