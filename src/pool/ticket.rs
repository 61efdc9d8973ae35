//! The client's end of a task: a future of its answer, whose drop is the client's farewell.

use std::any::Any;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::sync::oneshot;

use super::clock::Alarm;
use super::task::{Interrupt, Interruption, discard};

/// Why a task that was taken in has no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Lost {
    /// The work panicked, or its worker died; every other task is unharmed.
    #[error("the work panicked: {message}")]
    Panicked {
        /// What the panic said.
        message: String,
    },
    /// The deadline passed before a worker was free.
    #[error("no worker was free before the deadline; try again in {retry_after:?}")]
    Expired {
        /// When a worker should be free; round it up for a `Retry-After`.
        retry_after: Duration,
    },
    /// Its place in the full queue went to a client who had fewer there.
    #[error("the queue is full and others have less in it; try again in {retry_after:?}")]
    Displaced {
        /// When a worker should be free; round it up for a `Retry-After`.
        retry_after: Duration,
    },
    /// The pool closed before a worker was free.
    #[error("the service is shutting down")]
    Draining,
}

impl Lost {
    /// By a panic, which is let go.
    pub(super) fn panicked(panic: Box<dyn Any + Send>) -> Self {
        let text = panic.downcast_ref::<&str>().copied();
        let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
        let message = text.unwrap_or("no message").to_owned();
        discard(panic);
        Self::Panicked { message }
    }
}

/// A future of the answer to one task. Dropping it before the answer is there interrupts the task.
#[must_use = "dropping a ticket cancels its task"]
pub struct Ticket<T> {
    answer: oneshot::Receiver<Result<T, Lost>>,
    task: Option<Arc<dyn Interrupt>>,
    _alarm: Option<Alarm>,
}

impl<T> Ticket<T> {
    pub(super) fn new(
        answer: oneshot::Receiver<Result<T, Lost>>,
        task: Arc<dyn Interrupt>,
        alarm: Option<Alarm>,
    ) -> Self {
        Self { answer, task: Some(task), _alarm: alarm }
    }

    /// Blocks the calling thread until the answer is there: for callers without an asynchronous runtime.
    ///
    /// # Errors
    /// See [`Lost`].
    ///
    /// # Panics
    /// When called on a thread that drives asynchronous tasks.
    pub fn wait(mut self) -> Result<T, Lost> {
        let (closed, empty) = oneshot::channel();
        drop(closed);
        let answer = std::mem::replace(&mut self.answer, empty).blocking_recv();
        self.conclude(answer)
    }

    fn conclude(&mut self, answer: Result<Result<T, Lost>, oneshot::error::RecvError>) -> Result<T, Lost> {
        let task = self.task.take();
        answer.unwrap_or_else(|_| Err(task.map_or(Lost::Draining, |task| why_lost(&*task))))
    }
}

impl<T> Future for Ticket<T> {
    type Output = Result<T, Lost>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        Pin::new(&mut self.answer).poll(context).map(|answer| self.conclude(answer))
    }
}

impl<T> Drop for Ticket<T> {
    fn drop(&mut self) {
        if let Some(task) = self.task.take() {
            task.interrupt(Interruption::Left);
        }
    }
}

/// The answer's sender is dropped unused only by a task that was abandoned while it waited, or with a worker that died.
fn why_lost(task: &dyn Interrupt) -> Lost {
    match task.abandoned() {
        Some(Interruption::Movetime | Interruption::Timeout) => {
            Lost::Expired { retry_after: task.retry_after() }
        }
        Some(Interruption::Displaced) => Lost::Displaced { retry_after: task.retry_after() },
        Some(Interruption::Draining | Interruption::Left) => Lost::Draining,
        None => Lost::Panicked { message: "its worker died and was replaced".to_owned() },
    }
}
