//! `GET /openapi.json`: the contract as the code has it. `openapi/centipawn.json` is a copy; a test holds them equal.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use axum::http::HeaderValue;
use axum::response::Response;
use utoipa::openapi::{ContactBuilder, OpenApi, RefOr};
use utoipa::{IntoResponses, OpenApi as _};

use crate::api::accept::JSON;
use crate::api::examples::illustrate;
use crate::api::fields::{
    Arrows, EvaluatorName, LastMove, LineCount, Orientation, PieceValuesName, Pov, Strategy, ThemeName,
    VariantName,
};
use crate::api::guard;
use crate::api::kept::Kept;
use crate::api::links::link;
use crate::api::problem::{ProblemBody, problems};
use crate::api::routes;

/// The frame of the document; the operations come from the route table.
#[derive(utoipa::OpenApi)]
#[openapi(
    info(
        title = "centipawn",
        description = "What a chess position is worth, what to play, and why.\n\nScores are whole centipawns (`cp`) or \
            moves to mate (`mate`), never both, from White's point of view unless `pov` is `turn`. Every error of the \
            service is `application/problem+json` (RFC 9457); what is no HTTP, has too long a head, or by HTTP/1.1 not \
            one `Host`, is refused by the HTTP layer with a bare status. A server that has as many connections as it takes \
            answers whatever is asked over one more with 503 `too_many_connections`. Every `GET` takes in its query string what the `POST` takes in its \
            body; in a query string `_` may stand for a space in `fen`.\n\nA server may ask for API keys and may limit \
            how often a client asks. Where it limits, every reply under `/v1` and `/api` says how much is left: \
            `RateLimit-Policy` and `RateLimit` by the IETF's draft on such fields, `RateLimit-Limit`, \
            `RateLimit-Remaining` and `RateLimit-Reset` as earlier drafts had it.",
        license(name = "MIT OR Apache-2.0")
    ),
    servers((url = "/", description = "This server")),
    components(schemas(
        ProblemBody<'_>, Arrows, EvaluatorName, LastMove, LineCount, Orientation, PieceValuesName, Pov, Strategy, ThemeName,
        VariantName
    )),
    tags(
        (name = "evaluation", description = "What a position is worth, and why."),
        (name = "moves", description = "What to play."),
        (name = "games", description = "How whole games were played."),
        (name = "compatibility", description = "For clients that were written for another service."),
        (name = "pictures", description = "What can be shown to people."),
        (name = "service", description = "The service itself.")
    )
)]
struct Frame;

/// The document without its operations.
pub(crate) fn frame() -> OpenApi {
    let mut frame = Frame::openapi();
    frame.info.contact = Some(ContactBuilder::new().name(Some("The authors of centipawn")).build());
    frame
}

/// The document, indented, with a newline at its end: the text of `openapi/centipawn.json`.
#[must_use]
pub fn document() -> String {
    // The document is made of strings and numbers, which always serialise.
    let mut operations = routes::table().into_openapi();
    guard::document(&mut operations);
    let mut document = serde_json::to_value(operations).unwrap_or_default();
    illustrate(&mut document);
    link(&mut document);
    serde_json::to_string_pretty(&document).map(|text| text + "\n").unwrap_or_default()
}

struct DocumentProblems;

impl IntoResponses for DocumentProblems {
    fn responses() -> BTreeMap<String, RefOr<utoipa::openapi::Response>> {
        problems(&[304, 500])
    }
}

/// This document
///
/// The OpenAPI 3.1 description of the service, generated from its code.
#[utoipa::path(
    get, path = "/openapi.json", tag = "service", operation_id = "getOpenapi",
    responses((
            status = 200, description = "The OpenAPI document.", body = Object,
            headers(("ETag" = String, description = "A strong validator."))
        ), DocumentProblems)
)]
pub(crate) async fn get() -> Response {
    static KEPT: LazyLock<Arc<Kept>> =
        LazyLock::new(|| Kept::new(HeaderValue::from_static(JSON), document().into()));
    KEPT.reply()
}
