//! Log lines, for people or as JSON, on stderr.

use std::io::{self, IsTerminal};
use std::panic::{self, PanicHookInfo};
use std::thread;

use tracing_subscriber::Layer;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::{SubscriberInitExt, TryInitError};

use crate::config::LogFormat;

/// Sends what the process logs to stderr, panics included. A closed stderr loses the lines and harms nothing.
///
/// # Errors
/// If the process logs already.
pub fn start(format: LogFormat, level: &Targets) -> Result<(), TryInitError> {
    // The layer would report a failed write by a print that panics when it fails too.
    let lines = tracing_subscriber::fmt::layer().with_writer(io::stderr).log_internal_errors(false);
    let layer = match format {
        LogFormat::Text => lines.with_ansi(io::stderr().is_terminal()).boxed(),
        LogFormat::Json => lines.json().flatten_event(true).boxed(),
    };
    tracing_subscriber::registry().with(layer.with_filter(level.clone())).try_init()?;
    panic::set_hook(Box::new(log_panic));
    Ok(())
}

/// One line per panic, in the log's format, with the place where it happened.
fn log_panic(panic: &PanicHookInfo<'_>) {
    let thread = thread::current();
    tracing::error!(
        thread = thread.name().unwrap_or("unnamed"),
        at = panic.location().map(tracing::field::display),
        "panic: {}",
        panic.payload_as_str().unwrap_or("no message")
    );
}
