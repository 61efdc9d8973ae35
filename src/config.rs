//! Settings of the service. Each has one name: `--max-depth` on the command line, `CENTIPAWN_MAX_DEPTH` in the
//! environment, `max-depth` in the file. The command line beats the environment, which beats the file, which beats
//! the default.

mod connections;
mod environment;
mod file;
mod guard;
mod keys;
mod limits;
mod pools;
mod shared_cache;
mod telemetry;

use std::fmt::Display;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use clap::builder::RangedU64ValueParser;

pub use connections::ConnectionOptions;
pub use environment::{UnknownVariable, unknown_variables};
pub use file::{FileError, file_defaults, shared_file_defaults};
pub use guard::{Anonymous, GuardOptions, ProxyHeader, Rate};
pub use keys::{
    ApiKey, KEY_PREFIX, KeyFileError, KeyHash, check_name, hexadecimal, parse_keys, read_key_file,
};
pub use limits::Limits;
pub use pools::PoolOptions;
pub use shared_cache::{CacheTopology, CacheUrl, SharedCacheOptions};
pub use telemetry::{AccessLog, LogFormat, TelemetryOptions};

/// Every setting of `centipawn serve`.
#[derive(Args, Clone, Debug, PartialEq)]
#[command(next_help_heading = "General")]
pub struct Settings {
    /// Read settings from this TOML file, where `max-depth = 40` means --max-depth 40
    #[arg(long, env = "CENTIPAWN_CONFIG", value_name = "FILE")]
    pub config: Option<PathBuf>,

    /// Address and port to listen on
    #[arg(long, env = "CENTIPAWN_LISTEN", value_name = "ADDR", default_value = "0.0.0.0:8080")]
    pub listen: SocketAddr,

    /// Web pages that may call the service: `*` for all, or origins like `https://example.org`, separated by commas
    #[arg(
        long,
        env = "CENTIPAWN_CORS_ORIGINS",
        value_name = "ORIGIN",
        value_delimiter = ',',
        default_value = "*",
        value_parser = origin
    )]
    pub cors_origins: Vec<String>,

    /// On SIGTERM or SIGINT, seconds that running searches get to finish before they answer with what they have
    #[arg(
        long,
        env = "CENTIPAWN_DRAIN_GRACE_SECONDS",
        value_name = "S",
        default_value_t = 10,
        value_parser = between::<u64>(0, 600)
    )]
    pub drain_grace_seconds: u64,

    /// Folders with Syzygy endgame tables, separated by `:`; none by default
    #[arg(
        long,
        env = "CENTIPAWN_SYZYGY_PATH",
        value_name = "FOLDERS",
        default_value = "",
        hide_default_value = true
    )]
    pub syzygy_path: String,

    /// Connections.
    #[command(flatten)]
    pub connections: ConnectionOptions,

    /// Threads and tables.
    #[command(flatten)]
    pub pools: PoolOptions,

    /// The cache that several services share.
    #[command(flatten)]
    pub shared_cache: SharedCacheOptions,

    /// Caps on what one request may ask.
    #[command(flatten)]
    pub limits: Limits,

    /// Who may ask, and how often.
    #[command(flatten)]
    pub guard: GuardOptions,

    /// What the service tells its operator.
    #[command(flatten)]
    pub telemetry: TelemetryOptions,
}

impl Settings {
    /// The grace period of a drain.
    #[must_use]
    pub const fn drain_grace(&self) -> Duration {
        Duration::from_secs(self.drain_grace_seconds)
    }

