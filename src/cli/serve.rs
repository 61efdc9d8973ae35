//! `centipawn serve`: puts settings, log, pools and API together, and takes them down in order.

use std::env;
use std::io;
use std::net::{self, SocketAddr};
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use clap::CommandFactory;
use tokio::net::TcpListener;
use tokio::runtime;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::task::spawn_blocking;
use tracing::{info, warn};

use super::certificate::Certificate;
use super::key_file::KeyFile;
use super::shared_cache::shared_cache;
use super::{CommandLine, Failure, descriptors, memory};
use crate::api::{self, AppState, Guard, Patience, PerAddress, ServerOptions, Tls};
use crate::config::{PoolOptions, Settings, UnknownVariable, unknown_variables};
use crate::engine::eval::warm_up;
use crate::engine::search::Tablebase;
use crate::pool::{CrewSettings, PoolSettings, Pools};
use crate::tablebase::{Syzygy, folders};
use crate::telemetry::{self, Traces};

/// Serves until SIGTERM or SIGINT, then drains.
pub(super) fn run(settings: &Settings) -> Result<(), Failure> {
    settings.validate()?;
    let _log =
        telemetry::start(&settings.telemetry).map_err(|error| doing("log")(io::Error::other(error)))?;
    warn_of_unknown_variables();
    memory::fits(&settings.pools)?;
    let traces = Traces::start(&settings.telemetry)?;
    // Now, in a few milliseconds, and not in the first request.
    warm_up();
    let tablebase = tablebase(&settings.syzygy_path)?;
    let (interactive, bulk) = pool_settings(&settings.pools);
    let pools = Pools::start(interactive, bulk, settings.pools.bulk_requests)?
        .with_searches_per_client(NonZeroUsize::new(settings.pools.searches_per_client))
        .with_tablebase(tablebase)
        .with_result_cache(settings.pools.result_cache_mib << 20)
        .with_second_level(shared_cache(&settings.shared_cache)?);
    let share = settings.pools.bulk_requests_per_client.and_then(NonZeroUsize::new);
    let pools = share.into_iter().fold(pools, Pools::with_bulk_requests_per_client);
    let pools = Arc::new(pools);
    let runtime =
        runtime::Builder::new_current_thread().enable_all().build().map_err(doing("start threads"))?;
    let served = runtime.block_on(serve(settings, &pools, traces.as_ref()));
    // Whatever the runtime still holds belongs to clients that would not take their answers.
    runtime.shutdown_background();
    if let Some(traces) = traces {
        traces.finish();
    }
    served
}

/// Says which variables of the environment look like settings and are none: they may be misspelt.
fn warn_of_unknown_variables() {
    let command = CommandLine::command();
    let Some(command) = command.find_subcommand("serve") else { return };
    for UnknownVariable { name, suggestion } in unknown_variables(command, env::vars_os()) {
        let advice = suggestion.map_or_else(
            || "`centipawn serve --help` lists them".to_owned(),
            |nearest| format!("did you mean {nearest}?"),
        );
        warn!(name, "no setting has this variable; {advice}");
    }
}

async fn serve(settings: &Settings, pools: &Arc<Pools>, traces: Option<&Traces>) -> Result<(), Failure> {
    let signals = Signals::watch().map_err(doing("watch for signals"))?;
    let certificate = Certificate::load(&settings.connections)?;
    let options = server_options(settings, certificate.as_ref().map(Certificate::tls))?;
    let listener =
        TcpListener::bind(settings.listen).await.map_err(doing(format!("listen on {}", settings.listen)))?;
    let address = listener.local_addr().map_err(doing("listen"))?;
    let state = AppState::new(settings.limits, settings.cors_origins.clone(), Arc::clone(pools))
        .with_access_log(settings.telemetry.access_log)
        .with_traces(traces.cloned())
        .with_guard(guard(settings)?);
    info!(%address, version = env!("CARGO_PKG_VERSION"), "ready");
    if let Some(certificate) = certificate {
        tokio::spawn(certificate.keep());
    }
    let shutdown = shutdown(signals, state.clone(), Arc::clone(pools), settings.drain_grace());
    api::serve(listener, state, shutdown, options).await.map_err(doing("serve"))?;
    info!("bye");
    Ok(())
}

