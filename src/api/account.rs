//! What is kept of a request until it is over: for its id, its counters and its line of log.

use std::borrow::Cow;
use std::hash::{BuildHasher, RandomState};
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock};
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::Request;
use axum::http::{HeaderName, HeaderValue, Method, StatusCode, Uri};
use axum::response::Response;
use http_body::{Frame, SizeHint};
use opentelemetry_http::HeaderExtractor;
use tracing::field;

use crate::api::caller::{Asker, Encrypted, Peer};
use crate::api::metrics::{Requests, Route, StreamEnd, method_name};
use crate::api::problem::Fault;
use crate::api::protection::protect;
use crate::api::stream::Lasting;
use crate::api::validator::{Condition, hexadecimal};
use crate::config::AccessLog;
use crate::telemetry::{Entered, Trace, TracedRequest, Traces};

/// The header that carries the id of a request, in both directions.
pub(crate) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// What nginx calls the status of a request whose client left before the answer.
const CLIENT_LEFT: u16 = 499;

/// A line of log about a request, by OpenTelemetry's names where it has them. What a client sent is always a field of
/// text, whose control characters the log escapes.
macro_rules! write_line {
    ($level:path, $account:expr, $status:expr, $after:expr $(, $name:ident = $value:expr)*) => {
        $level!(
            request_id = $account.id.to_str().unwrap_or_default(),
            http.request.method = method_name(&$account.method),
            http.route = $account.route.name(),
            url.path = &*printable($account.uri.path()),
            http.response.status_code = $status,
            http.server.request.duration = $after.as_secs_f64(),
            network.peer.address = $account.peer.map(field::display),
            client.address = $account.asker.address.map(field::display),
            api_key = $account.asker.key.as_deref(),
            trace_id = $account.trace.as_ref().map(Trace::id),
            $($name = $value,)*
            "request"
        )
    };
}

/// Who keeps accounts of requests; a clone is a pointer.
#[derive(Clone)]
pub(crate) struct Accounting(Arc<Books>);

struct Books {
    requests: Arc<Requests>,
    access_log: AccessLog,
    traces: Option<Traces>,
}

/// What is remembered of a request until it is over.
pub(super) struct Account {
    accounting: Accounting,
    arrived: Instant,
    id: HeaderValue,
    method: Method,
    uri: Uri,
    route: Route,
    peer: Option<IpAddr>,
    asker: Asker,
    condition: Condition,
    trace: Option<Trace>,
}

impl Accounting {
    pub(super) fn new(requests: Arc<Requests>, access_log: AccessLog, traces: Option<Traces>) -> Self {
        Self(Arc::new(Books { requests, access_log, traces }))
    }

    /// Opens the account of a request that has just arrived, of whose body is counted from now on what is read.
    pub(super) fn open(&self, request: Request) -> (Account, Request) {
        let account = self.account(&request);
        if request.body().is_end_stream() {
            return (account, request);
        }
        let (accounting, route) = (self.clone(), account.route);
        (account, request.map(|body| Body::new(Incoming { body, accounting, route })))
    }

    fn account(&self, request: &Request) -> Account {
        let theirs = request.headers().get(REQUEST_ID).filter(|id| is_sane(id));
        let route = Route::of(request.uri().path());
        Account {
            accounting: self.clone(),
            arrived: Instant::now(),
            id: theirs.cloned().unwrap_or_else(fresh_id),
            method: request.method().clone(),
            uri: request.uri().clone(),
            route,
            peer: request.extensions().get().map(|Peer(address)| address.to_canonical()),
            asker: Asker::default(),
            condition: Condition::of(request.method(), request.headers()),
            trace: self.trace(request, route),
        }
    }

    /// The trace of the request: one of our own where there is a collector; else the caller's, where a line of log will
    /// name it.
    fn trace(&self, request: &Request, route: Route) -> Option<Trace> {
        let headers = HeaderExtractor(request.headers());
        match &self.0.traces {
            Some(traces) => {
                let (method, path) = (method_name(request.method()), request.uri().path());
                let scheme = scheme(request);
                Some(traces.begin(&TracedRequest { method, route: route.name(), scheme, path }, &headers))
            }
            None if self.0.access_log > AccessLog::Faults => Trace::followed(&headers),
            None => None,
        }
    }
}

/// How the request came to this service, whatever its client said to a proxy.
fn scheme(request: &Request) -> &'static str {
    if request.extensions().get::<Encrypted>().is_some() { "https" } else { "http" }
}

impl Account {
    /// Makes the trace of the request that of the calling thread.
    pub(super) fn enter(&self) -> Option<Entered> {
        self.trace.as_ref().map(Trace::enter)
    }

    /// Sends the id back, with the reply or with the word that the client has it already. Counts the reply and writes its
    /// line of log: now if its body is at hand, and else when the body has come to its end.
    pub(super) fn close(mut self, mut response: Response) -> Response {
        self.asker = response.extensions_mut().remove().unwrap_or_default();
        protect(&self.method, response.headers_mut());
        self.condition.settle(&mut response);
        response.headers_mut().insert(REQUEST_ID, self.id.clone());
        let (status, after) = (response.status(), self.arrived.elapsed());
        let requests = &self.accounting.0.requests;
        requests.answered(self.route, &self.method, status, after);
        let fault = response.extensions_mut().remove();
        if let Some(bytes) = response.body().size_hint().exact() {
            requests.sent(self.route, bytes);
            self.log(status, after, fault);
            self.end_trace(Some(status));
            return response;
        }
        let lasting = response.extensions().get::<Lasting>().copied();
        if lasting.is_some() {
            requests.stream_opened(self.route);
        }
        response
            .map(|body| Body::new(Outgoing { body, account: self, status, fault, lasting, is_whole: false }))
    }

