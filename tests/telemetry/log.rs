//! The log: what its lines say, and that nobody waits for them.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::Stdio;
use std::thread;

use centipawn::config::KeyHash;
use serde_json::Value;

use crate::program::{Program, eventually};

const EVERYTHING: [&str; 4] = ["--access-log", "all", "--log-format", "json"];
const LOST: &str = "centipawn_log_lines_lost_total";

#[test]
fn a_full_disk_loses_lines_and_nothing_else() {
    let full = File::options().write(true).open("/dev/full").unwrap();
    let program = Program::start(full.into(), &EVERYTHING, &[]);
    for _ in 0..20 {
        assert_eq!(program.ask("GET /v1/limits", &[], "").0, 200);
    }
    // One more line said that the service is ready.
    eventually("counted", || program.metric(LOST) >= 21.0);
    assert!(program.end().success());
}

#[test]
fn a_variable_that_is_no_setting_is_told_at_the_start() {
    let variables = [("CENTIPAWN_MAX_DEPHT", "a secret"), ("CENTIPAWN_PORT_8080_TCP_ADDR", "10.0.0.1")];
    // A level for one module leaves what the others say.
    let arguments = ["--log-level", "centipawn::pool=warn"];
    let mut program = Program::start(Stdio::piped(), &arguments, &variables);
    let mut stderr = program.stderr();
    assert!(program.end().success());
    let mut told = String::new();
    stderr.read_to_string(&mut told).unwrap();
    assert!(told.contains("no setting has this variable; did you mean CENTIPAWN_MAX_DEPTH?"), "{told}");
    assert!(told.contains("CENTIPAWN_MAX_DEPHT") && !told.contains("a secret"), "{told}");
    assert!(!told.contains("CENTIPAWN_PORT") && told.contains("ready"), "{told}");
}

#[test]
fn a_broken_pipe_loses_lines_and_nothing_else() {
    let mut program = Program::start(Stdio::piped(), &EVERYTHING, &[]);
    drop(program.stderr());
    // The first lines may still be taken: a program that another test starts at that moment has the pipe until it runs.
    eventually("counted", || {
        assert_eq!(program.ask("GET /v1/limits", &[], "").0, 200);
        program.metric(LOST) >= 20.0
    });
    assert!(program.end().success());
}

#[test]
fn a_pipe_that_nobody_reads_holds_nobody_up() {
    // More than the pipe and the queue before it can hold.
    const REQUESTS: usize = 12_000;
    let mut program = Program::start(Stdio::piped(), &EVERYTHING, &[]);
    let unread = program.stderr();
    let mut stream = TcpStream::connect(("127.0.0.1", program.port)).unwrap();
    let mut asking = stream.try_clone().unwrap();
    let asked = thread::spawn(move || {
        for _ in 0..REQUESTS {
            asking.write_all(b"GET /v1/limits HTTP/1.1\r\nhost: localhost\r\n\r\n").unwrap();
        }
        asking.write_all(b"GET /nothing HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n").unwrap();
    });
    let mut replies = String::new();
    stream.read_to_string(&mut replies).unwrap();
    asked.join().unwrap();
    assert_eq!(replies.matches("HTTP/1.1 200 OK\r\n").count(), REQUESTS);
    assert_eq!(replies.matches("HTTP/1.1 404 Not Found\r\n").count(), 1);
    assert!(program.metric(LOST) > 0.0);
    let search = program.ask("POST /v1/best-move", &[], r#"{"depth":3}"#);
    assert_eq!(search.0, 200, "{}", search.1);
    assert!(program.end().success());
    drop(unread);
}

#[test]
fn every_request_is_a_line_that_no_client_can_forge() {
    let mut program = Program::start(Stdio::piped(), &EVERYTHING, &[]);
    let lines = BufReader::new(program.stderr()).lines();
    let forged = r#"/a"},{"level":"ERROR"#;
    let parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    program.ask(&format!("GET {forged}"), &[("x-request-id", "mine-1")], "");
    program.ask("POST /v1/evaluate", &[("x-request-id", "mine-2"), ("traceparent", parent)], "{");
    program.ask("GET /healthz", &[("x-request-id", "mine-3")], "");
    assert!(program.end().success());
    let lines: Vec<Value> = lines.map(|line| serde_json::from_str(&line.unwrap()).unwrap()).collect();
    let of = |id: &str| lines.iter().find(|line| line["request_id"] == id);
    let (stranger, malformed) = (of("mine-1").unwrap(), of("mine-2").unwrap());
    assert_eq!(
        (&stranger["url.path"], &stranger["http.route"], &stranger["http.response.status_code"]),
        (&forged.into(), &"unmatched".into(), &404.into())
    );
    assert_eq!(
        (&malformed["http.request.method"], &malformed["http.response.status_code"], &malformed["level"]),
        (&"POST".into(), &400.into(), &"INFO".into())
    );
    assert_eq!(malformed["trace_id"], "0af7651916cd43dd8448eb211c80319c");
    assert_eq!(malformed["network.peer.address"], "127.0.0.1");
    assert!(malformed["http.server.request.duration"].as_f64().unwrap() > 0.0);
    assert_eq!(of("mine-3"), None, "probes are told at level debug");
    assert!(lines.iter().all(|line| line["level"] == "INFO"), "{lines:?}");
}

#[test]
fn the_log_names_who_asked_and_never_the_key() {
    let keys = Path::new(env!("CARGO_TARGET_TMPDIR")).join("telemetry-keys.toml");
    let entry = format!(
        "[[key]]\nname = \"alice\"\nsha256 = \"{}\"\nrate = 0.001\nburst = 1\n",
        KeyHash::of(b"cpk_alice").hexadecimal()
    );
    fs::write(&keys, entry).unwrap();
    let guarded = ["--api-keys", keys.to_str().unwrap(), "--trusted-proxies", "127.0.0.0/8"];
    let mut program = Program::start(Stdio::piped(), &[&EVERYTHING[..], &guarded].concat(), &[]);
    let lines = BufReader::new(program.stderr()).lines();
    let proxied = ("x-forwarded-for", "192.0.2.7");
    for (id, key, status) in
        [("good", "cpk_alice", 200), ("often", "cpk_alice", 429), ("wrong", "cpk_bob", 401)]
    {
        let told = program.ask("GET /v1/limits", &[("x-request-id", id), ("x-api-key", key), proxied], "");
        assert_eq!(told.0, status);
    }
    assert!(program.end().success());
    let lines: Vec<String> = lines.map(Result::unwrap).collect();
    assert!(lines.iter().all(|line| !line.contains("cpk_")), "{lines:?}");
    let lines: Vec<Value> = lines.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    for (id, name) in [("good", "alice".into()), ("often", "alice".into()), ("wrong", Value::Null)] {
        let line = lines.iter().find(|line| line["request_id"] == id).unwrap();
        let who = ["network.peer.address", "client.address", "api_key"].map(|field| &line[field]);
        assert_eq!(who, [&"127.0.0.1".into(), &"192.0.2.7".into(), &name], "{line}");
    }
}
