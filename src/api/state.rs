//! What all handlers share.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::api::identity::identity;
use crate::api::serve::{Connections, ConnectionsSnapshot};
use crate::config::Limits;
use crate::pool::Pools;

/// What all handlers share; a clone is a pointer.
#[derive(Clone)]
pub struct AppState(Arc<Shared>);

struct Shared {
    limits: Limits,
    cors_origins: Vec<String>,
    pools: Arc<Pools>,
    ready: AtomicBool,
    connections: Arc<Connections>,
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
            ready: AtomicBool::new(true),
            connections: Arc::default(),
        }))
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
}