/// Is over when a signal has asked the service to end and the pools are drained: until then the server tells everybody
/// that it is not ready, and answers what needs no thread of a pool. The log says so no earlier than `/readyz` does.
async fn shutdown(mut signals: Signals, state: AppState, pools: Arc<Pools>, grace: Duration) {
    let name = signals.next().await;
    state.close();
    info!(signal = name, grace_seconds = grace.as_secs(), "draining");
    let drained = spawn_blocking(move || pools.drain(grace)).await.unwrap_or_default();
    if drained.cut_short > 0 || drained.stuck > 0 {
        warn!(cut_short = drained.cut_short, stuck = drained.stuck, "not everything was finished");
    }
}

/// The guard that the settings ask for. Where there are keys, a task gives it those of the file again when they change.
fn guard(settings: &Settings) -> Result<Option<Arc<Guard>>, Failure> {
    let file = settings.guard.api_keys.clone().map(KeyFile::new).transpose();
    let mut file = file.map_err(doing("watch for signals"))?;
    let keys = file.as_mut().map(KeyFile::read).transpose()?;
    let guard = Guard::new(&settings.guard, keys).map(Arc::new);
    if let (Some(file), Some(guard)) = (file, &guard) {
        drop(tokio::spawn(file.watch(Arc::clone(guard))));
    }
    Ok(guard)
}

/// The signals that end a service, and one that does not.
struct Signals {
    terminate: Signal,
    interrupt: Signal,
    /// Keys and certificate have an eye of their own on it. Without either it must not end the service, which it does
    /// where nobody watches for it.
    _hangup: Signal,
}

impl Signals {
    fn watch() -> io::Result<Self> {
        let [terminate, interrupt, hangup] =
            [SignalKind::terminate(), SignalKind::interrupt(), SignalKind::hangup()].map(signal);
        Ok(Self { terminate: terminate?, interrupt: interrupt?, _hangup: hangup? })
    }

    /// The name of the first to arrive.
    async fn next(&mut self) -> &'static str {
        tokio::select! {
            _ = self.terminate.recv() => "SIGTERM",
            _ = self.interrupt.recv() => "SIGINT",
        }
    }
}

/// The endgame tables in these folders; none if there are no folders.
pub(super) fn tablebase(path: &str) -> Result<Option<Arc<dyn Tablebase>>, Failure> {
    let folders = folders(path);
    if folders.is_empty() {
        return Ok(None);
    }
    let tables = Syzygy::open(&folders)?;
    info!(path, "{tables}");
    Ok(Some(Arc::new(tables)))
}

fn pool_settings(options: &PoolOptions) -> (PoolSettings, PoolSettings) {
    let interactive = CrewSettings {
        name: "interactive",
        threads: options.interactive_threads,
        queue: options.interactive_queue,
    };
    // Its queue follows from how many batches there may be.
    let bulk = CrewSettings { name: "bulk", threads: options.bulk_threads, queue: 0 };
    (
        PoolSettings {
            crew: interactive,
            hash_mebibytes: options.interactive_hash_mib,
            search_threads: NonZeroUsize::new(options.search_threads).unwrap_or(NonZeroUsize::MIN),
        },
        PoolSettings { crew: bulk, hash_mebibytes: options.bulk_hash_mib, search_threads: NonZeroUsize::MIN },
    )
}

fn server_options(settings: &Settings, tls: Option<Tls>) -> Result<ServerOptions, Failure> {
    let options = &settings.connections;
    let admin = options.admin_listen.map(admin_listener).transpose()?;
    let patience = Patience {
        idle: Duration::from_secs(options.keep_alive_seconds),
        head: Duration::from_secs(options.header_timeout_seconds),
        answer: Duration::from_secs(options.send_timeout_seconds),
        ..Patience::DEFAULT
    };
    let max_connections = descriptors::connections(options.max_connections, descriptors::raise())?;
    let except = settings.guard.trusted_proxies.clone();
    let per_address = options.max_connections_per_address.map(|most| PerAddress { most, except });
    Ok(ServerOptions { patience, max_connections, per_address, tls, admin })
}

fn admin_listener(address: SocketAddr) -> Result<net::TcpListener, Failure> {
    let listening =
        net::TcpListener::bind(address).and_then(|listener| Ok((listener.local_addr()?, listener)));
    let (address, listener) = listening.map_err(doing(format!("listen on {address} (--admin-listen)")))?;
    info!(%address, "admin listener");
    Ok(listener)
}

pub(super) fn doing(what: impl Into<String>) -> impl FnOnce(io::Error) -> Failure {
    let doing = what.into();
    |source| Failure::Serve { doing, source }
}
