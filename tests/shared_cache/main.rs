//! The cache that several services share, against a real server and against liars. Without the command `redis-server` these
//! tests say so and prove nothing, unless `CENTIPAWN_REQUIRE_REDIS` is set: then they fail.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]
#![allow(clippy::print_stderr, reason = "a test that is skipped says so")]

mod cluster;
mod encrypted;
mod faults;
mod house;
mod liars;
mod load;
mod secrets;
mod server;
mod sharing;
