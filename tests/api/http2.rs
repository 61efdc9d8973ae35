//! HTTP/2 on a real socket: what one connection may do, and how it ends.

use std::io::{Read, Write};
use std::time::Duration;
use std::{net, thread};

use axum::body::Bytes;
use axum::http::{Request, Version};
use centipawn::api::Patience;
use centipawn::pool::Client;
use h2::client::{self, SendRequest};
use tokio::net::TcpStream;
use tokio::runtime;

use crate::wire::{LARGE, LONG, PATIENT, Server, wait_until};

const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// A frame of HTTP/2: its type, its flags, its stream and what is in it.
fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let [_, length @ ..] = (payload.len() as u32).to_be_bytes();
    [&length[..], &[kind, flags], &stream.to_be_bytes(), payload].concat()
}

/// The fields of `GET /`, by their numbers in HPACK's table, and an authority.
const FIELDS: &[u8] = b"\x82\x86\x84\x41\x04test";

const HEADERS: u8 = 1;
const RST_STREAM: u8 = 3;
const SETTINGS: u8 = 4;
const GOAWAY: u8 = 7;
const END_STREAM: u8 = 1;
const END_HEADERS: u8 = 4;
const CANCEL: [u8; 4] = [0, 0, 0, 8];
const ENHANCE_YOUR_CALM: u32 = 11;

/// Says all of this and returns the frames that come until the connection is closed: their types and payloads.
fn say(server: &Server, said: &[u8]) -> Vec<(u8, Vec<u8>)> {
    let mut stream = net::TcpStream::connect(server.address).unwrap();
    stream.set_read_timeout(Some(LONG)).unwrap();
    let mut writer = stream.try_clone().unwrap();
    let said = [PREFACE, &frame(SETTINGS, 0, 0, &[]), said].concat();
    thread::spawn(move || writer.write_all(&said));
    let mut frames = Vec::new();
    let mut head = [0; 9];
    while stream.read_exact(&mut head).is_ok() {
        let mut payload = vec![0; u32::from_be_bytes([0, head[0], head[1], head[2]]) as usize];
        if stream.read_exact(&mut payload).is_err() {
            break;
        }
        frames.push((head[3], payload));
    }
    frames
}

fn reason(frames: &[(u8, Vec<u8>)]) -> Option<u32> {
    let (_, payload) = frames.iter().rfind(|(kind, _)| *kind == GOAWAY)?;
    Some(u32::from_be_bytes(payload[4..8].try_into().unwrap()))
}

fn is_served(server: &Server) -> bool {
    let mut client = server.connect();
    client.ask("/v1/evaluate");
    client.answer().as_deref() == Some("HTTP/1.1 200 OK")
}

#[test]
fn a_flood_of_resets_ends_its_connection() {
    let server = Server::start(PATIENT);
    let flood: Vec<u8> = (0..5_000)
        .flat_map(|number| {
            let stream = 2 * number + 1;
            [frame(HEADERS, END_STREAM | END_HEADERS, stream, FIELDS), frame(RST_STREAM, 0, stream, &CANCEL)]
                .concat()
        })
        .collect();
    assert_eq!(reason(&say(&server, &flood)), Some(ENHANCE_YOUR_CALM));
    assert!(is_served(&server));
    server.wait_for("it is gone", |told| told.open <= 1);
    server.shut_down();
}

#[test]
fn a_head_without_end_is_not_kept() {
    const CONTINUATION: u8 = 9;
    let server = Server::start(PATIENT);
    // A field that is not to be kept in the table, with a name of one letter and a value of 16 KB, again and again.
    let field = [&b"\x10\x01a\x7f\x81\x7c"[..], &[b'x'; 16_000]].concat();
    let endless: Vec<u8> = (0..2_000).flat_map(|_| frame(CONTINUATION, 0, 1, &field)).collect();
    let said = [frame(HEADERS, END_STREAM, 1, FIELDS), endless].concat();
    let reason = reason(&say(&server, &said));
    assert!(
        reason.is_some_and(|reason| reason != 0),
        "the connection ends by a fault of the client's: {reason:?}"
    );
    assert!(is_served(&server));
    server.wait_for("it is gone", |told| told.open <= 1);
    server.shut_down();
}

/// Asks over a connection of HTTP/2, and returns status and body.
async fn ask(mut sender: SendRequest<Bytes>, address: &str, path: &str) -> (u16, Vec<u8>) {
    let request = Request::get(format!("http://{address}{path}")).body(()).unwrap();
    let (response, _) = sender.send_request(request, true).unwrap();
    let response = response.await.unwrap();
    let status = response.status().as_u16();
    let (mut body, mut bytes) = (response.into_body(), Vec::new());
    while let Some(piece) = body.data().await {
        let piece = piece.unwrap();
        bytes.extend_from_slice(&piece);
        body.flow_control().release_capacity(piece.len()).unwrap();
    }
    (status, bytes)
}

