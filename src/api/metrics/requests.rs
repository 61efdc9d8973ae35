//! What is counted of each request.
//!
//! A request costs some ten relaxed atomic operations here, no lock and no allocation but the first of its kind: a row
//! of counters, one for each status, is made when a route is first asked by a method. Whatever clients send, there are no
//! more rows than routes times methods.

use std::array;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::Duration;

use axum::http::{Method, StatusCode};
use prometheus::core::Metric;
use prometheus::{Histogram, HistogramOpts};

use super::page::Page;
use super::route::{METHODS, Route, STATUSES, method_index, status_index, status_name};

/// Upper bounds of the times from a request to its answer, in seconds: from a static evaluation to the longest search.
const DURATIONS: [f64; 18] = [
    0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0,
    10.0, 30.0, 60.0,
];

/// Upper bounds of the times for which a reply is told, in seconds.
const STREAMED: [f64; 9] = [0.01, 0.1, 1.0, 5.0, 15.0, 60.0, 300.0, 1_800.0, 7_200.0];

/// The counters of all requests.
pub(crate) struct Requests {
    answered: [[OnceLock<Row>; METHODS.len()]; Route::COUNT],
    routes: [OfRoute; Route::COUNT],
}

/// One route and method: a counter for each status.
type Row = Box<[AtomicU64; STATUSES]>;

/// What is counted of a route.
struct OfRoute {
    durations: Histogram,
    received_bytes: AtomicU64,
    sent_bytes: AtomicU64,
    abandoned: AtomicU64,
    open_streams: AtomicI64,
    streamed: Histogram,
    broken_streams: AtomicU64,
}

/// A counter of a route: name, meaning and where it is.
type Counter = (&'static str, &'static str, fn(&OfRoute) -> &AtomicU64);

const COUNTERS: [Counter; 4] = [
    (
        "centipawn_http_streams_abandoned_total",
        "Answers told piece by piece whose client left before the end.",
        |route| &route.broken_streams,
    ),
    (
        "centipawn_http_requests_abandoned_total",
        "Requests whose client left before the answer began.",
        |route| &route.abandoned,
    ),
    ("centipawn_http_request_body_bytes_total", "Bytes of request bodies that were read.", |route| {
        &route.received_bytes
    }),
    (
        "centipawn_http_response_body_bytes_total",
        "Bytes of bodies that were handed to connections.",
        |route| &route.sent_bytes,
    ),
];

/// How a reply that was told piece by piece came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StreamEnd {
    /// With its last piece.
    Told,
    /// Its client left before that.
    Left,
}

impl Requests {
    /// Nothing counted yet.
    pub(crate) fn new() -> Self {
        Self {
            answered: array::from_fn(|_| array::from_fn(|_| OnceLock::new())),
            routes: array::from_fn(|_| OfRoute {
                durations: histogram(&DURATIONS),
                received_bytes: AtomicU64::new(0),
                sent_bytes: AtomicU64::new(0),
                abandoned: AtomicU64::new(0),
                open_streams: AtomicI64::new(0),
                streamed: histogram(&STREAMED),
                broken_streams: AtomicU64::new(0),
            }),
        }
    }

    /// A request was answered, or its answer begun, so long after its arrival.
    pub(crate) fn answered(&self, route: Route, method: &Method, status: StatusCode, after: Duration) {
        let row = self.answered[route.index()][method_index(method)]
            .get_or_init(|| Box::new(array::from_fn(|_| AtomicU64::new(0))));
        add(&row[status_index(status)], 1);
        self.of(route).durations.observe(after.as_secs_f64());
    }

    /// A client left before its answer began.
    pub(crate) fn abandoned(&self, route: Route) {
        add(&self.of(route).abandoned, 1);
    }

    /// So many bytes of a body were read.
    pub(crate) fn received(&self, route: Route, bytes: u64) {
        add(&self.of(route).received_bytes, bytes);
    }

    /// So many bytes of a body were handed to the connection.
    pub(crate) fn sent(&self, route: Route, bytes: u64) {
        add(&self.of(route).sent_bytes, bytes);
    }

