//! The cache of results: equal searches are made once, and never mixed up.

use std::sync::{Arc, Barrier};
use std::thread;
use std::time::{Duration, Instant};

use axum::body::Body;
use axum::http::Request;
use centipawn::api::{AppState, Service, service};
use centipawn::config::Limits;
use centipawn::pool::{Pools, ResultsSnapshot};
use serde_json::Value;

use crate::client::{Reply, get, pools, query, send_to};

/// A service with one thread and a cache of so many bytes.
struct House {
    service: Service,
    pools: Arc<Pools>,
}

impl House {
    fn new(bytes: u64) -> Self {
        let pools = Arc::new(pools(1, 64).with_result_cache(bytes));
        let state = AppState::new(Limits::DEFAULT, vec!["*".to_owned()], Arc::clone(&pools));
        Self { service: service(state), pools }
    }

    fn get(&self, path: &str) -> Reply {
        send_to(self.service.clone(), Request::get(path).body(Body::empty()).unwrap())
    }

    /// Asks, and leaves as soon as something is so.
    fn leave_when(&self, path: &str, is_so: impl Fn(&Self) -> bool) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let request = Request::get(path).body(Body::empty()).unwrap();
            let moment = async {
                while !is_so(self) {
                    tokio::time::sleep(Duration::from_millis(2)).await;
                }
            };
            tokio::select! {
                _ = tower::ServiceExt::oneshot(self.service.clone(), request) => panic!("it was answered too soon"),
                () = moment => {}
            }
        });
    }

    fn results(&self) -> ResultsSnapshot {
        self.pools.results.as_ref().unwrap().snapshot()
    }

    fn searches(&self) -> u64 {
        self.pools.interactive.snapshot().accepted
    }

    fn wait_until(&self, what: &str, is_so: impl Fn(&Self) -> bool) {
        let begun = Instant::now();
        while !is_so(self) {
            assert!(begun.elapsed() < Duration::from_secs(10), "{what}");
            thread::sleep(Duration::from_millis(2));
        }
    }
}

const ROOM: u64 = 1 << 20;

#[test]
fn what_is_known_is_not_searched_again() {
    let house = House::new(ROOM);
    let path = "/v1/best-move?nodes=2000&deterministic=true";
    let first = house.get(path);
    assert_eq!(first.header("cache-status"), "centipawn; fwd=miss; stored");
    let again = house.get(path);
    assert_eq!((again.header("cache-status"), &again.bytes), ("centipawn; hit", &first.bytes));
    assert_eq!(again.bytes, get(path).bytes, "as without a cache");
    // The same search, seen from the other side, explained, or posted.
    assert_eq!(house.get(&format!("{path}&pov=turn")).header("cache-status"), "centipawn; hit");
    let explained = house.get("/v1/eval-breakdown?searched=true&nodes=2000&deterministic=true");
    assert_eq!(explained.header("cache-status"), "centipawn; hit");
    assert_eq!(house.searches(), 1);
    let counted = house.results();
    assert_eq!((counted.hits, counted.misses, counted.joined, counted.entries), (3, 1, 0, 1));
    // Others are searched every time, and say nothing of a cache.
    for _ in 0..2 {
        assert_eq!(house.get("/v1/best-move?nodes=2000").header("cache-status"), "");
    }
    assert_eq!((house.searches(), house.results().hits), (3, 3));
    let known = house.get(path).header("etag").to_owned();
    let request = Request::get(path).header("if-none-match", known).body(Body::empty()).unwrap();
    let reply = send_to(house.service.clone(), request);
    assert_eq!((reply.status.as_u16(), reply.header("cache-status")), (304, "centipawn; hit"));
}

