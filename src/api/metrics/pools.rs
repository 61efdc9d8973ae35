//! What the pools and the cache of results count, as metrics.

use prometheus::proto;

use super::page::{Page, histogram};
use crate::pool::{
    BreakerState, DEPTH_BOUNDS_PLIES, Histogram, Pools, Refusals, ResultsSnapshot, SearchSnapshot,
    SecondLevelSnapshot, Snapshot, TIME_BOUNDS_MICROS, Times,
};

/// One reading of a pool.
struct Reading {
    tasks: Snapshot,
    times: Times,
    searches: SearchSnapshot,
}

/// What is told of each pool: name, meaning and value.
type OfPool<T> = (&'static str, &'static str, fn(&Reading) -> T);

const GAUGES: [OfPool<f64>; 5] = [
    ("centipawn_pool_tasks_waiting", "Tasks that wait for a thread.", |pool| pool.tasks.waiting as f64),
    ("centipawn_pool_tasks_running", "Tasks that run.", |pool| pool.tasks.running as f64),
    ("centipawn_pool_workers", "Threads that there should be.", |pool| pool.tasks.workers as f64),
    ("centipawn_pool_workers_fit", "Threads that are there and stop when they are told to.", |pool| {
        pool.tasks.fit as f64
    }),
    ("centipawn_table_fill_ratio", "How full the transposition table is.", |pool| {
        f64::from(pool.searches.hashfull) / 1000.0
    }),
];

const COUNTERS: [OfPool<f64>; 11] = [
    ("centipawn_pool_tasks_accepted_total", "Tasks taken in.", |pool| pool.tasks.accepted as f64),
    ("centipawn_pool_tasks_completed_total", "Tasks that gave their answer.", |pool| {
        pool.tasks.completed as f64
    }),
    (
        "centipawn_pool_tasks_deadline_hits_total",
        "Of the completed: those ended by their deadline.",
        |pool| pool.tasks.deadline_hits as f64,
    ),
    ("centipawn_pool_tasks_cancelled_total", "Tasks whose client left.", |pool| pool.tasks.cancelled as f64),
    ("centipawn_pool_tasks_expired_total", "Tasks whose deadline passed while they waited.", |pool| {
        pool.tasks.expired as f64
    }),
    (
        "centipawn_pool_tasks_displaced_total",
        "Tasks that gave their place in a full queue to a client who had fewer there.",
        |pool| pool.tasks.displaced as f64,
    ),
    ("centipawn_pool_tasks_drained_total", "Tasks given up at the end of a drain.", |pool| {
        pool.tasks.drained as f64
    }),
    ("centipawn_pool_tasks_panicked_total", "Tasks that panicked.", |pool| pool.tasks.panicked as f64),
    ("centipawn_pool_worker_restarts_total", "Threads that died and were replaced.", |pool| {
        pool.tasks.restarted as f64
    }),
    ("centipawn_search_nodes_total", "Positions searched.", |pool| pool.searches.nodes as f64),
    ("centipawn_search_seconds_total", "Time of all searches together.", |pool| {
        seconds(pool.searches.searched_micros)
    }),
];

const HISTOGRAMS: [OfPool<proto::Histogram>; 4] = [
    ("centipawn_pool_wait_seconds", "Time that tasks waited for a thread: those that began.", |pool| {
        of_times(&pool.times.waits)
    }),
    ("centipawn_pool_service_seconds", "Time that tasks ran.", |pool| of_times(&pool.times.services)),
    (
        "centipawn_pool_cancellation_seconds",
        "Time from a client's leaving to the end of its task, if that ran.",
        |pool| of_times(&pool.times.farewells),
    ),
    (
        "centipawn_search_depth_plies",
        "How deep searches went: the last iteration that each finished.",
        |pool| shown(&DEPTH_BOUNDS_PLIES, &pool.searches.depths, |plies| plies as f64),
    ),
];

/// Shows both pools, and the caches where there are any.
pub(super) fn show(pools: &Pools, page: &mut Page) {
    let readings = [("interactive", &pools.interactive), ("bulk", &pools.bulk)].map(|(name, pool)| {
        let reading = Reading { tasks: pool.snapshot(), times: pool.times(), searches: pool.searches() };
        ([("pool", name)], reading)
    });
    for (name, meaning, value) in GAUGES {
        page.gauge(name, meaning, readings.iter().map(|(labels, reading)| (&labels[..], value(reading))));
    }
    for (name, meaning, value) in COUNTERS {
        page.counter(name, meaning, readings.iter().map(|(labels, reading)| (&labels[..], value(reading))));
    }
    let refusals = readings.each_ref().map(|([pool], reading)| (*pool, reading.tasks.refused));
    show_refusals(refusals, page);
    for (name, meaning, value) in HISTOGRAMS {
        page.histogram(name, meaning, readings.iter().map(|(labels, reading)| (&labels[..], value(reading))));
    }
    if let Some(results) = &pools.results {
        show_results(results.snapshot(), page);
        if let Some(second_level) = results.second_level() {
            show_shared_cache(&second_level.snapshot(), page);
        }
    }
}