    /// A reply begins to be told piece by piece.
    pub(crate) fn stream_opened(&self, route: Route) {
        self.of(route).open_streams.fetch_add(1, Ordering::Relaxed);
    }

    /// It ended, so long after the arrival of its request.
    pub(crate) fn stream_ended(&self, route: Route, how: StreamEnd, after: Duration) {
        let of_route = self.of(route);
        of_route.open_streams.fetch_sub(1, Ordering::Relaxed);
        of_route.streamed.observe(after.as_secs_f64());
        if how == StreamEnd::Left {
            add(&of_route.broken_streams, 1);
        }
    }

    /// Shows what was counted; a route that nobody has asked for is left out.
    pub(super) fn show(&self, page: &mut Page) {
        self.show_answers(page);
        let asked: Vec<_> = Route::all()
            .filter(|route| self.is_asked(*route))
            .map(|route| ([("route", route.name())], self.of(route)))
            .collect();
        let of = |read: fn(&OfRoute) -> &Histogram| {
            asked
                .iter()
                .map(move |(labels, counted)| (&labels[..], read(counted).metric().get_histogram().clone()))
        };
        let meaning = "Time from the head of a request to its answer, or to the beginning of one that is told piece by piece.";
        page.histogram("centipawn_http_request_duration_seconds", meaning, of(|route| &route.durations));
        let streamed = of(|route| &route.streamed).filter(|(_, told)| told.get_sample_count() > 0);
        let meaning = "Time from the head of a request to the end of an answer that is told piece by piece.";
        page.histogram("centipawn_http_stream_duration_seconds", meaning, streamed);
        let open = asked
            .iter()
            .map(|(labels, counted)| (&labels[..], counted.open_streams.load(Ordering::Relaxed) as f64));
        page.gauge(
            "centipawn_http_streams_open",
            "Answers that are told piece by piece at this moment.",
            open,
        );
        for (name, meaning, counter) in COUNTERS {
            let samples = asked.iter().map(|(labels, counted)| (&labels[..], read(counter(counted))));
            page.counter(name, meaning, samples);
        }
    }

    fn show_answers(&self, page: &mut Page) {
        let rows = Route::all().flat_map(|route| {
            let rows = METHODS.iter().zip(&self.answered[route.index()]);
            rows.filter_map(move |(method, row)| Some((route, *method, row.get()?)))
        });
        let counts: Vec<_> = rows
            .flat_map(|(route, method, row)| {
                let counted = row.iter().enumerate().filter(|(_, count)| count.load(Ordering::Relaxed) > 0);
                counted.map(move |(status, count)| (route.name(), method, status_name(status), read(count)))
            })
            .collect();
        let labelled: Vec<_> = counts
            .iter()
            .map(|(route, method, status, count)| {
                ([("route", *route), ("method", *method), ("status", status.as_str())], *count)
            })
            .collect();
        let samples = labelled.iter().map(|(labels, count)| (&labels[..], *count));
        page.counter("centipawn_http_requests_total", "Requests that were answered.", samples);
    }

    fn is_asked(&self, route: Route) -> bool {
        self.answered[route.index()].iter().any(|row| row.get().is_some())
            || self.of(route).abandoned.load(Ordering::Relaxed) > 0
    }

    fn of(&self, route: Route) -> &OfRoute {
        &self.routes[route.index()]
    }
}

/// # Panics
/// If the bounds do not rise, which a test of any request would show.
fn histogram(bounds: &[f64]) -> Histogram {
    let options = HistogramOpts::new("centipawn", "shown under another name").buckets(bounds.to_vec());
    Histogram::with_opts(options).unwrap_or_else(|error| panic!("{error}"))
}

fn add(counter: &AtomicU64, more: u64) {
    counter.fetch_add(more, Ordering::Relaxed);
}

fn read(counter: &AtomicU64) -> f64 {
    counter.load(Ordering::Relaxed) as f64
}
