//! Who may ask, how often, and whose word about a client's address counts.

use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use ipnet::IpNet;

use super::between;

/// API keys, rate limits and trusted proxies; without any of them everybody may ask, as often as they like.
#[derive(Args, Clone, Debug, PartialEq)]
#[command(next_help_heading = "Who may ask, and how often")]
pub struct GuardOptions {
    /// File with the API keys that are let in, as `centipawn key new` prints them; read again on SIGHUP and when it
    /// changes; none by default, which lets everybody in
    #[arg(long, env = "CENTIPAWN_API_KEYS", value_name = "FILE")]
    pub api_keys: Option<PathBuf>,

    /// With --api-keys, whether who sends no key is let in, counted by address [default: refuse]
    #[arg(long, env = "CENTIPAWN_ANONYMOUS", value_name = "WORD", value_enum)]
    pub anonymous: Option<Anonymous>,

    /// Requests a second that one client may send in the long run, like 20 or 0.5; the client is its API key, else its
    /// address (of IPv6 the network of 64 bits); 0 for no limit
    #[arg(
        long,
        env = "CENTIPAWN_RATE_LIMIT",
        value_name = "RATE",
        default_value = "0",
        value_parser = Rate::parse
    )]
    pub rate_limit: Rate,

    /// With --rate-limit, requests that one client may send at once after a pause; 0 for those of two seconds, but at
    /// least 10
    #[arg(
        long,
        env = "CENTIPAWN_RATE_BURST",
        value_name = "N",
        default_value_t = 0,
        value_parser = between::<u32>(0, MOST_AT_ONCE.into())
    )]
    pub rate_burst: u32,

    /// With --rate-limit, clients without a key that are told apart; beyond that new ones share limits with each other
    #[arg(
        long,
        env = "CENTIPAWN_RATE_CLIENTS",
        value_name = "N",
        default_value_t = 100_000,
        value_parser = between::<usize>(16, 100_000_000)
    )]
    pub rate_clients: usize,

    /// Networks of proxies that are believed whose request they pass on, like `10.0.0.0/8,::1`; none by default
    #[arg(
        long,
        env = "CENTIPAWN_TRUSTED_PROXIES",
        value_name = "NETWORK",
        value_delimiter = ',',
        value_parser = network
    )]
    pub trusted_proxies: Vec<IpNet>,

    /// With --trusted-proxies, the one header in which they say it. They have to write it themselves: of the other one they
    /// pass on what the client claims [default: x-forwarded-for]
    #[arg(long, env = "CENTIPAWN_PROXY_HEADER", value_name = "HEADER", value_enum)]
    pub proxy_header: Option<ProxyHeader>,
}

/// What is done with a request without a key where there are keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Anonymous {
    /// It is refused
    #[default]
    Refuse,
    /// It is answered, at the rate of its address
    Allow,
}

/// The header in which a proxy says for whom it asks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ProxyHeader {
    /// The common one
    #[default]
    XForwardedFor,
    /// That of RFC 7239
    Forwarded,
}

/// How many requests a second are allowed in the long run; zero is without a limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rate(f64);

/// Most requests at once.
pub(super) const MOST_AT_ONCE: u32 = 1_000_000;

impl Rate {
    const LEAST: f64 = 0.001;
    const MOST: f64 = 1_000_000.0;

    /// A rate of so many requests a second: nothing, or between one in a thousand seconds and a million a second.
    #[must_use]
    pub fn per_second(requests: f64) -> Option<Self> {
        (requests == 0.0 || (Self::LEAST..=Self::MOST).contains(&requests)).then_some(Self(requests))
    }

    /// The time that one request takes up; `None` without a limit.
    #[must_use]
    pub fn period(self) -> Option<Duration> {
        (self.0 > 0.0).then(|| Duration::from_secs_f64(self.0.recip()))
    }

    /// How many may come at once where nobody has said it.
    #[must_use]
    pub fn usual_burst(self) -> u32 {
        // At most two million, so nothing is lost.
        ((2.0 * self.0).ceil() as u32).clamp(10, MOST_AT_ONCE)
    }

    fn parse(text: &str) -> Result<Self, String> {
        text.trim().parse().ok().and_then(Self::per_second).ok_or_else(|| {
            "a rate is 0 for none, or a number of requests a second from 0.001 to 1000000".to_owned()
        })
    }
}

/// A network, or a single address.
fn network(text: &str) -> Result<IpNet, String> {
    let text = text.trim();
    let parsed = text.parse::<IpNet>().ok().or_else(|| text.parse::<IpAddr>().ok().map(IpNet::from));
    parsed.map(|network| network.trunc()).ok_or_else(|| {
        "a network is an address and the number of its fixed bits, like 10.0.0.0/8 or fd00::/8, or an address"
            .to_owned()
    })
}

impl GuardOptions {
    /// Whether nothing of it is asked for.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        self.api_keys.is_none() && self.rate_limit.period().is_none() && self.trusted_proxies.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Rate, network};

    #[test]
    fn rates_are_read() {
        for (text, period, burst) in [
            ("0", None, 10),
            ("0.5", Some(Duration::from_secs(2)), 10),
            ("20", Some(Duration::from_millis(50)), 40),
            ("1000000", Some(Duration::from_micros(1)), 1_000_000),
        ] {
            let rate = Rate::parse(text).unwrap();
            assert_eq!((rate.period(), rate.usual_burst()), (period, burst), "{text}");
        }
        for text in ["-1", "0.0001", "1e9", "NaN", "inf", "", "ten"] {
            assert!(Rate::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn networks_are_read() {
        for (text, shown) in [
            ("10.1.2.3/8", "10.0.0.0/8"),
            ("::1", "::1/128"),
            ("192.0.2.7", "192.0.2.7/32"),
            ("0.0.0.0/0", "0.0.0.0/0"),
        ] {
            assert_eq!(network(text).unwrap().to_string(), shown);
        }
        for text in ["10.0.0.0/33", "proxy", "", "10.0.0"] {
            assert!(network(text).is_err(), "{text}");
        }
    }
}
