//! Whose request a proxy passes on.
//!
//! Anybody can write these headers, so they are read from the right, from where the request came to us: each hop is
//! believed as long as the one that named it is one of our proxies. The first that is none is the client, whatever stands
//! left of it.

use std::net::{IpAddr, SocketAddr};

use axum::http::header::FORWARDED;
use axum::http::{HeaderMap, HeaderName};
use ipnet::IpNet;

use crate::config::ProxyHeader;

const X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// The proxies that are believed, and where they say for whom they ask.
#[derive(Clone, Debug)]
pub(super) struct Proxies {
    trusted: Vec<IpNet>,
    header: ProxyHeader,
}

impl Proxies {
    pub(super) fn new(trusted: Vec<IpNet>, header: ProxyHeader) -> Self {
        Self { trusted, header }
    }

    /// The address of the client whose request came from `peer`.
    pub(super) fn client(&self, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
        let mut client = peer.to_canonical();
        if !self.trusts(client) {
            return client;
        }
        let (name, read): (_, fn(&str) -> Option<IpAddr>) = match self.header {
            ProxyHeader::XForwardedFor => (X_FORWARDED_FOR, host),
            ProxyHeader::Forwarded => (FORWARDED, forwarded_for),
        };
        for line in headers.get_all(name).iter().rev() {
            // A line that is no text, and a hop that hides or cannot be read, end the chain: who wrote it is the last
            // that is known.
            let Ok(line) = line.to_str() else { return client };
            for hop in line.rsplit(',') {
                let Some(address) = read(hop.trim()) else { return client };
                client = address;
                if !self.trusts(client) {
                    return client;
                }
            }
        }
        client
    }

    fn trusts(&self, address: IpAddr) -> bool {
        self.trusted.iter().any(|network| network.contains(&address))
    }
}

/// The `for` of an element of `Forwarded`. A comma or semicolon within quotation marks stands in no address, so what it
/// cuts apart is not read as one.
fn forwarded_for(element: &str) -> Option<IpAddr> {
    let mut pairs = element.split(';').filter_map(|pair| pair.split_once('='));
    let (_, value) = pairs.find(|(name, _)| name.trim().eq_ignore_ascii_case("for"))?;
    let value = value.trim();
    host(value.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(value))
}

/// An address, with or without a port, that of IPv6 with or without brackets.
fn host(text: &str) -> Option<IpAddr> {
    let bare = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(text);
    let address = bare.parse().ok().or_else(|| text.parse::<SocketAddr>().ok().map(|socket| socket.ip()));
    address.map(|address: IpAddr| address.to_canonical())
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn client(header: ProxyHeader, peer: &str, lines: &[(&str, &str)]) -> String {
        let trusted = ["10.0.0.0/8", "fd00::/8"].map(|network| network.parse().unwrap());
        let mut headers = HeaderMap::new();
        for (name, line) in lines {
            headers.append(
                HeaderName::from_bytes(name.as_bytes()).unwrap(),
                HeaderValue::from_bytes(line.as_bytes()).unwrap(),
            );
        }
        Proxies::new(trusted.to_vec(), header).client(peer.parse().unwrap(), &headers).to_string()
    }

    #[test]
    fn the_rightmost_hop_that_is_no_proxy_is_the_client() {
        const XFF: &str = "x-forwarded-for";
        for (peer, lines, expected) in [
            // Nobody else is believed.
            ("192.0.2.1", &[(XFF, "198.51.100.7")][..], "192.0.2.1"),
            ("10.0.0.1", &[], "10.0.0.1"),
            ("10.0.0.1", &[(XFF, "198.51.100.7")], "198.51.100.7"),
            // What the client claimed stands left of what the proxy added.
            ("10.0.0.1", &[(XFF, "203.0.113.9, 198.51.100.7")], "198.51.100.7"),
            ("10.0.0.1", &[(XFF, "203.0.113.9"), (XFF, "198.51.100.7")], "198.51.100.7"),
            ("10.0.0.1", &[(XFF, "203.0.113.9, 198.51.100.7 , 10.2.3.4")], "198.51.100.7"),
            ("10.0.0.1", &[(XFF, "10.9.9.9, 10.2.3.4")], "10.9.9.9"),
            ("10.0.0.1", &[(XFF, "198.51.100.7:4711")], "198.51.100.7"),
            ("fd00::1", &[(XFF, "[2001:db8::7]:4711")], "2001:db8::7"),
            ("fd00::1", &[(XFF, "2001:db8::7")], "2001:db8::7"),
            ("::ffff:10.0.0.1", &[(XFF, "::ffff:198.51.100.7")], "198.51.100.7"),
            // What cannot be read is written by the hop before it.
            ("10.0.0.1", &[(XFF, "198.51.100.7, unknown")], "10.0.0.1"),
            ("10.0.0.1", &[(XFF, "198.51.100.7, 999.1.1.1, 10.2.3.4")], "10.2.3.4"),
            ("10.0.0.1", &[(XFF, "198.51.100.7,")], "10.0.0.1"),
            ("10.0.0.1", &[(XFF, "\u{e9}")], "10.0.0.1"),
            // A header that our proxies do not write is the client's own.
            ("10.0.0.1", &[("forwarded", "for=203.0.113.9")], "10.0.0.1"),
        ] {
            assert_eq!(client(ProxyHeader::XForwardedFor, peer, lines), expected, "{peer} {lines:?}");
        }
    }

    #[test]
    fn forwarded_is_read_like_it() {
        const FORWARDED: &str = "forwarded";
        for (line, expected) in [
            ("for=198.51.100.7", "198.51.100.7"),
            ("For=\"198.51.100.7:80\"; proto=https;by=10.0.0.1", "198.51.100.7"),
            ("proto=https; FOR = \"[2001:db8:cafe::17]:4711\"", "2001:db8:cafe::17"),
            ("for=203.0.113.9, for=198.51.100.7;proto=http, for=10.2.3.4", "198.51.100.7"),
            ("for=203.0.113.9, for=_hidden", "10.0.0.1"),
            ("for=203.0.113.9, for=unknown", "10.0.0.1"),
            ("for=203.0.113.9, proto=https", "10.0.0.1"),
            ("for=203.0.113.9;host=\"a,for=198.51.100.7\"", "10.0.0.1"),
        ] {
            assert_eq!(client(ProxyHeader::Forwarded, "10.0.0.1", &[(FORWARDED, line)]), expected, "{line}");
        }
        let claimed = [("x-forwarded-for", "203.0.113.9")];
        assert_eq!(client(ProxyHeader::Forwarded, "10.0.0.1", &claimed), "10.0.0.1");
    }
}
