//! HTTP, JSON and OpenAPI: one file per endpoint, its own types, [`Problem`] for every error, the route table on one
//! screen.

mod cors;
mod docs;
mod envelope;
mod fields;
mod health;
mod input;
mod openapi;
mod problem;
mod routes;
mod serve;
mod state;

pub use openapi::document;
pub use problem::{Code, Problem};
pub use routes::router;
pub use serve::serve;
pub use state::AppState;
