//! Traces: what a request spent its time on, told to a collector by OTLP where one is configured.
//!
//! Nobody waits for the collector. Finished spans go into a bounded queue, and a thread of its own sends them in batches;
//! where the queue is full they are dropped. Without a collector nothing of this runs.

mod client;
mod endpoint;

use std::cell::RefCell;
use std::env;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime};

use opentelemetry::propagation::{Extractor, TextMapPropagator};
use opentelemetry::trace::{SpanKind, Status, TraceContextExt, Tracer, TracerProvider};
use opentelemetry::{Context, KeyValue};
use opentelemetry_otlp::{SpanExporter, WithExportConfig, WithHttpConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::{Sampler, SdkTracer, SdkTracerProvider};

use crate::config::TelemetryOptions;
use client::Client;
pub use client::failed_exports;
pub use endpoint::TracesError;

/// Searches of one request that get spans of their own: a batch may make a million.
const MOST_SEARCHES: u64 = 64;

/// At the end, how long the last spans may take to be sent.
const FAREWELL: Duration = Duration::from_secs(2);

/// The way to the collector; a clone is a pointer.
#[derive(Clone)]
pub struct Traces {
    provider: SdkTracerProvider,
    tracer: SdkTracer,
}

impl Traces {
    /// Starts the thread that sends spans, where a collector is configured. Beside our settings OpenTelemetry's own
    /// variables count: the endpoint, the sampler, headers, batches, resource.
    ///
    /// # Errors
    /// [`TracesError`] if the collector's address is none, or the library cannot use its variables.
    pub fn start(options: &TelemetryOptions) -> Result<Option<Self>, TracesError> {
        let Some(endpoint) = endpoint::configured(options.otlp_endpoint.as_deref())? else { return Ok(None) };
        let exporter = SpanExporter::builder()
            .with_http()
            .with_http_client(Client)
            .with_endpoint(endpoint)
            .build()
            .map_err(|error| TracesError::Unusable(error.to_string()))?;
        let mut resource =
            Resource::builder().with_attribute(KeyValue::new("service.version", env!("CARGO_PKG_VERSION")));
        if env::var_os("OTEL_SERVICE_NAME").is_none() {
            resource = resource.with_service_name(env!("CARGO_PKG_NAME"));
        }
        let mut provider =
            SdkTracerProvider::builder().with_batch_exporter(exporter).with_resource(resource.build());
        if let Some(ratio) = options.trace_ratio {
            // Who calls decides, if it is part of a trace already; by lot only where the trace begins here.
            let by_lot = Sampler::TraceIdRatioBased(ratio);
            provider = provider.with_sampler(Sampler::ParentBased(Box::new(by_lot)));
        }
        let provider = provider.build();
        let tracer = provider.tracer(env!("CARGO_PKG_NAME"));
        Ok(Some(Self { provider, tracer }))
    }

    /// Begins the span of a request that has just arrived, below the one that its headers name.
    #[must_use]
    pub fn begin(&self, request: &TracedRequest<'_>, headers: &dyn Extractor) -> Trace {
        let began = (Instant::now(), SystemTime::now());
        let parent = TraceContextPropagator::new().extract_with_context(&Context::new(), headers);
        let span = self
            .tracer
            .span_builder(format!("{} {}", request.method, request.route))
            .with_kind(SpanKind::Server)
            .with_start_time(began.1)
            .with_attributes([
                KeyValue::new("http.request.method", request.method),
                KeyValue::new("http.route", request.route),
                KeyValue::new("url.path", request.path.to_owned()),
                KeyValue::new("url.scheme", request.scheme),
            ])
            .start_with_context(&self.tracer, &parent);
        Trace::new(Some(self.tracer.clone()), parent.with_span(span), began)
    }

    /// Sends what is left, and takes no longer than two seconds. Spans that end later are lost.
    pub fn finish(&self) {
        // Whether the collector took it changes nothing.
        let _ = self.provider.shutdown_with_timeout(FAREWELL);
    }
}

/// What the span of a request says of it at its beginning.
#[derive(Clone, Copy, Debug)]
pub struct TracedRequest<'a> {
    /// The method, from a fixed set.
    pub method: &'static str,
    /// The route, from a fixed set.
    pub route: &'static str,
    /// `http` or `https`.
    pub scheme: &'static str,
    /// The path as it was sent.
    pub path: &'a str,
}

/// The trace of one request; a clone is a pointer.
#[derive(Clone)]
pub struct Trace(Arc<OfRequest>);

