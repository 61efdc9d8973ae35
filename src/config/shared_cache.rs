//! The cache of results that several services share.

use std::convert::Infallible;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use clap::{Args, ValueEnum};

use super::between;

/// Where the shared cache is, and how long to wait for it.
#[derive(Args, Clone, Debug, PartialEq, Eq)]
#[command(next_help_heading = "Shared cache")]
pub struct SharedCacheOptions {
    /// Redis or Valkey for the results of deterministic searches, shared with other services, like `redis://host:6379` or
    /// `rediss://user:password@host/0`; several nodes of a cluster separated by commas; none by default
    #[arg(
        long,
        env = "CENTIPAWN_SHARED_CACHE_URL",
        value_name = "URL",
        value_delimiter = ',',
        hide_env_values = true
    )]
    pub shared_cache_url: Vec<CacheUrl>,

    /// Whether the addresses are one server or nodes of a cluster
    #[arg(
        long,
        env = "CENTIPAWN_SHARED_CACHE_TOPOLOGY",
        value_name = "TOPOLOGY",
        value_enum,
        default_value_t = CacheTopology::Single
    )]
    pub shared_cache_topology: CacheTopology,

    /// PEM file with the certificates that `rediss://` trusts, instead of the system's
    #[arg(long, env = "CENTIPAWN_SHARED_CACHE_CA_FILE", value_name = "FILE")]
    pub shared_cache_ca_file: Option<PathBuf>,

    /// Longest wait for the shared cache before a search, in milliseconds
    #[arg(
        long,
        env = "CENTIPAWN_SHARED_CACHE_TIMEOUT_MS",
        value_name = "MS",
        default_value_t = 20,
        value_parser = between::<u64>(1, 10_000)
    )]
    pub shared_cache_timeout_ms: u64,

    /// How long the shared cache keeps a result, in seconds
    #[arg(
        long,
        env = "CENTIPAWN_SHARED_CACHE_TTL_SECONDS",
        value_name = "S",
        default_value_t = 604_800,
        value_parser = between::<u64>(1, 315_360_000)
    )]
    pub shared_cache_ttl_seconds: u64,
}

impl SharedCacheOptions {
    /// The longest wait of a look-up.
    #[must_use]
    pub const fn timeout(&self) -> Duration {
        Duration::from_millis(self.shared_cache_timeout_ms)
    }
}

/// One server, or several that share the keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CacheTopology {
    /// One server, or a proxy that looks like one
    Single,
    /// A cluster, of which the addresses are some nodes
    Cluster,
}

/// An address, which may hold a password: nothing shows it, so it is read wherever it is used.
#[derive(Clone, PartialEq, Eq)]
pub struct CacheUrl(String);

impl CacheUrl {
    /// The address with its credentials. Not for logs, errors or replies.
    #[must_use]
    pub fn with_credentials(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for CacheUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CacheUrl(..)")
    }
}

/// Takes everything: an error would show the text. What is no address is told when the cache is set up.
impl FromStr for CacheUrl {
    type Err = Infallible;
    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(Self(text.trim().to_owned()))
    }
}
