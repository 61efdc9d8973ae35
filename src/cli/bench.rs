//! `centipawn bench`: fixed positions to a fixed depth. The number of nodes is the checksum of the search's
//! behaviour.

use std::io::Write;
use std::num::NonZeroUsize;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use clap::Args;

use super::Failure;
use crate::engine::chess::{Fen, Game, Variant};
use crate::engine::eval::{Evaluator, warm_up};
use crate::engine::search::{Limits, SearchRequest, TranspositionTable, search};

/// How deep, and with how many threads.
#[derive(Args, Clone, Copy, Debug)]
pub(super) struct BenchOptions {
    /// The depth of each search, in half-moves
    #[arg(value_name = "DEPTH", default_value_t = 12, value_parser = clap::value_parser!(u8).range(1..=100))]
    depth: u8,

    /// Threads of each search; with more than one, the nodes differ from run to run
    #[arg(long, value_name = "N", default_value_t = NonZeroUsize::MIN)]
    threads: NonZeroUsize,
}

/// The table, emptied before each position.
const HASH_MEBIBYTES: usize = 16;

/// Searches every position with a fresh table, and prints the nodes of each, their sum, the time and the
/// speed.
pub(super) fn run(options: BenchOptions, output: &mut impl Write) -> Result<(), Failure> {
    warm_up();
    let table = TranspositionTable::new(HASH_MEBIBYTES)?;
    table.populate();
    let mut total = 0;
    let mut time = Duration::ZERO;
    for (index, text) in POSITIONS.iter().enumerate() {
        let fen =
            Fen::parse(text, Variant::Standard).map_err(|error| Failure::Position(error.to_string()))?;
        table.clear();
        let limits = Limits { depth: Some(options.depth), nodes: None };
        let request = SearchRequest::new(Game::new(fen.position), Evaluator::default(), limits);
        let request = SearchRequest { threads: options.threads, ..request };
        let start = Instant::now();
        let report = search(&request, &table, &AtomicBool::new(false), &mut |_| ());
        time += start.elapsed();
        total += report.nodes;
        writeln!(output, "{:2}/{} {:10} nodes  {text}", index + 1, POSITIONS.len(), report.nodes)?;
    }
    let nodes_per_second = u128::from(total) * 1_000_000 / time.as_micros().max(1);
    writeln!(output, "\nTime (ms)      : {}", time.as_millis())?;
    writeln!(output, "Nodes searched : {total}")?;
    writeln!(output, "Nodes/second   : {nodes_per_second}")?;
    Ok(())
}

/// Openings, middlegames, endings and odd positions, all commonly known or made for this.
const POSITIONS: [&str; 18] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    // The test positions 2 to 6 of the chess programming wiki's perft page; the first of them is Kiwipete.
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    // A Ruy Lopez, a King's Indian, a Sicilian Dragon, a French and a Slav.
    "r1bqk2r/2ppbppp/p1n2n2/1p2p3/4P3/1B3N2/PPPP1PPP/RNBQR1K1 b kq - 1 7",
    "r1bq1rk1/ppp1npbp/3p1np1/3Pp3/2P1P3/2N2N2/PP2BPPP/R1BQ1RK1 w - - 1 9",
    "r2q1rk1/pp1bppbp/2np1np1/8/3NP3/2N1BP2/PPPQ2PP/2KR1B1R w - - 3 10",
    "r1bqkb1r/pp1n1ppp/2n1p3/2ppP3/3P1P2/2N1BN2/PPP3PP/R2QKB1R b KQkq - 3 7",
    "rn1qkb1r/pp3ppp/2p1pn2/5b2/P1pP4/2N1PN2/1P3PPP/R1BQKB1R w KQkq - 0 7",
    // Opposite wings, an attack on the king, an isolated pawn.
    "2kr3r/ppp2ppp/2nqbn2/3p4/3P4/2NQBN2/PPP2PPP/2KR3R b - - 6 11",
    "r1b2rk1/pp3pp1/2n1pq1p/3p4/2PP4/3BPN2/PP3PPP/R2Q1RK1 w - - 0 12",
    // A rook ending, a pawn ending, bishops of opposite colours, a queen against a pawn, a knight against
    // pawns.
    "8/5pk1/4p1p1/7p/R6P/4P1P1/r4PK1/8 w - - 4 40",
    "8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1",
    "8/4kp2/4b1p1/3pP2p/3B1P1P/4K1P1/8/8 b - - 0 45",
    "8/8/8/8/8/4Q3/1p4K1/1k6 w - - 0 1",
    "8/8/3n4/1p1k1p2/1P3P2/2PK4/8/8 b - - 2 52",
];

#[cfg(test)]
mod tests {
    use super::{BenchOptions, NonZeroUsize, run};

    #[test]
    fn the_same_nodes_every_time() {
        let nodes = || {
            let mut output = Vec::new();
            run(BenchOptions { depth: 4, threads: NonZeroUsize::MIN }, &mut output).unwrap();
            let text = String::from_utf8(output).unwrap();
            text.lines().find(|line| line.starts_with("Nodes searched")).unwrap().to_owned()
        };
        assert_eq!(nodes(), nodes());
    }
}
