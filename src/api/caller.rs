//! Who sent a request, for the pools that share out among clients.

use std::convert::Infallible;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;

use crate::pool::Client;

/// The bits of an IPv6 address that name a subscriber: whoever has one address has a network of 2^64 of them.
const SUBSCRIBER: u128 = !0 << 64;

/// The address at the other end of the connection: an extension of the request, from where connections are accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Peer(pub IpAddr);

/// Marks a request that came over TLS: an extension like [`Peer`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Encrypted;

/// Who has asked, for the log: an extension of the reply, where somebody has found out more than the address of the peer.
#[derive(Clone, Debug, Default)]
pub(crate) struct Asker {
    /// Of the client, whatever proxies came between.
    pub(crate) address: Option<IpAddr>,
    /// The name of its API key.
    pub(crate) key: Option<Arc<str>>,
}

/// The client as the pools know it: an extension of the request where somebody has found out more than the address of
/// the peer, which may be a proxy's.
///
/// As an argument of a handler it is that extension, else the client at the peer's address, else nobody in particular.
/// It costs neither memory nor a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Caller(pub Client);

impl Caller {
    /// The client at an address. An IPv4 address in IPv6 clothes is the IPv4 address; of an IPv6 address the network of
    /// 64 bits counts, because one client has all of it.
    #[must_use]
    pub fn at(address: IpAddr) -> Self {
        let subscriber = match address.to_canonical() {
            IpAddr::V6(v6) => IpAddr::V6(Ipv6Addr::from_bits(v6.to_bits() & SUBSCRIBER)),
            v4 @ IpAddr::V4(_) => v4,
        };
        Self(Client::of(&subscriber))
    }
}

impl<S: Sync> FromRequestParts<S> for Caller {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        let known = parts.extensions.get::<Self>().copied();
        let caller = known.or_else(|| parts.extensions.get::<Peer>().map(|peer| Self::at(peer.0)));
        Ok(caller.unwrap_or(Self(Client::UNKNOWN)))
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use axum::extract::FromRequestParts;
    use axum::http::Request;

    use super::{Caller, Peer};
    use crate::pool::Client;

    fn address(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[tokio::test]
    async fn the_caller_is_told_or_guessed_by_the_peer() {
        let told = Caller(Client::of("a key"));
        let peer = Peer(address("192.0.2.7"));
        let (mut parts, ()) = Request::new(()).into_parts();
        assert_eq!(Caller::from_request_parts(&mut parts, &()).await, Ok(Caller(Client::UNKNOWN)));
        parts.extensions.insert(peer);
        assert_eq!(Caller::from_request_parts(&mut parts, &()).await, Ok(Caller::at(peer.0)));
        parts.extensions.insert(told);
        assert_eq!(Caller::from_request_parts(&mut parts, &()).await, Ok(told));
    }

    #[test]
    fn one_subscriber_is_one_client() {
        for (one, other, same) in [
            ("192.0.2.7", "192.0.2.7", true),
            ("192.0.2.7", "192.0.2.8", false),
            ("192.0.2.7", "::ffff:192.0.2.7", true),
            ("2001:db8::1", "2001:db8::ffff:1", true),
            ("2001:db8::1", "2001:db8:0:1::1", false),
        ] {
            assert_eq!(Caller::at(address(one)) == Caller::at(address(other)), same, "{one} and {other}");
        }
    }
}
