//! How a request is read: when it came (`Arrived`), and the same fields from a body (`Body`) and from a query string
//! (`Query`), with errors that name the field. Good requests take one pass of serde; only those that fail are looked at again.

mod body;
mod diagnosis;
mod query;

use std::convert::Infallible;
use std::error::Error;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::task::Poll;
use std::time::{Duration, Instant};

use axum::body::{Bytes, HttpBody};
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use http_body_util::{BodyExt, Collected, LengthLimitError, Limited};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use tokio::time::error::Elapsed;
use tokio::time::timeout_at;

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
/// How much of a body that is too large is read and thrown away, so that its client hears of it: several times the largest that
/// is taken anywhere, in bytes.
const MOST_DISCARDED: usize = 64 << 20;

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
    let (parts, body) = request.into_parts();
    let bytes = read(&parts.headers, body, max_bytes, BODY_TIMEOUT).await?;
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

/// Reads a body of bounded size in bounded time. What is too large is read on, as far as it is not larger still, and thrown
/// away: of a connection that is closed while its client sends, the client may lose the answer (RFC 9112, section 9.6).
///
/// # Errors
/// `body_too_large`, `request_timeout`, or `json_syntax` for a body that breaks off.
pub(crate) async fn read(
    headers: &HeaderMap,
    mut body: axum::body::Body,
    max_bytes: usize,
    patience: Duration,
) -> Result<Bytes, Problem> {
    let declared = body.size_hint().lower();
    if declared > max_bytes as u64 {
        // Who asks before it sends has not begun, and whose body has no end in sight is not listened to.
        if !headers.contains_key(header::EXPECT) && declared <= MOST_DISCARDED as u64 {
            discard(&mut body, Instant::now() + patience).await;
        }
        return Err(too_large(max_bytes));
    }
    let mut deadline = None;
    match collect(&mut body, max_bytes, patience, &mut deadline).await {
        Ok(Ok(bytes)) => Ok(bytes),
        Ok(Err(error)) if error.is::<LengthLimitError>() => {
            discard(&mut body, deadline.unwrap_or_else(|| Instant::now() + patience)).await;
            Err(too_large(max_bytes))
        }
        Ok(Err(error)) => Err(Problem::new(Code::JsonSyntax, format!("The body broke off: {error}."))),
        Err(_) => {
            let detail = format!("The body was not complete after {} seconds.", patience.as_secs());
            Err(Problem::new(Code::RequestTimeout, detail))
        }
    }
}

/// The whole body, unless it is too large or breaks off, or the deadline passes, which is set where it is waited for.
async fn collect(
    body: &mut axum::body::Body,
    max_bytes: usize,
    patience: Duration,
    deadline: &mut Option<Instant>,
) -> Result<Result<Bytes, Box<dyn Error + Send + Sync>>, Elapsed> {
    let mut collected = pin!(Limited::new(body, max_bytes).collect());
    // Most bodies come together with their headers: for them no clock is read and no timer set.
    let at_once = poll_fn(|context| Poll::Ready(collected.as_mut().poll(context))).await;
    let in_time = match at_once {
        Poll::Ready(collected) => collected,
        Poll::Pending => timeout_at((*deadline.insert(Instant::now() + patience)).into(), collected).await?,
    };
    Ok(in_time.map(Collected::to_bytes))
}

/// Reads on and keeps nothing: to the end, the deadline or the most that is thrown away.
async fn discard(body: &mut axum::body::Body, deadline: Instant) {
    let to_the_end = async {
        let mut discarded = 0;
        while let Some(Ok(frame)) = body.frame().await {
            discarded += frame.data_ref().map_or(0, Bytes::len);
            if discarded > MOST_DISCARDED {
                break;
            }
        }
    };
    let _ = timeout_at(deadline.into(), to_the_end).await;
}

fn too_large(max_bytes: usize) -> Problem {
    let detail = format!("The body is larger than {max_bytes} bytes, the most this server takes.");
    Problem::new(Code::BodyTooLarge, detail)
}

#[cfg(test)]
mod tests {
    use std::pin::Pin;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::task::Context;

    use axum::response::IntoResponse;
    use futures_util::{StreamExt, stream};
    use http_body::{Frame, SizeHint};
    use http_body_util::StreamBody;

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

    const PATIENCE: Duration = Duration::from_millis(50);

    #[tokio::test]
    async fn a_body_that_never_comes_is_given_up() {
        let headers = HeaderMap::new();
        let read = read(&headers, axum::body::Body::new(Silence), 100, PATIENCE);
        assert_eq!(read.await.unwrap_err().into_response().status(), 408);
    }

    /// The pieces of a body that are read of so many of a kibibyte each, and whether that took all the patience there is.
    async fn pieces_read(
        count: usize,
        is_endless: bool,
        expect: Option<&str>,
        declared: bool,
    ) -> (usize, bool) {
        static PIECE: [u8; 1 << 10] = [b' '; 1 << 10];
        let taken = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&taken);
        let pieces = stream::repeat_with(move || {
            counted.fetch_add(1, Ordering::Relaxed);
            Ok::<_, Infallible>(Frame::data(Bytes::from_static(&PIECE)))
        });
        let silence = stream::pending().take(usize::from(is_endless));
        let body = StreamBody::new(pieces.take(count).chain(silence));
        let hint = SizeHint::with_exact((count << 10) as u64);
        let body =
            if declared { axum::body::Body::new(Declared(body, hint)) } else { axum::body::Body::new(body) };
        let mut headers = HeaderMap::new();
        headers.extend(expect.map(|value| (header::EXPECT, value.parse().unwrap())));
        let begun = Instant::now();
        let problem = read(&headers, body, 2 << 10, PATIENCE).await.unwrap_err();
        assert_eq!(problem.code(), Code::BodyTooLarge);
        (taken.load(Ordering::Relaxed), begun.elapsed() >= PATIENCE)
    }

    #[tokio::test]
    async fn what_is_too_large_is_read_on_within_bounds() {
        let most = MOST_DISCARDED >> 10;
        for declared in [false, true] {
            assert_eq!(pieces_read(5_000, false, None, declared).await, (5_000, false), "to its end");
            assert_eq!(pieces_read(5, true, None, declared).await, (5, true), "and no longer than others");
        }
        let (beyond, _) = pieces_read(2 * most, false, None, false).await;
        assert!((most..most + 5).contains(&beyond), "{beyond}");
        assert_eq!(
            pieces_read(2 * most, false, None, true).await,
            (0, false),
            "it would not be read to its end"
        );
        assert_eq!(pieces_read(5, false, Some("100-continue"), true).await, (0, false), "it is not sent yet");
    }

    /// A body of which it is known how long it is.
    struct Declared<B>(B, SizeHint);

    impl<B: HttpBody<Data = Bytes> + Unpin> HttpBody for Declared<B> {
        type Data = Bytes;
        type Error = B::Error;

        fn poll_frame(
            mut self: Pin<&mut Self>,
            context: &mut Context<'_>,
        ) -> Poll<Option<Result<Frame<Bytes>, B::Error>>> {
            Pin::new(&mut self.0).poll_frame(context)
        }

        fn size_hint(&self) -> SizeHint {
            self.1
        }
    }
}
