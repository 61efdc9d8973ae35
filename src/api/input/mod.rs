//! How a request is read: when it came (`Arrived`), and the same fields from a body (`Body`) and from a query string
//! (`Query`), with errors that name the field. Good requests take one pass of serde; only those that fail are looked at again.

mod body;
mod diagnosis;
mod query;

use std::convert::Infallible;
use std::fmt::Display;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::task::Poll;
use std::time::{Duration, Instant};

use axum::body::{Bytes, HttpBody};
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use tokio::time::timeout;

use crate::api::AppState;
use crate::api::accept::{JSON, LINES, PGN, is_called};
use crate::api::problem::{Code, Problem};
pub(crate) use body::{malformed, mark_length, parse, unlike};
use diagnosis::Entry;

/// The longest query string, in bytes: room for the longest fields of a `GET` with every byte escaped, and less than
/// the 64 KiB at which the HTTP library itself refuses an address.
pub(crate) const MAX_QUERY_BYTES: usize = 60 * 1024;
/// How long a client may take to send its body.
pub(crate) const BODY_TIMEOUT: Duration = Duration::from_secs(10);

/// A request from the JSON body of a `POST`.
pub(crate) struct Body<T>(pub T);

impl<T: DeserializeOwned> FromRequest<AppState> for Body<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &AppState) -> Result<Self, Problem> {
        object(request, state.limits().max_body_bytes).await.map(Self)
    }
}

/// A request from a JSON body of so many bytes at the most.
///
/// # Errors
/// Those of the body, or of the first field at fault.
pub(crate) async fn object<T: DeserializeOwned>(request: Request, max_bytes: usize) -> Result<T, Problem> {
    let detail = "Send the body as JSON, with the header `Content-Type: application/json`.";
    require_json(request.headers(), detail)?;
    if request.uri().query().is_some_and(|query| !query.is_empty()) {
        let detail =
            "A POST takes its fields from the body; this one has a query string, which would be ignored.";
        return Err(Problem::new(Code::QuerySyntax, detail));
    }
    let bytes = read(request.into_body(), max_bytes, BODY_TIMEOUT).await?;
    parse("body", &bytes[mark_length(&bytes)..])
}

/// A request from the query string of a `GET`.
pub(crate) struct Query<T>(pub T);

impl<T: DeserializeOwned, S: Sync> FromRequestParts<S> for Query<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        let text = parts.uri.query().unwrap_or_default();
        if text.len() > MAX_QUERY_BYTES {
            let detail = format!("The query string is longer than {MAX_QUERY_BYTES} bytes; use POST.");
            return Err(Problem::new(Code::UriTooLong, detail));
        }
        let pairs = query::decode(text).map_err(|detail| Problem::new(Code::QuerySyntax, detail))?;
        T::deserialize(query::PairsDeserializer::new(&pairs)).map(Self).map_err(|error| {
            let alone = |pair| T::deserialize(query::PairsDeserializer::new(std::slice::from_ref(pair)));
            let entries: Vec<_> = pairs
                .iter()
                .map(|pair| Entry { name: &pair.0, fault: alone(pair).err().map(|error| error.to_string()) })
                .collect();
            diagnosis::blame(diagnosis::field_names::<T>(), &entries, &error.to_string())
        })
    }
}

/// The query string of a `GET` that takes no fields.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct NoFields {}

/// When a request arrived: an argument of a handler that stands before the body, which may take its time to come.
pub(crate) struct Arrived(pub Instant);

impl<S: Sync> FromRequestParts<S> for Arrived {
    type Rejection = Infallible;

    async fn from_request_parts(_: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self(Instant::now()))
    }
}

/// What a body is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Media {
    /// One JSON value.
    Json,
    /// A JSON value a line.
    Lines,
}

/// JSON or lines of it, not compressed.
///
/// # Errors
/// `unsupported_media_type`.
pub(crate) fn media(headers: &HeaderMap) -> Result<Media, Problem> {
    if is_called(essence(headers), LINES) {
        return require_plain(headers).map(|()| Media::Lines);
    }
    let detail = "Send a JSON array of items with `Content-Type: application/json`, or an item a line with \
                  `application/x-ndjson`.";
    require_json(headers, detail).map(|()| Media::Json)
}