struct OfRequest {
    /// None where the trace is another's, and only followed for the log.
    tracer: Option<SdkTracer>,
    /// With the span of the request, or the caller's.
    context: Context,
    began: (Instant, SystemTime),
    searches: AtomicU64,
}

thread_local! {
    static CURRENT: RefCell<Option<Trace>> = const { RefCell::new(None) };
}

impl Trace {
    fn new(tracer: Option<SdkTracer>, context: Context, began: (Instant, SystemTime)) -> Self {
        Self(Arc::new(OfRequest { tracer, context, began, searches: AtomicU64::new(0) }))
    }

    /// The trace that a request is part of by its headers, where this service adds nothing to it.
    #[must_use]
    pub fn followed(headers: &dyn Extractor) -> Option<Self> {
        let context = TraceContextPropagator::new().extract_with_context(&Context::new(), headers);
        context.has_active_span().then(|| Self::new(None, context, (Instant::now(), SystemTime::now())))
    }

    /// The trace of the request that the calling thread is at work on, if it has one.
    #[must_use]
    pub fn current() -> Option<Self> {
        CURRENT.with_borrow(Clone::clone)
    }

    /// Makes this the trace of what the calling thread does, until the guard is dropped.
    pub fn enter(&self) -> Entered {
        Entered(CURRENT.replace(Some(self.clone())))
    }

    /// The id, in hexadecimal, under which a collector has the trace.
    #[must_use]
    pub fn id(&self) -> String {
        self.0.context.span().span_context().trace_id().to_string()
    }

    /// Adds a search that has just ended: its wait for a thread, from `asked` on, and the search itself.
    pub fn add_search(&self, asked: Instant, search: &TracedSearch) {
        let OfRequest { tracer, context, searches, .. } = &*self.0;
        let Some(tracer) = tracer else { return };
        let is_one_too_many = searches.fetch_add(1, Ordering::Relaxed) >= MOST_SEARCHES;
        if is_one_too_many || !context.span().span_context().is_sampled() {
            return;
        }
        let ended = Instant::now();
        let begun = ended.checked_sub(search.searched).unwrap_or(asked).max(asked);
        let attributes = [
            KeyValue::new("centipawn.nodes", i64::try_from(search.nodes).unwrap_or(i64::MAX)),
            KeyValue::new("centipawn.depth", i64::from(search.depth)),
        ];
        for (name, from, to, attributes) in
            [("queue", asked, begun, &[][..]), ("search", begun, ended, &attributes[..])]
        {
            let span = tracer
                .span_builder(name)
                .with_kind(SpanKind::Internal)
                .with_start_time(self.time(from))
                .with_attributes(attributes.iter().cloned())
                .start_with_context(tracer, context);
            context.with_span(span).span().end_with_timestamp(self.time(to));
        }
    }

    /// Ends the span of the request; without a status its client left before the answer.
    pub fn end(&self, status: Option<u16>) {
        let OfRequest { tracer, context, searches, .. } = &*self.0;
        if tracer.is_none() {
            return;
        }
        let span = context.span();
        match status {
            Some(status) => {
                span.set_attribute(KeyValue::new("http.response.status_code", i64::from(status)));
                if status >= 500 {
                    span.set_attribute(KeyValue::new("error.type", status.to_string()));
                    span.set_status(Status::error(""));
                }
            }
            None => span.set_attribute(KeyValue::new("error.type", "client_left")),
        }
        let searches = searches.load(Ordering::Relaxed);
        if searches > 0 {
            span.set_attribute(KeyValue::new(
                "centipawn.searches",
                i64::try_from(searches).unwrap_or(i64::MAX),
            ));
        }
        span.end_with_timestamp(self.time(Instant::now()));
    }

    /// The time of day, by the clock that nobody sets from the beginning of the request on.
    fn time(&self, at: Instant) -> SystemTime {
        let (instant, time) = self.0.began;
        time + at.saturating_duration_since(instant)
    }
}

/// What the span of a search says of it.
#[derive(Clone, Copy, Debug)]
pub struct TracedSearch {
    /// How long it took, without its wait.
    pub searched: Duration,
    /// Positions.
    pub nodes: u64,
    /// Plies of the last iteration that it finished.
    pub depth: u8,
}

/// Until this is dropped, a trace is that of the thread.
#[must_use = "dropping it leaves the trace"]
pub struct Entered(Option<Trace>);

impl Drop for Entered {
    fn drop(&mut self) {
        CURRENT.set(self.0.take());
    }
}
