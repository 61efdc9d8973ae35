//! Evaluates many positions: FENs on standard input, one a line; centipawns (White's view) on standard output.
//!
//! `cargo run --release --example static_evaluation -- full < positions.txt > centipawns.txt`
//!
//! Text after a `|` is skipped, and lines that are no position give an empty line. On standard error it says what an
//! evaluation costs, from reading the position's caches to rounding, in nanoseconds of one thread, and how long the
//! material table took to build.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command-line tool")]

use std::hint::black_box;
use std::io::{self, BufRead, BufWriter, Write};
use std::time::Instant;

use centipawn::engine::chess::{Fen, Position, Variant};
use centipawn::engine::eval::{Evaluate, Evaluator, EvaluatorKind, PieceValues, material};

fn main() -> io::Result<()> {
    let name = std::env::args().nth(1).unwrap_or_else(|| "full".to_owned());
    let kind = EvaluatorKind::ALL.into_iter().find(|kind| kind.name() == name).unwrap_or_default();
    let evaluator = Evaluator::new(kind, PieceValues::Classic).unwrap_or_default();

    let start = Instant::now();
    material::warm_up();
    eprintln!("material table: {:.1} ms", start.elapsed().as_secs_f64() * 1e3);

    let mut positions = Vec::new();
    for line in io::stdin().lock().lines() {
        let line = line?;
        let fen = line.split('|').next().unwrap_or_default().trim();
        positions.push(Fen::parse(fen, Variant::Chess960).ok().map(|fen| fen.position));
    }
    let mut out = BufWriter::new(io::stdout().lock());
    for position in &positions {
        match position {
            Some(position) => writeln!(out, "{}", evaluator.evaluate(position))?,
            None => writeln!(out)?,
        }
    }
    out.flush()?;
    report(evaluator, &positions.into_iter().flatten().collect::<Vec<_>>());
    Ok(())
}

/// The best of ten rounds over all positions.
fn report(evaluator: Evaluator, positions: &[Position]) {
    let rounds = (0..10).map(|_| {
        let start = Instant::now();
        for position in positions {
            black_box(evaluator.evaluate(black_box(position)));
        }
        start.elapsed()
    });
    if let Some(best) = rounds.min().filter(|_| !positions.is_empty()) {
        let nanoseconds = best.as_secs_f64() * 1e9 / f64::from(positions.len() as u32);
        eprintln!(
            "{}: {nanoseconds:.0} ns a position, {} positions",
            evaluator.kind().name(),
            positions.len()
        );
    }
}
