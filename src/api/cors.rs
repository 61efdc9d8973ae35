//! Which pages may call the service: by default those of every origin, for it holds no secrets and no cookies. A page that
//! has an API key sends it in a header, which it may.

use axum::http::{HeaderName, HeaderValue, Method, header};
use std::time::Duration;
use tower_http::cors::{AllowOrigin, CorsLayer};

use crate::api::AppState;
use crate::api::account::REQUEST_ID;
use crate::api::guard::{LIMIT, POLICY, REMAINING, RESET, STANDING, X_API_KEY};
use crate::api::validator::CACHE_STATUS;

/// The caller's trace (W3C Trace Context).
const TRACE_PARENT: HeaderName = HeaderName::from_static("traceparent");
/// What a page may read of every reply.
const EXPOSED: [HeaderName; 4] = [REQUEST_ID, header::RETRY_AFTER, header::ETAG, CACHE_STATUS];
/// What a guard tells.
const EXPOSED_BY_A_GUARD: [HeaderName; 6] =
    [POLICY, STANDING, LIMIT, REMAINING, RESET, header::WWW_AUTHENTICATE];

/// Answers preflights for a day at a time, and lets pages read the headers that matter.
pub(crate) fn layer(state: &AppState) -> CorsLayer {
    let guards = state.guard().map(|_| EXPOSED_BY_A_GUARD);
    let exposed: Vec<_> = EXPOSED.into_iter().chain(guards.into_iter().flatten()).collect();
    let layer = CorsLayer::new()
        .allow_methods([Method::GET, Method::POST])
        .allow_headers([
            header::CONTENT_TYPE,
            header::ACCEPT,
            header::IF_NONE_MATCH,
            header::AUTHORIZATION,
            X_API_KEY,
            REQUEST_ID,
            TRACE_PARENT,
        ])
        .expose_headers(exposed)
        .max_age(Duration::from_hours(24));
    let origins = state.cors_origins();
    if origins.iter().any(|origin| origin == "*") {
        // The answer does not depend on the origin, so caches need not keep one for each.
        return layer.allow_origin(AllowOrigin::any()).vary([]);
    }
    let listed = origins.iter().filter_map(|origin| HeaderValue::from_str(origin).ok());
    layer.allow_origin(AllowOrigin::list(listed)).vary([header::ORIGIN])
}