#[test]
fn streams_that_had_begun_are_answered_before_the_end() {
    let server = Server::start(PATIENT);
    let address = server.address.to_string();
    let event_loop = runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let state = server.state.clone();
    let end = thread::spawn(move || {
        wait_until("both searches run", || state.pools().interactive.snapshot().running == 2);
        server.shut_down()
    });
    event_loop.block_on(async {
        let stream = TcpStream::connect(&address).await.unwrap();
        let (sender, connection) = client::handshake(stream).await.unwrap();
        let connection = tokio::spawn(async move {
            let mut connection = connection;
            std::future::poll_fn(|context| std::pin::Pin::new(&mut connection).poll(context)).await
        });
        // What the server says about streams comes with its first frame, before the first answer.
        let (evaluated, _) = ask(sender.clone().ready().await.unwrap(), &address, "/v1/evaluate").await;
        assert_eq!(evaluated, 200);
        let searches = ["/v1/best-move?movetime=1500", "/v1/best-move?movetime=1600"];
        for (status, body) in
            futures_util::future::join_all(searches.map(|path| ask(sender.clone(), &address, path))).await
        {
            assert_eq!(status, 200);
            assert!(String::from_utf8(body).unwrap().contains("bestmove"));
        }
        drop(sender);
        connection.await.unwrap().unwrap();
    });
    end.join().unwrap();
}

/// A client that opens so much window for each answer, begins `asked` and takes nothing of what comes, but goes on to ask for heads until
/// the connection ends.
async fn never_takes(address: &str, window: u32, asked: axum::http::request::Builder, body: &'static str) {
    let stream = TcpStream::connect(address).await.unwrap();
    let (mut sender, connection) =
        client::Builder::new().initial_window_size(window).handshake::<_, Bytes>(stream).await.unwrap();
    let talk = async {
        let asked = asked.version(Version::HTTP_2).header("content-type", "application/json");
        let (answer, mut sent) = sender.send_request(asked.body(()).unwrap(), false).unwrap();
        sent.send_data(Bytes::from_static(body.as_bytes()), true).unwrap();
        let _untaken = answer.await.unwrap();
        loop {
            let head = Request::head(format!("http://{address}/healthz")).body(()).unwrap();
            let (answer, _) = sender.send_request(head, true).unwrap();
            if answer.await.is_err() {
                break;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
            match sender.ready().await {
                Ok(ready) => sender = ready,
                Err(_) => break,
            }
        }
    };
    let _ = tokio::join!(talk, connection);
}

#[test]
fn who_opens_no_window_for_an_answer_does_not_keep_its_place() {
    let server = Server::start(Patience { answer: Duration::from_secs(1), ..PATIENT });
    let address = server.address.to_string();
    let ways = [
        (0, "/v1/evaluate/batch", "[{}, {}]"),
        (0, "/v1/games/review", r#"{"moves": "e4 e5", "depth": 1}"#),
        // Of its only piece so much is sent, and the rest waits with the connection.
        (100, "/v1/games/review", r#"{"moves": "e4 e5", "depth": 1}"#),
    ];
    let count = ways.len() as u64;
    let event_loop = runtime::Builder::new_current_thread().enable_all().build().unwrap();
    event_loop.block_on(async {
        let clients = ways.map(|(window, path, body)| {
            never_takes(&address, window, Request::post(format!("http://{address}{path}")), body)
        });
        let all = futures_util::future::join_all(clients);
        tokio::time::timeout(LONG, all).await.expect("they are let go");
    });
    server.wait_for("each is counted", |told| told.slow_readers == count);
    wait_until("every place is free", || {
        let pools = server.state.pools();
        (0..8).map(|_| pools.begin_bulk(Client::UNKNOWN)).collect::<Result<Vec<_>, _>>().is_ok()
    });
    server.shut_down();
}

#[test]
fn who_takes_a_large_answer_slowly_keeps_its_connection() {
    /// After each of them a tenth of a second: more than three in all, longer than nothing may be taken.
    const PAUSE_BYTES: usize = 32 << 10;
    let server = Server::start(Patience { answer: Duration::from_secs(2), ..PATIENT });
    let address = server.address.to_string();
    let event_loop = runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let length = event_loop.block_on(async {
        let stream = TcpStream::connect(&address).await.unwrap();
        let (mut sender, connection) = client::handshake(stream).await.unwrap();
        let connection = tokio::spawn(connection);
        let asked = Request::get(format!("http://{address}{LARGE}")).body(()).unwrap();
        let (answer, _) = sender.send_request(asked, true).unwrap();
        let (mut body, mut length) = (answer.await.unwrap().into_body(), 0);
        while let Some(piece) = body.data().await {
            let piece = piece.unwrap();
            body.flow_control().release_capacity(piece.len()).unwrap();
            let pauses = (length + piece.len()) / PAUSE_BYTES - length / PAUSE_BYTES;
            length += piece.len();
            tokio::time::sleep(Duration::from_millis(100) * pauses as u32).await;
        }
        drop((sender, body));
        connection.await.unwrap().unwrap();
        length
    });
    assert!(length > 1_000_000, "{length}");
    assert_eq!(server.state.connections().slow_readers, 0);
    server.shut_down();
}
