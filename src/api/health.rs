//! `GET /healthz` and `GET /readyz`: is the process alive, and should it be given work.

use std::collections::BTreeMap;
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use utoipa::openapi::{RefOr, Response};
use utoipa::{IntoResponses, ToSchema};

use crate::api::AppState;
use crate::api::problem::{Code, Problem, problems};
use crate::api::thinking::draining;

/// The state of the service.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Health {
    /// `ok`.
    #[schema(value_type = String, examples("ok"))]
    status: &'static str,
}

/// When a server without engines may be asked again: it may get over it, or be replaced.
const RECOVERY: Duration = Duration::from_secs(5);

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
            "The server is shutting down, or no engine does its work.".clone_into(&mut response.description);
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
/// 200 as long as new work is taken in and done; 503 from the moment the server begins to shut down, and while a pool has no
/// thread left that does what it is told.
#[utoipa::path(
    get, path = "/readyz", tag = "service", operation_id = "getReadiness",
    responses((status = 200, description = "New work is taken in.", body = Health), ReadinessProblems)
)]
pub(crate) async fn ready(State(state): State<AppState>) -> Result<Json<Health>, Problem> {
    if !state.is_ready() {
        return Err(draining());
    }
    if !state.pools().is_fit() {
        let detail = "No thread of a pool does what it is told; the server has to be started anew.";
        return Err(Problem::new(Code::NoWorkers, detail).retry_after(RECOVERY));
    }
    Ok(Json(Health { status: "ok" }))
}
