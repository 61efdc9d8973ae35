//! `/metrics`: that it counts right, and that no client can make it grow.

#![expect(
    clippy::cast_precision_loss,
    clippy::float_cmp,
    reason = "Prometheus knows no numbers but floating ones; those of counters are whole"
)]

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::iter;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

use axum::body::{Body, Bytes, HttpBody};
use axum::http::{Method, Request};
use centipawn::api::{self, AppState, Service};
use centipawn::pool::Client;
use futures_util::stream;
use http_body::{Frame, SizeHint};
use http_body_util::BodyExt;
use tower::ServiceExt;

use crate::client::{Reply, in_a_runtime, send_to, state};

/// A service of its own, because counters are about everybody.
struct House {
    state: AppState,
    service: Service,
}

/// Samples by name and labels.
type Samples = BTreeMap<String, f64>;

impl House {
    fn new() -> Self {
        let state = state(1, 4);
        Self { service: api::service(state.clone()), state }
    }

    fn send(&self, method: Method, path: &str, body: &str) -> Reply {
        send_to(self.service.clone(), request(method, path, body))
    }

    fn samples(&self) -> Samples {
        let page = String::from_utf8(self.send(Method::GET, "/metrics", "").bytes.to_vec()).unwrap();
        let lines = page.lines().filter(|line| !line.starts_with('#'));
        let split = lines.map(|line| line.rsplit_once(' ').unwrap());
        split.map(|(name, value)| (name.to_owned(), value.parse().unwrap())).collect()
    }
}

fn request(method: Method, path: &str, body: &str) -> Request<Body> {
    let request = Request::builder().method(method).uri(path).header("content-type", "application/json");
    request.header("accept", "application/x-ndjson, */*;q=0.5").body(Body::from(body.to_owned())).unwrap()
}

/// A sample of a route, 0 if there is none.
fn of_route(samples: &Samples, name: &str, route: &str) -> f64 {
    samples.get(&format!("centipawn_http_{name}{{route=\"{route}\"}}")).copied().unwrap_or_default()
}

const ILLEGAL: &str = r#"{"fen":"8/8/8/8/8/8/4K3/8 w - - 0 1"}"#;
const MATE: &str = "/v1/evaluate?fen=rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR_w_KQkq_-_1_3";

#[test]
fn requests_are_counted_by_route_method_and_status() {
    let house = House::new();
    let sent = [
        (3, Method::GET, "/v1/evaluate", "", 200, "/v1/evaluate"),
        (2, Method::GET, MATE, "", 200, "/v1/evaluate"),
        (4, Method::POST, "/v1/evaluate", "{}", 200, "/v1/evaluate"),
        (1, Method::POST, "/v1/evaluate", "{", 400, "/v1/evaluate"),
        (2, Method::POST, "/v1/evaluate", ILLEGAL, 422, "/v1/evaluate"),
        (1, Method::DELETE, "/v1/evaluate", "", 405, "/v1/evaluate"),
        (1, Method::HEAD, "/v1/limits", "", 200, "/v1/limits"),
        (1, Method::GET, "/v1/material/KQvK", "", 200, "/v1/material/{signature}"),
        (1, Method::GET, "/v1/material/KRvK", "", 200, "/v1/material/{signature}"),
        (2, Method::GET, "/nothing", "", 404, "unmatched"),
    ];
    let (mut wanted, mut of_routes) = (Samples::new(), BTreeMap::<_, (u32, usize, usize)>::new());
    for (times, method, path, body, status, route) in sent {
        let labels = format!("{{route=\"{route}\",method=\"{method}\",status=\"{status}\"}}");
        *wanted.entry(format!("centipawn_http_requests_total{labels}")).or_default() += f64::from(times);
        for _ in 0..times {
            let reply = house.send(method.clone(), path, body);
            assert_eq!(reply.status.as_u16(), status, "{path}");
            let of_route = of_routes.entry(route).or_default();
            *of_route = (of_route.0 + 1, of_route.1 + body.len(), of_route.2 + reply.bytes.len());
        }
    }
    let samples = house.samples();
    let counted = |name: &str| name.starts_with("centipawn_http_requests_total{");
    let found: Samples = samples.clone().into_iter().filter(|(name, _)| counted(name)).collect();
    assert_eq!(found, wanted);
    for (route, (times, received, sent)) in of_routes {
        let sample = |name| of_route(&samples, name, route);
        assert_eq!(sample("request_duration_seconds_count"), f64::from(times), "{route}");
        let every =
            format!("centipawn_http_request_duration_seconds_bucket{{route=\"{route}\",le=\"+Inf\"}}");
        assert_eq!(samples[&every], f64::from(times), "{route}");
        assert!(sample("request_duration_seconds_sum") > 0.0, "{route}");
        assert_eq!(sample("request_body_bytes_total"), received as f64, "{route}");
        assert_eq!(sample("response_body_bytes_total"), sent as f64, "{route}");
    }
}

