//! Traces: what a collector gets, and that nobody needs one.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;

use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::any_value::Value;
use opentelemetry_proto::tonic::trace::v1::Span;
use opentelemetry_proto::tonic::trace::v1::span::SpanKind;
use prost::Message;

use crate::program::{Program, eventually};

/// Spans are sent as soon as there are any.
const AT_ONCE: (&str, &str) = ("OTEL_BSP_SCHEDULE_DELAY", "50");

/// How a collector answers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Manner {
    Polite,
    Silent,
    Refusing,
    Endless,
}

/// A collector that keeps what it gets.
struct Collector {
    address: String,
    spans: Arc<Mutex<Vec<Span>>>,
}

impl Collector {
    fn start(manner: Manner) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let spans = Arc::<Mutex<Vec<Span>>>::default();
        let kept = Arc::clone(&spans);
        thread::spawn(move || {
            // Those that nothing is answered to stay open.
            let mut open = Vec::new();
            for stream in listener.incoming() {
                open.push(receive(stream.unwrap(), manner, &kept));
            }
        });
        Self { address, spans }
    }

    /// The spans of a trace, once the request's own is among them.
    fn trace(&self, id: &str) -> Vec<Span> {
        let of_trace = || {
            let spans = self.spans.lock().unwrap();
            spans.iter().filter(|span| hexadecimal(&span.trace_id) == id).cloned().collect::<Vec<_>>()
        };
        eventually("sent", || of_trace().iter().any(|span| span.kind() == SpanKind::Server));
        of_trace()
    }
}