    /// Checks what no single setting can know.
    ///
    /// # Errors
    /// A sentence that names the settings and what to do.
    pub fn validate(&self) -> Result<(), SettingsError> {
        let limits = &self.limits;
        at_most(
            ("default-movetime-ms", limits.default_movetime_ms),
            ("max-movetime-ms", limits.max_movetime_ms),
        )?;
        at_most(
            ("max-movetime-ms", limits.max_movetime_ms),
            ("request-timeout-ms", limits.request_timeout_ms),
        )?;
        at_most(("cloud-eval-nodes", limits.cloud_eval_nodes), ("max-nodes", limits.max_nodes))?;
        if self.connections.tls_certificate.is_some() != self.connections.tls_key.is_some() {
            return Err(SettingsError::HalfOfTls);
        }
        if self.connections.admin_listen.is_some_and(|address| address == self.listen && address.port() != 0)
        {
            return Err(SettingsError::SameAddress);
        }
        if self.cors_origins.len() > 1 && self.cors_origins.iter().any(|origin| origin == "*") {
            return Err(SettingsError::MixedOrigins);
        }
        let (guard, shared_cache) = (&self.guard, &self.shared_cache);
        let has_shared_cache = !shared_cache.shared_cache_url.is_empty();
        if has_shared_cache && self.pools.result_cache_mib == 0 {
            return Err(SettingsError::SharedCacheAlone);
        }
        let is_cluster = shared_cache.shared_cache_topology == CacheTopology::Cluster;
        let has_proxies = !guard.trusted_proxies.is_empty();
        for (setting, is_set, companion, is_companion_set) in [
            ("anonymous", guard.anonymous.is_some(), "api-keys", guard.api_keys.is_some()),
            ("proxy-header", guard.proxy_header.is_some(), "trusted-proxies", has_proxies),
            ("shared-cache-topology", is_cluster, "shared-cache-url", has_shared_cache),
            (
                "shared-cache-ca-file",
                shared_cache.shared_cache_ca_file.is_some(),
                "shared-cache-url",
                has_shared_cache,
            ),
        ] {
            if is_set && !is_companion_set {
                return Err(SettingsError::Alone { setting, companion });
            }
        }
        if guard.rate_burst > 0 && guard.rate_limit.period().is_none() {
            return Err(SettingsError::BurstWithoutRate);
        }
        Ok(())
    }
}

/// Settings that contradict each other.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SettingsError {
    /// One setting has to be at most another.
    #[error(
        "{lower} is {lower_value}, but may be at most {upper}, which is {upper_value}: lower the first or raise the second"
    )]
    Order {
        /// The setting that is too large.
        lower: &'static str,
        /// Its value.
        lower_value: u64,
        /// The setting that bounds it.
        upper: &'static str,
        /// That one's value.
        upper_value: u64,
    },
    /// A certificate without its key, or a key without its certificate.
    #[error("tls-certificate and tls-key belong together: give both, or neither to serve without TLS")]
    HalfOfTls,
    /// One address for two listeners.
    #[error("admin-listen is the address of listen: give it another port")]
    SameAddress,
    /// `*` beside named origins.
    #[error("cors-origins has `*` beside other origins: give `*` alone to allow all, or leave it out")]
    MixedOrigins,
    /// A second level without a first.
    #[error(
        "shared-cache-url needs the cache of results before it, but result-cache-mib is 0: raise it, or leave the shared cache out"
    )]
    SharedCacheAlone,
    /// A setting that says how another one is meant, which is not there: who relies on it would be wrong about what happens.
    #[error("{setting} means nothing without {companion}: set that too, or leave both out")]
    Alone {
        /// The setting.
        setting: &'static str,
        /// The other one.
        companion: &'static str,
    },
    /// A burst of no rate.
    #[error(
        "rate-burst says how many requests may come at once, but rate-limit is 0, which limits nothing: set it too"
    )]
    BurstWithoutRate,
}

fn at_most(
    (lower, lower_value): (&'static str, u64),
    (upper, upper_value): (&'static str, u64),
) -> Result<(), SettingsError> {
    if lower_value <= upper_value {
        return Ok(());
    }
    Err(SettingsError::Order { lower, lower_value, upper, upper_value })
}

fn between<T>(least: u64, most: u64) -> RangedU64ValueParser<T>
where
    T: TryFrom<u64, Error: Display> + Clone + Send + Sync + 'static,
{
    RangedU64ValueParser::new().range(least..=most)
}

/// An origin as browsers send it: scheme and host, no path.
fn origin(text: &str) -> Result<String, String> {
    let text = text.trim();
    let host = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    let is_origin = host.is_some_and(|host| {
        !host.is_empty() && host.chars().all(|c| c.is_ascii_graphic() && !"/?#@\"'*".contains(c))
    });
    if text == "*" || is_origin {
        return Ok(text.to_owned());
    }
    Err("an origin is a scheme and a host without a path, like https://example.org, or `*` for all"
        .to_owned())
}
