//! What the service tells its operator.

use clap::{Args, ValueEnum};
use tracing_subscriber::filter::{LevelFilter, ParseError, Targets};

/// What the service tells its operator.
#[derive(Args, Clone, Debug, PartialEq)]
#[command(next_help_heading = "Log and traces")]
pub struct TelemetryOptions {
    /// Format of the log on stderr
    #[arg(long, env = "CENTIPAWN_LOG_FORMAT", value_name = "FORMAT", value_enum, default_value_t = LogFormat::Text)]
    pub log_format: LogFormat,

    /// What to log: error, warn, info, debug or trace; or per module, like `info,centipawn::pool=debug`; of the
    /// others info, where no level is given for all
    #[arg(long, env = "CENTIPAWN_LOG_LEVEL", value_name = "LEVEL", default_value = "info", value_parser = log_level)]
    pub log_level: Targets,

    /// Which requests get a line in the log
    #[arg(long, env = "CENTIPAWN_ACCESS_LOG", value_name = "WHICH", value_enum, default_value_t = AccessLog::Faults)]
    pub access_log: AccessLog,

    /// Collector that gets traces by OTLP over HTTP, like `http://127.0.0.1:4318`; none by default, unless OpenTelemetry's own
    /// variable `OTEL_EXPORTER_OTLP_ENDPOINT` names one
    #[arg(long, env = "CENTIPAWN_OTLP_ENDPOINT", value_name = "URL")]
    pub otlp_endpoint: Option<String>,

    /// Share of the traces that are kept, from 0 to 1; who calls with a `traceparent` decides for itself [default: what
    /// `OTEL_TRACES_SAMPLER` says, else all]
    #[arg(long, env = "CENTIPAWN_TRACE_RATIO", value_name = "SHARE", value_parser = share)]
    pub trace_ratio: Option<f64>,
}

/// How log lines are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// One line for people
    Text,
    /// One JSON object a line
    Json,
}

/// Which requests get a line in the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub enum AccessLog {
    /// Those that failed by a fault of the service
    Faults,
    /// Every error, and every client that left before its answer
    Errors,
    /// All; probes and scrapes at level debug
    All,
}

fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "give a share from 0 to 1, like 0.05".to_owned())
}

/// Levels by module, and `info` for the others where nothing else is said. A lone word that is no level would be taken for a
/// module, and is surely a typing error.
fn log_level(text: &str) -> Result<Targets, String> {
    const ADVICE: &str = "try error, warn, info, debug or trace";
    let mut lone = text.split(',').map(str::trim).filter(|part| !part.contains('=')).peekable();
    let is_for_all = lone.peek().is_some();
    if let Some(word) = lone.find(|part| part.parse::<LevelFilter>().is_err()) {
        return Err(format!("`{word}` is no level; {ADVICE}"));
    }
    let mut levels: Targets = text.parse().map_err(|error: ParseError| format!("{error}; {ADVICE}"))?;
    if !is_for_all {
        levels = levels.with_default(LevelFilter::INFO);
    }
    // The client of the shared cache logs what a server says, which may be anything; our own lines say what happened.
    Ok(levels.with_target("redis", LevelFilter::OFF))
}

#[cfg(test)]
mod tests {
    use tracing::Level;

    use super::log_level;

    #[test]
    fn a_level_for_a_module_says_nothing_of_the_others() {
        for (text, target, expected) in [
            ("info", "centipawn::api", Some(Level::INFO)),
            ("centipawn::pool=debug", "centipawn::pool", Some(Level::DEBUG)),
            ("centipawn::pool=debug", "centipawn::cli", Some(Level::INFO)),
            ("centipawn::pool=off", "centipawn::pool", None),
            ("error,centipawn::pool=debug", "centipawn::cli", Some(Level::ERROR)),
            ("centipawn::pool=debug, off", "centipawn::cli", None),
            ("bogus::x=debug", "centipawn::cli", Some(Level::INFO)),
            ("trace", "redis", None),
        ] {
            let levels = log_level(text).unwrap();
            let all = [Level::TRACE, Level::DEBUG, Level::INFO, Level::WARN, Level::ERROR];
            let told = all.into_iter().find(|level| levels.would_enable(target, level));
            assert_eq!(told, expected, "{text}: {target}");
        }
    }
}
