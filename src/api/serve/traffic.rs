//! What passes on a connection, noted as it passes, and what it says about the client's pace.
//!
//! Notes are cheap because nobody else writes them: one timer, which looks at them now and then, does for all requests of a
//! connection. hyper's own is set and taken down for each.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::Body;
use futures_util::FutureExt;
use socket2::SockRef;
use tokio::io::{AsyncRead, AsyncWrite, Interest, ReadBuf, Ready};
use tokio::net::TcpStream;
use tokio::time::Instant;

use super::Patience;
use super::answers::Answers;
use super::statistics::Count;

/// The least bytes a second of an answer that its client has to take while we wait for it.
const LEAST_BYTES_PER_SECOND: u64 = 512;

/// How a client begins that speaks HTTP/2.
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// The notes on a connection. Clones are held as long as an answer is under way, beside the three that are held always.
#[derive(Clone, Debug, Default)]
pub(super) struct Traffic(Arc<Notes>);

#[derive(Debug, Default)]
pub(super) struct Notes {
    /// Requests whose heads have arrived.
    asked: AtomicU64,
    /// Bytes read.
    heard: AtomicU64,
    /// Bytes that the client, or the system for it, has taken.
    told: AtomicU64,
    /// Whether there is something to send that is not taken.
    blocked: AtomicBool,
    /// Whether the client was seen to have left while an answer was under way, by HTTP/1.
    left: AtomicBool,
    /// What is answered by HTTP/2.
    answers: Answers,
    /// Whether it is HTTP/2, where there are more things to say than requests and answers.
    multiplexed: AtomicBool,
    /// Whether it is given up, so that what is not sent yet never will be.
    given_up: AtomicBool,
}

impl Traffic {
    /// The clones that are held while nothing is computed: the connection's, its service's and its stream's.
    const AT_REST: usize = 3;

    pub(super) fn count_request(&self) {
        add(&self.0.asked, 1);
    }

    pub(super) fn is_under_way(&self) -> bool {
        Arc::strong_count(&self.0) > Self::AT_REST
    }

    pub(super) fn notes(&self) -> &Arc<Notes> {
        &self.0
    }

    pub(super) fn of(notes: Arc<Notes>) -> Self {
        Self(notes)
    }

    pub(super) fn is_multiplexed(&self) -> bool {
        self.0.multiplexed.load(Ordering::Relaxed)
    }

    fn is_blocked(&self) -> bool {
        self.0.blocked.load(Ordering::Relaxed)
    }

    /// The body of an answer by HTTP/2, in pieces of as many bytes as have to be taken while we wait for so long.
    pub(super) fn watch(&self, body: Body, patience: Duration) -> Body {
        let most_bytes = LEAST_BYTES_PER_SECOND * patience.as_secs().max(1);
        self.0.answers.watch(body, usize::try_from(most_bytes).unwrap_or(usize::MAX))
    }

    pub(super) fn note_multiplexed(&self) {
        self.0.multiplexed.store(true, Ordering::Relaxed);
    }

    /// Whatever the client has not taken by now is thrown away when the connection is dropped.
    pub(super) fn give_up(&self) {
        self.0.given_up.store(self.is_blocked(), Ordering::Relaxed);
    }

    fn heard(&self, bytes: &[u8]) {
        if self.0.heard.load(Ordering::Relaxed) == 0 && bytes.starts_with(PREFACE) {
            self.note_multiplexed();
        }
        add(&self.0.heard, bytes.len() as u64);
    }

    fn sent(&self, sent: &Poll<io::Result<usize>>) {
        if let Poll::Ready(Ok(bytes)) = sent {
            add(&self.0.told, *bytes as u64);
        }
        self.0.blocked.store(sent.is_pending(), Ordering::Relaxed);
    }
}

/// Only the thread of the connection counts, so that nothing is lost between the two steps.
fn add(counter: &AtomicU64, more: u64) {
    counter.store(counter.load(Ordering::Relaxed) + more, Ordering::Relaxed);
}

/// A stream over TCP.
pub(super) trait Transport: AsyncRead + AsyncWrite + Unpin + Send + 'static {
    /// What is below.
    fn socket(&self) -> &TcpStream;
}

impl Transport for TcpStream {
    fn socket(&self) -> &TcpStream {
        self
    }
}

/// Whether the client has closed its side, whatever it has sent before.
fn is_closed(socket: &TcpStream) -> bool {
    let ready = socket.ready(Interest::READABLE).now_or_never();
    ready.is_some_and(|ready| ready.is_ok_and(Ready::is_read_closed))
}

/// A stream on which what passes is noted.
#[derive(Debug)]
pub(super) struct Noted<S: Transport> {
    stream: S,
    traffic: Traffic,
}

