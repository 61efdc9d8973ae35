//! Replies that are told piece by piece: server-sent events, or lines of JSON.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use axum::http::{HeaderName, HeaderValue, header};
use axum::response::Response;
use futures_util::StreamExt;
use futures_util::stream::{self, BoxStream};
use http_body::Frame;
use serde::Serialize;
use tokio::sync::mpsc;
use tokio::time::{Instant, Sleep, sleep};

use crate::api::accept::{EVENTS, Framing, LINES};

/// A stream that has nothing to say for so long says that it is alive: the contract promises it every 8 s, and many a
/// proxy takes a longer silence for the end.
pub(crate) const HEARTBEAT: Duration = Duration::from_secs(5);

/// Pieces that wait for a slow reader before who tells them waits too.
const AHEAD: usize = 16;

/// Keeps nginx, and those who follow it, from collecting pieces before they pass them on.
const UNBUFFERED: HeaderName = HeaderName::from_static("x-accel-buffering");

/// Marks a response whose body comes piece by piece: its connection is not idle while the next one is awaited.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lasting;

impl Framing {
    /// A piece on the wire, of an event of this name.
    pub(crate) fn piece<T: Serialize>(self, event: &str, told: &T) -> Bytes {
        // What a reply is made of always serialises.
        let told = serde_json::to_vec(told).unwrap_or_default();
        let (before, after) = match self {
            Self::Events => (format!("event: {event}\ndata: "), "\n\n"),
            Self::Lines => (String::new(), "\n"),
        };
        [before.as_bytes(), &told, after.as_bytes()].concat().into()
    }

    /// What is sent where there is nothing to say: a comment, or an empty line as Lichess sends it.
    pub(crate) const fn heartbeat(self) -> Bytes {
        Bytes::from_static(match self {
            Self::Events => b":\n\n",
            Self::Lines => b"\n",
        })
    }

    pub(crate) const fn media_type(self) -> &'static str {
        match self {
            Self::Events => EVENTS,
            Self::Lines => LINES,
        }
    }
}

/// A reply whose pieces come out of the other end of a channel. That end is closed when the client leaves.
pub(crate) fn open(framing: Framing) -> (mpsc::Sender<Bytes>, Response) {
    let (pieces, mut waiting) = mpsc::channel(AHEAD);
    let told = stream::poll_fn(move |context| waiting.poll_recv(context)).map(Ok::<_, Infallible>);
    let mut response = response(framing.media_type(), Body::from_stream(told));
    response.extensions_mut().insert(Lasting);
    (pieces, response)
}

/// A reply of these pieces, with heartbeats where they are long in coming.
pub(crate) fn lasting(
    media_type: &'static str,
    pieces: BoxStream<'static, Bytes>,
    heartbeat: Bytes,
) -> Response {
    let silence = Box::pin(sleep(HEARTBEAT));
    // Who sends a body may look for more after its end.
    let pieces = pieces.fuse().boxed();
    let mut response = response(media_type, Body::new(Beating { pieces, heartbeat, silence }));
    response.extensions_mut().insert(Lasting);
    response
}

/// A reply all of whose pieces are known.
pub(crate) fn whole(framing: Framing, pieces: Bytes) -> Response {
    response(framing.media_type(), Body::from(pieces))
}

fn response(media_type: &'static str, body: Body) -> Response {
    let mut response = Response::new(body);
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(media_type));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(UNBUFFERED, HeaderValue::from_static("no"));
    response
}

/// Pieces as they are found, and heartbeats between them.
struct Beating {
    pieces: BoxStream<'static, Bytes>,
    heartbeat: Bytes,
    silence: Pin<Box<Sleep>>,
}

impl HttpBody for Beating {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let piece = match self.pieces.poll_next_unpin(context) {
            Poll::Ready(piece) => piece,
            Poll::Pending => {
                ready!(self.silence.as_mut().poll(context));
                Some(self.heartbeat.clone())
            }
        };
        self.silence.as_mut().reset(Instant::now() + HEARTBEAT);
        Poll::Ready(piece.map(|piece| Ok(Frame::data(piece))))
    }
}
