//! The errors of an operation, for the OpenAPI document.

use std::collections::BTreeMap;

use utoipa::IntoResponses;
use utoipa::openapi::header::Header;
use utoipa::openapi::{ContentBuilder, Object, Ref, RefOr, Response, ResponseBuilder, Type};

use super::MEDIA_TYPE;

/// One documented response for each of `statuses`: every error with the shape of `Problem`, and 304 without a body.
pub(crate) fn problems(statuses: &[u16]) -> BTreeMap<String, RefOr<Response>> {
    statuses.iter().map(|&status| (status.to_string(), RefOr::T(problem(status)))).collect()
}

/// What a `GET` can fail with that may have to search.
pub(crate) struct GetSearchProblems;

impl IntoResponses for GetSearchProblems {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        problems(&[304, 400, 414, 422, 429, 500, 503, 504])
    }
}

/// What a `POST` can fail with that may have to search.
pub(crate) struct PostSearchProblems;

impl IntoResponses for PostSearchProblems {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        problems(&[400, 408, 412, 413, 415, 422, 429, 500, 503, 504])
    }
}

/// What a review can fail with before it begins.
pub(crate) struct ReviewProblems;

impl IntoResponses for ReviewProblems {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        problems(&[400, 408, 413, 414, 415, 422, 429, 500, 503])
    }
}

/// What a batch can fail with as a whole.
pub(crate) struct BatchProblems;

impl IntoResponses for BatchProblems {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        problems(&[400, 408, 413, 414, 415, 429, 500, 503])
    }
}

fn problem(status: u16) -> Response {
    if status == 304 {
        return ResponseBuilder::new().description(description(status)).build();
    }
    let content = ContentBuilder::new().schema(Some(Ref::from_schema_name("Problem"))).build();
    let response = ResponseBuilder::new().description(description(status)).content(MEDIA_TYPE, content);
    if status == 429 || status == 503 {
        let mut seconds = Header::new(Object::with_type(Type::Integer));
        seconds.description = Some("Seconds after which a second try makes sense.".to_owned());
        return response.header("Retry-After", seconds).build();
    }
    response.build()
}

fn description(status: u16) -> &'static str {
    match status {
        400 => {
            "The request cannot be read: its syntax, an unknown or doubled field, a value out of bounds, a malformed FEN."
        }
        404 => "There is no such path.",
        405 => "The path exists, the method does not; `Allow` says which do.",
        408 => "The body did not arrive in time.",
        304 | 412 => "`If-None-Match` names the very reply.",
        413 => "The body is larger than `/v1/limits` allows.",
        414 => "The query string is longer than `/v1/limits` allows.",
        415 => "The body is not of a media type that is taken here, or compressed.",
        422 => "The position or one of the moves is against the rules.",
        429 => "The client has as many searches, or batches and reviews, as one may have at once.",
        500 => "An internal fault, which costs this request alone.",
        503 => "The queue is full, or others have less in it, or the server is shutting down.",
        504 => "The answer was not ready in time.",
        _ => "An error.",
    }
}
