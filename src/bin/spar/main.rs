//! The search against itself: two sets of its parameters, or two emphases of the evaluation, in games, to compare them or to
//! find better ones.
//!
//! `cargo run --profile tune --bin spar -- --help`
//!
//! Games are played in [`pair`]s from the same opening, with a fixed number of nodes a move, so the load of the machine changes
//! nothing, and one number decides all lots of a pair. [`duel`] counts pairs, [`spsa`] learns from them.

#[path = "../datagen/arbiter.rs"]
#[allow(dead_code, reason = "labels are for the data")]
mod arbiter;
mod crew;
mod duel;
#[path = "../datagen/opening.rs"]
#[allow(dead_code, reason = "whether an opening is balanced is of no concern in pairs")]
mod opening;
mod options;
mod pair;
mod player;
mod score;
mod screen;
#[path = "../tune/shuffle.rs"]
#[allow(dead_code, reason = "the tuner shuffles; games only draw lots")]
mod shuffle;
mod spsa;

use std::process::ExitCode;

use centipawn::engine::eval::warm_up;
use clap::Parser;

use opening::{Openings, OpeningsError};
use options::{Command, Options};

fn main() -> ExitCode {
    match run(&Options::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("spar: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(options: &Options) -> Result<(), OpeningsError> {
    let openings = options.openings.as_deref().map_or_else(|| Ok(Openings::start()), Openings::read)?;
    warm_up();
    match &options.command {
        Command::Duel { a, b, sprt } => {
            duel::duel(options, &openings, [a.player(), b.player()], sprt.as_deref());
        }
        Command::Screen { choices } => screen::screen(options, &openings, choices),
        Command::Spsa { only, rate } => spsa::tune(options, &openings, only, *rate),
    }
    Ok(())
}
