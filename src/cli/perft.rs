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
    let time = begun.elapsed();
    let thousands_a_second = u128::from(total) * 1000 / time.as_micros().max(1);
    writeln!(
        output,
        "\nNodes searched: {total}\nTime: {:.3} s, {thousands_a_second} thousand a second",
        time.as_secs_f64()
    )?;
    Ok(())
}
