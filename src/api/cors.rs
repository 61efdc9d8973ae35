//! Which pages may call the service: by default those of every origin, for it holds no secrets and no cookies.

use axum::http::{HeaderValue, Method, header};
use std::time::Duration;
use tower_http::cors::{AllowOrigin, CorsLayer};

use crate::api::account::REQUEST_ID;
use crate::api::validator::CACHE_STATUS;

/// Answers preflights for a day at a time, and lets pages read the headers that matter.
pub(crate) fn layer(origins: &[String]) -> CorsLayer {
    let layer = CorsLayer::new()
        .allow_methods([Method::GET, Method::POST])
        .allow_headers([header::CONTENT_TYPE, header::ACCEPT, header::IF_NONE_MATCH, REQUEST_ID])
        .expose_headers([REQUEST_ID, header::RETRY_AFTER, header::ETAG, CACHE_STATUS])
        .max_age(Duration::from_hours(24));
    if origins.iter().any(|origin| origin == "*") {
        // The answer does not depend on the origin, so caches need not keep one for each.
        return layer.allow_origin(AllowOrigin::any()).vary([]);
    }
    let listed = origins.iter().filter_map(|origin| HeaderValue::from_str(origin).ok());
    layer.allow_origin(AllowOrigin::list(listed)).vary([header::ORIGIN])
}
