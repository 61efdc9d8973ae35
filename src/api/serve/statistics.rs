//! What is counted of connections.

use std::sync::atomic::{AtomicU64, Ordering};

/// Counts of connections to the service; those to the admin listener are not among them.
#[derive(Debug, Default)]
pub(crate) struct Connections([AtomicU64; COUNTS]);

/// What there is to count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Count {
    /// Goes up and down; the others only go up.
    Open,
    Accepted,
    Refused,
    AcceptErrors,
    Idle,
    SlowHeads,
    SlowReaders,
    TlsFailures,
    LanesRestarted,
}

const COUNTS: usize = Count::LanesRestarted as usize + 1;

impl Connections {
    pub(super) fn count(&self, what: Count) {
        self.0[what as usize].fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn uncount(&self, what: Count) {
        self.0[what as usize].fetch_sub(1, Ordering::Relaxed);
    }

    pub(super) fn of(&self, what: Count) -> u64 {
        self.0[what as usize].load(Ordering::Relaxed)
    }

    /// The counts of this moment.
    pub(crate) fn snapshot(&self) -> ConnectionsSnapshot {
        ConnectionsSnapshot {
            open: self.of(Count::Open),
            accepted: self.of(Count::Accepted),
            refused: self.of(Count::Refused),
            accept_errors: self.of(Count::AcceptErrors),
            idle: self.of(Count::Idle),
            slow_heads: self.of(Count::SlowHeads),
            slow_readers: self.of(Count::SlowReaders),
            tls_failures: self.of(Count::TlsFailures),
            lanes_restarted: self.of(Count::LanesRestarted),
        }
    }
}

/// The counts of connections at one moment: `open` is how many there are, the others count since the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ConnectionsSnapshot {
    /// Connections that are served.
    pub open: u64,
    /// Connections taken in.
    pub accepted: u64,
    /// Connections turned away because there were as many as are served at once, in all or for their address.
    pub refused: u64,
    /// How often the system could not give us the next connection, mostly for want of file descriptors.
    pub accept_errors: u64,
    /// Connections closed because nothing was asked on them for long.
    pub idle: u64,
    /// Connections closed because the head of a request took too long, or the TLS handshake.
    pub slow_heads: u64,
    /// Connections closed because the client did not take its answer.
    pub slow_readers: u64,
    /// TLS handshakes that failed.
    pub tls_failures: u64,
    /// Event loops that were lost to a panic and replaced.
    pub lanes_restarted: u64,
}
