//! Games of the engine against itself, as labelled positions for the tuner and for the win model.
//!
//! `cargo run --profile tune --bin datagen -- --help`
//!
//! One [`game`] is decided by its key alone: opening, moves and result. [`crew`] plays many of them on all cores and
//! hands them over in order, so the same options write the same file on every machine.

mod arbiter;
mod crew;
mod game;
mod opening;
mod options;
#[path = "../tune/shuffle.rs"]
#[allow(dead_code, reason = "the tuner shuffles; games only draw lots")]
mod shuffle;

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use centipawn::engine::eval::warm_up;
use clap::Parser;

use game::Played;
use opening::{Openings, OpeningsError};
use options::Options;

/// How often progress is shown.
const PROGRESS: Duration = Duration::from_secs(5);

/// Why no games could be played.
#[derive(Debug, thiserror::Error)]
enum Failure {
    /// The openings are of no use.
    #[error(transparent)]
    Openings(#[from] OpeningsError),
    /// The output could not be written.
    #[error("{path}: {error}")]
    Output {
        /// The file.
        path: String,
        /// Why.
        error: io::Error,
    },
}

fn main() -> ExitCode {
    match run(&Options::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("datagen: {failure}");
            ExitCode::FAILURE
        }
    }
}

fn run(options: &Options) -> Result<(), Failure> {
    let failed = |error| Failure::Output { path: options.output.display().to_string(), error };
    let openings = options.openings.as_deref().map_or_else(|| Ok(Openings::start()), Openings::read)?;
    let mut file = BufWriter::new(File::create(&options.output).map_err(failed)?);
    warm_up();
    let mut tally = Tally::new(options.games);
    crew::play_all(options, &openings, &mut |played| {
        let played = played?;
        for line in &played.lines {
            writeln!(file, "{line}").map_err(failed)?;
        }
        tally.count(&played);
        Ok::<_, Failure>(())
    })?;
    file.flush().map_err(failed)?;
    tally.show();
    Ok(())
}

/// What has been played so far.
struct Tally {
    games: u64,
    of: u64,
    positions: usize,
    /// Won by White, drawn, won by Black.
    results: [u64; 3],
    started: Instant,
    shown: Instant,
}

impl Tally {
    fn new(of: u64) -> Self {
        let now = Instant::now();
        Self { games: 0, of, positions: 0, results: [0; 3], started: now, shown: now }
    }

    fn count(&mut self, played: &Played) {
        self.games += 1;
        self.positions += played.lines.len();
        self.results[played.result as usize] += 1;
        if self.shown.elapsed() >= PROGRESS {
            self.show();
            self.shown = Instant::now();
        }
    }

    fn show(&self) {
        let (seconds, [white, drawn, black]) = (self.started.elapsed().as_secs(), self.results);
        let left = seconds * (self.of - self.games) / self.games.max(1);
        eprintln!(
            "{} of {} games (+{white} ={drawn} -{black}), {} positions, {seconds} s, {left} s left",
            self.games, self.of, self.positions
        );
    }
}
