//! The HTTP contract, from outside: requests in, replies out.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod batch;
mod best_move;
mod board;
mod breakdown_diff;
mod breakdown_searched;
mod busy;
mod caching;
mod client;
mod cloud_eval;
mod connections;
mod contract_cases;
mod deadlines;
mod errors;
mod eval_breakdown;
mod evaluate;
mod examples;
mod fairness;
mod faults;
mod guarded;
mod headers;
mod http;
mod http2;
mod key_file;
mod keys;
mod large_bodies;
mod material;
mod metrics;
mod openapi;
mod page;
mod picture;
mod position_input;
mod rates;
mod readme;
mod results;
mod review;
mod review_forms;
mod serve;
mod slow_clients;
mod stream;
mod tls;
mod wire;
