//! What happened: counted always, logged now and then.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use redis::{ErrorKind, RedisError, ServerErrorKind};
use tracing::{info, warn};

use super::breaker::Turn;
use super::value::Rejection;
use crate::pool::SecondLevelSnapshot;

/// Between two lines about the same kind of trouble.
const SILENCE: Duration = Duration::from_secs(30);

/// What can happen to a look-up or a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Event {
    Hit,
    Miss,
    TimedOut,
    Failed,
    Rejected,
    Skipped,
    Written,
    WriteDropped,
    WriteFailed,
    NotConnected,
    Opened,
}

const EVENTS: usize = Event::Opened as usize + 1;

/// Counters by [`Event`], and when each was logged last.
#[derive(Default)]
pub(super) struct Journal {
    counts: [AtomicU64; EVENTS],
    told: Mutex<[Option<Instant>; EVENTS]>,
}

impl Journal {
    pub(super) fn count(&self, event: Event) {
        self.counts[event as usize].fetch_add(1, Relaxed);
    }

    /// A value that is no answer to its question.
    pub(super) fn rejected(&self, rejection: Rejection) {
        if self.count_and_tell(Event::Rejected) {
            let total = self.total(Event::Rejected);
            warn!(reason = %rejection, total, "the shared cache had a value that is none: searched instead");
        }
    }

    pub(super) fn timed_out(&self) {
        if self.count_and_tell(Event::TimedOut) {
            warn!(total = self.total(Event::TimedOut), "the shared cache was too slow: searched instead");
        }
    }

    /// An attempt to connect that failed; no error means that it took too long.
    pub(super) fn not_connected(&self, error: Option<&RedisError>) {
        if self.count_and_tell(Event::NotConnected) {
            let total = self.total(Event::NotConnected);
            warn!(error = error.map_or("too slow", describe), total, "no connection to the shared cache");
        }
    }

    /// A look-up that failed.
    pub(super) fn failed(&self, error: &RedisError) {
        if self.count_and_tell(Event::Failed) {
            let total = self.total(Event::Failed);
            warn!(error = describe(error), total, "the shared cache failed: searched instead");
        }
    }

    /// A write that failed; no error means that it took too long.
    pub(super) fn write_failed(&self, error: Option<&RedisError>) {
        if self.count_and_tell(Event::WriteFailed) {
            let total = self.total(Event::WriteFailed);
            warn!(
                error = error.map_or("too slow", describe),
                total, "the shared cache did not take a result"
            );
        }
    }

    /// What has become of the breaker.
    pub(super) fn turned(&self, turn: Option<Turn>) {
        match turn {
            Some(Turn::Opened) => {
                self.count(Event::Opened);
                warn!("the shared cache does not answer: not asked until it does");
            }
            Some(Turn::Closed) => info!("the shared cache answers"),
            None => {}
        }
    }

    pub(super) fn snapshot(&self) -> SecondLevelSnapshot {
        SecondLevelSnapshot {
            hits: self.total(Event::Hit),
            misses: self.total(Event::Miss),
            timeouts: self.total(Event::TimedOut),
            errors: self.total(Event::Failed),
            rejected: self.total(Event::Rejected),
            skipped: self.total(Event::Skipped),
            written: self.total(Event::Written),
            dropped_writes: self.total(Event::WriteDropped),
            failed_writes: self.total(Event::WriteFailed),
            opened: self.total(Event::Opened),
            ..SecondLevelSnapshot::default()
        }
    }

    fn total(&self, event: Event) -> u64 {
        self.counts[event as usize].load(Relaxed)
    }

    /// Whether it is time for a line about this again.
    fn count_and_tell(&self, event: Event) -> bool {
        self.count(event);
        let now = Instant::now();
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        let last = &mut told[event as usize];
        let is_due = last.is_none_or(|last| now.duration_since(last) >= SILENCE);
        if is_due {
            *last = Some(now);
        }
        is_due
    }
}

/// An error in words of our own: those of a server may be anything, what it was told in confidence included.
pub(super) fn describe(error: &RedisError) -> &'static str {
    /// The codes of errors that say what to do.
    const CODES: [&str; 6] = ["NOAUTH", "WRONGPASS", "OOM", "MISCONF", "NOREPLICAS", "WRONGTYPE"];
    match error.kind() {
        ErrorKind::Io => "no connection, or it is lost",
        ErrorKind::Parse => "not the protocol of Redis",
        ErrorKind::AuthenticationFailed => "the credentials are refused",
        ErrorKind::Server(ServerErrorKind::ReadOnly) => "READONLY: the server is a replica",
        ErrorKind::Server(ServerErrorKind::BusyLoading) => "LOADING",
        ErrorKind::Server(ServerErrorKind::NoPerm) => "NOPERM: the user may not do this",
        ErrorKind::Server(ServerErrorKind::ClusterDown) => "CLUSTERDOWN",
        ErrorKind::Server(ServerErrorKind::MasterDown) => "MASTERDOWN",
        ErrorKind::Server(ServerErrorKind::Moved | ServerErrorKind::Ask) => {
            "MOVED: a node of a cluster; set shared-cache-topology to cluster"
        }
        ErrorKind::ClusterConnectionNotFound => "no node of the cluster is there",
        _ => {
            let code = error.code().and_then(|code| CODES.iter().find(|known| **known == code));
            code.copied().unwrap_or("an error")
        }
    }
}
