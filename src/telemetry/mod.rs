//! What the process says about itself beside its answers: log lines, traces, panics, and what the system knows of it.

mod log;
mod panics;
mod process;
mod traces;

pub use log::{Log, lost_lines, start};
pub use panics::panics;
pub use process::Process;
pub use traces::{Entered, Trace, TracedRequest, TracedSearch, Traces, TracesError, failed_exports};
