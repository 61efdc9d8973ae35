//! What is left of a request's body when its answer is ready.
//!
//! A refusal need not read the body. But of a connection that is closed while its client sends, the client may lose the answer
//! (RFC 9112, section 9.6): so what is left is read, within bounds, before the answer goes out.

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Bytes, HttpBody};
use axum::http::{HeaderMap, header};
use http_body::{Frame, SizeHint};
use http_body_util::BodyExt;
use tokio::time::{Instant, timeout_at};

/// How much is read and thrown away: several times the largest body that is taken anywhere, in bytes.
const MOST_DISCARDED: u64 = 64 << 20;

/// What will be left of a body, and when it began to be sent.
#[derive(Debug)]
pub(super) struct Unread<B> {
    left: Arc<Mutex<Option<B>>>,
    since: Instant,
}

/// The body for whoever answers the request. Dropped before its end, it is given back.
#[derive(Debug)]
pub(super) struct Lent<B> {
    body: Option<B>,
    back: Arc<Mutex<Option<B>>>,
    /// Whether its client waits to be told to send it.
    is_held_back: bool,
}

/// A body, and what will be left of it.
pub(super) fn lend<B>(headers: &HeaderMap, body: B) -> (Lent<B>, Unread<B>) {
    let back = Arc::new(Mutex::new(None));
    let is_held_back = headers.contains_key(header::EXPECT);
    let lent = Lent { body: Some(body), back: Arc::clone(&back), is_held_back };
    (lent, Unread { left: back, since: Instant::now() })
}

impl<B: HttpBody<Data = Bytes> + Unpin> Unread<B> {
    /// Reads what is left and keeps nothing: to the end, or so long after its beginning. What has no end within bounds is not
    /// listened to.
    pub(super) async fn discard(self, patience: Duration) {
        let left = self.left.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(mut body) = left.filter(|body| body.size_hint().lower() <= MOST_DISCARDED) else { return };
        let to_the_end = async {
            let mut discarded = 0;
            while let Some(Ok(frame)) = body.frame().await {
                discarded += frame.data_ref().map_or(0, Bytes::len) as u64;
                if discarded > MOST_DISCARDED {
                    break;
                }
            }
        };
        let _ = timeout_at(self.since + patience, to_the_end).await;
    }
}

impl<B: HttpBody<Data = Bytes> + Unpin> HttpBody for Lent<B> {
    type Data = Bytes;
    type Error = B::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, B::Error>>> {
        // The first look tells the client to send.
        self.is_held_back = false;
        let Some(body) = &mut self.body else { return Poll::Ready(None) };
        let frame = Pin::new(body).poll_frame(context);
        if matches!(frame, Poll::Ready(None | Some(Err(_)))) {
            self.body = None;
        }
        frame
    }

    fn is_end_stream(&self) -> bool {
        self.body.as_ref().is_none_or(HttpBody::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        self.body.as_ref().map_or_else(|| SizeHint::with_exact(0), HttpBody::size_hint)
    }
}

impl<B> Drop for Lent<B> {
    fn drop(&mut self) {
        if !self.is_held_back {
            *self.back.lock().unwrap_or_else(PoisonError::into_inner) = self.body.take();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use futures_util::{StreamExt, stream};
    use http_body_util::StreamBody;

    use super::*;

    const PATIENCE: Duration = Duration::from_millis(50);
    const PIECE: usize = 1 << 10;

    /// A body of so many pieces, which then ends or pauses for ever.
    fn pieces(
        count: usize,
        is_endless: bool,
    ) -> (impl HttpBody<Data = Bytes, Error = Infallible> + Unpin, Arc<Mutex<usize>>) {
        let taken = Arc::new(Mutex::new(0));
        let counted = Arc::clone(&taken);
        let all = stream::repeat_with(move || {
            *counted.lock().unwrap() += 1;
            Ok(Frame::data(Bytes::from_static(&[b' '; PIECE])))
        });
        let silence = stream::pending().take(usize::from(is_endless));
        (StreamBody::new(all.take(count).chain(silence)), taken)
    }

    /// The same, of which it is known how long it is.
    struct Declared<B>(B, u64);

    impl<B: HttpBody<Data = Bytes> + Unpin> HttpBody for Declared<B> {
        type Data = Bytes;
        type Error = B::Error;

        fn poll_frame(
            mut self: Pin<&mut Self>,
            context: &mut Context<'_>,
        ) -> Poll<Option<Result<Frame<Bytes>, B::Error>>> {
            Pin::new(&mut self.0).poll_frame(context)
        }

        fn size_hint(&self) -> SizeHint {
            SizeHint::with_exact(self.1)
        }
    }

    /// How many pieces of a body are read in all, of which whoever answers reads some, and whether that took all patience.
    async fn pieces_read(count: usize, is_endless: bool, by_handler: usize, expect: bool) -> (usize, bool) {
        let (body, taken) = pieces(count, is_endless);
        let mut headers = HeaderMap::new();
        if expect {
            headers.insert(header::EXPECT, "100-continue".parse().unwrap());
        }
        let (mut lent, unread) = lend(&headers, body);
        for _ in 0..by_handler {
            let _ = lent.frame().await;
        }
        drop(lent);
        let begun = Instant::now();
        unread.discard(PATIENCE).await;
        let taken = *taken.lock().unwrap();
        (taken, begun.elapsed() >= PATIENCE)
    }

    #[tokio::test]
    async fn what_is_left_is_read_within_bounds() {
        let most = MOST_DISCARDED as usize / PIECE;
        assert_eq!(pieces_read(5_000, false, 0, false).await, (5_000, false), "to its end");
        assert_eq!(pieces_read(5_000, false, 7, false).await, (5_000, false), "after who has begun");
        assert_eq!(pieces_read(5, false, 6, false).await, (5, false), "nothing is left");
        assert_eq!(pieces_read(5, true, 0, false).await, (5, true), "no longer than others");
        assert_eq!(pieces_read(5, false, 0, true).await, (0, false), "it is not sent yet");
        assert_eq!(pieces_read(5, false, 1, true).await, (5, false), "it is sent after all");
        let (beyond, _) = pieces_read(2 * most, false, 0, false).await;
        assert!((most..most + 2).contains(&beyond), "{beyond}");
    }

    #[tokio::test]
    async fn what_is_declared_too_long_is_not_begun() {
        for (declared, read) in [(MOST_DISCARDED, 5), (MOST_DISCARDED + 1, 0)] {
            let (body, taken) = pieces(5, false);
            let (lent, unread) = lend(&HeaderMap::new(), Declared(body, declared));
            assert_eq!(lent.size_hint().exact(), Some(declared));
            drop(lent);
            unread.discard(PATIENCE).await;
            assert_eq!(*taken.lock().unwrap(), read);
        }
    }

    #[tokio::test]
    async fn what_is_still_being_read_is_left_alone() {
        let (body, taken) = pieces(5, false);
        let (mut lent, unread) = lend(&HeaderMap::new(), body);
        unread.discard(PATIENCE).await;
        assert_eq!(*taken.lock().unwrap(), 0);
        assert!(lent.frame().await.is_some() && !lent.is_end_stream());
    }
}
