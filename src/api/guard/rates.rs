//! How often a client may ask: the generic cell rate algorithm, by the crate `governor`. It is a bucket that refills
//! evenly; a request takes one out, and where there is none left the client has to wait until there is.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use governor::clock::{Clock, MonotonicClock};
use governor::middleware::{StateInformationMiddleware, StateSnapshot};
use governor::state::{InMemoryState, NotKeyed, StateStore};
use governor::{NotUntil, RateLimiter};

use super::tracked::Tracked;
use crate::config::Rate;
use crate::pool::Client;

/// The quota, by the structured fields of the IETF's draft on `RateLimit` fields.
pub(crate) const POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");
/// What is left of it, by the same draft.
pub(crate) const STANDING: HeaderName = HeaderName::from_static("ratelimit");
/// The quota, as earlier drafts had it, and most clients and gateways still do.
pub(crate) const LIMIT: HeaderName = HeaderName::from_static("ratelimit-limit");
/// What is left of it, likewise.
pub(crate) const REMAINING: HeaderName = HeaderName::from_static("ratelimit-remaining");
/// The seconds until there is more, likewise.
pub(crate) const RESET: HeaderName = HeaderName::from_static("ratelimit-reset");

/// A number of requests, and the time in which they come back.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Quota {
    period: Duration,
    burst: NonZeroU32,
    policy: HeaderValue,
}

impl Quota {
    /// The quota of a rate, if it is limited; without a word about it, its usual burst.
    pub(super) fn new(rate: Rate, burst: Option<u32>) -> Option<Self> {
        let burst = burst.unwrap_or_else(|| rate.usual_burst());
        Some(Self::of(rate.period()?, NonZeroU32::new(burst).unwrap_or(NonZeroU32::MIN)))
    }

    /// The same rate with another burst, if there is a word about it.
    pub(super) fn with_burst(&self, burst: Option<u32>) -> Self {
        burst.and_then(NonZeroU32::new).map_or_else(|| self.clone(), |burst| Self::of(self.period, burst))
    }

    fn of(period: Duration, burst: NonZeroU32) -> Self {
        let window = whole_seconds(period.saturating_mul(burst.get()));
        let policy = HeaderValue::try_from(format!("\"default\";q={burst};w={window}"));
        Self { period, burst, policy: policy.unwrap_or_else(|_| HeaderValue::from_static("")) }
    }

    fn cells(&self) -> governor::Quota {
        let quota = governor::Quota::with_period(self.period);
        quota.unwrap_or_else(|| governor::Quota::per_second(self.burst)).allow_burst(self.burst)
    }

    /// What to tell of a request that was let in.
    fn allowed(&self, snapshot: &StateSnapshot) -> Standing {
        let remaining = snapshot.remaining_burst_capacity();
        // The time until all is back; where nothing is left, until something is.
        let missing = if remaining == 0 { 1 } else { self.burst.get().saturating_sub(remaining) };
        let reset = whole_seconds(self.period.saturating_mul(missing));
        Standing { policy: self.policy.clone(), burst: self.burst, remaining, reset }
    }

    /// What to tell of a request that comes too early by `wait`.
    fn refused(&self, wait: Duration) -> TooMany {
        let reset = whole_seconds(wait).max(1);
        let standing = Standing { policy: self.policy.clone(), burst: self.burst, remaining: 0, reset };
        TooMany { standing, wait }
    }
}

fn whole_seconds(time: Duration) -> u64 {
    time.as_millis().div_ceil(1000) as u64
}

/// Where a client stands after a request.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Standing {
    policy: HeaderValue,
    burst: NonZeroU32,
    remaining: u32,
    /// In seconds.
    reset: u64,
}

/// A request too many.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct TooMany {
    pub(super) standing: Standing,
    /// Until the next one is let in.
    pub(super) wait: Duration,
}

impl Standing {
    /// Tells it in the headers of a reply.
    pub(super) fn tell(self, headers: &mut HeaderMap) {
        let Self { policy, burst, remaining, reset } = self;
        let standing = HeaderValue::try_from(format!("\"default\";r={remaining};t={reset}"));
        headers.insert(POLICY, policy);
        headers.extend(standing.map(|standing| (STANDING, standing)));
        headers.insert(LIMIT, HeaderValue::from(burst.get()));
        headers.insert(REMAINING, HeaderValue::from(remaining));
        headers.insert(RESET, HeaderValue::from(reset));
    }
}