    /// The client left before the answer began.
    pub(super) fn abandon(self) {
        self.accounting.0.requests.abandoned(self.route);
        self.log_client_left(self.arrived.elapsed());
        self.end_trace(None);
    }

    fn end_trace(&self, status: Option<StatusCode>) {
        if let Some(trace) = &self.trace {
            trace.end(status.map(|status| status.as_u16()));
        }
    }

    /// The line of log of an answer that went out. A full queue and a search that ran out of time are answers like others;
    /// only a fault is somebody's work.
    fn log(&self, status: StatusCode, after: Duration, fault: Option<Fault>) {
        let access_log = self.accounting.0.access_log;
        if let Some(Fault(fault)) = fault {
            write_line!(tracing::error, self, status.as_u16(), after, fault = fault.as_ref());
        } else if access_log == AccessLog::All && self.route.is_polled() {
            write_line!(tracing::debug, self, status.as_u16(), after);
        } else if access_log == AccessLog::All || access_log == AccessLog::Errors && status.as_u16() >= 400 {
            write_line!(tracing::info, self, status.as_u16(), after);
        }
    }

    fn log_client_left(&self, after: Duration) {
        if self.accounting.0.access_log >= AccessLog::Errors {
            write_line!(tracing::info, self, CLIENT_LEFT, after, client_left = true);
        }
    }
}

/// A body on its way in. What it announces says nothing of what comes.
struct Incoming {
    body: Body,
    accounting: Accounting,
    route: Route,
}

impl HttpBody for Incoming {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let piece = ready!(Pin::new(&mut self.body).poll_frame(context));
        if let Some(Ok(frame)) = &piece {
            let bytes = frame.data_ref().map_or(0, Bytes::len) as u64;
            self.accounting.0.requests.received(self.route, bytes);
        }
        Poll::Ready(piece)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// A body on its way out whose length is not known when it begins.
struct Outgoing {
    body: Body,
    account: Account,
    status: StatusCode,
    fault: Option<Fault>,
    lasting: Option<Lasting>,
    is_whole: bool,
}

impl HttpBody for Outgoing {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let _entered = self.account.enter();
        let piece = ready!(Pin::new(&mut self.body).poll_frame(context));
        match &piece {
            Some(Ok(frame)) => {
                let bytes = frame.data_ref().map_or(0, Bytes::len) as u64;
                self.account.accounting.0.requests.sent(self.account.route, bytes);
            }
            Some(Err(_)) => {}
            None => self.is_whole = true,
        }
        Poll::Ready(piece)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Drop for Outgoing {
    fn drop(&mut self) {
        let fault = self.fault.take();
        let (account, after) = (&self.account, self.account.arrived.elapsed());
        let end = if self.is_whole || self.body.is_end_stream() { StreamEnd::Told } else { StreamEnd::Left };
        if self.lasting.is_some() {
            account.accounting.0.requests.stream_ended(account.route, end, after);
        }
        // A fault is told even where the client has left.
        match end {
            StreamEnd::Left if fault.is_none() => {
                account.log_client_left(after);
                account.end_trace(None);
            }
            StreamEnd::Told | StreamEnd::Left => {
                account.log(self.status, after, fault);
                account.end_trace(Some(self.status));
            }
        }
    }
}

/// A path may have what no terminal should be shown.
fn printable(path: &str) -> Cow<'_, str> {
    if path.bytes().all(|byte| byte.is_ascii_graphic()) {
        Cow::Borrowed(path)
    } else {
        Cow::Owned(path.escape_default().to_string())
    }
}

/// A client's id is kept if it is short and harmless in a log.
fn is_sane(id: &HeaderValue) -> bool {
    let bytes = id.as_bytes();
    (1..=64).contains(&bytes.len())
        && bytes.iter().all(|byte| byte.is_ascii_alphanumeric() || b"-_.:/+=".contains(byte))
}

/// An id that no other request of this or another process has: a counter, scrambled by the process's own entropy.
fn fresh_id() -> HeaderValue {
    static START: LazyLock<RandomState> = LazyLock::new(RandomState::new);
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let scrambled = START.hash_one(COUNT.fetch_add(1, Ordering::Relaxed));
    HeaderValue::from_bytes(&hexadecimal(scrambled)).unwrap_or_else(|_| HeaderValue::from_static("0"))
}

#[cfg(test)]
mod tests {
    use axum::body::Body;

    use super::{Encrypted, Request, printable, scheme};

    #[test]
    fn a_path_in_the_log_is_plain() {
        assert_eq!(printable("/v1/board.svg%0a"), "/v1/board.svg%0a");
        assert_eq!(printable("/\u{7f}\u{9b}2J\u{202e}é"), r"/\u{7f}\u{9b}2J\u{202e}\u{e9}");
    }

    #[test]
    fn the_scheme_is_that_of_the_connection() {
        let mut request = Request::new(Body::empty());
        *request.uri_mut() = "https://example.org/".parse().unwrap();
        assert_eq!(scheme(&request), "http");
        request.extensions_mut().insert(Encrypted);
        assert_eq!(scheme(&request), "https");
    }
}