#[test]
fn every_part_of_a_question_counts() {
    let house = House::new(ROOM);
    let base = "/v1/best-move?deterministic=true&nodes=300";
    let others = [
        "",
        "&moves=e4",
        "&fen=rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR_w_KQkq_-_7_5",
        "&fen=rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR_w_Qkq_-_0_1",
        "&evaluator=pieces",
        "&evaluator=count",
        "&evaluator=count&pieceValues=euwe",
        "&multiPv=2",
        "&multiPv=all",
        "&searchMoves=d4",
        "&searchMoves=d4+e4",
        "&elo=1000",
        "&elo=1001",
    ];
    for _ in 0..2 {
        for other in others {
            assert_eq!(
                house.get(&format!("{base}{other}")).bytes,
                get(&format!("{base}{other}")).bytes,
                "{other}"
            );
        }
    }
    for limit in ["nodes=301", "depth=1", "depth=2"] {
        house.get(&format!("/v1/best-move?deterministic=true&{limit}"));
    }
    assert_eq!(house.searches(), others.len() as u64 + 3);
}

#[test]
fn histories_are_never_mixed() {
    let house = House::new(ROOM);
    let fen = "6k1/5p2/p6P/1N6/1PP1b3/8/P2q4/5K2 b - - 13 59";
    let ask = |fields: &Value| {
        house.get(&format!("/v1/best-move?nodes=30000&searchMoves=d2d1&deterministic=true&{}", query(fields)))
    };
    let shuffled = serde_json::json!({ "fen": fen, "moves": "d2d1 f1f2 d1d2 f2f1" });
    let with_history = ask(&shuffled);
    let reached = serde_json::json!({ "fen": with_history.ok()["fen"] });
    let without = ask(&reached);
    assert_eq!(
        without.header("cache-status"),
        "centipawn; fwd=miss; stored",
        "the same board, another history"
    );
    assert_ne!(with_history.bytes, without.bytes, "a repetition is a draw for one of them");
    assert_eq!(house.searches(), 2);
    for (fields, reply) in [(&shuffled, &with_history), (&reached, &without)] {
        let again = ask(fields);
        assert_eq!((again.header("cache-status"), &again.bytes), ("centipawn; hit", &reply.bytes));
    }
}

#[test]
fn equal_requests_at_once_are_one_search() {
    const CLIENTS: usize = 12;
    let house = House::new(ROOM);
    let barrier = Barrier::new(CLIENTS);
    let replies: Vec<Reply> = thread::scope(|scope| {
        let ask = || {
            barrier.wait();
            house.get("/v1/best-move?nodes=400000&deterministic=true")
        };
        let clients: Vec<_> = (0..CLIENTS).map(|_| scope.spawn(ask)).collect();
        clients.into_iter().map(|client| client.join().unwrap()).collect()
    });
    assert_eq!(house.searches(), 1);
    let counted = house.results();
    assert_eq!((counted.misses, counted.joined + counted.hits), (1, CLIENTS as u64 - 1));
    assert!(counted.joined >= 1, "{counted:?}");
    assert!(replies.iter().all(|reply| reply.status == 200 && reply.bytes == replies[0].bytes));
    let told =
        |status: &str| replies.iter().filter(|reply| reply.header("cache-status") == status).count() as u64;
    assert_eq!(told("centipawn; fwd=miss; stored"), 1);
    assert_eq!(told("centipawn; fwd=miss; collapsed"), counted.joined);
    let page = String::from_utf8(house.get("/metrics").bytes.to_vec()).unwrap();
    for line in [
        "centipawn_result_cache_requests_total{outcome=\"miss\"} 1".to_owned(),
        format!("centipawn_result_cache_requests_total{{outcome=\"coalesced\"}} {}", counted.joined),
        format!("centipawn_result_cache_requests_total{{outcome=\"hit\"}} {}", counted.hits),
        "centipawn_result_cache_entries 1".to_owned(),
        "centipawn_pool_tasks_accepted_total{pool=\"interactive\"} 1".to_owned(),
    ] {
        assert!(page.lines().any(|other| other == line), "{line}\n{page}");
    }
}