type Limiter<K, S, C> = RateLimiter<K, S, C, StateInformationMiddleware>;
type Outcome<C> = Result<StateSnapshot, NotUntil<<C as Clock>::Instant>>;

fn limiter<S: StateStore, C: Clock>(quota: &Quota, store: S, clock: C) -> Limiter<S::Key, S, C> {
    RateLimiter::new(quota.cells(), store, clock)
}

fn judge<C: Clock>(quota: &Quota, clock: &C, outcome: Outcome<C>) -> Result<Standing, TooMany> {
    outcome
        .map(|snapshot| quota.allowed(&snapshot))
        .map_err(|until| quota.refused(until.wait_time_from(clock.now())))
}

/// The limit of one client alone. Clones share what is used up of it.
#[derive(Clone, Debug)]
pub(super) struct OwnLimit<C: Clock = MonotonicClock> {
    quota: Quota,
    limiter: Arc<Limiter<NotKeyed, InMemoryState, C>>,
}

impl OwnLimit {
    pub(super) fn new(quota: Quota) -> Self {
        let limiter = Arc::new(limiter(&quota, InMemoryState::default(), MonotonicClock));
        Self { quota, limiter }
    }
}

impl<C: Clock> OwnLimit<C> {
    /// Whether it is a limit of just this quota.
    pub(super) fn has(&self, quota: &Quota) -> bool {
        self.quota == *quota
    }

    /// Counts a request.
    pub(super) fn count(&self) -> Result<Standing, TooMany> {
        judge(&self.quota, self.limiter.clock(), self.limiter.check())
    }
}

/// The limits of clients that nobody has listed, each with the same quota. Those whose quota is whole are forgotten, and of
/// the others no more than so many are told apart.
#[derive(Debug)]
pub(super) struct Limits<C: Clock = MonotonicClock> {
    quota: Quota,
    limiter: Limiter<Client, Tracked, C>,
    /// Requests since all clients were last looked through, and how many it takes until they are again.
    counted: AtomicUsize,
    due: AtomicUsize,
}

impl Limits {
    pub(super) fn new(quota: Quota, most_clients: usize) -> Self {
        Self::with_clock(quota, most_clients, MonotonicClock)
    }
}

impl<C: Clock> Limits<C> {
    fn with_clock(quota: Quota, most_clients: usize, clock: C) -> Self {
        let limiter = limiter(&quota, Tracked::new(most_clients), clock);
        Self { quota, limiter, counted: AtomicUsize::new(0), due: AtomicUsize::new(FEW) }
    }

    pub(super) fn quota(&self) -> &Quota {
        &self.quota
    }

    /// Counts a request of a client.
    pub(super) fn count(&self, client: Client) -> Result<Standing, TooMany> {
        self.forget_now_and_then();
        judge(&self.quota, self.limiter.clock(), self.limiter.check_key(&client))
    }

    /// Looks through all clients after as many requests as there are clients, so that it costs a request the same however
    /// many clients there are, and nobody can make it cost more.
    fn forget_now_and_then(&self) {
        let counted = self.counted.fetch_add(1, Ordering::Relaxed) + 1;
        // Whoever is the first to set it back looks; the others go on.
        let is_due = counted >= self.due.load(Ordering::Relaxed);
        if is_due && self.counted.swap(0, Ordering::Relaxed) >= counted {
            self.limiter.retain_recent();
            self.due.store(self.limiter.len().max(FEW), Ordering::Relaxed);
        }
    }
}

/// Fewer clients are not worth looking through.
const FEW: usize = 1_024;

#[cfg(test)]
mod tests {
    use governor::clock::FakeRelativeClock;

    use super::*;

    fn limits(rate: f64, burst: u32, most: usize) -> (Limits<FakeRelativeClock>, FakeRelativeClock) {
        let clock = FakeRelativeClock::default();
        let quota = Quota::new(Rate::per_second(rate).unwrap(), Some(burst)).unwrap();
        // The clock's clones are the same clock. Its zero is the library's word for never.
        clock.advance(Duration::from_secs(1));
        (Limits::with_clock(quota, most, clock.clone()), clock)
    }

