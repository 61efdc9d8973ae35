//! One connection, from its first byte to its last.

use std::cell::RefCell;
use std::convert::Infallible;
use std::net;
use std::net::IpAddr;
use std::pin::{Pin, pin};
use std::sync::Weak;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use axum::http::{Request, StatusCode, Version, header};
use axum::response::{IntoResponse, Response};
use http_body::Frame;
use hyper::body::Incoming;
use hyper::service::{self, service_fn};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio::time::{Instant, sleep, timeout};
use tower::Service as _;

use super::gate::Place;
use super::statistics::Count;
use super::traffic::{Noted, Notes, Traffic, Transport, Verdict, Watch};
use super::unread::{Unread, lend};
use super::{KEEP_ALIVE_PINGS, MAX_HEAD_BYTES, MAX_STREAMS, Patience, Tls};
use crate::api::Service;
use crate::api::caller::{Encrypted, Peer};
use crate::api::input::BODY_TIMEOUT;
use crate::api::protection::keep_to_tls;
use crate::api::stream::Lasting;

/// Somebody who has connected and has a place.
#[derive(Debug)]
pub(super) struct Arrival {
    pub(super) stream: net::TcpStream,
    pub(super) address: IpAddr,
    pub(super) place: Place,
}

/// What it takes to serve a connection.
#[derive(Clone)]
pub(super) struct Host {
    pub(super) service: Service,
    pub(super) patience: Patience,
    pub(super) tls: Option<Tls>,
}

/// Serves a connection to its end; after `closing` it ends with the answer to the request that has begun.
pub(super) async fn attend(arrival: Arrival, host: Host, closing: watch::Receiver<()>) {
    let Arrival { stream, address, place } = arrival;
    let stream = match TcpStream::from_std(stream) {
        Ok(stream) => stream,
        Err(error) => return tracing::warn!(%error, "a connection was lost between two threads"),
    };
    let Some(tls) = &host.tls else {
        return converse(stream, Peer(address), host, place, closing).await;
    };
    let counted = match timeout(host.patience.head, tls.accept(stream)).await {
        // In a box, so that a connection without TLS needs no room for it.
        Ok(Ok(stream)) => return Box::pin(converse(stream, Peer(address), host, place, closing)).await,
        Ok(Err(error)) => {
            tracing::debug!(%address, %error, "TLS failed");
            Count::TlsFailures
        }
        Err(_) => Count::SlowHeads,
    };
    place.gate().connections().count(counted);
}

async fn converse<S: Transport>(
    stream: S,
    peer: Peer,
    host: Host,
    place: Place,
    mut closing: watch::Receiver<()>,
) {
    let patience = host.patience;
    let traffic = Traffic::default();
    let answer = answering(host, peer, traffic.clone());
    let protocols = protocols();
    let stream = TokioIo::new(Noted::new(stream, traffic.clone()));
    let mut connection = pin!(protocols.serve_connection(stream, answer));
    let mut watch = Watch::new(patience, Instant::now());
    let mut timer = pin!(sleep(patience.tick()));
    let verdict = loop {
        // The connection first, so that what has arrived counts as begun. How it breaks is its client's affair.
        tokio::select! {
            biased;
            _ = connection.as_mut() => return,
            _ = closing.changed() => break Verdict::Stays,
            () = timer.as_mut() => {}
        }
        match watch.judge(&traffic, place.gate().is_crowded(), Instant::now()) {
            Verdict::Stays => timer.as_mut().reset(Instant::now() + patience.tick()),
            verdict => break verdict,
        }
    };
    if let Some(count) = verdict.counted() {
        place.gate().connections().count(count);
    }
    match verdict {
        Verdict::Stays => {
            connection.as_mut().graceful_shutdown();
            let _ = connection.await;
        }
        Verdict::Left => {}
        Verdict::Idle if !traffic.is_multiplexed() => {}
        Verdict::Idle => {
            connection.as_mut().graceful_shutdown();
            // An answer that is still on its way has its time.
            if timeout(patience.answer, connection).await.is_err() {
                traffic.give_up();
            }
        }
        Verdict::SlowHead | Verdict::SlowReader => traffic.give_up(),
    }
}

/// What answers the requests of a connection.
fn answering(
    host: Host,
    peer: Peer,
    traffic: Traffic,
) -> impl service::Service<Request<Incoming>, Response = Response, Error = Infallible, Future: Send> {
    let Host { service, patience, tls } = host;
    let is_encrypted = tls.is_some();
    let service = RefCell::new(service);
    // The router and what is around it are always ready, and called through the cell they need not be cloned.
    service_fn(move |mut request: Request<Incoming>| {
        traffic.count_request();
        if request.version() == Version::HTTP_2 {
            traffic.note_multiplexed();
        }
        request.extensions_mut().insert(peer);
        if is_encrypted {
            request.extensions_mut().insert(Encrypted);
        }
        let is_addressed = names_one_host(&request);
        let (request, unread) = with_rest_kept(request);
        let answer = is_addressed.then(|| service.borrow_mut().call(request));
        let traffic = traffic.clone();
        async move {
            let Some(answer) = answer else { return Ok(to_nobody()) };
            let mut response = answer.await?;
            if let Some(unread) = unread {
                unread.discard(BODY_TIMEOUT).await;
            }
            if is_encrypted {
                keep_to_tls(response.headers_mut());
            }
            Ok(noted(response, &traffic, patience.answer))
        }
    })
}

