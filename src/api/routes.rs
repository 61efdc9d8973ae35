//! Which path is answered by which file.

use axum::Router;
use axum::middleware::from_fn;
use axum::routing::get;
use tower_http::compression::CompressionLayer;
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouterExt};
use utoipa_axum::routes;

use crate::api::envelope::envelope;
use crate::api::problem::{Code, Problem};
use crate::api::{
    AppState, best_move, cors, docs, eval_breakdown, evaluate, health, limits, material, openapi, terms,
};

/// The route table. What is worth compressing says so; the short replies of the hot paths are not.
pub(crate) fn table() -> OpenApiRouter<AppState> {
    let gzip = CompressionLayer::new;
    OpenApiRouter::with_openapi(openapi::frame())
        .routes(routes!(evaluate::get, evaluate::post))
        .routes(routes!(best_move::get, best_move::post))
        .routes(routes!(eval_breakdown::get, eval_breakdown::post).layer(gzip()))
        .routes(routes!(terms::get).layer(gzip()))
        .routes(routes!(material::get))
        .routes(routes!(limits::get))
        .routes(routes!(health::live))
        .routes(routes!(health::ready))
        .routes(routes!(openapi::get).layer(gzip()))
        .route("/", get(docs::redirect))
        .route("/docs", get(docs::redirect))
        .route("/docs/", get(docs::index).layer(gzip()))
        .route("/docs/{*path}", get(docs::asset).layer(gzip()))
}

/// The whole service as one router: the table, the answers for everything that is not in it, the layers.
pub fn router(state: AppState) -> Router {
    let (table, _) = table().split_for_parts();
    table
        .fallback(not_found)
        .method_not_allowed_fallback(method_not_allowed)
        .layer(cors::layer(state.cors_origins()))
        .layer(from_fn(envelope))
        .with_state(state)
}

async fn not_found() -> Problem {
    Problem::new(
        Code::NotFound,
        "There is nothing at this path; `/docs/` and `/openapi.json` list what there is.",
    )
}

async fn method_not_allowed() -> Problem {
    Problem::new(
        Code::MethodNotAllowed,
        "This path does not take this method; the header `Allow` lists those it takes.",
    )
}
