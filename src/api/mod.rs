//! HTTP, JSON and OpenAPI: one file per endpoint, its own types, `Problem` for every error, the route table on one
//! screen.

mod accept;
mod account;
mod asked;
mod batch;
mod best_move;
mod board;
mod budget;
mod caller;
mod cloud_eval;
mod cors;
mod docs;
mod envelope;
mod eval_breakdown;
mod evaluate;
mod examples;
mod fields;
mod health;
mod identity;
mod input;
mod json;
mod limits;
mod links;
mod material;
mod metrics;
mod openapi;
mod page;
mod picture;
mod problem;
mod reply;
mod review;
mod routes;
mod score;
mod searched;
mod serve;
mod state;
mod stream;
mod subject;
mod terms;
mod thinking;
mod validator;

pub use caller::{Caller, Peer};
pub use openapi::document;
pub use routes::{Service, service};
pub use serve::{ConnectionsSnapshot, Patience, ServerOptions, Tls, TlsError, serve};
pub use state::AppState;
