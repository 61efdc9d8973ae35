//! `GET /metrics`: what the service counts about itself, in the text format of Prometheus.

#![expect(clippy::cast_precision_loss, reason = "Prometheus knows no numbers but floating ones")]

mod connections;
mod page;
mod pools;
mod process;
mod requests;
mod route;

use std::collections::BTreeMap;

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use utoipa::IntoResponses;
use utoipa::openapi::{RefOr, Response as Documented};

use crate::api::AppState;
use crate::api::problem::problems;
use page::Page;
pub(crate) use requests::{Requests, StreamEnd};
pub(crate) use route::{Route, method_name};

struct MetricsProblems;

impl IntoResponses for MetricsProblems {
    fn responses() -> BTreeMap<String, RefOr<Documented>> {
        problems(&[500])
    }
}

/// Metrics
///
/// What the service counts about itself, for Prometheus: requests, pools, caches and the process.
#[utoipa::path(
    get, path = "/metrics", tag = "service", operation_id = "getMetrics",
    responses(
        (status = 200, description = "The metrics, as text.", body = String, content_type = "text/plain"),
        MetricsProblems
    )
)]
pub(crate) async fn get(State(state): State<AppState>) -> Response {
    let mut page = Page::default();
    let is_ready = state.is_ready() && state.pools().is_fit();
    let meaning = "Whether the service takes in new work and does it, as /readyz says.";
    page.gauge("centipawn_ready", meaning, [(&[][..], f64::from(u8::from(is_ready)))]);
    state.requests().show(&mut page);
    connections::show(&state.connections(), &mut page);
    pools::show(state.pools(), &mut page);
    process::show(&mut page);
    page.into_response()
}
