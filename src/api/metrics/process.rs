//! What the process says about itself, as metrics; those that every program has go by their usual names.

use super::page::Page;
use crate::api::identity::eval_id;
use crate::telemetry::{Process, failed_exports, lost_lines, panics};

/// Shows the process, its version and its log.
pub(super) fn show(page: &mut Page) {
    let labels = [("version", env!("CARGO_PKG_VERSION")), ("eval_id", eval_id())];
    page.gauge("centipawn_build_info", "Version and fingerprint of the evaluation.", [(&labels[..], 1.0)]);
    page.counter("centipawn_panics_total", "Panics, wherever in the process.", [(&[][..], panics() as f64)]);
    let meaning = "Lines of the log that could not be written.";
    page.counter("centipawn_log_lines_lost_total", meaning, [(&[][..], lost_lines() as f64)]);
    let meaning = "Batches of spans that the collector did not take.";
    page.counter("centipawn_trace_exports_failed_total", meaning, [(&[][..], failed_exports() as f64)]);
    if let Some(process) = Process::read() {
        show_process(&process, page);
    }
}

fn show_process(process: &Process, page: &mut Page) {
    let meaning = "Time on a processor, in seconds.";
    page.counter("process_cpu_seconds_total", meaning, [(&[][..], process.cpu_seconds)]);
    let gauges = [
        ("process_resident_memory_bytes", "Memory in use, in bytes.", Some(process.resident_bytes as f64)),
        ("process_virtual_memory_bytes", "Addresses in use, in bytes.", Some(process.virtual_bytes as f64)),
        ("process_open_fds", "Open file descriptors.", Some(process.open_fds as f64)),
        ("process_max_fds", "File descriptors that may be open.", process.max_fds.map(|most| most as f64)),
        ("process_threads", "Threads.", Some(process.threads as f64)),
        (
            "process_start_time_seconds",
            "When the process began, in seconds since 1970.",
            Some(process.start_time_seconds),
        ),
    ];
    for (name, meaning, value) in gauges {
        page.gauge(name, meaning, value.map(|value| (&[][..], value)));
    }
}
