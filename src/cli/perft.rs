//! `centipawn perft`: the proof and the speed of the move generator.

use std::io::Write;
use std::time::Instant;

use clap::Args;

use super::Failure;
use super::position::PositionOptions;
use crate::engine::chess::{divide, uci_move};

/// From where, and how far.
#[derive(Args, Clone, Debug)]
pub(super) struct PerftOptions {
    /// How many half-moves deep
    #[arg(value_name = "DEPTH", value_parser = clap::value_parser!(u32).range(1..=20))]
    depth: u32,

    #[command(flatten)]
    position: PositionOptions,
}

/// Writes the count below each move, the total in the words of other engines, and the speed.
pub(super) fn run(options: &PerftOptions, output: &mut impl Write) -> Result<(), Failure> {
    let position = options.position.read()?.position;
    let begun = Instant::now();
    let mut total = 0;
    for (mv, leaves) in divide(&position, options.depth) {
        writeln!(output, "{}: {leaves}", uci_move::format(mv, options.position.variant()))?;
        total += leaves;
    }
    let seconds = begun.elapsed().as_secs_f64();
    let millions_a_second = total as f64 / seconds / 1e6;
    writeln!(
        output,
        "\nNodes searched: {total}\nTime: {seconds:.3} s, {millions_a_second:.1} million a second"
    )?;
    Ok(())
}
