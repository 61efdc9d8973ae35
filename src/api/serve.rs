//! From a listening socket to the router, and the way down.
//!
//! A thread for each core, with an event loop of its own, serves the connections that it is given by turns. A connection
//! stays where it is: waking other threads and handing them tasks would cost a static evaluation a tenth of its rate
//! (measured by `benches/http_floor.sh`), and no handler computes for long on these threads.

use std::convert::Infallible;
use std::future::{Future, pending};
use std::net::{self, SocketAddr};
use std::num::NonZero;
use std::time::Duration;
use std::{io, thread};

use axum::ServiceExt;
use axum::extract::Request;
use axum::serve::Listener;
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime;
use tokio::sync::{mpsc, watch};
use tokio::time::timeout;

use crate::api::{AppState, Service, service};

/// Serves until `shutdown` is over, and then until every request that had begun is answered, but not longer than
/// `patience`: a client that does not read its answer cannot keep the service alive.
///
/// # Errors
/// Those of starting the threads.
pub async fn serve(
    listener: TcpListener,
    state: AppState,
    shutdown: impl Future<Output = ()>,
    patience: Duration,
) -> io::Result<()> {
    let address = listener.local_addr()?;
    let service = service(state);
    let (closing, closed) = watch::channel(());
    // Nothing is ever sent: the channel ends with the last thread that holds the other end.
    let (serving, mut served) = mpsc::channel::<Infallible>(1);
    let lanes = (0..thread::available_parallelism().map_or(1, NonZero::get))
        .map(|number| {
            let (handed_over, connections) = mpsc::unbounded_channel();
            let lane = Lane { connections, address };
            let work = drive(lane, service.clone(), closed.clone(), serving.clone());
            start(number, work).map(|()| handed_over)
        })
        .collect::<io::Result<Vec<_>>>()?;
    drop(serving);
    tokio::select! {
        () = hand_out(listener, lanes) => {}
        () = shutdown => {}
    }
    drop(closing);
    // If patience is over first, the rest belongs to clients that would not take their answers.
    let _ = timeout(patience, served.recv()).await;
    Ok(())
}

/// A connection that no event loop knows, and whose it is.
type Connection = (net::TcpStream, SocketAddr);

/// Accepts connections and gives them to the lanes by turns, for ever.
async fn hand_out(mut listener: TcpListener, lanes: Vec<mpsc::UnboundedSender<Connection>>) {
    for lane in lanes.iter().cycle() {
        let (stream, client) = Listener::accept(&mut listener).await;
        // Small answers go out at once instead of waiting for more to send. An old connection may refuse the option.
        let _ = stream.set_nodelay(true);
        match stream.into_std() {
            // A lane lives as long as this sender.
            Ok(stream) => drop(lane.send((stream, client))),
            Err(error) => tracing::warn!(%error, "a connection was lost between two threads"),
        }
    }
}

/// Starts a thread with an event loop that does `work`.
fn start(number: usize, work: impl Future<Output = ()> + Send + 'static) -> io::Result<()> {
    let event_loop = runtime::Builder::new_current_thread().enable_all().build()?;
    thread::Builder::new().name(format!("http-{number}")).spawn(move || event_loop.block_on(work))?;
    Ok(())
}

/// Serves the connections of a lane until `closed`, and answers what had begun.
async fn drive(
    lane: Lane,
    service: Service,
    mut closed: watch::Receiver<()>,
    _serving: mpsc::Sender<Infallible>,
) {
    let service = ServiceExt::<Request>::into_make_service(service);
    let server = axum::serve(lane, service).with_graceful_shutdown(async move {
        // Only ever an error: that the other end is gone.
        let _ = closed.changed().await;
    });
    if let Err(error) = server.await {
        tracing::error!(%error, "an HTTP thread has ended");
    }
}

/// The connections for one thread.
struct Lane {
    connections: mpsc::UnboundedReceiver<Connection>,
    address: SocketAddr,
}

impl Listener for Lane {
    type Io = TcpStream;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (TcpStream, SocketAddr) {
        while let Some((stream, client)) = self.connections.recv().await {
            match TcpStream::from_std(stream) {
                Ok(stream) => return (stream, client),
                Err(error) => tracing::warn!(%error, "a connection was lost between two threads"),
            }
        }
        // No more will come; the server ends by its shutdown.
        pending().await
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        Ok(self.address)
    }
}
