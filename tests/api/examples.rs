//! The examples of the document are what the service really answers.
//!
//! With the environment variable `UPDATE_EXAMPLES` set, the replies in `src/api/examples/examples.json` are written anew.

use std::collections::BTreeSet;
use std::convert::Infallible;
use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::thread;
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use axum::http::Request;
use centipawn::api::{AppState, Caller, Service, document, service};
use centipawn::config::Limits;
use centipawn::pool::{Client, Start, Timing};
use http_body::Frame;
use serde_json::{Map, Value, json};

use crate::client::{Reply, pools, query, send_to};
use crate::guarded::{self, entry, guarded, keys};

/// Fields that say how long something took.
const TIMED: [&str; 2] = ["time", "nps"];

#[test]
fn every_example_is_what_the_service_answers() {
    let mut examples: Vec<Value> = serde_json::from_str(&fs::read_to_string(file()).unwrap()).unwrap();
    let document: Value = serde_json::from_str(&document()).unwrap();
    let is_update = std::env::var_os("UPDATE_EXAMPLES").is_some();
    // A unit test has the fault.
    for example in examples.iter_mut().filter(|example| example["status"] != 500) {
        let place = format!("{} {}", example["operation"], example["name"]);
        let reply = ask(&document, example);
        assert_eq!(example["status"], reply.status.as_u16(), "{place}: {:?}", reply.bytes);
        let media_type = example["mediaType"].as_str().unwrap();
        assert_eq!(reply.header("content-type").split(';').next(), Some(media_type), "{place}");
        let told = told(&reply, media_type);
        if is_update {
            example["reply"] = told;
        } else {
            let advice = "UPDATE_EXAMPLES=1 cargo test --test api examples";
            assert_eq!(timeless(example["reply"].clone()), timeless(told), "{place} ({advice})");
        }
    }
    if is_update {
        fs::write(file(), serde_json::to_string_pretty(&examples).unwrap() + "\n").unwrap();
    }
}

#[test]
fn every_operation_has_examples() {
    let document: Value = serde_json::from_str(&document()).unwrap();
    let examples: Vec<Value> = serde_json::from_str(&fs::read_to_string(file()).unwrap()).unwrap();
    let mut places = BTreeSet::new();
    for (operation, id) in operations(&document) {
        // Its reply would be the document within the document.
        if id == "getOpenapi" {
            continue;
        }
        let parameters = operation["parameters"].as_array().into_iter().flatten();
        let bodies =
            operation["requestBody"]["content"].as_object().into_iter().flatten().map(|(_, body)| body);
        let replies = operation["responses"]["200"]["content"].as_object().unwrap().values();
        for place in bodies.clone().chain(replies) {
            assert!(place["examples"].is_object(), "{id}: {place}");
        }
        if operation["parameters"].is_array() && operation["requestBody"].is_null() {
            assert!(parameters.clone().any(|parameter| parameter["examples"].is_object()), "{id}");
        }
        let everything =
            parameters.chain(bodies).chain(operation["responses"].as_object().unwrap().values().flat_map(
                |response| response["content"].as_object().into_iter().flatten().map(|(_, content)| content),
            ));
        for names in everything.map(|place| &place["examples"]) {
            places
                .extend(names.as_object().into_iter().flat_map(Map::keys).map(|name| format!("{id} {name}")));
        }
        for (status, response) in operation["responses"].as_object().unwrap() {
            let content = response["content"].as_object().into_iter().flat_map(Map::values);
            for place in content {
                assert!(place["examples"].is_object(), "{id} {status}");
            }
        }
    }
    for example in &examples {
        let [operation, name] = ["operation", "name"].map(|field| example[field].as_str().unwrap());
        let shown = places.iter().any(|place| {
            place
                .split_once(' ')
                .is_some_and(|(id, own)| own == name && (id == operation || operation == "*"))
        });
        assert!(shown, "{operation} {name} has no place");
    }
    let names = examples.iter().map(|example| format!("{} {}", example["operation"], example["name"]));
    assert_eq!(names.collect::<BTreeSet<_>>().len(), examples.len(), "every example has a name of its own");
}

/// Sends the request of an example to a service that nobody has asked anything yet.
fn ask(document: &Value, example: &Value) -> Reply {
    let state = AppState::new(
        Limits::DEFAULT,
        vec!["*".to_owned()],
        Arc::new(pools(1, 4).with_result_cache(1 << 20).with_searches_per_client(NonZeroUsize::new(1))),
    );
    let service = service(state.clone());
    if example["operation"] == "*" {
        return provoke(example["name"].as_str().unwrap(), &service, &state);
    }
    let (method, path) = endpoint(document, example["operation"].as_str().unwrap());
    let mut parameters = example["parameters"].as_object().cloned().unwrap_or_default();
    let mut uri = path.to_owned();
    if let Some(signature) = parameters.remove("signature") {
        uri = uri.replace("{signature}", signature.as_str().unwrap());
    }
    if !parameters.is_empty() {
        uri = format!("{uri}?{}", query(&Value::Object(parameters)));
    }
    let mut request = Request::builder().method(method.to_uppercase().as_str()).uri(uri);
    if let Some(accept) = example["accept"].as_str() {
        request = request.header("accept", accept);
    }
    let body = match &example["body"] {
        Value::Null => Body::empty(),
        body => {
            let content_type = example["contentType"].as_str().unwrap_or("application/json");
            request = request.header("content-type", content_type);
            Body::from(body.as_str().map_or_else(|| format!("{body}\n"), str::to_owned))
        }
    };
    send_to(service, request.body(body).unwrap())
}

