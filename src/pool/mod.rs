//! Threads and time for the engine.
//!
//! A [`Crew`] is a set of named threads over one bounded queue; a [`Pool`] is a crew that shares a transposition
//! table and runs searches. The rules of the house:
//!
//! - **Bounded**: a full queue refuses at once, with an estimate of when to come back.
//! - **Absolute deadlines**: `movetime` and `timeout` count from the arrival of the request, waiting included. One
//!   [`Clock`] thread raises stop flags; a search only ever polls its flag. A task whose deadline passes while it waits
//!   is answered at that moment ([`Lost::Expired`]), not when a worker comes to it. The tasks of a batch wait for each
//!   other, so theirs count from when they are taken up ([`Start`]).
//! - **A way out**: dropping a [`Ticket`] stops its search, or takes it off the queue.
//! - **Fair**: clients take turns ([`Client`]), however much one of them sends. Where the queue is full, the client with the
//!   most in it makes room ([`Lost::Displaced`]) for one who has less. What one client may hold can be bounded besides.
//! - **A panic costs one task**: its ticket yields [`Lost::Panicked`], the worker goes on. A worker or a clock that dies all
//!   the same begins anew on its own thread, so that no system can refuse it one.
//! - **Drain**: nothing new is taken in, what is there may finish within a grace period, what is not finished by then is
//!   stopped and answers with what it has.
//!
//! - **Once**: searches that come out the same whenever they are made are kept, and equal ones at once are one ([`Results`]).
//!
//! A static evaluation costs less than the hand-over to a thread and does not come here.

mod client;
mod clock;
mod crew;
mod histogram;
mod places;
mod pools;
mod question;
mod results;
mod roster;
mod search;
mod second_level;
mod statistics;
mod sync;
mod task;
mod ticket;
mod turns;

pub use client::Client;
pub use clock::Clock;
pub use crew::{Crew, CrewSettings, Drained, Refused, Start, Timing};
pub use histogram::{DEPTH_BOUNDS_PLIES, DepthHistogram, Histogram, TIME_BOUNDS_MICROS, TimeHistogram};
pub use pools::{BulkRequest, Pools};
pub use question::Question;
pub use results::{Found, Origin, Results, ResultsSnapshot, Unanswered};
pub use search::{
    FRESH_TABLE_MEBIBYTES, Finished, Job, Observer, Pool, PoolSettings, SearchSnapshot, StartError, Table,
};
pub use second_level::{BreakerState, SecondLevel, SecondLevelSnapshot};
pub use statistics::{Refusals, Snapshot, Times};
pub use task::{Interruption, WorkerContext};
pub use ticket::{Lost, Ticket};
