//! What `setoption` can set.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::thread::available_parallelism;
use std::time::Duration;

use crate::engine::chess::Variant;
use crate::engine::eval::{Evaluator, EvaluatorKind, PieceValues};
use crate::engine::search::Elo;
use crate::tablebase::folders;

/// The settings of a session.
#[derive(Clone, Copy, Debug)]
pub(super) struct Options {
    pub(super) hash_mebibytes: usize,
    pub(super) threads: NonZeroUsize,
    pub(super) multi_pv: NonZeroUsize,
    pub(super) variant: Variant,
    pub(super) overhead: Duration,
    analyse: bool,
    limit_strength: bool,
    elo: Elo,
    kind: EvaluatorKind,
    piece_values: PieceValues,
}

/// What has to be done after an option was set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    None,
    /// The table has another size.
    Resize,
    /// The table is to be cleared.
    Clear,
    /// There are other endgame tables, those in these folders.
    Tables(Vec<PathBuf>),
}

impl Default for Options {
    fn default() -> Self {
        Self {
            hash_mebibytes: 64,
            threads: NonZeroUsize::MIN,
            multi_pv: NonZeroUsize::MIN,
            variant: Variant::Standard,
            overhead: Duration::from_millis(10),
            analyse: false,
            limit_strength: false,
            elo: DEFAULT_ELO,
            kind: EvaluatorKind::Full,
            piece_values: PieceValues::Classic,
        }
    }
}

const HASH_MAX: usize = 65_536;
/// With more threads than a few times the cores, the first one, which hears of `stop`, hardly ever has its turn.
const THREADS_PER_CORE: usize = 4;
const MULTI_PV_MAX: usize = 256;
const OVERHEAD_MAX_MS: u64 = 5_000;
/// How the protocol writes a string without letters.
const EMPTY: &str = "<empty>";

/// A player in a club.
const DEFAULT_ELO: Elo = match Elo::new(1500) {
    Some(elo) => elo,
    None => Elo::MIN,
};

impl Options {
    /// The lines that announce the options.
    pub(super) fn announcement() -> Vec<String> {
        let default = Self::default();
        let kinds: Vec<_> = EvaluatorKind::ALL.iter().map(|kind| format!("var {}", kind.name())).collect();
        vec![
            format!("option name Hash type spin default {} min 1 max {HASH_MAX}", default.hash_mebibytes),
            format!("option name Threads type spin default 1 min 1 max {}", threads_max()),
            format!("option name MultiPV type spin default 1 min 1 max {MULTI_PV_MAX}"),
            "option name Ponder type check default false".to_owned(),
            "option name UCI_Chess960 type check default false".to_owned(),
            "option name UCI_AnalyseMode type check default false".to_owned(),
            "option name Clear Hash type button".to_owned(),
            format!(
                "option name Move Overhead type spin default {} min 0 max {OVERHEAD_MAX_MS}",
                default.overhead.as_millis()
            ),
            format!("option name Evaluator type combo default {} {}", default.kind.name(), kinds.join(" ")),
            "option name PieceValues type combo default classic var classic var euwe".to_owned(),
            "option name UCI_LimitStrength type check default false".to_owned(),
            format!(
                "option name UCI_Elo type spin default {} min {} max {}",
                default.elo.get(),
                Elo::MIN.get(),
                Elo::MAX.get()
            ),
            format!("option name SyzygyPath type string default {EMPTY}"),
        ]
    }

    /// Sets one option; names are understood in either case.
    ///
    /// # Errors
    /// A sentence that says what is wrong; nothing is set then.
    pub(super) fn set(&mut self, name: &str, value: &str) -> Result<Effect, String> {
        match name.to_ascii_lowercase().as_str() {
            "hash" => {
                self.hash_mebibytes = within(name, value, 1, HASH_MAX)?;
                return Ok(Effect::Resize);
            }
            "clear hash" => return Ok(Effect::Clear),
            "threads" => {
                let threads = within(name, value, 1, threads_max())?;
                self.threads = NonZeroUsize::new(threads).unwrap_or(NonZeroUsize::MIN);
            }
            "multipv" => {
                let lines = within(name, value, 1, MULTI_PV_MAX)?;
                self.multi_pv = NonZeroUsize::new(lines).unwrap_or(NonZeroUsize::MIN);
            }
            "ponder" => {
                switch(name, value)?;
            }
            "uci_chess960" => {
                self.variant = if switch(name, value)? { Variant::Chess960 } else { Variant::Standard };
            }
            "move overhead" => {
                self.overhead = Duration::from_millis(within(name, value, 0, OVERHEAD_MAX_MS)?);
            }
            "evaluator" => {
                self.kind = EvaluatorKind::ALL
                    .into_iter()
                    .find(|kind| kind.name().eq_ignore_ascii_case(value))
                    .ok_or_else(|| format!("there is no evaluator '{value}'"))?;
            }
            "piecevalues" => {
                self.piece_values = match value.to_ascii_lowercase().as_str() {
                    "classic" => PieceValues::Classic,
                    "euwe" => PieceValues::Euwe,
                    _ => return Err(format!("there are no piece values '{value}'")),
                };
            }
            "uci_analysemode" => self.analyse = switch(name, value)?,
            "uci_limitstrength" => self.limit_strength = switch(name, value)?,
            "uci_elo" => {
                let elo = within(name, value, Elo::MIN.get(), Elo::MAX.get())?;
                self.elo = Elo::new(elo).unwrap_or(DEFAULT_ELO);
            }
            "syzygypath" => return Ok(Effect::Tables(folders(if value == EMPTY { "" } else { value }))),
            _ => return Err(format!("there is no option '{name}'")),
        }
        Ok(Effect::None)
    }

    /// The strength, if it is limited; an analysis has all of it.
    pub(super) fn elo(&self) -> Option<Elo> {
        (self.limit_strength && !self.analyse).then_some(self.elo)
    }

    /// The evaluator; the classic values where it has its own.
    pub(super) fn evaluator(&self) -> Evaluator {
        Evaluator::new(self.kind, self.piece_values)
            .or_else(|_| Evaluator::new(self.kind, PieceValues::Classic))
            .unwrap_or_default()
    }
}

fn threads_max() -> usize {
    THREADS_PER_CORE * available_parallelism().map_or(1, NonZeroUsize::get)
}

fn within<T>(name: &str, value: &str, least: T, most: T) -> Result<T, String>
where
    T: std::str::FromStr + PartialOrd + std::fmt::Display + Copy,
{
    match value.parse() {
        Ok(number) if number >= least && number <= most => Ok(number),
        _ => Err(format!("{name} wants a number from {least} to {most}")),
    }
}

fn switch(name: &str, value: &str) -> Result<bool, String> {
    match value.to_ascii_lowercase().as_str() {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err(format!("{name} wants true or false")),
    }
}
