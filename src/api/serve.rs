//! From a listening socket to the router, and the way down.
//!
//! A thread for each core, with an event loop of its own, serves the connections that it is given by turns. A connection
//! stays where it is: waking other threads and handing them tasks would cost a static evaluation a tenth of its rate
//! (measured by `benches/http_floor.sh`), and no handler computes for long on these threads.

use std::cell::RefCell;
use std::convert::Infallible;
use std::future::Future;
use std::net;
use std::num::NonZero;
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Weak};
use std::task::{Context, Poll};
use std::time::Duration;
use std::{io, thread};

use axum::body::{Body, Bytes, HttpBody};
use axum::http::Request;
use axum::serve::Listener;
use http_body::Frame;
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto::Builder;
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime;
use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, sleep, timeout};
use tower::Service as _;

use crate::api::stream::Lasting;
use crate::api::{AppState, Service, service};

/// How long the server waits for its clients.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// With a connection on which no whole head of a request arrives and nothing is computed: it is closed between once
    /// and twice this time after the last request.
    pub idle: Duration,
    /// At the end, for the last answers to reach their clients.
    pub farewell: Duration,
}

impl Patience {
    /// The patience of the service. Load balancers keep idle connections for a minute; who closes first loses a request
    /// that is on its way, so the service waits longer.
    pub const DEFAULT: Self = Self { idle: Duration::from_secs(75), farewell: Duration::from_secs(2) };
}

/// At the end, the time in which who has just connected may send a request that is still answered.
const LAST_WORDS: Duration = Duration::from_millis(100);

/// Serves until `shutdown` is over; then until everybody who has connected by then and every request that had begun is
/// answered, as far as `patience` goes: a client that does not read its answer cannot keep the service alive.
///
/// # Errors
/// Those of starting the threads, and of the listening socket.
pub async fn serve(
    listener: TcpListener,
    state: AppState,
    shutdown: impl Future<Output = ()>,
    patience: Patience,
) -> io::Result<()> {
    let service = service(state);
    // Nothing is ever sent: the channel ends with the last thread that holds the other end.
    let (serving, mut served) = mpsc::channel::<Infallible>(1);
    let lanes = (0..thread::available_parallelism().map_or(1, NonZero::get))
        .map(|number| {
            let (lane, connections) = mpsc::unbounded_channel();
            let work = drive(connections, service.clone(), patience.idle, serving.clone());
            start(number, work).map(|()| lane)
        })
        .collect::<io::Result<Vec<_>>>()?;
    drop(serving);
    hand_out(listener, lanes, shutdown).await?;
    // If patience is over first, the rest belongs to clients that would not take their answers.
    let _ = timeout(patience.farewell, served.recv()).await;
    Ok(())
}

/// Where connections are given to a thread; it serves until this end is dropped.
type Lane = mpsc::UnboundedSender<net::TcpStream>;

/// Accepts connections and gives them to the lanes by turns until `shutdown` is over, and then those which the system has
/// already accepted for us.
async fn hand_out(
    mut listener: TcpListener,
    lanes: Vec<Lane>,
    shutdown: impl Future<Output = ()>,
) -> io::Result<()> {
    let mut turns = lanes.iter().cycle();
    let mut give = |stream: io::Result<net::TcpStream>| match (stream, turns.next()) {
        (Ok(stream), Some(lane)) => {
            // Small answers go out at once instead of waiting for more to send. An old connection may refuse the option.
            let _ = stream.set_nodelay(true);
            // A lane lives as long as this sender.
            let _ = lane.send(stream);
        }
        (Err(error), _) => lost(&error),
        (Ok(_), None) => {}
    };
    let mut shutdown = pin!(shutdown);
    loop {
        tokio::select! {
            (stream, _) = Listener::accept(&mut listener) => give(stream.into_std()),
            () = &mut shutdown => break,
        }
    }
    let backlog = listener.into_std()?;
    while let Ok((stream, _)) = backlog.accept() {
        give(stream.set_nonblocking(true).map(|()| stream));
    }
    Ok(())
}

fn lost(error: &io::Error) {
    tracing::warn!(%error, "a connection was lost between two threads");
}

/// Starts a thread with an event loop that does `work`.
fn start(number: usize, work: impl Future<Output = ()> + Send + 'static) -> io::Result<()> {
    let event_loop = runtime::Builder::new_current_thread().enable_all().build()?;
    thread::Builder::new().name(format!("http-{number}")).spawn(move || event_loop.block_on(work))?;
    Ok(())
}

