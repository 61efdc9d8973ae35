//! A service with a shared cache, within this process.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, Request};
use centipawn::api::{self, AppState, Service, service};
use centipawn::config::Limits;
use centipawn::pool::{
    BreakerState, CrewSettings, PoolSettings, Pools, Results, ResultsSnapshot, SecondLevelSnapshot,
};
use centipawn::shared_cache::{Address, SharedCache, SharedCacheSettings};
use http_body_util::BodyExt;
use tower::ServiceExt;

/// What nothing here takes longer than, on any machine: whoever waits so long waits forever.
pub(crate) const FOREVER: Duration = Duration::from_mins(1);

/// Longest look-up. Long for a cache on the same machine, so that a busy machine does not look like a slow cache.
pub(crate) const LOOK_UP: Duration = Duration::from_millis(200);

/// Room in the embedded cache of results.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Embedded {
    Roomy,
    /// For nothing: whatever is known is known from the shared cache.
    Full,
}

pub(crate) struct House {
    service: Service,
    pools: Arc<Pools>,
    embedded: Embedded,
}

pub(crate) struct Reply {
    pub(crate) status: u16,
    headers: HeaderMap,
    pub(crate) bytes: Bytes,
}

impl Reply {
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    pub(crate) fn cache_status(&self) -> &str {
        self.header("cache-status")
    }
}

impl House {
    /// Without a shared cache.
    pub(crate) fn alone() -> Self {
        Self::build(Embedded::Full, None)
    }

    pub(crate) fn sharing(url: &str, embedded: Embedded) -> Self {
        Self::with_address(Address::single(&[url], None).unwrap(), embedded)
    }

    pub(crate) fn with_address(address: Address, embedded: Embedded) -> Self {
        Self::with_settings(settings(address), embedded)
    }

    pub(crate) fn with_settings(settings: SharedCacheSettings, embedded: Embedded) -> Self {
        Self::build(embedded, Some(SharedCache::start(settings).unwrap()))
    }

    fn build(embedded: Embedded, cache: Option<SharedCache>) -> Self {
        let pool = |name| PoolSettings {
            crew: CrewSettings { name, threads: 1, queue: 1000 },
            hash_mebibytes: 1,
            search_threads: NonZeroUsize::MIN,
        };
        let bytes = if embedded == Embedded::Roomy { 1 << 20 } else { 1 };
        let pools = Pools::start(pool("interactive"), pool("bulk"), 1)
            .unwrap()
            .with_result_cache(bytes)
            .with_second_level(cache.map(|cache| Arc::new(cache) as _));
        let pools = Arc::new(pools);
        let state = AppState::new(Limits::DEFAULT, vec!["*".to_owned()], Arc::clone(&pools));
        Self { service: service(state), pools, embedded }
    }

    pub(crate) fn get(&self, path: &str) -> Reply {
        if self.embedded == Embedded::Full {
            // What there is no room for goes when the cache is put in order; reading it is an occasion.
            self.results();
        }
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let request = Request::get(path).body(Body::empty()).unwrap();
            let (parts, body) = self.service.clone().oneshot(request).await.unwrap().into_parts();
            let bytes = body.collect().await.unwrap().to_bytes();
            Reply { status: parts.status.as_u16(), headers: parts.headers, bytes }
        })
    }

    pub(crate) fn searches(&self) -> u64 {
        self.pools.interactive.snapshot().accepted
    }

    fn cached(&self) -> &Results {
        self.pools.results.as_ref().unwrap()
    }

    pub(crate) fn results(&self) -> ResultsSnapshot {
        self.cached().snapshot()
    }

    pub(crate) fn shared(&self) -> SecondLevelSnapshot {
        self.cached().second_level().unwrap().snapshot()
    }

    pub(crate) fn wait_until(&self, what: &str, is_so: impl Fn(&SecondLevelSnapshot) -> bool) {
        let begun = Instant::now();
        while !is_so(&self.shared()) {
            assert!(begun.elapsed() < FOREVER, "{what}: {:?}", self.shared());
            thread::sleep(Duration::from_millis(2));
        }
    }

    /// There is a connection.
    pub(crate) fn wait_for_the_cache(&self) {
        self.wait_until("it is connected", |shared| shared.state != BreakerState::Open);
    }

    /// So many results are in the cache.
    pub(crate) fn wait_for_writes(&self, writes: u64) {
        self.wait_until("the results are written", |shared| shared.written >= writes);
    }
}

pub(crate) fn settings(address: Address) -> SharedCacheSettings {
    SharedCacheSettings { address, timeout: LOOK_UP, ttl_seconds: 60, engine: api::engine_text() }
}

/// A question of its own for each number, quickly answered.
pub(crate) fn question(number: usize) -> String {
    const OPENINGS: [&str; 5] = ["", "&moves=e4", "&moves=d4+d5", "&moves=e4+e5+Nf3", "&multiPv=3"];
    let nodes = 100 + number;
    format!("/v1/best-move?deterministic=true&nodes={nodes}{}", OPENINGS[number % OPENINGS.len()])
}