#[test]
fn a_search_goes_on_for_who_still_waits() {
    let house = House::new(ROOM);
    let path = "/v1/best-move?nodes=600000&deterministic=true";
    thread::scope(|scope| {
        // The first is the one that began the search.
        scope.spawn(|| house.leave_when(path, |house| house.results().joined == 1));
        house.wait_until("the search begins", |house| house.searches() == 1);
        assert_eq!(house.get(path).status, 200);
    });
    let pool = house.pools.interactive.snapshot();
    assert_eq!((pool.accepted, pool.cancelled, pool.completed), (1, 0, 1));
}

#[test]
fn the_last_that_leaves_stops_the_search() {
    let house = &House::new(ROOM);
    let path = "/v1/best-move?nodes=1000000000&deterministic=true";
    thread::scope(|scope| {
        let both_wait = |house: &House| house.results().joined == 1;
        scope.spawn(move || house.leave_when(path, both_wait));
        house.wait_until("the search begins", |house| house.pools.interactive.snapshot().running == 1);
        house.leave_when(path, both_wait);
    });
    let left = Instant::now();
    house.wait_until("the search is stopped", |house| house.pools.interactive.snapshot().cancelled == 1);
    assert!(left.elapsed() < Duration::from_secs(1), "{:?}", left.elapsed());
    assert_eq!(house.results().entries, 0, "half a search is no result");
    // Nothing is left of it that another could join.
    let next = house.get(&format!("{path}&timeoutMs=50"));
    assert_eq!((next.status.as_u16(), house.searches()), (504, 2));
}

#[test]
fn everybody_has_a_deadline_of_his_own() {
    let house = House::new(ROOM);
    let path = "/v1/best-move?nodes=800000&deterministic=true";
    thread::scope(|scope| {
        let hasty = scope.spawn(|| house.get(&format!("{path}&timeoutMs=300")));
        house.wait_until("the search begins", |house| house.pools.interactive.snapshot().running == 1);
        let patient = scope.spawn(|| house.get(path));
        house.wait_until("it is joined", |house| house.results().joined == 1);
        // A third waits for the one thread, in vain.
        let other = house.get("/v1/best-move?nodes=7&deterministic=true&timeoutMs=20");
        assert_eq!((other.status.as_u16(), &other.json()["code"]), (503, &"queue_full".into()));
        assert!(!other.header("retry-after").is_empty());
        let hasty = hasty.join().unwrap();
        assert_eq!((hasty.status.as_u16(), &hasty.json()["code"]), (504, &"timeout".into()));
        assert_eq!(patient.join().unwrap().status, 200);
    });
    assert_eq!(house.get(path).header("cache-status"), "centipawn; hit");
}

#[test]
fn failures_are_not_kept() {
    let house = House::new(ROOM);
    let path = "/v1/best-move?nodes=1000000000&deterministic=true&timeoutMs=30";
    for round in 1..=2 {
        assert_eq!(house.get(path).status, 504);
        assert_eq!((house.results().misses, house.results().entries), (round, 0));
        house.wait_until("the thread is free", |house| house.pools.interactive.snapshot().running == 0);
    }
}

#[test]
fn there_is_room_for_so_much_and_no_more() {
    const ROOM: u64 = 20_000;
    let house = House::new(ROOM);
    for nodes in 1..=200 {
        house.get(&format!("/v1/best-move?nodes={nodes}&deterministic=true"));
    }
    let counted = house.results();
    assert_eq!(counted.misses, 200);
    assert!(counted.bytes <= ROOM && counted.entries >= 5, "{counted:?}");
    assert!(counted.evicted >= 100 && counted.entries + counted.evicted <= 200, "{counted:?}");
}

#[test]
fn without_a_cache_each_is_searched_for() {
    let house = House::new(0);
    let path = "/v1/best-move?nodes=500&deterministic=true";
    let replies = [house.get(path), house.get(path)];
    assert_eq!(replies[0].bytes, replies[1].bytes);
    assert!(replies.iter().all(|reply| reply.header("cache-status").is_empty()));
    assert_eq!(house.searches(), 2);
    let page = String::from_utf8(house.get("/metrics").bytes.to_vec()).unwrap();
    assert!(!page.contains("result_cache"), "{page}");
}