/// Takes a batch in.
fn receive(stream: TcpStream, manner: Manner, kept: &Mutex<Vec<Span>>) -> TcpStream {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut length = 0;
    for line in reader.by_ref().lines().map_while(Result::ok).take_while(|line| !line.is_empty()) {
        let line = line.to_lowercase();
        assert!(!line.starts_with("post") || line.starts_with("post /v1/traces http/1.1"), "{line}");
        if let Some(bytes) = line.strip_prefix("content-length:") {
            length = bytes.trim().parse().unwrap();
        }
    }
    let mut bytes = vec![0; length];
    reader.read_exact(&mut bytes).unwrap();
    let batch = ExportTraceServiceRequest::decode(&*bytes).unwrap();
    let scopes = batch.resource_spans.into_iter().flat_map(|spans| spans.scope_spans);
    kept.lock().unwrap().extend(scopes.flat_map(|scope| scope.spans));
    let mut stream = stream;
    // Who asked may have left.
    let _ = match manner {
        Manner::Polite => stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"),
        Manner::Silent => Ok(()),
        Manner::Refusing => stream.write_all(b"HTTP/1.1 418 No\r\ncontent-length: 4\r\n\r\n\xff\xff\xff\xff"),
        Manner::Endless => {
            let head = stream.write_all(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n");
            let chunk = [b"400\r\n".as_slice(), &[b'x'; 1024], b"\r\n"].concat();
            while stream.write_all(&chunk).is_ok() {}
            head
        }
    };
    stream
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().concat()
}

fn attribute(span: &Span, key: &str) -> Option<Value> {
    let found = span.attributes.iter().find(|attribute| attribute.key == key)?;
    found.value.clone()?.value
}

fn number(span: &Span, key: &str) -> i64 {
    match attribute(span, key) {
        Some(Value::IntValue(number)) => number,
        other => panic!("{key}: {other:?}"),
    }
}

fn text(span: &Span, key: &str) -> String {
    match attribute(span, key) {
        Some(Value::StringValue(text)) => text,
        other => panic!("{key}: {other:?}"),
    }
}

const CALLER: &str = "b7ad6b7169203331";

fn parent(trace: &str, flags: &str) -> String {
    format!("00-{trace}-{CALLER}-{flags}")
}

#[test]
fn a_request_is_a_span_with_its_wait_and_its_search() {
    const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";
    let collector = Collector::start(Manner::Polite);
    let program = Program::start(Stdio::null(), &["--otlp-endpoint", &collector.address], &[AT_ONCE]);
    for body in [r#"{"depth":6}"#, r#"{"depth":6,"deterministic":true}"#] {
        collector.spans.lock().unwrap().clear();
        let (status, reply) =
            program.ask("POST /v1/best-move", &[("traceparent", &parent(TRACE, "01"))], body);
        assert_eq!(status, 200, "{reply}");
        let reply: serde_json::Value = serde_json::from_str(&reply).unwrap();
        let spans = collector.trace(TRACE);
        let named = |name: &str| spans.iter().find(|span| span.name == name).unwrap();
        let (request, queue, search) = (named("POST /v1/best-move"), named("queue"), named("search"));
        assert_eq!(spans.len(), 3, "{spans:?}");
        assert_eq!(hexadecimal(&request.parent_span_id), CALLER);
        assert!([queue, search].iter().all(|span| span.parent_span_id == request.span_id));
        assert_eq!(number(request, "http.response.status_code"), 200);
        assert_eq!(text(request, "http.route"), "/v1/best-move");
        assert_eq!(text(request, "http.request.method"), "POST");
        assert_eq!(text(request, "url.scheme"), "http");
        assert_eq!(number(search, "centipawn.depth"), 6);
        assert_eq!(number(search, "centipawn.nodes"), reply["nodes"].as_i64().unwrap());
        let begins = [request, queue, search].map(|span| span.start_time_unix_nano);
        assert!(begins.is_sorted() && queue.end_time_unix_nano == search.start_time_unix_nano, "{spans:?}");
        assert!(search.start_time_unix_nano < search.end_time_unix_nano);
        assert!(search.end_time_unix_nano <= request.end_time_unix_nano);
    }
    assert!(program.end().success());
}

#[test]
fn streams_and_batches_have_their_searches_too() {
    let collector = Collector::start(Manner::Polite);
    let variables = [AT_ONCE, ("OTEL_EXPORTER_OTLP_ENDPOINT", collector.address.as_str())];
    let program = Program::start(Stdio::null(), &[], &variables);
    let ask = |trace: &str, path: &str, body: &str| {
        let headers = [("traceparent", &*parent(trace, "01")), ("accept", "application/x-ndjson")];
        assert_eq!(program.ask(&format!("POST {path}"), &headers, body).0, 200);
        collector.trace(trace)
    };
    let stream = ask(&"1".repeat(32), "/v1/best-move", r#"{"depth":5}"#);
    assert_eq!(stream.iter().filter(|span| span.name == "search").count(), 1, "{stream:?}");
    let items = vec![r#"{"depth":1}"#; 100].join(",");
    let batch = ask(&"2".repeat(32), "/v1/evaluate/batch", &format!("[{items}]"));
    let searches = batch.iter().filter(|span| span.name == "search").count();
    assert_eq!(searches, 64, "a batch of a million items has no million spans");
    let request = batch.iter().find(|span| span.kind() == SpanKind::Server).unwrap();
    assert_eq!(number(request, "centipawn.searches"), 100);
}

#[test]
fn who_calls_decides_and_else_the_lot() {
    let collector = Collector::start(Manner::Polite);
    let arguments = ["--otlp-endpoint", &collector.address, "--trace-ratio", "0"];
    let program = Program::start(Stdio::null(), &arguments, &[AT_ONCE]);
    let (sampled, unsampled) = ("3".repeat(32), "4".repeat(32));
    program.ask("GET /v1/limits", &[("traceparent", &parent(&unsampled, "00"))], "");
    program.ask("GET /v1/limits", &[], "");
    program.ask("GET /v1/limits", &[("traceparent", "00-nonsense")], "");
    program.ask("GET /nothing", &[("traceparent", &parent(&sampled, "01"))], "");
    assert_eq!(number(&collector.trace(&sampled)[0], "http.response.status_code"), 404);
    assert_eq!(collector.spans.lock().unwrap().len(), 1);
    assert!(program.end().success());
}

#[test]
fn a_collector_that_is_gone_slow_or_lying_harms_nobody() {
    let gone = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let others = [Manner::Silent, Manner::Refusing, Manner::Endless].map(Collector::start);
    for address in [format!("http://{gone}")].iter().chain(others.iter().map(|other| &other.address)) {
        let program = Program::start(Stdio::null(), &["--otlp-endpoint", address], &[AT_ONCE]);
        // More than the queue of spans can hold.
        for _ in 0..2_500 {
            assert_eq!(program.ask("GET /v1/limits", &[], "").0, 200);
        }
        eventually("noticed", || program.metric("centipawn_trace_exports_failed_total") > 0.0);
        let search = program.ask("POST /v1/best-move", &[], r#"{"depth":3}"#);
        assert_eq!(search.0, 200, "{}", search.1);
        assert!(program.end().success(), "{address}");
    }
}

#[test]
fn an_address_that_cannot_be_used_is_refused_at_the_start() {
    let refused = Command::new(env!("CARGO_BIN_EXE_centipawn"))
        .args(["serve", "--listen", "127.0.0.1:0", "--otlp-endpoint", "https://collector:4318"])
        .output()
        .unwrap();
    let said = String::from_utf8(refused.stderr).unwrap();
    assert!(!refused.status.success() && said.contains("otlp-endpoint: `https://collector:4318`"), "{said}");
}
