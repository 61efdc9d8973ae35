//! The HTTP contract, from outside: requests in, replies out.

mod best_move;
mod client;
mod contract_cases;
mod errors;
mod eval_breakdown;
mod evaluate;
mod http;
mod material;
mod openapi;
mod position_input;
