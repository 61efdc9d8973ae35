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

/// What an operation can fail with that does no work which one client may have too much of at once: it is too often at most.
pub(crate) fn too_often() -> BTreeMap<String, RefOr<Response>> {
    let mut response = problem(429);
    "The client has asked more often than this server lets it.".clone_into(&mut response.description);
    BTreeMap::from([("429".to_owned(), RefOr::T(response))])
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
        problems(&[400, 408, 413, 414, 415, 422, 429, 500, 503, 504])
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
    let headers = headers(status).iter().map(|(name, kind, description)| {
        let mut header = Header::new(Object::with_type(kind.clone()));
        header.description = Some((*description).to_owned());
        (*name, header)
    });
    headers.fold(response, |response, (name, header)| response.header(name, header)).build()
}

/// What the headers of a refusal say: name, type and meaning of each.
fn headers(status: u16) -> &'static [(&'static str, Type, &'static str)] {
    const RETRY_AFTER: (&str, Type, &str) =
        ("Retry-After", Type::Integer, "Seconds after which a second try makes sense.");
    match status {
        401 => &[("WWW-Authenticate", Type::String, "How a key is to be sent.")],
        429 => &[
            RETRY_AFTER,
            (
                "RateLimit-Policy",
                Type::String,
                "Where a server limits it: the quota `q` of requests, and the seconds `w` in which it comes back.",
            ),
            (
                "RateLimit",
                Type::String,
                "Likewise: the requests `r` that are left, and the seconds `t` until there are more.",
            ),
        ],
        503 => &[RETRY_AFTER],
        _ => &[],
    }
}

fn description(status: u16) -> &'static str {
    match status {
        400 => {
            "The request cannot be read: its syntax, an unknown or doubled field, a value out of bounds, a malformed FEN."
        }
        401 => "Where the server asks for API keys: the request has none, or one that is not valid.",
        404 => "There is no such path.",
        405 => "The path exists, the method does not; `Allow` says which do.",
        408 => "The body did not arrive in time.",
        304 | 412 => "`If-None-Match` names the very reply.",
        413 => "The body is larger than `/v1/limits` allows.",
        414 => "The query string is longer than `/v1/limits` allows.",
        415 => "The body is not of a media type that is taken here, or compressed.",
        422 => "The position or one of the moves is against the rules.",
        429 => {
            "The client has asked more often than this server lets it, or has as many searches, or batches and reviews, as \
             one may have at once."
        }
        500 => "An internal fault, which costs this request alone.",
        503 => "The queue is full, or others have less in it, or the server is shutting down.",
        504 => "The answer was not ready in time.",
        _ => "An error.",
    }
}
