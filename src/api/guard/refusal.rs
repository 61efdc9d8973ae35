//! Why a request is not let in, and what to do about it. No answer says anything of the keys there are.

use axum::http::HeaderValue;
use axum::http::header::WWW_AUTHENTICATE;
use axum::response::{IntoResponse, Response};

use super::rates::TooMany;
use crate::api::problem::{Code, Problem};

/// Why a request is not let in.
#[derive(Debug)]
pub(super) enum Refusal {
    /// It has sent no key.
    NoKey,
    /// It has sent a key that is none.
    WrongKey,
    /// It has sent a key that was one.
    ExpiredKey,
    /// It has sent keys that differ.
    SeveralKeys,
    /// It is one too many.
    TooMany(TooMany),
}

impl From<TooMany> for Refusal {
    fn from(too_many: TooMany) -> Self {
        Self::TooMany(too_many)
    }
}

/// What a client is asked for that has sent no key (RFC 6750, 3).
const CHALLENGE: HeaderValue = HeaderValue::from_static("Bearer realm=\"centipawn\"");
/// What it is told whose key is not good.
const INVALID: HeaderValue = HeaderValue::from_static("Bearer realm=\"centipawn\", error=\"invalid_token\"");

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let (challenge, detail) = match self {
            Self::NoKey => (
                CHALLENGE,
                "This needs an API key: send yours as `Authorization: Bearer KEY` or as `X-Api-Key: KEY`.",
            ),
            Self::WrongKey => (
                INVALID,
                "The API key is none of this service's: see that it is whole, and that it is still in use.",
            ),
            Self::ExpiredKey => {
                (INVALID, "The API key has expired: ask whoever gave it to you for a new one.")
            }
            Self::SeveralKeys => (INVALID, "The request has several API keys that differ: send one."),
            Self::TooMany(too_many) => return refuse(too_many),
        };
        let mut response = Problem::new(Code::Unauthorized, detail).into_response();
        response.headers_mut().insert(WWW_AUTHENTICATE, challenge);
        response
    }
}

fn refuse(TooMany { standing, wait }: TooMany) -> Response {
    const DETAIL: &str =
        "This client has asked more often than it may; `Retry-After` says how many seconds to wait.";
    let problem = Problem::new(Code::RateLimited, DETAIL);
    let mut response = problem.retry_after(wait).into_response();
    standing.tell(response.headers_mut());
    response
}