fn show_refusals(refusals: [((&'static str, &'static str), Refusals); 2], page: &mut Page) {
    let by_reason = refusals.map(|(pool, Refusals { full, client, draining })| {
        [("full", full), ("client", client), ("draining", draining)]
            .map(|(reason, count)| ([pool, ("reason", reason)], count as f64))
    });
    let meaning = "Tasks turned away, in bulk batches and reviews: full is want of room, client that their client had enough, draining that the service was closing.";
    let samples = by_reason.iter().flatten().map(|(labels, count)| (&labels[..], *count));
    page.counter("centipawn_pool_tasks_refused_total", meaning, samples);
}

fn show_results(results: ResultsSnapshot, page: &mut Page) {
    let meaning =
        "Deterministic searches asked for: found here or in the shared cache, searched for, or joined.";
    let outcomes = [
        ("hit", results.hits),
        ("shared_hit", results.shared_hits),
        ("miss", results.misses),
        ("coalesced", results.joined),
    ];
    by_outcome(page, "centipawn_result_cache_requests_total", meaning, outcomes);
    let meaning = "Results given up for want of room.";
    page.counter("centipawn_result_cache_evictions_total", meaning, [(&[][..], results.evicted as f64)]);
    page.gauge(
        "centipawn_result_cache_entries",
        "Results that are kept.",
        [(&[][..], results.entries as f64)],
    );
    page.gauge("centipawn_result_cache_bytes", "Their size in bytes.", [(&[][..], results.bytes as f64)]);
}

fn show_shared_cache(cache: &SecondLevelSnapshot, page: &mut Page) {
    let meaning = "Look-ups in the shared cache; rejected is what was no answer, skipped not asked for.";
    let look_ups = [
        ("hit", cache.hits),
        ("miss", cache.misses),
        ("timeout", cache.timeouts),
        ("error", cache.errors),
        ("rejected", cache.rejected),
        ("skipped", cache.skipped),
    ];
    by_outcome(page, "centipawn_shared_cache_lookups_total", meaning, look_ups);
    let writes =
        [("written", cache.written), ("dropped", cache.dropped_writes), ("failed", cache.failed_writes)];
    by_outcome(page, "centipawn_shared_cache_writes_total", "Results for the shared cache.", writes);
    let meaning = "How often the shared cache has stopped answering.";
    page.counter("centipawn_shared_cache_breaker_opened_total", meaning, [(&[][..], cache.opened as f64)]);
    let meaning =
        "1 for the state the circuit breaker is in: closed is asked, half_open tried, open not asked.";
    let states = [BreakerState::Closed, BreakerState::HalfOpen, BreakerState::Open]
        .map(|state| ([("state", breaker_state(state))], f64::from(u8::from(cache.state == state))));
    page.gauge(
        "centipawn_shared_cache_breaker",
        meaning,
        states.iter().map(|(labels, value)| (&labels[..], *value)),
    );
}

fn by_outcome<const N: usize>(page: &mut Page, name: &str, meaning: &str, counts: [(&str, u64); N]) {
    let samples = counts.map(|(outcome, count)| ([("outcome", outcome)], count as f64));
    page.counter(name, meaning, samples.iter().map(|(labels, count)| (&labels[..], *count)));
}

const fn breaker_state(state: BreakerState) -> &'static str {
    match state {
        BreakerState::Closed => "closed",
        BreakerState::HalfOpen => "half_open",
        BreakerState::Open => "open",
    }
}

fn seconds(micros: u64) -> f64 {
    micros as f64 / 1e6
}

fn of_times(times: &Histogram<{ TIME_BOUNDS_MICROS.len() }>) -> proto::Histogram {
    shown(&TIME_BOUNDS_MICROS, times, seconds)
}

/// A histogram of the pool in the unit of its metric.
fn shown<const N: usize>(
    bounds: &[u64; N],
    counted: &Histogram<N>,
    in_unit: impl Fn(u64) -> f64,
) -> proto::Histogram {
    let buckets = bounds.iter().zip(counted.counts).map(|(bound, count)| (in_unit(*bound), count));
    histogram(buckets, counted.beyond, in_unit(counted.sum))
}
