//! Why a static evaluation does not queue: what it costs, beside what handing work to a pool and back costs.
//!
//! `cargo run --release --example hand_over`
//!
//! One thread, best of ten rounds, in nanoseconds: reading a FEN and evaluating it with `full`; and a task of the pool
//! that does nothing, from handing it over to having its answer.

#![allow(clippy::print_stdout, reason = "a command-line tool")]

use std::error::Error;
use std::hint::black_box;
use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use centipawn::engine::chess::{Fen, Variant};
use centipawn::engine::eval::{Evaluate, Evaluator, EvaluatorKind, PieceValues};
use centipawn::pool::{Client, CrewSettings, PoolSettings, Pools, Start, Timing};

const FEN: &str = "r1bq1rk1/pp3ppp/2n1pn2/3p4/1bPP4/2N1PN2/PP1B1PPP/R2QKB1R w KQ - 0 8";
const ROUNDS: u32 = 10;
const TIMES: u32 = 20_000;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let evaluator = Evaluator::new(EvaluatorKind::Full, PieceValues::Classic)?;
    let mut evaluation = Duration::MAX;
    for _ in 0..ROUNDS {
        let start = Instant::now();
        for _ in 0..TIMES {
            let fen = Fen::parse(black_box(FEN), Variant::Standard)?;
            black_box(evaluator.evaluate(&fen.position));
        }
        evaluation = evaluation.min(start.elapsed() / TIMES);
    }
    let settings = |name| PoolSettings {
        crew: CrewSettings { name, threads: 1, queue: 1 },
        hash_mebibytes: 1,
        search_threads: NonZeroUsize::MIN,
    };
    let pools = Pools::start(settings("interactive"), settings("bulk"), 1)?;
    let mut hand_over = Duration::MAX;
    for _ in 0..ROUNDS {
        let start = Instant::now();
        for _ in 0..TIMES {
            let timing =
                Timing { start: Start::Arrival(start), movetime: None, timeout: Duration::from_mins(1) };
            pools.interactive.run(Client::UNKNOWN, timing, |_| ())?.await?;
        }
        hand_over = hand_over.min(start.elapsed() / TIMES);
    }
    println!("reading and evaluating a position  {:>7} ns", evaluation.as_nanos());
    println!("handing nothing over to a thread   {:>7} ns", hand_over.as_nanos());
    Ok(())
}
