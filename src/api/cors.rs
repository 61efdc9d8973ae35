//! Pages of every origin may call the service: it holds no secrets and no cookies.

use axum::http::{Method, header};
use std::time::Duration;
use tower_http::cors::{Any, CorsLayer};

use crate::api::envelope::REQUEST_ID;

/// Answers preflights for a day at a time, and lets pages read the headers that matter.
pub(crate) fn layer() -> CorsLayer {
    CorsLayer::new()
        .allow_origin(Any)
        .allow_methods([Method::GET, Method::POST])
        .allow_headers([header::CONTENT_TYPE, header::ACCEPT, header::IF_NONE_MATCH, REQUEST_ID])
        .expose_headers([REQUEST_ID, header::RETRY_AFTER, header::ETAG])
        .max_age(Duration::from_hours(24))
        // The answer does not depend on the origin, so caches need not keep one for each.
        .vary([])
}
