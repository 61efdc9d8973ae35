//! Panics: each is one line of the log, and counted.

use std::panic::{self, PanicHookInfo};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

static PANICS: AtomicU64 = AtomicU64::new(0);

/// Panics since the log began, wherever in the process and whatever became of them.
#[must_use]
pub fn panics() -> u64 {
    PANICS.load(Ordering::Relaxed)
}

/// From now on a panic goes to the log instead of straight to stderr.
pub(super) fn log() {
    panic::set_hook(Box::new(log_panic));
}

/// One line per panic, in the log's format, with the place where it happened. What it says is a field, so that its line
/// breaks are escaped.
fn log_panic(panic: &PanicHookInfo<'_>) {
    PANICS.fetch_add(1, Ordering::Relaxed);
    let thread = thread::current();
    let place = panic.location();
    tracing::error!(
        exception.r#type = "panic",
        exception.message = panic.payload_as_str().unwrap_or("no message"),
        thread.name = thread.name().unwrap_or("unnamed"),
        code.file.path = place.map(panic::Location::file),
        code.line.number = place.map(panic::Location::line),
        "panic"
    );
}
