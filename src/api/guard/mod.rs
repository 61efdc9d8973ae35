//! Who may ask, and how often: API keys, rate limits, and whose request a proxy passes on.
//!
//! It is one service between the envelope and the routes, inside CORS, so that a page can read why it was refused and a
//! preflight never is. Without a setting of it there is none, and a request passes by for the price of a comparison.
//!
//! The parts of the API need a key and are counted; health, the document, its browser and the analysis page are open and
//! are not. A batch and a review count as one request like all others: how much they ask for is not known before their
//! bodies have come, and the work they make is shared out among clients by the [pools](crate::pool).

mod documented;
mod forwarded;
mod keyring;
mod rates;
mod refusal;
mod service;
mod tracked;

use std::net::IpAddr;
use std::sync::{Arc, PoisonError, RwLock};

use axum::extract::Request;
use axum::http::HeaderMap;
use axum::http::header::AUTHORIZATION;

use crate::api::caller::{Asker, Caller, Peer};
use crate::config::{Anonymous, ApiKey, GuardOptions};
use crate::pool::Client;

use forwarded::Proxies;
use keyring::{Holder, KeyRing, Presented};
use rates::{Limits, OwnLimit, Quota, Standing};
use refusal::Refusal;

pub(crate) use documented::document;
pub(crate) use keyring::X_API_KEY;
pub(crate) use rates::{LIMIT, POLICY, REMAINING, RESET, STANDING};
pub(crate) use service::Guarded;

/// The guard of a service. Its keys can be changed while it stands.
#[derive(Debug)]
pub struct Guard {
    proxies: Proxies,
    keys: Option<RwLock<Arc<KeyRing>>>,
    anonymous: Anonymous,
    /// Of clients without a key.
    limits: Option<Limits>,
}

/// What the guard says to a request that may pass.
struct Admission {
    /// Where its client stands now, if that is limited.
    standing: Option<Standing>,
    /// Whether only who has a key may have the reply.
    is_private: bool,
}

impl Guard {
    /// The guard that the settings ask for, if they ask for any. `keys` are those of the file that they name.
    #[must_use]
    pub fn new(options: &GuardOptions, keys: Option<Vec<ApiKey>>) -> Option<Self> {
        if options.is_idle() {
            return None;
        }
        let burst = (options.rate_burst > 0).then_some(options.rate_burst);
        let quota = Quota::new(options.rate_limit, burst);
        let guard = Self {
            proxies: Proxies::new(options.trusted_proxies.clone(), options.proxy_header.unwrap_or_default()),
            keys: keys.as_ref().map(|_| RwLock::default()),
            anonymous: options.anonymous.unwrap_or_default(),
            limits: quota.map(|quota| Limits::new(quota, options.rate_clients)),
        };
        guard.replace_keys(keys.unwrap_or_default());
        Some(guard)
    }

    /// From now on these keys are let in and no others. Keys that stay, with the limits they had, keep what they have used
    /// up. Without a file of keys at the start it does nothing.
    pub fn replace_keys(&self, keys: Vec<ApiKey>) {
        let Some(ring) = &self.keys else { return };
        let mut ring = ring.write().unwrap_or_else(PoisonError::into_inner);
        let usual = self.limits.as_ref().map(Limits::quota);
        *ring = Arc::new(KeyRing::new(keys, &ring, usual));
    }

    /// Finds out whose request it is, for whoever comes after and for the log, and whether it may pass. The key that it has
    /// sent stays here.
    fn admit(&self, request: &mut Request, asker: &mut Asker) -> Result<Admission, Refusal> {
        asker.address = self.address(request);
        let at_address = asker.address.map(Caller::at);
        if is_open(request.uri().path()) {
            take_credentials(request);
            introduce(request, at_address);
            return Ok(Admission { standing: None, is_private: false });
        }
        let holder = self.holder(request.headers())?;
        take_credentials(request);
        asker.key = holder.as_ref().map(|holder| Arc::clone(&holder.key.name));
        let caller = holder.as_ref().map(|holder| holder.caller).or(at_address);
        introduce(request, caller);
        let counted = match (&holder, &self.limits) {
            (Some(holder), _) => holder.limit.as_ref().map(OwnLimit::count),
            (None, Some(limits)) => {
                Some(limits.count(caller.map_or(Client::UNKNOWN, |Caller(client)| client)))
            }
            (None, None) => None,
        };
        Ok(Admission { standing: counted.transpose()?, is_private: self.keys.is_some() })
    }

    /// Who has the key that a request has sent; nobody where it may do without.
    fn holder(&self, headers: &HeaderMap) -> Result<Option<Arc<Holder>>, Refusal> {
        let Some(keys) = &self.keys else { return Ok(None) };
        let ring = Arc::clone(&keys.read().unwrap_or_else(PoisonError::into_inner));
        match ring.look_up(headers) {
            Presented::Valid(holder) => Ok(Some(holder)),
            Presented::None if self.anonymous == Anonymous::Allow => Ok(None),
            Presented::None => Err(Refusal::NoKey),
            Presented::Wrong => Err(Refusal::WrongKey),
            Presented::Expired => Err(Refusal::ExpiredKey),
            Presented::Several => Err(Refusal::SeveralKeys),
        }
    }

    fn address(&self, request: &Request) -> Option<IpAddr> {
        let Peer(peer) = request.extensions().get()?;
        Some(self.proxies.client(*peer, request.headers()))
    }
}

/// Whether everybody may ask for a path, and as often as they like: all that is not the API itself.
fn is_open(path: &str) -> bool {
    !(path.starts_with("/v1/") || path.starts_with("/api/"))
}

/// Nobody behind the guard has to know a key, and nobody can write it into a log.
fn take_credentials(request: &mut Request) {
    request.headers_mut().remove(AUTHORIZATION);
    request.headers_mut().remove(X_API_KEY);
}

fn introduce(request: &mut Request, caller: Option<Caller>) {
    if let Some(caller) = caller {
        request.extensions_mut().insert(caller);
    }
}
