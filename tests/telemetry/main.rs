//! What the service tells its operator, from outside: the real program, its stderr, and a collector of traces.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod log;
mod program;
mod traces;
