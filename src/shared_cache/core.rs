//! What requests and the cache's own thread share, and one look-up.

use std::sync::{Arc, OnceLock};

use tokio::time::timeout;

use super::SharedCacheSettings;
use super::breaker::{Breaker, Failure, Pass};
use super::digest::Digest;
use super::journal::{Event, Journal};
use super::link::{Holding, Link};
use super::value::{self, Rejection};
use super::version::Version;
use crate::engine::search::Report;
use crate::pool::{Finished, Question};

/// What requests and the cache's own thread share.
pub(super) struct Core {
    pub(super) settings: SharedCacheSettings,
    pub(super) breaker: Breaker<Link>,
    pub(super) journal: Journal,
    version: OnceLock<Version>,
}

/// A result on its way to the cache.
pub(super) struct Write {
    pub(super) question: Arc<Question>,
    pub(super) finished: Arc<Finished>,
}

impl Core {
    pub(super) fn new(settings: SharedCacheSettings) -> Self {
        let (breaker, journal) = (Breaker::new(), Journal::default());
        Self { settings, breaker, journal, version: OnceLock::new() }
    }

    /// Finds out the version, which takes some searches: on the cache's own thread, before it connects.
    pub(super) fn identify(&self) {
        self.version();
    }

    pub(super) fn version(&self) -> &Version {
        self.version.get_or_init(|| Version::of(self.settings.engine))
    }

    /// What the cache has for a question, within the time of a look-up; tells the breaker how it went.
    pub(super) async fn look_up(
        self: Arc<Self>,
        pass: Pass<Link>,
        question: Arc<Question>,
    ) -> Option<Report> {
        let digest = Digest::of(&question, self.version());
        let key = digest.key(self.version());
        let mut link = pass.link.clone();
        let holding = match timeout(self.settings.timeout, link.get(&key)).await {
            Err(_) => {
                self.journal.timed_out();
                self.judge(&pass, Failure::Passing);
                return None;
            }
            Ok(Err(error)) => {
                self.journal.failed(&error);
                self.judge(&pass, link.failure(&error));
                return None;
            }
            Ok(Ok(holding)) => holding,
        };
        self.journal.turned(self.breaker.answered(&pass));
        let report = match holding {
            Holding::Nothing => {
                self.journal.count(Event::Miss);
                return None;
            }
            Holding::Bytes(bytes) => value::decode(&bytes, &digest, &question),
            Holding::Foreign => Err(Rejection::Foreign),
        };
        report
            .inspect(|_| self.journal.count(Event::Hit))
            .inspect_err(|rejection| self.journal.rejected(*rejection))
            .ok()
    }

    pub(super) fn judge(&self, pass: &Pass<Link>, failure: Failure) {
        self.journal.turned(self.breaker.failed(pass, failure));
    }
}
