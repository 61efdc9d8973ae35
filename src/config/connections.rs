//! Connections: how many, and how long they are waited for.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::Args;

use super::between;

/// How many connections there may be, and how long the service waits for its clients.
#[derive(Args, Clone, Debug, PartialEq, Eq)]
#[command(next_help_heading = "Connections")]
pub struct ConnectionOptions {
    /// Connections that are served at once; more are refused with 503 and Retry-After [default: 8192, or as many as the
    /// limit on open files leaves room for]
    #[arg(
        long,
        env = "CENTIPAWN_MAX_CONNECTIONS",
        value_name = "N",
        value_parser = between::<usize>(1, 1_000_000)
    )]
    pub max_connections: Option<usize>,

    /// Of them those that one address may have, or one IPv6 network of 64 bits, --trusted-proxies apart; as many as there are
    /// by default, because a load balancer has one address for all its clients
    #[arg(
        long,
        env = "CENTIPAWN_MAX_CONNECTIONS_PER_ADDRESS",
        value_name = "N",
        value_parser = between::<usize>(1, 1_000_000)
    )]
    pub max_connections_per_address: Option<usize>,

    /// Seconds in which the head of a request has to arrive, from its first byte; connections are looked at now and then, so it
    /// may have up to a quarter longer
    #[arg(
        long,
        env = "CENTIPAWN_HEADER_TIMEOUT_SECONDS",
        value_name = "S",
        default_value_t = 10,
        value_parser = between::<u64>(1, 600)
    )]
    pub header_timeout_seconds: u64,

    /// Seconds for which a connection is kept on which nothing is asked; with three quarters of all connections in use only
    /// as long as the head of a request may take. Longer than a load balancer in front keeps its own
    #[arg(
        long,
        env = "CENTIPAWN_KEEP_ALIVE_SECONDS",
        value_name = "S",
        default_value_t = 75,
        value_parser = between::<u64>(1, 86_400)
    )]
    pub keep_alive_seconds: u64,

    /// Seconds in which a client has to take something of its answer: 512 bytes for each second at the least
    #[arg(
        long,
        env = "CENTIPAWN_SEND_TIMEOUT_SECONDS",
        value_name = "S",
        default_value_t = 30,
        value_parser = between::<u64>(1, 3_600)
    )]
    pub send_timeout_seconds: u64,

    /// Serve over TLS with the certificate in this PEM file, the chain after it; read again when it changes, and on SIGHUP
    #[arg(long, env = "CENTIPAWN_TLS_CERTIFICATE", value_name = "FILE")]
    pub tls_certificate: Option<PathBuf>,

    /// The private key of the certificate, in PEM
    #[arg(long, env = "CENTIPAWN_TLS_KEY", value_name = "FILE")]
    pub tls_key: Option<PathBuf>,

    /// Address and port for /metrics, /healthz and /readyz on a thread of their own, without TLS; /metrics is then served
    /// there alone. For the inside of a network
    #[arg(long, env = "CENTIPAWN_ADMIN_LISTEN", value_name = "ADDR")]
    pub admin_listen: Option<SocketAddr>,
}
