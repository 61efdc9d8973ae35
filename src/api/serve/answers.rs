//! The answers of a connection of HTTP/2, and whether their client takes them.
//!
//! The socket does not tell: a client that opens no window for one answer may take all others.

use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use http_body::{Frame, SizeHint};
use tokio::time::Instant;

/// The answers that are not over.
#[derive(Debug, Default)]
pub(super) struct Answers(Mutex<Vec<Weak<Answer>>>);

/// How far an answer is taken.
#[derive(Debug)]
struct Answer(Mutex<Pace>);

#[derive(Debug)]
struct Pace {
    /// Pieces that are given to be sent, and neither are nor have been thrown away.
    untaken: usize,
    /// Since when nothing of them is taken.
    since: Instant,
}

impl Answers {
    /// The same body in pieces of so many bytes at the most, each of which is waited for. No more answers are kept in mind
    /// than are under way, of which there are few.
    pub(super) fn watch(&self, body: Body, most_bytes: usize) -> Body {
        let answer = Arc::new(Answer(Mutex::new(Pace { untaken: 0, since: Instant::now() })));
        let mut answers = lock(&self.0);
        answers.retain(|answer| answer.strong_count() > 0);
        answers.push(Arc::downgrade(&answer));
        Body::new(Watched { body, rest: Bytes::new(), most_bytes, answer })
    }

    /// Whether there is an answer of which for so long nothing is taken, though there is something to take.
    pub(super) fn is_one_left_untaken(&self, patience: Duration, now: Instant) -> bool {
        let is_left = |answer: Arc<Answer>| {
            let pace = lock(&answer.0);
            pace.untaken > 0 && now.saturating_duration_since(pace.since) >= patience
        };
        lock(&self.0).iter().filter_map(Weak::upgrade).any(is_left)
    }
}

impl Answer {
    fn give(self: &Arc<Self>, bytes: Bytes) -> Bytes {
        let mut pace = lock(&self.0);
        if pace.untaken == 0 {
            pace.since = Instant::now();
        }
        pace.untaken += 1;
        Bytes::from_owner(Piece { bytes, answer: Arc::clone(self) })
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A piece of an answer, which is dropped when it is sent.
struct Piece {
    bytes: Bytes,
    answer: Arc<Answer>,
}

impl AsRef<[u8]> for Piece {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Drop for Piece {
    fn drop(&mut self) {
        let mut pace = lock(&self.answer.0);
        pace.untaken -= 1;
        pace.since = Instant::now();
    }
}

struct Watched {
    body: Body,
    /// What is left of the last piece of the body.
    rest: Bytes,
    most_bytes: usize,
    answer: Arc<Answer>,
}

impl HttpBody for Watched {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        if self.rest.is_empty() {
            match ready!(Pin::new(&mut self.body).poll_frame(context))
                .map(|frame| frame.map(Frame::into_data))
            {
                Some(Ok(Ok(bytes))) => self.rest = bytes,
                Some(Ok(Err(trailers))) => return Poll::Ready(Some(Ok(trailers))),
                Some(Err(error)) => return Poll::Ready(Some(Err(error))),
                None => return Poll::Ready(None),
            }
        }
        let length = self.rest.len().min(self.most_bytes);
        let bytes = self.rest.split_to(length);
        Poll::Ready(Some(Ok(Frame::data(self.answer.give(bytes)))))
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty() && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        let (rest, beyond) = (self.rest.len() as u64, self.body.size_hint());
        let mut hint = SizeHint::new();
        hint.set_lower(rest + beyond.lower());
        if let Some(most) = beyond.upper() {
            hint.set_upper(rest + most);
        }
        hint
    }
}

#[cfg(test)]
mod tests {
    use std::pin::Pin;
    use std::task::{Context, Poll, Waker};
    use std::time::Duration;

    use axum::body::{Body, Bytes, HttpBody};
    use tokio::time::Instant;

    use super::Answers;
    use crate::api::accept::Framing;
    use crate::api::stream;

    const PATIENCE: Duration = Duration::from_secs(30);

    fn next(body: &mut Body) -> Poll<Option<Bytes>> {
        let frame = Pin::new(body).poll_frame(&mut Context::from_waker(Waker::noop()));
        frame.map(|frame| frame.map(|frame| frame.unwrap().into_data().unwrap()))
    }

    #[test]
    fn every_piece_has_its_time() {
        let answers = Answers::default();
        let is_left = |since: Instant| answers.is_one_left_untaken(PATIENCE, since + PATIENCE);
        let mut body = answers.watch(Body::from("0123456789"), 4);
        assert_eq!(body.size_hint().exact(), Some(10));
        assert!(!is_left(Instant::now()), "nobody has asked for a piece yet");
        let mut take = || match next(&mut body) {
            Poll::Ready(Some(piece)) => piece,
            other => panic!("{other:?}"),
        };
        let [first, second] = [take(), take()];
        assert_eq!((first.as_ref(), second.as_ref()), (b"0123".as_slice(), b"4567".as_slice()));
        let given = Instant::now();
        assert!(is_left(given) && !is_left(given - PATIENCE));
        drop(first);
        assert!(!is_left(given), "one was taken since");
        assert!(is_left(Instant::now()), "the other may not be");
        drop(second);
        assert!(!is_left(Instant::now()), "the next has not been asked for");
        let last = take();
        assert!(body.is_end_stream());
        drop(body);
        assert!(is_left(Instant::now()), "the end is waited for, too");
        assert_eq!(last.as_ref(), b"89");
        drop(last);
        assert!(!is_left(Instant::now()));
        let _other = answers.watch(Body::from("0"), 4);
        assert_eq!(answers.0.lock().unwrap().len(), 1, "what is over is forgotten");
    }

    #[test]
    fn what_waits_for_us_is_not_the_clients_fault() {
        let answers = Answers::default();
        let is_left = || answers.is_one_left_untaken(PATIENCE, Instant::now() + PATIENCE);
        let (pieces, response) = stream::open(Framing::Lines);
        let mut body = answers.watch(response.into_body(), 4);
        assert!(next(&mut body).is_pending() && !is_left());
        pieces.try_send(Bytes::from_static(b"1\n")).unwrap();
        let piece = next(&mut body);
        assert!(piece.is_ready() && is_left());
        drop(piece);
        assert!(next(&mut body).is_pending() && !is_left());
    }
}
