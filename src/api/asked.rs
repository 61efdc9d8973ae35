//! Searches as the trace of their request shows them.

use std::time::Instant;

use crate::pool::Finished;
use crate::telemetry::{Trace, TracedSearch};

/// A search that was asked for at some moment by a request that is traced; nothing if it is not.
pub(crate) struct Asked(Option<(Trace, Instant)>);

impl Asked {
    /// At this moment, by the request that the calling thread is at work on.
    pub(crate) fn now() -> Self {
        Self(Trace::current().map(|trace| (trace, Instant::now())))
    }

    /// The search has just ended.
    pub(crate) fn answered(&self, finished: &Finished) {
        if let Some((trace, asked)) = &self.0 {
            let Finished { report, searched, .. } = finished;
            let search = TracedSearch { searched: *searched, nodes: report.nodes, depth: report.depth };
            trace.add_search(*asked, &search);
        }
    }
}