/// A body that announces more than anybody can send, as its client may.
struct Boast(Option<Bytes>);

impl HttpBody for Boast {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        Poll::Ready(self.0.take().map(|piece| Ok(Frame::data(piece))))
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(9_223_372_036_854_775_000)
    }
}

#[test]
fn bytes_are_counted_as_they_are_read() {
    let house = House::new();
    let post = |path: &str, body| {
        let request = Request::post(path).header("content-type", "application/x-ndjson");
        send_to(house.service.clone(), request.body(body).unwrap()).status
    };
    let count = |route| of_route(&house.samples(), "request_body_bytes_total", route);
    let evaluate = Request::post("/v1/evaluate").header("content-type", "application/json");
    let boast = evaluate.body(Body::new(Boast(Some(Bytes::from_static(b"{}"))))).unwrap();
    assert_eq!(send_to(house.service.clone(), boast).status, 413);
    assert_eq!(count("/v1/evaluate"), 0.0);
    // Nobody knows how long these are before their end.
    let lines = stream::iter(["{}\n", "{}\n", "{\"depth\":1}\n"].map(Ok::<_, Infallible>));
    assert_eq!(post("/v1/evaluate/batch", Body::from_stream(lines)), 200);
    assert_eq!(count("/v1/evaluate/batch"), 18.0);
    assert_eq!(post("/v1/evaluate/batch", Body::new(Boast(Some(Bytes::from_static(b"{}\n"))))), 200);
    assert_eq!(count("/v1/evaluate/batch"), 21.0);
}