impl<S: Transport> Noted<S> {
    pub(super) fn new(stream: S, traffic: Traffic) -> Self {
        Self { stream, traffic }
    }
}

impl<S: Transport> Drop for Noted<S> {
    fn drop(&mut self) {
        if self.traffic.0.given_up.load(Ordering::Relaxed) {
            // Or the system would go on offering to the client what it does not take, for minutes. An old socket may refuse.
            let _ = SockRef::from(self.stream.socket()).set_linger(Some(Duration::ZERO));
        }
    }
}

impl<S: Transport> AsyncRead for Noted<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(context, buffer);
        if buffer.filled().len() > before {
            self.traffic.heard(&buffer.filled()[before..]);
        }
        read
    }
}

impl<S: Transport> AsyncWrite for Noted<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let sent = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.traffic.sent(&sent);
        sent
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let sent = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.traffic.sent(&sent);
        sent
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.stream).poll_flush(context);
        // Who flushes has written everything; TLS, which takes it before the socket does, may hold some of it.
        self.traffic.0.blocked.store(flushed.is_pending(), Ordering::Relaxed);
        // hyper flushes whenever it is woken, but does not read while the bytes that follow a request wait for its answer.
        if self.traffic.is_under_way() && !self.traffic.is_multiplexed() {
            self.traffic.0.left.store(is_closed(self.stream.socket()), Ordering::Relaxed);
        }
        flushed
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

/// What is to become of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Stays,
    /// Nothing is asked on it.
    Idle,
    /// The head of a request has begun and does not end.
    SlowHead,
    /// The client does not take its answer.
    SlowReader,
    /// The client has left before its answer was made.
    Left,
}

impl Verdict {
    /// As what it is counted, unless the connection stays.
    pub(super) const fn counted(self) -> Option<Count> {
        match self {
            Self::Stays | Self::Left => None,
            Self::Idle => Some(Count::Idle),
            Self::SlowHead => Some(Count::SlowHeads),
            Self::SlowReader => Some(Count::SlowReaders),
        }
    }
}

/// Looks at the notes of a connection now and then.
#[derive(Debug)]
pub(super) struct Watch {
    patience: Patience,
    /// The notes when something was last asked, computed or answered, and when that was seen.
    asked: u64,
    told: u64,
    heard: u64,
    at_rest_since: Instant,
    /// When the first bytes of a head were seen.
    head_since: Option<Instant>,
    /// Since when the client is behind, and what it had taken by then.
    behind_since: Option<(Instant, u64)>,
}

impl Watch {
    pub(super) fn new(patience: Patience, now: Instant) -> Self {
        Self {
            patience,
            asked: 0,
            told: 0,
            heard: 0,
            at_rest_since: now,
            head_since: None,
            behind_since: None,
        }
    }

    /// What is to be done now; `crowded` is whether others wait for a place.
    pub(super) fn judge(&mut self, traffic: &Traffic, crowded: bool, now: Instant) -> Verdict {
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let (asked, heard, told) = (read(&traffic.0.asked), read(&traffic.0.heard), read(&traffic.0.told));
        if self.is_behind(traffic, told, now) || self.leaves_an_answer(traffic, now) {
            return Verdict::SlowReader;
        }
        if traffic.is_under_way() && traffic.0.left.load(Ordering::Relaxed) {
            return Verdict::Left;
        }
        // With HTTP/2 both sides say things that belong to no request.
        let multiplexed = traffic.is_multiplexed();
        let nothing_sent = multiplexed || told == self.told && !traffic.is_blocked();
        if traffic.is_under_way() || asked != self.asked || !nothing_sent {
            *self =
                Self { asked, told, heard, behind_since: self.behind_since, ..Self::new(self.patience, now) };
            return Verdict::Stays;
        }
        if heard > self.heard && !multiplexed {
            let since = *self.head_since.get_or_insert(now);
            if now - since >= self.patience.head {
                return Verdict::SlowHead;
            }
        }
        let longest = if crowded { self.patience.head.min(self.patience.idle) } else { self.patience.idle };
        if now - self.at_rest_since >= longest { Verdict::Idle } else { Verdict::Stays }
    }

    /// Whether one of several answers is not taken, though there is room for it on the way.
    fn leaves_an_answer(&self, traffic: &Traffic, now: Instant) -> bool {
        !traffic.is_blocked() && traffic.0.answers.is_one_left_untaken(self.patience.answer, now)
    }

