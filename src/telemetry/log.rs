//! Log lines, for people or as JSON, on stderr.
//!
//! Who logs never waits: lines go through a bounded queue to a thread that writes them. Where that thread is held up,
//! because nobody reads the pipe or the disk is full, lines are lost and counted, and nothing else happens.

use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::os::fd::AsFd;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use tracing_appender::non_blocking::{ErrorCounter, NonBlockingBuilder, WorkerGuard};
use tracing_subscriber::Layer;
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::{SubscriberInitExt, TryInitError};

use super::panics;
use crate::config::{LogFormat, TelemetryOptions};

/// Lines that may wait to be written: some megabytes at the most, and a second of a busy access log.
const WAITING_LINES: usize = 8192;

/// Lines that could not be queued, by the queue's own count.
static UNQUEUED: OnceLock<ErrorCounter> = OnceLock::new();

/// Lines that could not be written.
static UNWRITTEN: AtomicU64 = AtomicU64::new(0);

/// The log while it is written; dropping it writes what still waits, and takes no longer than a second or so.
#[must_use = "without it the last lines are lost"]
pub struct Log(Option<WorkerGuard>);

/// Sends what the process logs to stderr, panics included.
///
/// # Errors
/// If the process logs already.
pub fn start(options: &TelemetryOptions) -> Result<Log, TryInitError> {
    let (writer, guard) = NonBlockingBuilder::default()
        .buffered_lines_limit(WAITING_LINES)
        .thread_name("log")
        .finish(Stderr::open());
    UNQUEUED.get_or_init(|| writer.error_counter());
    tracing_subscriber::registry()
        .with(lines(options.log_format, writer).with_filter(options.log_level.clone()))
        .try_init()?;
    panics::log();
    Ok(Log(Some(guard)))
}

/// Log lines of which nothing was seen, since the start.
#[must_use]
pub fn lost_lines() -> u64 {
    let unqueued = UNQUEUED.get().map_or(0, |count| count.dropped_lines() as u64);
    unqueued + UNWRITTEN.load(Ordering::Relaxed)
}

impl Drop for Log {
    fn drop(&mut self) {
        // Where the queue is still full the guard complains on stdout, and panics where that fails too.
        let _ = catch_unwind(AssertUnwindSafe(|| drop(self.0.take())));
    }
}

/// How events become lines.
fn lines<S, W>(format: LogFormat, writer: W) -> Box<dyn Layer<S> + Send + Sync>
where
    S: tracing::Subscriber + for<'span> tracing_subscriber::registry::LookupSpan<'span>,
    W: for<'writer> MakeWriter<'writer> + Send + Sync + 'static,
{
    // The layer would report a failed write by a print that panics when it fails too.
    let lines = tracing_subscriber::fmt::layer().with_writer(writer).log_internal_errors(false);
    match format {
        LogFormat::Text => lines.with_ansi(io::stderr().is_terminal()).boxed(),
        LogFormat::Json => lines.json().flatten_event(true).boxed(),
    }
}

/// The stream of errors by a handle of our own: a write that hangs must not hold the lock that everybody else who prints
/// an error would wait for.
struct Stderr(Option<File>);

impl Stderr {
    fn open() -> Self {
        Self(io::stderr().as_fd().try_clone_to_owned().ok().map(File::from))
    }
}

impl Write for Stderr {
    /// Writes a whole line; one that cannot be written counts as lost.
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let written = self.0.as_mut().is_some_and(|stderr| stderr.write_all(line).is_ok());
        if !written {
            UNWRITTEN.fetch_add(1, Ordering::Relaxed);
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use serde_json::Value;
    use tracing::subscriber::with_default;

    use super::*;

    /// A log that is kept.
    #[derive(Clone, Default)]
    struct Kept(Arc<Mutex<Vec<u8>>>);

    impl Write for Kept {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// The log of what is done, in this format.
    fn logged(format: LogFormat, work: impl FnOnce()) -> String {
        let kept = Kept::default();
        let writer = kept.clone();
        let layer = lines(format, move || writer.clone());
        with_default(tracing_subscriber::registry().with(layer), work);
        String::from_utf8(kept.0.lock().unwrap().clone()).unwrap()
    }

    const HOSTILE: &str = "a\nERROR forged\r\u{1b}[2J\u{0}\t\"";

    #[test]
    fn control_characters_cannot_leave_their_field() {
        for format in [LogFormat::Text, LogFormat::Json] {
            let text = logged(format, || tracing::error!(url.path = HOSTILE, fault = HOSTILE, "request"));
            assert_eq!(text.matches('\n').count(), 1, "{text:?}");
            let stray = text.trim_end_matches('\n').chars().find(char::is_ascii_control);
            assert_eq!(stray, None, "{text:?}");
        }
    }

    #[test]
    fn json_lines_have_their_fields_at_the_top() {
        let text = logged(LogFormat::Json, || {
            tracing::info!(http.route = "/v1/limits", http.response.status_code = 200, "request");
        });
        let line: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(
            (&line["level"], &line["message"], &line["http.route"], &line["http.response.status_code"]),
            (&"INFO".into(), &"request".into(), &"/v1/limits".into(), &200.into())
        );
        assert!(line["timestamp"].as_str().unwrap().ends_with('Z'), "{line}");
    }
}
