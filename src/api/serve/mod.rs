//! From a listening socket to the router, and the way down.
//!
//! A thread for each core, with an event loop of its own, serves the connections that it is given by turns. A connection
//! stays where it is: waking other threads and handing them tasks would cost a static evaluation a tenth of its rate
//! (measured by `benches/http_floor.sh`), and no handler computes for long on these threads.
//!
//! A connection passes the door, where the gate gives it a place or not; a lane attends to it, and notes its traffic, so that
//! who takes too long can be let go.

mod admin;
mod answers;
mod attend;
mod door;
mod gate;
mod lanes;
mod statistics;
mod tls;
mod traffic;
mod unread;

use std::convert::Infallible;
use std::num::NonZero;
use std::sync::Arc;
use std::time::Duration;
use std::{io, net, thread};

use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tokio::time::timeout;

use crate::api::routes::service_without_metrics;
use crate::api::{AppState, service};
use admin::Admin;
use attend::Host;
use door::{Door, Refusals};
use gate::Gate;
pub use gate::PerAddress;
use lanes::Lanes;
pub(crate) use statistics::Connections;
pub use statistics::ConnectionsSnapshot;
pub use tls::{Tls, TlsError};

/// How long the server waits for its clients. A connection is looked at now and then, so each of the first three may
/// take up to a quarter of the shortest of them longer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// With a connection on which nothing is asked and nothing computed. When three quarters of all places are taken it
    /// has only the time of a head.
    pub idle: Duration,
    /// With the head of a request, from its first byte, and with a TLS handshake.
    pub head: Duration,
    /// With a client that takes nothing of its answer, or next to nothing; by HTTP/2, of one of its answers.
    pub answer: Duration,
    /// At the end, for the last answers to reach their clients.
    pub farewell: Duration,
}

impl Patience {
    /// The patience of the service. Load balancers keep idle connections for a minute; who closes first loses a request
    /// that is on its way, so the service waits longer.
    pub const DEFAULT: Self = Self {
        idle: Duration::from_secs(75),
        head: Duration::from_secs(10),
        answer: Duration::from_secs(30),
        farewell: Duration::from_secs(2),
    };

    /// How often a connection is looked at.
    fn tick(&self) -> Duration {
        self.idle.min(self.head).min(self.answer) / 4
    }
}

/// How the server listens.
#[derive(Debug)]
pub struct ServerOptions {
    /// How long it waits for its clients.
    pub patience: Patience,
    /// How many connections it serves at once.
    pub max_connections: usize,
    /// How many of them one address may have.
    pub per_address: Option<PerAddress>,
    /// With it everybody has to speak TLS.
    pub tls: Option<Tls>,
    /// Where metrics and health are told beside, without TLS; the metrics then are told nowhere else.
    pub admin: Option<net::TcpListener>,
}

impl ServerOptions {
    /// How many connections are served at once if nobody says otherwise.
    pub const MAX_CONNECTIONS: usize = 8_192;

    /// File descriptors that are needed beside those of the connections, at most: for refusals, event loops and files.
    pub const OTHER_DESCRIPTORS: usize = 256;
}

impl Default for ServerOptions {
    fn default() -> Self {
        Self {
            patience: Patience::DEFAULT,
            max_connections: Self::MAX_CONNECTIONS,
            per_address: None,
            tls: None,
            admin: None,
        }
    }
}

/// The longest head of a request, in bytes: the longest query string, and 20 KiB for everything else. Longer ones are
/// answered with 431.
const MAX_HEAD_BYTES: usize = 80 << 10;

/// The most requests at once over a connection of HTTP/2.
const MAX_STREAMS: u32 = 100;

/// After how long without a sign of life a client that speaks HTTP/2 is asked for one, and how long it may take to give it.
const KEEP_ALIVE_PINGS: (Duration, Duration) = (Duration::from_secs(20), Duration::from_secs(10));

/// Serves until `shutdown` is over; then until everybody who has connected by then and every request that had begun is
/// answered, as far as patience goes: a client that does not read its answer cannot keep the service alive.
///
/// # Errors
/// Those of starting the threads, and of the listening socket.
pub async fn serve(
    listener: TcpListener,
    state: AppState,
    shutdown: impl Future<Output = ()>,
    options: ServerOptions,
) -> io::Result<()> {
    let ServerOptions { patience, max_connections, per_address, tls, admin } = options;
    let connections = Arc::clone(state.connection_counts());
    let gate = Gate::new(max_connections, per_address, Arc::clone(&connections));
    // Nothing is ever sent: the channel ends with the last thread that holds the other end.
    let (serving, mut served) = mpsc::channel::<Infallible>(1);
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    let admin = admin
        .map(|listener| Admin::start(listener, state.clone(), patience, Arc::clone(&connections)))
        .transpose()?;
    let service = if admin.is_some() { service_without_metrics(state) } else { service(state) };
    // Whoever speaks TLS would not understand a refusal without.
    let refusals = tls.is_none().then(Refusals::new);
    let lanes = Lanes::start(threads, &Host { service, patience, tls }, &connections, &serving)?;
    drop(serving);
    Door::new(gate, lanes, refusals).open(listener, shutdown).await?;
    // If patience is over first, the rest belongs to clients that would not take their answers.
    let _ = timeout(patience.farewell, served.recv()).await;
    // To the end there was somebody to say how it goes.
    if let Some(admin) = admin {
        admin.end().await;
    }
    Ok(())
}