    fn is_behind(&mut self, traffic: &Traffic, told: u64, now: Instant) -> bool {
        if !traffic.is_blocked() {
            self.behind_since = None;
            return false;
        }
        let (since, before) = *self.behind_since.get_or_insert((now, told));
        let waited = now - since;
        if waited < self.patience.answer {
            return false;
        }
        self.behind_since = Some((now, told));
        told - before < LEAST_BYTES_PER_SECOND * waited.as_secs().max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATIENCE: Patience = Patience::DEFAULT;

    /// A connection as the watch sees it, and the second that its clock shows.
    struct Story {
        traffic: Traffic,
        others: [Traffic; 2],
        watch: Watch,
        begun: Instant,
        second: u64,
        crowded: bool,
    }

    impl Story {
        fn new() -> Self {
            let (traffic, begun) = (Traffic::default(), Instant::now());
            let others = [traffic.clone(), traffic.clone()];
            Self { traffic, others, watch: Watch::new(PATIENCE, begun), begun, second: 0, crowded: false }
        }

        /// Lets `each` happen every second until the connection is given up; says why and in which second.
        fn until_the_end(&mut self, most: u64, mut each: impl FnMut(&Traffic, u64)) -> (Verdict, u64) {
            while self.second < most {
                self.second += 1;
                each(&self.traffic, self.second);
                let now = self.begun + Duration::from_secs(self.second);
                let verdict = self.watch.judge(&self.traffic, self.crowded, now);
                if verdict != Verdict::Stays {
                    return (verdict, self.second);
                }
            }
            (Verdict::Stays, self.second)
        }
    }

    fn takes(bytes: usize) -> Poll<io::Result<usize>> {
        Poll::Ready(Ok(bytes))
    }

    #[test]
    fn drops_of_a_head_gain_no_time() {
        let mut story = Story::new();
        assert_eq!(story.until_the_end(100, |traffic, _| traffic.heard(b"x")), (Verdict::SlowHead, 11));
    }

    #[test]
    fn a_second_head_has_the_same_time() {
        let mut story = Story::new();
        let ended = story.until_the_end(100, |traffic, second| {
            if second == 3 {
                traffic.count_request();
            }
            if second != 4 {
                traffic.heard(b"x");
            }
        });
        assert_eq!(ended, (Verdict::SlowHead, 15), "the clock starts with the first byte after the request");
    }

    #[test]
    fn silence_has_the_time_of_an_idle_connection() {
        assert_eq!(Story::new().until_the_end(100, |_, _| ()), (Verdict::Idle, 75));
        let mut crowded = Story::new();
        crowded.crowded = true;
        assert_eq!(crowded.until_the_end(100, |_, _| ()), (Verdict::Idle, 10), "others wait for the place");
    }

    #[test]
    fn frames_of_http_2_are_no_heads() {
        let mut story = Story::new();
        let ended = story.until_the_end(100, |traffic, second| {
            traffic.heard(if second == 1 { PREFACE } else { b"ping" });
            traffic.sent(&takes(4));
        });
        assert_eq!(ended, (Verdict::Idle, 75));
    }

    #[test]
    fn an_answer_under_way_is_waited_for() {
        let mut story = Story::new();
        let under_way = story.traffic.clone();
        assert_eq!(story.until_the_end(1_000, |_, _| ()).0, Verdict::Stays);
        drop(under_way);
        assert_eq!(story.until_the_end(2_000, |_, _| ()), (Verdict::Idle, 1_075));
        assert_eq!(story.others.len() + 1, Traffic::AT_REST);
    }

    #[test]
    fn who_takes_nothing_of_an_answer_is_dropped() {
        let mut story = Story::new();
        let _under_way = story.traffic.clone();
        let ended = story.until_the_end(1_000, |traffic, _| traffic.sent(&Poll::Pending));
        assert_eq!(ended, (Verdict::SlowReader, 31));
    }

    #[test]
    fn who_takes_drops_of_an_answer_is_dropped_and_who_takes_enough_is_not() {
        for (bytes, kept) in
            [(LEAST_BYTES_PER_SECOND as usize / 2, false), (2 * LEAST_BYTES_PER_SECOND as usize, true)]
        {
            let mut story = Story::new();
            let (verdict, _) = story.until_the_end(1_000, |traffic, _| {
                traffic.sent(&takes(bytes));
                traffic.sent(&Poll::Pending);
            });
            assert_eq!(verdict, if kept { Verdict::Stays } else { Verdict::SlowReader }, "{bytes}");
        }
    }

    #[test]
    fn who_catches_up_starts_anew() {
        let mut story = Story::new();
        let ended = story.until_the_end(500, |traffic, second| {
            traffic.sent(&if second % 29 == 0 { takes(10) } else { Poll::Pending });
        });
        assert_eq!(ended.0, Verdict::Stays, "it was never behind for as long as it may be");
    }
}