/// Whether a body is games as they are, not compressed. What is not, has to be JSON.
///
/// # Errors
/// `unsupported_media_type`.
pub(crate) fn is_pgn(headers: &HeaderMap) -> Result<bool, Problem> {
    if is_called(essence(headers), PGN) {
        return require_plain(headers).map(|()| true);
    }
    let detail = "Send a JSON object with `Content-Type: application/json`, or the games as they are with \
                  `application/x-chess-pgn`.";
    require_json(headers, detail).map(|()| false)
}

/// A content type without its parameters.
fn essence(headers: &HeaderMap) -> &str {
    let content_type = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    content_type.unwrap_or_default().split(';').next().unwrap_or_default().trim_ascii()
}

/// `application/json` (or another `+json`), not compressed; `detail` says what else is taken.
fn require_json(headers: &HeaderMap, detail: &'static str) -> Result<(), Problem> {
    let essence = essence(headers);
    let is_json = is_called(essence, JSON)
        || essence
            .get(essence.len().saturating_sub(5)..)
            .is_some_and(|end| end.eq_ignore_ascii_case("+json"));
    if !is_json {
        return Err(Problem::new(Code::UnsupportedMediaType, detail));
    }
    require_plain(headers)
}

fn require_plain(headers: &HeaderMap) -> Result<(), Problem> {
    match headers.get(header::CONTENT_ENCODING) {
        Some(encoding) if !encoding.as_bytes().eq_ignore_ascii_case(b"identity") => Err(Problem::new(
            Code::UnsupportedMediaType,
            "Send the body uncompressed; `Content-Encoding` is not supported.",
        )),
        _ => Ok(()),
    }
}

/// Reads a body of bounded size in bounded time.
///
/// # Errors
/// `body_too_large`, `request_timeout` or `body_incomplete`.
pub(crate) async fn read(
    body: axum::body::Body,
    max_bytes: usize,
    patience: Duration,
) -> Result<Bytes, Problem> {
    if body.size_hint().lower() > max_bytes as u64 {
        return Err(too_large(max_bytes));
    }
    let mut collected = pin!(Limited::new(body, max_bytes).collect());
    // Most bodies come together with their headers: for them no clock is read and no timer set.
    let at_once = poll_fn(|context| Poll::Ready(collected.as_mut().poll(context))).await;
    let in_time = match at_once {
        Poll::Ready(collected) => Ok(collected),
        Poll::Pending => timeout(patience, collected).await,
    };
    match in_time {
        Ok(Ok(collected)) => Ok(collected.to_bytes()),
        Ok(Err(error)) if error.is::<LengthLimitError>() => Err(too_large(max_bytes)),
        Ok(Err(error)) => Err(incomplete(&error)),
        Err(_) => {
            let detail = format!("The body was not complete after {} seconds.", patience.as_secs());
            Err(Problem::new(Code::RequestTimeout, detail))
        }
    }
}

/// A body that broke off, or whose chunks cannot be read.
pub(crate) fn incomplete(error: &dyn Display) -> Problem {
    let detail =
        format!("The body broke off: {error}. Send it whole, in the framing that its headers announce.");
    Problem::new(Code::BodyIncomplete, detail)
}

fn too_large(max_bytes: usize) -> Problem {
    let detail = format!("The body is larger than {max_bytes} bytes, the most this server takes.");
    Problem::new(Code::BodyTooLarge, detail)
}

#[cfg(test)]
mod tests {
    use std::pin::Pin;
    use std::task::Context;

    use axum::response::IntoResponse;
    use http_body::Frame;

    use super::*;

    /// A client that has promised a body and sends none.
    struct Silence;

    impl HttpBody for Silence {
        type Data = Bytes;
        type Error = Infallible;

        fn poll_frame(
            self: Pin<&mut Self>,
            _: &mut Context<'_>,
        ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
            Poll::Pending
        }
    }

    #[tokio::test]
    async fn a_body_that_never_comes_is_given_up() {
        let problem = read(axum::body::Body::new(Silence), 100, Duration::from_millis(5)).await.unwrap_err();
        assert_eq!(problem.into_response().status(), 408);
    }
}
