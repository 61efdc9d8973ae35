//! The API keys that are let in.

use std::sync::Arc;
use std::time::SystemTime;

use axum::http::header::AUTHORIZATION;
use axum::http::{HeaderMap, HeaderName};
use subtle::{ConditionallySelectable, ConstantTimeEq};

use super::rates::{OwnLimit, Quota};
use crate::api::caller::Caller;
use crate::config::{ApiKey, KeyHash};
use crate::pool::Client;

/// The other header in which a key may be sent, for clients that cannot set `Authorization`.
pub(crate) const X_API_KEY: HeaderName = HeaderName::from_static("x-api-key");
/// No key is longer; what is, need not be hashed.
const LONGEST_KEY: usize = 256;

/// The keys, with what is known of each.
#[derive(Debug, Default)]
pub(super) struct KeyRing {
    hashes: Vec<KeyHash>,
    holders: Vec<Arc<Holder>>,
}

/// Whose key it is.
#[derive(Debug)]
pub(super) struct Holder {
    pub(super) key: ApiKey,
    pub(super) caller: Caller,
    pub(super) limit: Option<OwnLimit>,
}

/// What the keys that a request has sent are worth.
#[derive(Debug)]
pub(super) enum Presented {
    /// There is none.
    None,
    /// It is one of ours.
    Valid(Arc<Holder>),
    /// It was one of ours.
    Expired,
    /// It is none of ours.
    Wrong,
    /// There are several that differ.
    Several,
}

impl KeyRing {
    /// The keys of a new file. Those that were there before, with the same limits, keep what they have used up of them.
    /// `usual` is the quota of those that have no rate of their own.
    pub(super) fn new(keys: Vec<ApiKey>, before: &Self, usual: Option<&Quota>) -> Self {
        let hashes = keys.iter().map(|key| key.hash).collect();
        let holders = keys.into_iter().map(|key| {
            let quota = match key.rate {
                Some(rate) => Quota::new(rate, key.burst),
                None => usual.map(|quota| quota.with_burst(key.burst)),
            };
            let known = before.holders.iter().find(|holder| holder.key.hash == key.hash);
            let limit = quota.map(|quota| match known.and_then(|holder| holder.limit.as_ref()) {
                Some(limit) if limit.has(&quota) => limit.clone(),
                _ => OwnLimit::new(quota),
            });
            let caller = Caller(Client::of(&("API key", &key.name)).with_searches(key.searches));
            Arc::new(Holder { key, caller, limit })
        });
        Self { hashes, holders: holders.collect() }
    }

    /// What the keys in `headers` are worth at this time.
    pub(super) fn look_up(&self, headers: &HeaderMap) -> Presented {
        let mut sent = sent(headers);
        let Some(key) = sent.next() else { return Presented::None };
        if sent.any(|other| other != key) {
            return Presented::Several;
        }
        let Some(holder) = self.holder(key) else { return Presented::Wrong };
        if holder.key.expires.is_some_and(|end| end <= SystemTime::now()) {
            return Presented::Expired;
        }
        Presented::Valid(Arc::clone(holder))
    }

    /// Compares with all keys, whichever it is, and each to its end, so that the time tells nothing of how near it came.
    fn holder(&self, key: &[u8]) -> Option<&Arc<Holder>> {
        if key.len() > LONGEST_KEY {
            return None;
        }
        let hash = KeyHash::of(key);
        let mut found = u64::MAX;
        for (index, known) in (0..).zip(&self.hashes) {
            found.conditional_assign(&index, known.0.ct_eq(&hash.0));
        }
        self.holders.get(usize::try_from(found).ok()?)
    }
}

/// Every key that a request has sent. Another scheme of `Authorization` is somebody else's, like that of a proxy.
fn sent(headers: &HeaderMap) -> impl Iterator<Item = &[u8]> {
    let bearers = headers.get_all(AUTHORIZATION).iter().filter_map(|value| bearer(value.as_bytes()));
    bearers.chain(headers.get_all(X_API_KEY).iter().map(|value| value.as_bytes().trim_ascii()))
}

fn bearer(credentials: &[u8]) -> Option<&[u8]> {
    const SCHEME: &[u8] = b"bearer";
    let (scheme, token) = credentials.split_at_checked(SCHEME.len())?;
    let is_bearer = scheme.eq_ignore_ascii_case(SCHEME) && token.first().is_none_or(|byte| *byte == b' ');
    is_bearer.then(|| token.trim_ascii())
}
