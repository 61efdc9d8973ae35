//! A fault in an engine, over HTTP: it costs the request that met it, and nobody else.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use axum::body::Body;
use axum::http::Request;
use centipawn::api::{AppState, Service, service};
use centipawn::config::Limits;
use centipawn::engine::chess::{Move, Position};
use centipawn::engine::search::{Report, Tablebase, Wdl};
use centipawn::pool::{
    Client, CrewSettings, Finished, PoolSettings, Pools, Question, SecondLevel, SecondLevelSnapshot,
};
use futures_util::future::BoxFuture;
use serde_json::Value;

use crate::client::{Reply, send_to};

/// Three men, so that the search asks the tables at once.
const FATAL: &str = "8/8/8/4k3/8/8/4P3/4K3_w_-_-_0_1";

/// Endgame tables with a fault: whoever asks them panics.
#[derive(Debug)]
struct Faulty;

impl Tablebase for Faulty {
    fn most_men(&self) -> u32 {
        3
    }

    fn wdl(&self, _: &Position) -> Option<Wdl> {
        panic!("thrown on purpose")
    }

    fn distances(&self, _: &Position) -> Option<Vec<(Move, i32)>> {
        panic!("thrown on purpose")
    }
}

fn faulty(search_threads: usize, cache: Option<Arc<dyn SecondLevel>>) -> (AppState, Service) {
    let settings = |name| PoolSettings {
        crew: CrewSettings { name, threads: 2, queue: 64 },
        hash_mebibytes: 8,
        search_threads: NonZeroUsize::new(search_threads).unwrap(),
    };
    let pools = Pools::start(settings("interactive"), settings("bulk"), 8).unwrap();
    let pools =
        pools.with_tablebase(Some(Arc::new(Faulty))).with_result_cache(1 << 20).with_second_level(cache);
    let state = AppState::new(Limits::DEFAULT, vec!["*".to_owned()], Arc::new(pools));
    (state.clone(), service(state))
}

fn get(service: &Service, path: &str) -> Reply {
    send_to(service.clone(), Request::get(path).body(Body::empty()).unwrap())
}

fn post(service: &Service, path: &str, body: &str) -> Reply {
    let request = Request::post(path).header("content-type", "application/json");
    send_to(service.clone(), request.body(Body::from(body.to_owned())).unwrap())
}

/// The fault is ours, and says nothing of what is inside.
fn assert_a_fault(reply: &Reply) {
    let problem = reply.json();
    assert_eq!((reply.status.as_u16(), &problem["code"]), (500, &"internal".into()), "{problem}");
    assert!(!String::from_utf8_lossy(&reply.bytes).contains("on purpose"), "{problem}");
}

fn assert_whole_within_a_second(state: &AppState, service: &Service) {
    let begun = Instant::now();
    while !state.pools().is_whole() || get(service, "/readyz").status != 200 {
        assert!(begun.elapsed() < Duration::from_secs(1), "{:?}", state.pools().interactive.snapshot());
        thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn a_fault_in_a_worker_costs_its_request_alone() {
    for search_threads in [1, 2] {
        let (state, service) = faulty(search_threads, None);
        let right = get(&service, "/v1/best-move?depth=6&deterministic=true").bytes;
        thread::scope(|scope| {
            let others: Vec<_> = (0..8)
                .map(|_| scope.spawn(|| get(&service, "/v1/best-move?depth=6&deterministic=true")))
                .chain((0..8).map(|_| scope.spawn(|| get(&service, "/v1/best-move?nodes=20000"))))
                .collect();
            let fatal = scope.spawn(|| get(&service, &format!("/v1/best-move?fen={FATAL}&depth=4")));
            assert_a_fault(&fatal.join().unwrap());
            let others: Vec<_> = others.into_iter().map(|other| other.join().unwrap()).collect();
            assert!(others.iter().all(|other| other.status == 200));
            assert!(others[..8].iter().all(|other| other.bytes == right));
        });
        assert_whole_within_a_second(&state, &service);
        assert_eq!(state.pools().interactive.snapshot().panicked, 1);
    }
}

/// A shared cache with a fault.
struct FaultyCache;

impl SecondLevel for FaultyCache {
    fn look_up(&self, _: &Arc<Question>) -> Option<BoxFuture<'static, Option<Report>>> {
        Some(Box::pin(async { panic!("thrown on purpose") }))
    }

    fn store(&self, _: &Arc<Question>, _: &Arc<Finished>) {
        panic!("thrown on purpose")
    }

    fn snapshot(&self) -> SecondLevelSnapshot {
        SecondLevelSnapshot::default()
    }
}

/// Those who wait for the same answer are not left waiting, and the fault is not kept as one.
#[test]
fn a_fault_is_neither_joined_for_ever_nor_kept() {
    let (state, service) = faulty(1, Some(Arc::new(FaultyCache)));
    let path = "/v1/best-move?depth=3&deterministic=true";
    let begun = Instant::now();
    thread::scope(|scope| {
        let fatal: Vec<_> = (0..6).map(|_| scope.spawn(|| get(&service, path))).collect();
        for fatal in fatal {
            assert_a_fault(&fatal.join().unwrap());
        }
    });
    // Who is not told finds out after half of its time, 30 seconds.
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
    assert_whole_within_a_second(&state, &service);
    assert_eq!(get(&service, "/v1/best-move?depth=3").status, 200);
}

#[test]
fn a_fault_in_a_batch_costs_its_item_alone() {
    let (state, service) = faulty(1, None);
    let fatal = FATAL.replace('_', " ");
    let body = format!(r#"[{{"depth": 3}}, {{"fen": "{fatal}", "depth": 3}}, {{"depth": 3}}]"#);
    let reply = post(&service, "/v1/evaluate/batch", &body);
    let items = reply.ok();
    let codes: Vec<_> = items.as_array().unwrap().iter().map(|item| item["code"].clone()).collect();
    assert_eq!(codes, [Value::Null, "internal".into(), Value::Null], "{items}");
    let review = format!(r#"{{"fen": "{fatal}", "moves": "e4", "depth": 3}}"#);
    assert_a_fault(&post(&service, "/v1/games/review", &review));
    assert_whole_within_a_second(&state, &service);
    let places: Vec<_> = (0..8).map(|_| state.pools().begin_bulk(Client::UNKNOWN).is_ok()).collect();
    assert_eq!(places, [true; 8]);
}
