//! The tuner: from labelled positions to the weights of the evaluation.
//!
//! `cargo run --profile tune --bin tune -- --help`
//!
//! A position is a sparse row of counts, as the ledger [`Coefficients`](centipawn::engine::eval::Coefficients) gives it
//! ([`dataset`], [`matrix`]); its evaluation a function of the weights ([`model`]); the loss over many of them and its
//! gradient the [`objective`], which [`training`] makes small. [`weights_file`] writes what came out as the source text
//! of the engine's table.

#![allow(clippy::cast_precision_loss, reason = "counts of positions are far below 2^52")]
#![cfg_attr(test, allow(clippy::float_cmp, reason = "what is compared must be equal to the bit"))]

mod adam;
mod dataset;
mod matrix;
mod model;
mod objective;
mod options;
mod parallel;
mod register;
mod report;
mod scale;
mod shuffle;
#[cfg(test)]
mod synthetic;
mod training;
mod tuning;
mod weights_file;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    match tuning::run(&options::Options::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("tune: {failure}");
            ExitCode::FAILURE
        }
    }
}