/// Serves the connections of a lane until no more can come, and answers what had begun.
async fn drive(
    mut connections: mpsc::UnboundedReceiver<net::TcpStream>,
    service: Service,
    patience: Duration,
    _serving: mpsc::Sender<Infallible>,
) {
    let (closing, closed) = watch::channel(());
    while let Some(stream) = connections.recv().await {
        match TcpStream::from_std(stream) {
            Ok(stream) => drop(tokio::spawn(attend(stream, service.clone(), patience, closed.clone()))),
            Err(error) => lost(&error),
        }
    }
    sleep(LAST_WORDS).await;
    drop(closed);
    closing.send_replace(());
    closing.closed().await;
}

/// Serves a connection to its end; after `closing` it ends with the answer to the request that has begun.
async fn attend(stream: TcpStream, service: Service, patience: Duration, mut closing: watch::Receiver<()>) {
    let asked = Asked::default();
    let service = RefCell::new(service);
    let asking = asked.clone();
    // The router and what is around it are always ready, and called through the cell they need not be cloned.
    let answer = service_fn(move |request: Request<Incoming>| {
        asking.count();
        let (answer, asking) = (service.borrow_mut().call(request.map(Body::new)), asking.clone());
        async move {
            answer.await.map(|response| match response.extensions().get() {
                Some(Lasting) => response.map(|body| Body::new(Awaited::new(body, &asking))),
                None => response,
            })
        }
    });
    let mut builder = Builder::new(TokioExecutor::new());
    // Small answers are sooner sent in one piece than as two slices.
    builder.http1().writev(false);
    let mut connection = pin!(builder.serve_connection(TokioIo::new(stream), answer));
    let mut idle = pin!(sleep(patience));
    let mut before = 0;
    loop {
        // The connection first, so that what has arrived counts as begun. How it breaks is its client's affair.
        tokio::select! {
            biased;
            _ = connection.as_mut() => return,
            _ = closing.changed() => break,
            () = idle.as_mut() => {}
        }
        if asked.nothing_since(before) {
            // A long answer that is still on its way has as long again.
            connection.as_mut().graceful_shutdown();
            let _ = timeout(patience, connection).await;
            return;
        }
        before = asked.so_far();
        idle.as_mut().reset(Instant::now() + patience);
    }
    connection.as_mut().graceful_shutdown();
    let _ = connection.await;
}

/// A body that comes piece by piece. While the next piece is awaited an answer is under way; while the client has to take
/// one it is not, so that who does not read is let go like who does not ask.
struct Awaited {
    body: Body,
    asked: Weak<AtomicU64>,
    under_way: Option<Asked>,
}

impl Awaited {
    fn new(body: Body, asked: &Asked) -> Self {
        Self { body, asked: Arc::downgrade(&asked.0), under_way: None }
    }
}

impl HttpBody for Awaited {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let piece = Pin::new(&mut self.body).poll_frame(context);
        self.under_way = if piece.is_pending() { self.asked.upgrade().map(Asked) } else { None };
        piece
    }
}

/// What has been asked on a connection: how often, and by the clones that are held whether an answer is under way. With
/// it one timer does for all requests; hyper's own is set and taken down for each.
#[derive(Clone, Default)]
struct Asked(Arc<AtomicU64>);

impl Asked {
    /// The clones that are held while nothing is computed: the connection's and its service's.
    const AT_REST: usize = 2;

    fn count(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    fn so_far(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    fn nothing_since(&self, before: u64) -> bool {
        self.so_far() == before && Arc::strong_count(&self.0) == Self::AT_REST
    }
}

#[cfg(test)]
mod tests {
    use std::pin::Pin;
    use std::task::{Context, Waker};

    use axum::body::{Bytes, HttpBody};

    use super::{Asked, Awaited};
    use crate::api::accept::Framing;
    use crate::api::stream;

    #[test]
    fn a_stream_is_under_way_while_it_waits_for_us() {
        let asked = Asked::default();
        let _service = asked.clone();
        let (pieces, response) = stream::open(Framing::Lines);
        let mut body = Awaited::new(response.into_body(), &asked);
        let mut poll = || Pin::new(&mut body).poll_frame(&mut Context::from_waker(Waker::noop()));
        assert!(asked.nothing_since(0), "nobody has asked for a piece yet");
        assert!(poll().is_pending() && !asked.nothing_since(0), "our turn");
        pieces.try_send(Bytes::from_static(b"1\n")).unwrap();
        assert!(poll().is_ready() && asked.nothing_since(0), "the client's turn");
        assert!(poll().is_pending() && !asked.nothing_since(0));
        drop(pieces);
        assert!(poll().is_ready() && asked.nothing_since(0), "the end");
    }
}
