//! The server on a real socket: every thread takes its turn, nobody stays who does not ask, and the way down loses nothing.

use std::future::ready;
use std::io::{BufRead, Read, Write};
use std::net::Shutdown;
use std::thread;
use std::time::{Duration, Instant};

use centipawn::api::{Patience, ServerOptions, serve};

use crate::client::state;
use crate::wire::{Client, PATIENT, Server, listen, wait_until};

#[test]
fn every_connection_is_served_again_and_again() {
    let server = Server::start(PATIENT);
    let mut clients: Vec<_> =
        (0..3 * thread::available_parallelism().unwrap().get()).map(|_| server.connect()).collect();
    for _ in 0..3 {
        for client in &mut clients {
            client.ask("/v1/evaluate");
        }
        for client in &mut clients {
            assert_eq!(client.answer().as_deref(), Some("HTTP/1.1 200 OK"));
        }
    }
    // One that stops halfway through a request harms nobody.
    clients[0].0.get_mut().write_all(b"POST /v1/eva").unwrap();
    clients[0].0.get_mut().shutdown(Shutdown::Write).unwrap();
    clients[1].ask("/v1/evaluate");
    assert_eq!(clients[1].answer().as_deref(), Some("HTTP/1.1 200 OK"));
    assert!(server.shut_down() < Duration::from_secs(1), "kept connections do not keep the server");
    assert!(clients.iter_mut().skip(1).all(Client::is_closed));
}

#[test]
fn what_had_begun_is_answered_before_the_end() {
    let server = Server::start(PATIENT);
    let (mut client, mut late) = (server.connect(), server.connect());
    client.ask("/v1/best-move?movetime=2000");
    thread::sleep(Duration::from_millis(300));
    let address = server.address;
    let end = thread::spawn(move || server.shut_down());
    thread::sleep(Duration::from_millis(300));
    let mut later = Client::connect(address);
    for (path, status) in [
        ("/readyz", "HTTP/1.1 503 Service Unavailable"),
        ("/v1/best-move?depth=1", "HTTP/1.1 503 Service Unavailable"),
        ("/v1/evaluate", "HTTP/1.1 200 OK"),
    ] {
        for client in [&mut late, &mut later] {
            client.ask(path);
            assert_eq!(client.answer().as_deref(), Some(status), "{path}");
        }
    }
    assert_eq!(client.answer().as_deref(), Some("HTTP/1.1 200 OK"));
    let took = end.join().unwrap();
    assert!(took < Duration::from_secs(5), "{took:?}");
    assert!(late.is_closed() && later.is_closed());
}

#[test]
fn who_has_connected_is_answered() {
    let (event_loop, listener) = listen();
    let address = listener.local_addr().unwrap();
    let mut clients = [(); 20].map(|()| Client::connect(address));
    for client in &mut clients {
        client.ask("/v1/evaluate");
    }
    event_loop
        .block_on(serve(
            listener,
            state(1, 1),
            ready(()),
            ServerOptions { patience: PATIENT, ..ServerOptions::default() },
        ))
        .unwrap();
    for client in &mut clients {
        assert_eq!(client.answer().as_deref(), Some("HTTP/1.1 200 OK"));
        assert!(client.is_closed());
    }
}

#[test]
fn patience_ends() {
    let server = Server::start(Patience { farewell: Duration::from_millis(300), ..PATIENT });
    let mut client = server.connect();
    let head = "POST /v1/evaluate HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n";
    client.0.get_mut().write_all(head.as_bytes()).unwrap();
    thread::sleep(Duration::from_millis(200));
    let took = server.shut_down();
    assert!(took < Duration::from_secs(4), "{took:?}");
}

#[test]
fn who_does_not_ask_is_let_go() {
    let (idle, answer) = (Duration::from_millis(300), Duration::from_secs(1));
    let server = Server::start(Patience { idle, answer, ..PATIENT });
    let mut searching = server.connect();
    searching.ask("/v1/best-move?movetime=1500");
    // HTTP/2's preface with an empty SETTINGS frame.
    let greeting = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";
    let begun = Instant::now();
    for said in [b"".as_slice(), b"GET / HTTP/1.1\r\n", b"GET / HTTP/1.1\r\nHost: te", greeting] {
        let mut client = server.connect();
        client.0.get_mut().write_all(said).unwrap();
        client.0.read_to_end(&mut Vec::new()).unwrap();
    }
    assert!(begun.elapsed() >= Duration::from_millis(4 * 300));
    assert_eq!(searching.answer().as_deref(), Some("HTTP/1.1 200 OK"), "a search takes the time it takes");
    assert!(searching.is_closed(), "who has had an answer is not kept either");
    server.shut_down();
}

