//! Clients that take their time: with what they send, and with what they are sent.

use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use centipawn::api::Patience;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use crate::wire::{Client, LARGE, LONG, PATIENT, Server, little_at_once, wait_until};

/// Connections of the great attack, as far as the limit on open files allows: both ends are in this process.
fn attackers() -> usize {
    const WANTED: usize = 2_000;
    let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
    setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum }).unwrap();
    let room = maximum.map_or(WANTED, |most| (most as usize).saturating_sub(500) / 2);
    if room < WANTED {
        eprintln!("the limit on open files leaves room for {room} of {WANTED} connections");
    }
    room.min(WANTED)
}

/// Whether the other end has closed a connection that does not block.
fn is_closed(mut stream: &TcpStream) -> bool {
    match stream.read(&mut [0]) {
        Ok(bytes) => bytes == 0,
        Err(error) => error.kind() != ErrorKind::WouldBlock,
    }
}

#[test]
fn others_are_served_while_two_thousand_heads_trickle_in() {
    let count = attackers();
    let server = Server::start(Patience { head: Duration::from_secs(3), ..PATIENT });
    let attackers: Vec<_> = (0..count)
        .map(|_| {
            let mut stream = TcpStream::connect(server.address).unwrap();
            stream.write_all(b"GET / HTTP/1.1\r\nHost: test\r\nX: ").unwrap();
            stream.set_nonblocking(true).unwrap();
            stream
        })
        .collect();
    server.wait_for("all are in", |told| told.open == count as u64 || told.slow_heads > 0);
    let over = AtomicBool::new(false);
    thread::scope(|scope| {
        // They go on for as long as it takes, so that bytes do not lengthen the time of a head.
        scope.spawn(|| {
            while !over.load(Ordering::Relaxed) {
                for mut stream in &attackers {
                    let _ = stream.write(b"x");
                }
                thread::sleep(Duration::from_millis(100));
            }
        });
        let (begun, mut answers) = (Instant::now(), 0);
        while !attackers.iter().all(is_closed) {
            let asked = Instant::now();
            let mut client = server.connect();
            client.ask("/v1/evaluate");
            assert_eq!(client.answer().as_deref(), Some("HTTP/1.1 200 OK"));
            assert!(asked.elapsed() < Duration::from_secs(5), "{:?}", asked.elapsed());
            answers += 1;
            // Others have the processor too.
            thread::sleep(Duration::from_millis(20));
            assert!(begun.elapsed() < LONG, "some are still there");
        }
        over.store(true, Ordering::Relaxed);
        assert!(answers > 0);
    });
    server.wait_for("nobody is left", |told| told.open == 0);
    assert_eq!(server.state.connections().slow_heads, count as u64);
    server.shut_down();
}

/// A client whose system takes little for it.
fn with_a_small_window(address: SocketAddr) -> Client {
    Client::over(little_at_once(address))
}

#[test]
fn who_does_not_read_a_large_answer_is_dropped() {
    let server = Server::start(Patience { answer: Duration::from_secs(1), ..PATIENT });
    let mut silent: Vec<_> = (0..50).map(|_| with_a_small_window(server.address)).collect();
    for client in &mut silent {
        client.ask(LARGE);
    }
    // This one reads, but so little that it would take an hour.
    let mut drops = with_a_small_window(server.address);
    drops.ask(LARGE);
    wait_until("all are dropped", || {
        let _ = drops.0.get_mut().read(&mut [0; 4]);
        server.state.connections().slow_readers == 51
    });
    server.wait_for("nobody is left", |told| told.open == 0);
    server.shut_down();
}

#[test]
fn who_reads_slowly_but_reads_is_served() {
    let server = Server::start(Patience { answer: Duration::from_secs(2), ..PATIENT });
    let mut client = with_a_small_window(server.address);
    client.send(&format!("GET {LARGE} HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n"));
    let (mut length, mut some) = (0, vec![0; 32 << 10]);
    let begun = Instant::now();
    loop {
        let read = client.0.get_mut().read(&mut some).unwrap();
        length += read;
        if read == 0 {
            break;
        }
        // Some four seconds in all, twice as long as nothing may be taken.
        thread::sleep(Duration::from_micros(read as u64 * 4_000_000 / 1_500_000));
    }
    assert!(
        length > 1_000_000 && begun.elapsed() > Duration::from_secs(2),
        "{length} in {:?}",
        begun.elapsed()
    );
    assert_eq!(server.state.connections().slow_readers, 0);
    server.shut_down();
}

#[test]
fn who_does_not_read_a_stream_is_dropped() {
    let server = Server::start(Patience { answer: Duration::from_secs(1), ..PATIENT });
    let mut client = with_a_small_window(server.address);
    client.send(
        "POST /v1/evaluate/batch HTTP/1.1\r\nHost: test\r\nContent-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n",
    );
    let lines = "{}\n".repeat(1_000);
    let chunk = format!("{:x}\r\n{lines}\r\n", lines.len());
    client.0.get_ref().set_write_timeout(Some(Duration::from_millis(200))).unwrap();
    // It sends as long as it is heard: the server stops to read where its answers are not taken.
    wait_until("it is dropped", || {
        let _ = client.0.get_mut().write(chunk.as_bytes());
        server.state.connections().slow_readers == 1
    });
    server.wait_for("nobody is left", |told| told.open == 0);
    let pools = server.state.pools();
    wait_until("its place is free", || {
        pools.bulk.snapshot().running == 0 && pools.bulk.snapshot().waiting == 0
    });
    server.shut_down();
}

#[test]
fn a_body_that_trickles_gains_no_time() {
    let server = Server::start(PATIENT);
    let forms = [
        ("/v1/evaluate", "application/json"),
        ("/v1/evaluate/batch", "application/json"),
        ("/v1/games/review", "application/json"),
        ("/v1/games/review", "application/x-chess-pgn"),
    ];
    let mut clients = forms.map(|(path, media)| {
        let mut client = server.connect();
        client.send(&format!(
            "POST {path} HTTP/1.1\r\nHost: test\r\nContent-Type: {media}\r\nContent-Length: 50000\r\n\r\n["
        ));
        client
    });
    let begun = Instant::now();
    let mut waiting = true;
    while waiting {
        thread::sleep(Duration::from_millis(250));
        waiting = false;
        for client in &mut clients {
            let stream = client.0.get_mut();
            stream.set_nonblocking(true).unwrap();
            let is_answered =
                !matches!(stream.peek(&mut [0]), Err(error) if error.kind() == ErrorKind::WouldBlock);
            if !is_answered {
                let _ = stream.write(b" ");
                waiting = true;
            }
            stream.set_nonblocking(false).unwrap();
        }
        assert!(begun.elapsed() < LONG, "bytes lengthen the time of a body");
    }
    for (client, form) in clients.iter_mut().zip(forms) {
        assert_eq!(client.answer().as_deref(), Some("HTTP/1.1 408 Request Timeout"), "{form:?}");
    }
    server.shut_down();
}