#[test]
fn streams_and_clients_that_leave_are_counted() {
    let house = House::new();
    let search = |body| request(Method::POST, "/v1/best-move", body);
    let sample = |name| of_route(&house.samples(), name, "/v1/best-move");
    let whole = send_to(house.service.clone(), search(r#"{"depth":3}"#));
    assert_eq!(whole.headers["content-type"], "application/x-ndjson");
    assert_eq!((sample("streams_open"), sample("stream_duration_seconds_count")), (0.0, 1.0));
    assert_eq!(sample("response_body_bytes_total"), whole.bytes.len() as f64);

    let stream = in_a_runtime(async {
        let response = house.service.clone().oneshot(search(r#"{"movetime":20000}"#)).await.unwrap();
        let mut body = response.into_body();
        body.frame().await.unwrap().unwrap();
        body
    });
    assert_eq!((sample("streams_open"), sample("streams_abandoned_total")), (1.0, 0.0));
    drop(stream);
    assert_eq!((sample("streams_open"), sample("streams_abandoned_total")), (0.0, 1.0));
    assert_eq!((sample("stream_duration_seconds_count"), sample("requests_abandoned_total")), (2.0, 0.0));

    in_a_runtime(async {
        let silent = Request::post("/v1/best-move").header("content-type", "application/json");
        let silent = silent.body(Body::from(r#"{"movetime":20000}"#)).unwrap();
        let mut answer = Box::pin(house.service.clone().oneshot(silent));
        assert!(answer.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
    });
    assert_eq!((sample("requests_abandoned_total"), sample("request_duration_seconds_count")), (1.0, 2.0));
}

#[test]
fn no_client_can_make_the_page_grow() {
    let house = House::new();
    let ask = |number: usize| {
        let method: Method = format!("M{number}").parse().unwrap();
        let paths = [
            format!("/p{number}"),
            format!("/v1/material/{number}"),
            format!("/page/{number}/{number}"),
            format!("/v1/evaluate/%0a{number}\"}}"),
        ];
        for path in paths {
            house.send(method.clone(), &path, "");
            house.send(Method::GET, &path, "");
        }
    };
    ask(0);
    let before = house.samples();
    (1..1_250).for_each(ask);
    let after = house.samples();
    let new: Vec<_> = after.keys().filter(|name| !before.contains_key(*name)).collect();
    // The page itself had not been asked for the first time.
    assert!(new.iter().all(|name| name.contains(r#"route="/metrics""#)), "{new:?}");
    let strangers = r#"centipawn_http_requests_total{route="unmatched",method="_OTHER",status="404"}"#;
    assert!(after[strangers] >= 1_250.0, "{after:?}");
}

#[test]
fn the_process_and_its_version_are_told() {
    let house = House::new();
    let samples = house.samples();
    let build = samples.keys().find(|name| name.starts_with("centipawn_build_info{")).unwrap();
    let identity = house.send(Method::GET, "/v1/evaluate", "").json()["engine"].clone();
    for label in [format!("version={}", identity["version"]), format!("eval_id={}", identity["evalId"])] {
        assert!(build.contains(&label), "{build} {label}");
    }
    assert_eq!(samples["centipawn_ready"], 1.0);
    if cfg!(target_os = "linux") {
        assert!(samples["process_resident_memory_bytes"] > 1e6 && samples["process_threads"] > 2.0);
    }
    house.state.close();
    assert_eq!(house.samples()["centipawn_ready"], 0.0);
}

#[test]
fn who_is_turned_away_is_counted_by_reason() {
    let house = House::new();
    let pools = house.state.pools();
    let batch = || house.send(Method::POST, "/v1/evaluate/batch", "[{}]").status;
    let held: Vec<_> = iter::from_fn(|| pools.begin_bulk(Client::UNKNOWN).ok()).collect();
    assert!(!held.is_empty());
    assert_eq!(batch(), 503);
    drop(held);
    pools.close();
    assert_eq!(batch(), 503);
    assert_eq!(house.send(Method::POST, "/v1/best-move", r#"{"depth":1}"#).status, 503);
    let samples = house.samples();
    for (pool, counts) in [("interactive", [0.0, 0.0, 1.0]), ("bulk", [2.0, 0.0, 1.0])] {
        let of = |reason| {
            samples[&format!("centipawn_pool_tasks_refused_total{{pool=\"{pool}\",reason=\"{reason}\"}}")]
        };
        assert_eq!(["full", "client", "draining"].map(of), counts, "{pool}");
    }
}

#[test]
fn searches_are_told_with_their_waits_and_depths() {
    let house = House::new();
    for _ in 0..3 {
        assert_eq!(house.send(Method::POST, "/v1/best-move", r#"{"depth":5}"#).status, 200);
    }
    let samples = house.samples();
    let of = |name: &str| samples[&format!("centipawn_{name}{{pool=\"interactive\"}}")];
    assert_eq!((of("pool_tasks_completed_total"), of("pool_wait_seconds_count")), (3.0, 3.0));
    assert_eq!((of("search_depth_plies_count"), of("search_depth_plies_sum")), (3.0, 15.0));
    let up_to = |plies| {
        samples[&format!("centipawn_search_depth_plies_bucket{{pool=\"interactive\",le=\"{plies}\"}}")]
    };
    assert_eq!((up_to("4"), up_to("6"), up_to("+Inf")), (0.0, 3.0, 3.0));
    assert!(of("search_nodes_total") > 300.0 && of("search_seconds_total") > 0.0);
    assert!(of("pool_service_seconds_sum") >= of("search_seconds_total"));
    assert!((0.0..=1.0).contains(&of("table_fill_ratio")));
    assert_eq!(
        (of("pool_workers"), of("pool_workers_fit"), of("pool_worker_restarts_total")),
        (1.0, 1.0, 0.0)
    );
}
