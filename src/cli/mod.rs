//! The command line: which face of the engine to show.

mod any_certificate;
mod bench;
mod certificate;
mod descriptors;
mod eval;
mod healthcheck;
mod key;
mod key_file;
mod memory;
mod openapi;
mod perft;
mod position;
mod serve;
mod shared_cache;

use std::ffi::OsString;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Command, CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::api::TlsError;
use crate::config::{FileError, KeyFileError, Settings, SettingsError, file_defaults, shared_file_defaults};
use crate::engine::eval::FixedPieceValues;
use crate::engine::search::TableError;
use crate::pool::StartError;
use crate::shared_cache::AddressError;
use crate::tablebase::TablebaseError;
use crate::telemetry::TracesError;
use crate::uci;

/// What a chess position is worth, what to play, and why.
///
/// Without a command, `centipawn` serves: `centipawn --listen 127.0.0.1:9000` is `centipawn serve --listen
/// 127.0.0.1:9000`.
#[derive(Debug, Parser)]
#[command(name = "centipawn", version, max_term_width = 110, arg_required_else_help = false)]
struct CommandLine {
    #[command(subcommand)]
    face: Face,
}

/// The faces.
#[derive(Debug, Subcommand)]
enum Face {
    /// Serve the HTTP API (the default)
    ///
    /// Every setting can be given in three ways: as a flag, as the environment variable named beside it, or as a key in
    /// the file of --config. The flag beats the environment, the environment beats the file.
    Serve(Box<Settings>),
    /// Explain the static evaluation of a position
    Eval(eval::EvalOptions),
    /// Count the positions that are so many half-moves away
    Perft(perft::PerftOptions),
    /// Search fixed positions to a fixed depth: the number of nodes is a checksum of the search
    Bench(bench::BenchOptions),
    /// Talk UCI over standard input and output, as chess GUIs and match runners do
    Uci,
    /// Print the `OpenAPI` document of the HTTP API
    Openapi,
    /// Make API keys
    Key(key::KeyOptions),
    /// Ask a running service whether it is well: exit status 0 if it is, 1 if not
    Healthcheck(healthcheck::HealthcheckOptions),
}

/// Why a command failed.
#[derive(Debug, thiserror::Error)]
enum Failure {
    /// The settings file.
    #[error(transparent)]
    File(#[from] FileError),
    /// The settings together.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// The memory for the tables.
    #[error(transparent)]
    Memory(#[from] memory::TooLarge),
    /// The file of API keys.
    #[error("--api-keys: {0}")]
    Keys(#[from] KeyFileError),
    /// The memory for a search.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The endgame tables.
    #[error("--syzygy-path: {0}")]
    Tablebase(#[from] TablebaseError),
    /// The address of the shared cache.
    #[error(transparent)]
    SharedCache(#[from] AddressError),
    /// The position on the command line.
    #[error("{0}")]
    Position(String),
    /// The evaluator on the command line.
    #[error(transparent)]
    Evaluator(#[from] FixedPieceValues),
    /// The traces.
    #[error(transparent)]
    Traces(#[from] TracesError),
    /// The threads.
    #[error(transparent)]
    Pools(#[from] StartError),
    /// The connections that are asked for.
    #[error(
        "--max-connections is {asked}, but this process may have only {open_files} files open, which leaves room for {room}: \
         raise the limit (`ulimit -n`, `LimitNOFILE=` of systemd, `--ulimit nofile` of a container) or lower the setting"
    )]
    Descriptors {
        /// How many are asked for.
        asked: usize,
        /// How many files may be open.
        open_files: u64,
        /// How many there may be.
        room: usize,
    },
    /// The certificate.
    #[error("--tls-certificate {}, --tls-key {}: {source}", certificate.display(), key.display())]
    Tls {
        /// Its file.
        certificate: PathBuf,
        /// The file of its key.
        key: PathBuf,
        /// What is wrong with them.
        source: TlsError,
    },
    /// The service could not start or go on.
    #[error("cannot {doing}: {source}")]
    Serve {
        /// What it was about to do.
        doing: String,
        /// What stood against it.
        source: io::Error,
    },
    /// The service that was asked is not well.
    #[error("{0}")]
    Unwell(String),
    /// The terminal or pipe.
    #[error("cannot write the output: {0}")]
    Output(#[from] io::Error),
}

/// Runs what the command line asks for. The exit status is 0, or 1 after a failure, or 2 for a command line that is
/// not understood.
///
/// Not inlined into `main`, where its code could run ahead of the processor check.
#[inline(never)]
pub fn run(arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let outcome = match parse(with_default_face(arguments.collect())) {
        Ok(Ok(face)) => show(face),
        Ok(Err(failure)) => Err(failure),
        // Prints help and version too, to stdout and with status 0.
        Err(error) => {
            let _ = error.print();
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever closed the pipe, like `head`, has seen enough.
        Err(Failure::Output(error)) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(failure) => {
            let _ = writeln!(io::stderr(), "error: {failure}");
            ExitCode::FAILURE
        }
    }
}

fn show(face: Face) -> Result<(), Failure> {
    let mut output = io::stdout();
    match face {
        Face::Serve(settings) => serve::run(&settings),
        Face::Eval(options) => eval::run(&options, &mut output),
        Face::Perft(options) => perft::run(&options, &mut output),
        Face::Bench(options) => bench::run(options, &mut output),
        Face::Uci => Ok(uci::run(io::stdin().lock(), output)?),
        Face::Key(options) => key::run(options, &mut output, &mut io::stderr()),
        Face::Openapi => openapi::run(&mut output),
        Face::Healthcheck(options) => healthcheck::run(&options),
    }
}

/// Parses twice where a settings file is named: its values become the defaults of the second time.
fn parse(arguments: Vec<OsString>) -> Result<Result<Face, Failure>, clap::Error> {
    let face = CommandLine::try_parse_from(&arguments)?.face;
    let Some((name, path, fill_in)) = settings_file(&face) else { return Ok(Ok(face)) };
    let command = CommandLine::command();
    let Some(plain) = command.find_subcommand(name).cloned() else { return Ok(Ok(face)) };
    let filled_in = match fill_in(path, plain) {
        Ok(filled_in) => filled_in,
        Err(error) => return Ok(Err(error.into())),
    };
    let matches = command.mut_subcommand(name, |_| filled_in).try_get_matches_from(arguments)?;
    CommandLine::from_arg_matches(&matches).map(|line| Ok(line.face))
}

/// What makes the values of a settings file the defaults of a command.
type FillIn = fn(&Path, Command) -> Result<Command, FileError>;

/// The settings file that is named, if one is: with the name of the command, and how it is read.
fn settings_file(face: &Face) -> Option<(&'static str, &Path, FillIn)> {
    match face {
        Face::Serve(settings) => Some(("serve", settings.config.as_deref()?, file_defaults)),
        Face::Healthcheck(options) => Some(("healthcheck", options.config()?, shared_file_defaults)),
        Face::Eval(_) | Face::Perft(_) | Face::Bench(_) | Face::Uci | Face::Openapi | Face::Key(_) => None,
    }
}

/// Puts `serve` where no command is named.
fn with_default_face(mut arguments: Vec<OsString>) -> Vec<OsString> {
    let first = arguments.get(1).and_then(|argument| argument.to_str());
    let serves = match first {
        None => arguments.len() < 2,
        Some(flag) => flag.starts_with('-') && !["-h", "--help", "-V", "--version"].contains(&flag),
    };
    if serves {
        let at = arguments.len().min(1);
        arguments.insert(at, "serve".into());
    }
    arguments
}

#[cfg(test)]
mod tests;
