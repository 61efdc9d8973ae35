//! The cache behind the cache of results, as this room sees it: slower, shared with other services, and at any time gone,
//! late or wrong.

use std::sync::Arc;

use futures_util::future::BoxFuture;

use super::question::Question;
use super::search::Finished;
use crate::engine::search::Report;

/// A second place to look for results before searching. Nothing that happens to it may cost a request more than the time
/// of one look-up.
pub trait SecondLevel: Send + Sync {
    /// What it has for a question: the report that a search would give, or nothing. The future takes little time, whatever
    /// happens. `None` where it is not to be asked now: then not even that time is lost.
    fn look_up(&self, question: &Arc<Question>) -> Option<BoxFuture<'static, Option<Report>>>;

    /// Takes a result to keep for others. Returns at once; the result may be lost.
    fn store(&self, question: &Arc<Question>, finished: &Arc<Finished>);

    /// Its counters at this moment.
    fn snapshot(&self) -> SecondLevelSnapshot;
}

/// One reading of the counters of a second level. All but `state` only grow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SecondLevelSnapshot {
    /// Look-ups that found a result.
    pub hits: u64,
    /// Look-ups that found nothing.
    pub misses: u64,
    /// Look-ups given up because their time was over.
    pub timeouts: u64,
    /// Look-ups that the cache, or the way to it, answered with an error.
    pub errors: u64,
    /// Look-ups that found something which is no answer to the question.
    pub rejected: u64,
    /// Look-ups that were not made, because the breaker was open.
    pub skipped: u64,
    /// Results that were written.
    pub written: u64,
    /// Results that were not written, for want of room in the queue or in a value, or because the breaker was open.
    pub dropped_writes: u64,
    /// Results whose writing failed.
    pub failed_writes: u64,
    /// How often the breaker has opened after it was closed.
    pub opened: u64,
    /// Gauge: whether it is asked at this moment.
    pub state: BreakerState,
}

/// Whether a second level is asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BreakerState {
    /// It answers, and is asked.
    Closed,
    /// It is there again; one look-up tries it.
    HalfOpen,
    /// It is not there, and is not asked.
    #[default]
    Open,
}
