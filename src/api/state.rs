//! What all handlers share.

#[cfg(test)]
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::api::Guard;
use crate::api::account::Accounting;
use crate::api::identity::identity;
use crate::api::metrics::Requests;
use crate::api::serve::{Connections, ConnectionsSnapshot};
use crate::config::{AccessLog, Limits};
use crate::pool::Pools;
#[cfg(test)]
use crate::pool::{CrewSettings, PoolSettings};
use crate::telemetry::Traces;

/// What all handlers share; a clone is a pointer.
#[derive(Clone)]
pub struct AppState(Arc<Shared>);

#[derive(Clone)]
struct Shared {
    limits: Limits,
    cors_origins: Vec<String>,
    pools: Arc<Pools>,
    ready: Arc<AtomicBool>,
    connections: Arc<Connections>,
    requests: Arc<Requests>,
    access_log: AccessLog,
    traces: Option<Traces>,
    guard: Option<Arc<Guard>>,
}

impl AppState {
    /// Ready to serve. `cors_origins` are the origins whose pages may call the service, or `*`.
    #[must_use]
    pub fn new(limits: Limits, cors_origins: Vec<String>, pools: Arc<Pools>) -> Self {
        // The first request does not have to wait for the fingerprint.
        let _ = identity();
        Self(Arc::new(Shared {
            limits,
            cors_origins,
            pools,
            ready: Arc::new(AtomicBool::new(true)),
            connections: Arc::default(),
            requests: Arc::new(Requests::new()),
            access_log: AccessLog::Faults,
            traces: None,
            guard: None,
        }))
    }

    /// The same, with a line of log for these requests.
    #[must_use]
    pub fn with_access_log(self, access_log: AccessLog) -> Self {
        Self(Arc::new(Shared { access_log, ..Arc::unwrap_or_clone(self.0) }))
    }

    /// The same, with a trace of each request where there is a collector for them.
    #[must_use]
    pub fn with_traces(self, traces: Option<Traces>) -> Self {
        Self(Arc::new(Shared { traces, ..Arc::unwrap_or_clone(self.0) }))
    }

    /// The same behind a guard, if there is one.
    #[must_use]
    pub fn with_guard(self, guard: Option<Arc<Guard>>) -> Self {
        Self(Arc::new(Shared { guard, ..Arc::unwrap_or_clone(self.0) }))
    }

    /// Whether new work is taken in.
    #[must_use]
    pub fn is_ready(&self) -> bool {
        self.0.ready.load(Ordering::Relaxed)
    }

    /// From now on no new work is taken in, and readiness says so.
    pub fn close(&self) {
        self.0.ready.store(false, Ordering::Relaxed);
        self.0.pools.close();
    }

    /// The caps on what one request may ask.
    #[must_use]
    pub fn limits(&self) -> &Limits {
        &self.0.limits
    }

    /// The origins whose pages may call the service, or `*`.
    #[must_use]
    pub fn cors_origins(&self) -> &[String] {
        &self.0.cors_origins
    }

    /// Who decides whose requests are answered; nobody where everybody's are.
    #[must_use]
    pub fn guard(&self) -> Option<&Arc<Guard>> {
        self.0.guard.as_ref()
    }

    /// The threads that search.
    #[must_use]
    pub fn pools(&self) -> &Pools {
        &self.0.pools
    }

    /// What is counted of the connections to the service.
    #[must_use]
    pub fn connections(&self) -> ConnectionsSnapshot {
        self.0.connections.snapshot()
    }

    /// Where the connections are counted.
    pub(crate) fn connection_counts(&self) -> &Arc<Connections> {
        &self.0.connections
    }

    /// The counters of requests.
    pub(crate) fn requests(&self) -> &Requests {
        &self.0.requests
    }

    /// Who keeps account of each request.
    pub(crate) fn accounting(&self) -> Accounting {
        Accounting::new(Arc::clone(&self.0.requests), self.0.access_log, self.0.traces.clone())
    }
}

#[cfg(test)]
impl AppState {
    /// A small service, for tests of what is around it.
    pub(crate) fn with_one_thread() -> Self {
        let pool = |name| PoolSettings {
            crew: CrewSettings { name, threads: 1, queue: 1 },
            hash_mebibytes: 1,
            search_threads: NonZeroUsize::MIN,
        };
        let pools = Pools::start(pool("interactive"), pool("bulk"), 1).unwrap();
        Self::new(Limits::DEFAULT, Vec::new(), Arc::new(pools))
    }
}