/// Brings about a refusal that is the same everywhere.
fn provoke(name: &str, service: &Service, state: &AppState) -> Reply {
    let json = || Request::post("/v1/evaluate").header("content-type", "application/json");
    let request = match name {
        "noKey" => {
            let (_, guarded) = guarded(&[], Some(keys(&[entry("cpk_alice", "")])));
            return guarded::get(&guarded, "/v1/evaluate", &[]);
        }
        "tooMany" => {
            let (_, guarded) = guarded(&["--rate-limit", "0.001", "--rate-burst", "1"], None);
            return [(); 2]
                .map(|()| guarded::get(&guarded, "/v1/evaluate", &[]))
                .into_iter()
                .next_back()
                .unwrap();
        }
        "requestTimeout" => json().body(Body::new(Silence)),
        "known" => json().header("if-none-match", "*").body(Body::from("{}")),
        "bodyTooLarge" => json().body(Body::from(vec![b' '; 70_000])),
        "uriTooLong" => Request::get(format!("/v1/evaluate?fen={}", "x".repeat(62_000))).body(Body::empty()),
        "notJson" => {
            Request::post("/v1/evaluate").header("content-type", "text/plain").body(Body::from("{}"))
        }
        "tooManySearches" => {
            let client = Client::of("one");
            let timing = Timing { start: Start::Work, movetime: None, timeout: Duration::from_mins(1) };
            let wait = |stop: &AtomicBool| {
                while !stop.load(Ordering::Acquire) {
                    thread::sleep(Duration::from_millis(1));
                }
            };
            let _first = state.pools().interactive.run(client, timing, wait).unwrap();
            let second = json().extension(Caller(client)).body(Body::from(r#"{"depth": 5}"#));
            return send_to(service.clone(), second.unwrap());
        }
        "draining" => {
            state.close();
            json().body(Body::from(r#"{"depth": 5}"#))
        }
        "timeout" => {
            Request::get("/v1/best-move?nodes=1000000000&deterministic=true&timeoutMs=20").body(Body::empty())
        }
        other => panic!("nobody knows how to bring about {other}"),
    };
    send_to(service.clone(), request.unwrap())
}

/// A client that has promised a body and sends none.
struct Silence;

impl HttpBody for Silence {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        Poll::Pending
    }
}

fn endpoint<'a>(document: &'a Value, id: &str) -> (&'a str, &'a str) {
    for (path, operations) in document["paths"].as_object().unwrap() {
        for (method, operation) in operations.as_object().unwrap() {
            if operation["operationId"] == id {
                return (method, path);
            }
        }
    }
    panic!("there is no operation {id}");
}

fn operations(document: &Value) -> impl Iterator<Item = (&Value, &str)> {
    let paths = document["paths"].as_object().unwrap().values();
    let operations = paths.flat_map(|operations| operations.as_object().unwrap().values());
    operations.map(|operation| (operation, operation["operationId"].as_str().unwrap()))
}

/// A reply as an example shows it: JSON or text; of a stream its last object.
fn told(reply: &Reply, media_type: &str) -> Value {
    let text = String::from_utf8(reply.bytes.to_vec()).unwrap();
    let last = || text.lines().rfind(|line| !line.is_empty()).unwrap();
    match media_type {
        "application/json" | "application/problem+json" => reply.json(),
        "application/x-ndjson" => serde_json::from_str(last()).unwrap(),
        "text/event-stream" => serde_json::from_str(last().strip_prefix("data: ").unwrap()).unwrap(),
        _ => json!(text),
    }
}

/// The same for every machine and moment; of metrics, what there is.
fn timeless(mut value: Value) -> Value {
    if let Some(page) = value.as_str().filter(|text| text.starts_with("# HELP")) {
        return page.lines().filter(|line| line.starts_with('#')).collect();
    }
    let mut left = vec![&mut value];
    while let Some(value) = left.pop() {
        match value {
            Value::Object(members) => {
                for (name, member) in members {
                    if TIMED.contains(&name.as_str()) && member.is_number() {
                        *member = json!(0);
                    }
                    left.push(member);
                }
            }
            Value::Array(items) => left.extend(items),
            _ => {}
        }
    }
    value
}

fn file() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src/api/examples/examples.json")
}
