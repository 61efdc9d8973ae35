//! `GET /metrics`: what the service counts about itself, in the text format of Prometheus.

use std::collections::BTreeMap;
use std::fmt::Write;

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use utoipa::IntoResponses;
use utoipa::openapi::{RefOr, Response as Documented};

use crate::api::AppState;
use crate::api::problem::problems;
use crate::pool::{ResultsSnapshot, Snapshot};

/// The text format, in the version that everybody reads.
const MEDIA_TYPE: &str = "text/plain; version=0.0.4; charset=utf-8";

struct MetricsProblems;

impl IntoResponses for MetricsProblems {
    fn responses() -> BTreeMap<String, RefOr<Documented>> {
        problems(&[500])
    }
}

/// Metrics
///
/// The pools' and the result cache's counters and gauges, for Prometheus.
#[utoipa::path(
    get, path = "/metrics", tag = "service", operation_id = "getMetrics",
    responses(
        (status = 200, description = "The metrics, as text.", body = String, content_type = "text/plain"),
        MetricsProblems
    )
)]
pub(crate) async fn get(State(state): State<AppState>) -> Response {
    let pools = state.pools();
    let mut page = Page::default();
    page.pools(&[("interactive", pools.interactive.snapshot()), ("bulk", pools.bulk.snapshot())]);
    if let Some(results) = &pools.results {
        page.results(results.snapshot());
    }
    ([(header::CONTENT_TYPE, MEDIA_TYPE)], page.0).into_response()
}

/// What is told of each pool: kind, name, meaning and value.
type PoolMetric = (&'static str, &'static str, &'static str, fn(&Snapshot) -> u64);

const POOL_METRICS: [PoolMetric; 11] = [
    ("gauge", "waiting", "Tasks that wait for a thread.", |pool| pool.waiting),
    ("gauge", "running", "Tasks that run.", |pool| pool.running),
    ("counter", "accepted_total", "Tasks taken in.", |pool| pool.accepted),
    ("counter", "refused_total", "Tasks turned away.", |pool| pool.refused),
    ("counter", "completed_total", "Tasks that gave their answer.", |pool| pool.completed),
    ("counter", "deadline_hits_total", "Of the completed: those ended by their deadline.", |pool| {
        pool.deadline_hits
    }),
    ("counter", "cancelled_total", "Tasks whose client left.", |pool| pool.cancelled),
    ("counter", "expired_total", "Tasks whose deadline passed while they waited.", |pool| pool.expired),
    (
        "counter",
        "displaced_total",
        "Tasks that gave their place in a full queue to a client who had fewer there.",
        |pool| pool.displaced,
    ),
    ("counter", "drained_total", "Tasks given up at the end of a drain.", |pool| pool.drained),
    ("counter", "panicked_total", "Tasks that panicked.", |pool| pool.panicked),
];

/// The text as it grows.
#[derive(Default)]
struct Page(String);

impl Page {
    fn pools(&mut self, pools: &[(&str, Snapshot); 2]) {
        for (kind, name, meaning, value) in POOL_METRICS {
            let values =
                pools.each_ref().map(|(pool, snapshot)| (format!("{{pool=\"{pool}\"}}"), value(snapshot)));
            self.metric(kind, &format!("pool_tasks_{name}"), meaning, &values);
        }
    }

    fn results(&mut self, results: ResultsSnapshot) {
        let outcomes = [("hit", results.hits), ("miss", results.misses), ("coalesced", results.joined)]
            .map(|(outcome, count)| (format!("{{outcome=\"{outcome}\"}}"), count));
        let single = |value| [(String::new(), value)];
        let meaning = "Deterministic searches asked for: found, searched for, or joined while they ran.";
        self.metric("counter", "result_cache_requests_total", meaning, &outcomes);
        let meaning = "Results given up for want of room.";
        self.metric("counter", "result_cache_evictions_total", meaning, &single(results.evicted));
        self.metric("gauge", "result_cache_entries", "Results that are kept.", &single(results.entries));
        self.metric("gauge", "result_cache_bytes", "Their size in bytes.", &single(results.bytes));
    }

    /// A metric with its values, each with its labels.
    fn metric(&mut self, kind: &str, name: &str, meaning: &str, values: &[(String, u64)]) {
        let mut told = format!("# HELP centipawn_{name} {meaning}\n# TYPE centipawn_{name} {kind}\n");
        for (labels, value) in values {
            // Text takes whatever is written.
            let _ = writeln!(told, "centipawn_{name}{labels} {value}");
        }
        self.0 += &told;
    }
}
