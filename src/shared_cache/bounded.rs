//! A stream of which no more is read than was asked for: a server that sends without end would fill the memory, because
//! the client puts together whatever length an answer claims to have.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::value::MOST_BYTES;

/// Bytes that may come for each byte that is sent: a look-up is more than 64 bytes long, and is answered by no more than a
/// value and a few bytes.
const RETURN: usize = 2 * MOST_BYTES / 64;
/// What may come at the most, however much was sent. Answers that are under way together are smaller.
const MOST_DUE: usize = 8 << 20;

/// A stream, and how many bytes may still come over it.
#[derive(Debug)]
pub(super) struct Bounded<S> {
    inner: S,
    due: usize,
}

impl<S> Bounded<S> {
    pub(super) const fn new(inner: S) -> Self {
        Self { inner, due: MOST_DUE }
    }

    fn sent(&mut self, result: io::Result<usize>) -> Poll<io::Result<usize>> {
        if let Ok(bytes) = result {
            self.due = self.due.saturating_add(bytes.saturating_mul(RETURN)).min(MOST_DUE);
        }
        Poll::Ready(result)
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Bounded<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.due == 0 {
            return Poll::Ready(Err(io::Error::other("it sends more than it was asked for")));
        }
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.inner).poll_read(context, buffer))?;
        self.due = self.due.saturating_sub(buffer.filled().len() - before);
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Bounded<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let result = ready!(Pin::new(&mut self.inner).poll_write(context, bytes));
        self.sent(result)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};

    use super::*;

    #[tokio::test]
    async fn what_was_asked_for_may_come_and_no_more() {
        let (near, mut far) = duplex(1 << 10);
        let mut near = Bounded::new(near);
        let flood = tokio::spawn(async move {
            let mut sent = 0;
            while far.write_all(&[0; 1 << 10]).await.is_ok() {
                sent += 1 << 10;
            }
            sent
        });
        let mut came = Vec::new();
        let refused = near.read_to_end(&mut came).await.unwrap_err();
        assert_eq!(refused.to_string(), "it sends more than it was asked for");
        assert!((MOST_DUE..=MOST_DUE + (1 << 10)).contains(&came.len()));
        drop(near);
        assert!(flood.await.unwrap() <= MOST_DUE + (2 << 10));
    }

    #[tokio::test]
    async fn answers_may_go_on_for_ever() {
        let (near, mut far) = duplex(1 << 20);
        let mut near = Bounded::new(near);
        let (question, answer) = ([1; 64], vec![2; MOST_BYTES + 64]);
        for _ in 0..2 * MOST_DUE / MOST_BYTES {
            near.write_all(&question).await.unwrap();
            far.read_exact(&mut [0; 64]).await.unwrap();
            far.write_all(&answer).await.unwrap();
            near.read_exact(&mut vec![0; answer.len()]).await.unwrap();
        }
    }
}