    fn told(standing: Standing) -> Vec<(String, String)> {
        let mut headers = HeaderMap::new();
        standing.tell(&mut headers);
        headers.iter().map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned())).collect()
    }

    #[test]
    fn a_quota_is_used_up_and_comes_back() {
        let (limits, clock) = limits(2.0, 3, 1_000);
        let client = Client::of("one");
        let after = |outcome: Result<Standing, TooMany>| outcome.map(|it| (it.remaining, it.reset));
        assert_eq!(after(limits.count(client)), Ok((2, 1)));
        assert_eq!(after(limits.count(client)), Ok((1, 1)));
        assert_eq!(after(limits.count(client)), Ok((0, 1)));
        let refused = limits.count(client).unwrap_err();
        assert_eq!((refused.wait, refused.standing.reset), (Duration::from_millis(500), 1));
        assert_eq!(after(limits.count(Client::of("other"))), Ok((2, 1)), "each client has its own");
        clock.advance(Duration::from_millis(499));
        assert!(limits.count(client).is_err(), "who is refused is not punished, but has to wait");
        clock.advance(Duration::from_millis(1));
        assert_eq!(after(limits.count(client)), Ok((0, 1)));
        clock.advance(Duration::from_hours(1));
        assert_eq!(after(limits.count(client)), Ok((2, 1)), "a long pause gives no more than the burst");
    }

    #[test]
    fn it_is_told_in_both_forms() {
        let (limits, _) = limits(0.1, 5, 1_000);
        let standing = limits.count(Client::of("one")).unwrap();
        let expected = [
            ("ratelimit-policy", "\"default\";q=5;w=50"),
            ("ratelimit", "\"default\";r=4;t=10"),
            ("ratelimit-limit", "5"),
            ("ratelimit-remaining", "4"),
            ("ratelimit-reset", "10"),
        ];
        assert_eq!(told(standing), expected.map(|(name, value)| (name.to_owned(), value.to_owned())));
        for _ in 0..4 {
            limits.count(Client::of("one")).unwrap();
        }
        let refused = limits.count(Client::of("one")).unwrap_err();
        assert_eq!(refused.wait, Duration::from_secs(10));
        assert_eq!(told(refused.standing)[1].1, "\"default\";r=0;t=10");
    }

    #[test]
    fn clients_whose_quota_is_whole_are_forgotten() {
        let (limits, clock) = limits(1.0, 2, 100_000);
        for number in 0..5_000 {
            limits.count(Client::of(&number)).unwrap();
        }
        assert_eq!(limits.limiter.len(), 5_000);
        clock.advance(Duration::from_mins(1));
        for number in 0..6_000 {
            limits.count(Client::of(&("later", number % 10))).unwrap_or_else(|it| it.standing);
        }
        assert!(limits.limiter.len() <= 10, "{}", limits.limiter.len());
    }

    #[test]
    fn a_flood_of_clients_takes_no_more_memory_and_no_quota_of_others() {
        let (limits, _) = limits(0.001, 2, 1_600);
        let old = Client::of("old");
        limits.count(old).unwrap();
        let flood = (0..200_000).filter(|number| limits.count(Client::of(number)).is_ok()).count();
        assert!(limits.limiter.len() <= 1_600, "{}", limits.limiter.len());
        // Those that are told apart, twice as many as share their limits, and not one each.
        assert!((1_600..1_600 + 2 * Tracked::SHARED + 1).contains(&flood), "{flood}");
        assert!(
            limits.count(old).is_ok() && limits.count(old).is_err(),
            "who was there before is not touched"
        );
    }

    #[test]
    fn extreme_rates_have_a_quota() {
        for (rate, burst) in [(0.001, 1_000_000), (1_000_000.0, 1), (1_000_000.0, 1_000_000)] {
            let (limits, _) = limits(rate, burst, 16);
            let standing = limits.count(Client::of("one")).unwrap();
            assert_eq!(standing.remaining, burst - 1);
        }
        assert_eq!(Quota::new(Rate::per_second(0.0).unwrap(), Some(5)), None);
    }
}
