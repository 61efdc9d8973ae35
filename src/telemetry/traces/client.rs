//! How spans get to the collector: a connection for each batch, which comes every few seconds.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use http_body_util::{BodyExt, Full, Limited};
use hyper::client::conn::http1;
use hyper::header::{HOST, HeaderValue};
use hyper::{Request, Response, Uri};
use hyper_util::rt::TokioIo;
use opentelemetry_http::{Bytes, HttpClient, HttpError};
use tokio::net::TcpStream;
use tokio::runtime;
use tokio::time::timeout;

/// How long a batch may take, from the connection to the last byte of the answer.
const PATIENCE: Duration = Duration::from_secs(5);

/// The longest answer that is read: what counts in it is a line or two.
const MOST_BYTES: usize = 64 << 10;

static FAILED: AtomicU64 = AtomicU64::new(0);

/// Batches of spans that the collector did not take, since the start.
#[must_use]
pub fn failed_exports() -> u64 {
    FAILED.load(Ordering::Relaxed)
}

/// The client. It does its work on the thread that asks for it, which is one of the library's that has nothing else to do.
#[derive(Debug)]
pub(super) struct Client;

#[async_trait]
impl HttpClient for Client {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let outcome = send(request);
        if !outcome.as_ref().is_ok_and(|response| response.status().is_success()) {
            FAILED.fetch_add(1, Ordering::Relaxed);
        }
        outcome
    }
}

fn send(request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
    let event_loop = runtime::Builder::new_current_thread().enable_all().build()?;
    event_loop.block_on(async { timeout(PATIENCE, exchange(request)).await? })
}

async fn exchange(mut request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
    let uri = request.uri().clone();
    let host = uri.host().ok_or("an address without a host")?.trim_matches(['[', ']']);
    let stream = TcpStream::connect((host, uri.port_u16().unwrap_or(80))).await?;
    let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
    if let Some(authority) = uri.authority() {
        request.headers_mut().insert(HOST, HeaderValue::from_str(authority.as_str())?);
    }
    // A server is asked for the path alone.
    *request.uri_mut() = uri.path_and_query().map_or_else(Uri::default, |path| path.clone().into());
    let connection = tokio::spawn(connection);
    let (parts, body) = sender.send_request(request.map(Full::new)).await?.into_parts();
    let bytes = Limited::new(body, MOST_BYTES).collect().await?.to_bytes();
    connection.abort();
    Ok(Response::from_parts(parts, bytes))
}