/// Whether it is said once for whom a request is, which HTTP/1.1 demands (RFC 9112, section 3.2): two that read it might
/// each believe another.
fn names_one_host(request: &Request<Incoming>) -> bool {
    request.version() != Version::HTTP_11 || request.headers().get_all(header::HOST).iter().count() == 1
}

/// What is no proper HTTP gets no more than hyper says to it.
fn to_nobody() -> Response {
    (StatusCode::BAD_REQUEST, [(header::CONNECTION, "close")]).into_response()
}

/// The request, and what will be left of its body. By HTTP/2 it would be refused apart from the answer.
fn with_rest_kept(request: Request<Incoming>) -> (Request<Body>, Option<Unread<Incoming>>) {
    if request.version() == Version::HTTP_2 || request.body().is_end_stream() {
        return (request.map(Body::new), None);
    }
    let (head, body) = request.into_parts();
    let (body, unread) = lend(&head.headers, body);
    (Request::from_parts(head, Body::new(body)), Some(unread))
}

/// The answer, of whose body is noted for whom it waits; its client may take so long to take of it what there is.
fn noted(response: Response, traffic: &Traffic, patience: Duration) -> Response {
    let is_lasting = response.extensions().get::<Lasting>().is_some();
    let is_one_of_several = traffic.is_multiplexed() && !response.body().is_end_stream();
    response.map(|mut body| {
        if is_lasting {
            body = Body::new(Awaited::new(body, traffic));
        }
        if is_one_of_several {
            body = traffic.watch(body, patience);
        }
        body
    })
}

/// HTTP/1.1 and HTTP/2, with what one connection may make us keep. What is not said here has no bound that we want other
/// than hyper's: 100 headers, and for HTTP/2 frames of 16 KiB and 4 KiB of compressed names.
fn protocols() -> Builder<TokioExecutor> {
    let mut builder = Builder::new(TokioExecutor::new());
    // Small answers are sooner sent in one piece than as two slices.
    builder.http1().writev(false).max_buf_size(MAX_HEAD_BYTES);
    let (interval, patience) = KEEP_ALIVE_PINGS;
    builder
        .http2()
        .timer(TokioTimer::new())
        .keep_alive_interval(interval)
        .keep_alive_timeout(patience)
        .max_concurrent_streams(MAX_STREAMS)
        .max_header_list_size(MAX_HEAD_BYTES as u32)
        // What is received ahead of who reads it: of a stream, and of all of a connection.
        .initial_stream_window_size(256 << 10)
        .initial_connection_window_size(1 << 20)
        // What is computed ahead of a client that does not take it, of a stream.
        .max_send_buf_size(64 << 10)
        // Streams that the client resets before we have looked at them, and those that we reset because of its errors: more
        // of them are an attack, and end the connection.
        .max_pending_accept_reset_streams(20)
        .max_local_error_reset_streams(64);
    builder
}

/// A body that comes piece by piece. While the next piece is awaited an answer is under way; while the client has to take
/// one it is not, so that who does not read is let go like who does not ask.
struct Awaited {
    body: Body,
    notes: Weak<Notes>,
    under_way: Option<Traffic>,
}

impl Awaited {
    fn new(body: Body, traffic: &Traffic) -> Self {
        Self { body, notes: std::sync::Arc::downgrade(traffic.notes()), under_way: None }
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
        self.under_way = if piece.is_pending() { self.notes.upgrade().map(Traffic::of) } else { None };
        piece
    }
}

#[cfg(test)]
mod tests {
    use std::pin::Pin;
    use std::task::{Context, Waker};

    use axum::body::{Bytes, HttpBody};

    use super::{Awaited, Traffic};
    use crate::api::accept::Framing;
    use crate::api::stream;

    #[test]
    fn a_stream_is_under_way_while_it_waits_for_us() {
        let traffic = Traffic::default();
        let _others = [traffic.clone(), traffic.clone()];
        let (pieces, response) = stream::open(Framing::Lines);
        let mut body = Awaited::new(response.into_body(), &traffic);
        let mut poll = || Pin::new(&mut body).poll_frame(&mut Context::from_waker(Waker::noop()));
        assert!(!traffic.is_under_way(), "nobody has asked for a piece yet");
        assert!(poll().is_pending() && traffic.is_under_way(), "our turn");
        pieces.try_send(Bytes::from_static(b"1\n")).unwrap();
        assert!(poll().is_ready() && !traffic.is_under_way(), "the client's turn");
        assert!(poll().is_pending() && traffic.is_under_way());
        drop(pieces);
        assert!(poll().is_ready() && !traffic.is_under_way(), "the end");
    }
}