#[test]
fn a_stream_is_not_idle() {
    let server = Server::start(Patience { idle: Duration::from_millis(300), ..PATIENT });
    let mut client = server.connect();
    let head =
        "GET /v1/best-move?movetime=1500 HTTP/1.1\r\nHost: test\r\nAccept: application/x-ndjson\r\n\r\n";
    client.0.get_mut().write_all(head.as_bytes()).unwrap();
    let mut text = String::new();
    client.0.read_to_string(&mut text).unwrap();
    assert!(text.contains("{\"event\":\"bestmove\"") && text.ends_with("\r\n0\r\n\r\n"), "{text}");
    server.shut_down();
}

#[test]
fn who_hangs_up_on_a_stream_stops_its_search() {
    let server = Server::start(PATIENT);
    for _ in 0..2 {
        let mut client = server.connect();
        let head =
            "GET /v1/best-move?movetime=20000 HTTP/1.1\r\nHost: test\r\nAccept: text/event-stream\r\n\r\n";
        client.0.get_mut().write_all(head.as_bytes()).unwrap();
        client.0.read_line(&mut String::new()).unwrap();
        client.0.get_ref().shutdown(Shutdown::Both).unwrap();
    }
    let begun = Instant::now();
    let mut client = server.connect();
    client.ask("/v1/best-move?depth=1");
    assert_eq!(client.answer().as_deref(), Some("HTTP/1.1 200 OK"));
    assert!(begun.elapsed() < Duration::from_secs(2), "both threads are free again");
    server.shut_down();
}

/// A client whose system has taken more from it than the request is noticed when it leaves, too.
#[test]
fn who_hangs_up_after_more_than_a_request_stops_its_search() {
    let server = Server::start(Patience { head: Duration::from_secs(1), ..PATIENT });
    let pool = || server.state.pools().interactive.snapshot();
    let body = r#"{"movetime": 20000}"#;
    let search = format!(
        "POST /v1/best-move HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    let another = "GET /v1/evaluate HTTP/1.1\r\nHost: test\r\n\r\n";
    let ways = [
        ("", Shutdown::Both),
        ("\r\n", Shutdown::Both),
        (another, Shutdown::Both),
        ("", Shutdown::Write),
        (another, Shutdown::Write),
    ];
    for (number, (more, how)) in (1..).zip(ways) {
        let mut client = server.connect();
        client.send(&format!("{search}{more}"));
        wait_until("it is searched", || pool().running == 1);
        client.0.get_ref().shutdown(how).unwrap();
        wait_until("it is over", || pool().completed + pool().cancelled == number);
        assert_eq!(pool().cancelled, number, "by itself after {more:?} and {how:?}");
    }
    server.shut_down();
}

#[test]
fn who_sends_several_requests_at_once_and_stays_is_answered() {
    let server = Server::start(Patience { head: Duration::from_millis(400), ..PATIENT });
    let mut client = server.connect();
    let paths = ["/v1/best-move?movetime=1500", "/v1/evaluate"];
    client.send(&paths.map(|path| format!("GET {path} HTTP/1.1\r\nHost: test\r\n\r\n")).concat());
    for path in paths {
        assert_eq!(client.answer().as_deref(), Some("HTTP/1.1 200 OK"), "{path}");
    }
    server.shut_down();
}

#[test]
fn who_names_no_host_or_several_is_refused() {
    let server = Server::start(PATIENT);
    let cases = [
        ("HTTP/1.1\r\n", "HTTP/1.1 400 Bad Request"),
        ("HTTP/1.1\r\nHost: one\r\nHost: other\r\n", "HTTP/1.1 400 Bad Request"),
        ("HTTP/1.1\r\nHost:\r\n", "HTTP/1.1 200 OK"),
        ("HTTP/1.0\r\n", "HTTP/1.0 200 OK"),
    ];
    for (head, status) in cases {
        let mut client = server.connect();
        client.send(&format!("GET /healthz {head}\r\n"));
        assert_eq!(client.answer().as_deref(), Some(status), "{head:?}");
    }
    server.shut_down();
}
