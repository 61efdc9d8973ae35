//! A reply as bytes, serialised once.

use axum::body::{Body, Bytes};
use axum::http::{HeaderValue, header};
use axum::response::Response;
use serde::Serialize;

use crate::api::problem::{Code, Problem};
use crate::api::validator::{revalidated, tagged};

/// Room for the usual reply, so that it is written without growing.
const USUAL_BYTES: usize = 1024;

/// The bytes of a reply.
///
/// # Errors
/// `internal` for a value that JSON cannot hold, which no reply has.
pub(crate) fn bytes<T: Serialize>(reply: &T) -> Result<Bytes, Problem> {
    let mut bytes = Vec::with_capacity(USUAL_BYTES);
    match serde_json::to_writer(&mut bytes, reply) {
        Ok(()) => Ok(bytes.into()),
        Err(error) => Err(Problem::new(Code::Internal, format!("The reply cannot be written: {error}."))),
    }
}

/// A reply with status 200 to what has another answer every time.
///
/// # Errors
/// Those of [`bytes`].
pub(crate) fn reply<T: Serialize>(reply: &T) -> Result<Response, Problem> {
    Ok(from_bytes(bytes(reply)?))
}

/// A reply with status 200 that is a pure function of request and version, with a strong validator.
///
/// # Errors
/// Those of [`bytes`].
pub(crate) fn pure<T: Serialize>(reply: &T) -> Result<Response, Problem> {
    let bytes = bytes(reply)?;
    Ok(tagged(from_bytes(bytes.clone()), &bytes))
}

/// The same for what also depends on how this server is set up.
///
/// # Errors
/// Those of [`bytes`].
pub(crate) fn as_set_up<T: Serialize>(reply: &T) -> Result<Response, Problem> {
    let bytes = bytes(reply)?;
    Ok(revalidated(from_bytes(bytes.clone()), &bytes))
}

/// A reply that is written already.
pub(crate) fn from_bytes(bytes: Bytes) -> Response {
    let mut response = Response::new(Body::from(bytes));
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}
