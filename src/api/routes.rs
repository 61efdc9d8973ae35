//! Which path is answered by which file.

use axum::Router;
use axum::extract::Request;
use axum::http::HeaderValue;
use axum::http::header::{ACCEPT_ENCODING, Entry};
use axum::routing::get;
use tower::Layer;
use tower::util::{AndThenLayer, MapRequestLayer};
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{DefaultPredicate, NotForContentType, Predicate};
use tower_http::cors::Cors;
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouterExt};
use utoipa_axum::routes;

use crate::api::accept::LINES;
use crate::api::envelope::Envelope;
use crate::api::eval_breakdown::diff;
use crate::api::guard::Guarded;
use crate::api::kept::compressed_once;
use crate::api::problem::{Code, Problem};
use crate::api::{
    AppState, batch, best_move, board, cloud_eval, cors, docs, eval_breakdown, evaluate, health, limits,
    material, metrics, openapi, page, review, terms,
};

/// The route table.
pub(crate) fn table() -> OpenApiRouter<AppState> {
    table_without_metrics().routes(routes!(metrics::get))
}

/// The route table without the metrics. What is worth compressing says so; the short replies of the hot paths are not.
fn table_without_metrics() -> OpenApiRouter<AppState> {
    let gzip = || (MapRequestLayer::new(take_identity_at_worst), CompressionLayer::new());
    let gzip_once = || (AndThenLayer::new(compressed_once), gzip());
    // A line that waits to be compressed with the next ones would come late.
    let whole = CompressionLayer::new()
        .compress_when(DefaultPredicate::new().and(NotForContentType::const_new(LINES)));
    OpenApiRouter::with_openapi(openapi::frame())
        .routes(routes!(evaluate::get, evaluate::post))
        .routes(routes!(batch::post))
        .routes(routes!(best_move::get, best_move::post))
        .routes(routes!(eval_breakdown::get, eval_breakdown::post).layer(gzip()))
        .routes(routes!(diff::get, diff::post).layer(gzip()))
        .routes(routes!(terms::get).layer(gzip()))
        .routes(routes!(material::get))
        .routes(routes!(board::get).layer(gzip()))
        .routes(routes!(review::post).layer((MapRequestLayer::new(take_identity_at_worst), whole)))
        .routes(routes!(cloud_eval::get))
        .routes(routes!(limits::get))
        .routes(routes!(health::live))
        .routes(routes!(health::ready))
        .routes(routes!(openapi::get).layer(gzip_once()))
        .route("/", get(page::page).layer(gzip_once()))
        .route("/page/{folder}/{file}", get(page::file).layer(gzip_once()))
        .route("/docs", get(docs::redirect))
        .route("/docs/", get(docs::index).layer(gzip_once()))
        .route("/docs/{*path}", get(docs::asset).layer(gzip_once()))
}

/// What [`service`] makes: the router behind its guard, inside what every request passes.
pub type Service = Envelope<Cors<Guarded<Router>>>;

/// The whole service: the table, the answers for everything that is not in it, and around it what all have in common.
#[must_use]
pub fn service(state: AppState) -> Service {
    complete(table(), state)
}

/// The same, where the admin listener has the metrics.
pub(crate) fn service_without_metrics(state: AppState) -> Service {
    complete(table_without_metrics(), state)
}

/// What the admin listener has.
pub(crate) fn admin_service(state: AppState) -> Service {
    let table = OpenApiRouter::new().routes(routes!(metrics::get));
    complete(table.routes(routes!(health::live)).routes(routes!(health::ready)), state)
}

fn complete(table: OpenApiRouter<AppState>, state: AppState) -> Service {
    let cors = cors::layer(&state);
    let (accounting, guard) = (state.accounting(), state.guard().cloned());
    let (table, _) = table.split_for_parts();
    let router = table.fallback(not_found).method_not_allowed_fallback(method_not_allowed).with_state(state);
    Envelope::new(cors.layer(Guarded::new(router, guard)), accounting)
}

/// Ranks the reply as it is below every coding that the client takes, before its own word about it: the compression
/// layer would answer 406 where nothing fits, and a reply is of more use (RFC 9110, 12.5.3, allows it).
fn take_identity_at_worst(mut request: Request) -> Request {
    if let Entry::Occupied(mut codings) = request.headers_mut().entry(ACCEPT_ENCODING) {
        let theirs: Vec<_> = codings.insert_mult(HeaderValue::from_static("identity;q=0.001")).collect();
        for coding in theirs {
            codings.append(coding);
        }
    }
    request
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
