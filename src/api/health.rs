//! `GET /healthz` and `GET /readyz`: is the process alive, and should it be given work.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use utoipa::openapi::{RefOr, Response};
use utoipa::{IntoResponses, ToSchema};

use crate::api::AppState;
use crate::api::problem::{Problem, problems};
use crate::api::thinking::draining;

/// The state of the service.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Health {
    /// `ok`.
    #[schema(value_type = String, examples("ok"))]
    status: &'static str,
}

struct HealthProblems;

impl IntoResponses for HealthProblems {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        problems(&[500])
    }
}

struct ReadinessProblems;

impl IntoResponses for ReadinessProblems {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        let mut responses = problems(&[500, 503]);
        if let Some(RefOr::T(response)) = responses.get_mut("503") {
            "The server is shutting down.".clone_into(&mut response.description);
        }
        responses
    }
}

/// Liveness
///
/// 200 as long as the process answers at all.
#[utoipa::path(
    get, path = "/healthz", tag = "service", operation_id = "getHealth",
    responses((status = 200, description = "The process is alive.", body = Health), HealthProblems)
)]
pub(crate) async fn live() -> Json<Health> {
    Json(Health { status: "ok" })
}

/// Readiness
///
/// 200 as long as new work is taken in; 503 from the moment the server begins to shut down.
#[utoipa::path(
    get, path = "/readyz", tag = "service", operation_id = "getReadiness",
    responses((status = 200, description = "New work is taken in.", body = Health), ReadinessProblems)
)]
pub(crate) async fn ready(State(state): State<AppState>) -> Result<Json<Health>, Problem> {
    if state.is_ready() { Ok(Json(Health { status: "ok" })) } else { Err(draining()) }
}
