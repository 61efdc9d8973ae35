//! Bodies that are not wanted, above all those that are too large: who sends one hears of it, however much was still to be sent.
//! And bodies that are not whole.

use std::io::Read;
use std::thread::sleep;
use std::time::Duration;

use axum::body::Bytes;
use axum::http::Request;
use h2::client;
use tokio::net::TcpStream;
use tokio::runtime;

use crate::wire::{PATIENT, Server};

const TOO_LARGE: &str = "HTTP/1.1 413 Payload Too Large";

/// Where bodies are taken, and more bytes than are taken there.
const PLACES: [(&str, &str, usize); 4] = [
    ("/v1/evaluate", "application/json", 5 << 20),
    ("/v1/evaluate/batch", "application/json", 30 << 20),
    ("/v1/games/review", "application/json", 20 << 20),
    ("/v1/games/review", "application/x-chess-pgn", 20 << 20),
];

fn head(path: &str, media: &str, more: &str) -> String {
    format!("POST {path} HTTP/1.1\r\nHost: test\r\nContent-Type: {media}\r\n{more}\r\n\r\n")
}

#[test]
fn who_sends_too_much_is_told_and_keeps_the_connection() {
    let server = Server::start(PATIENT);
    let mut client = server.connect();
    for (path, media, bytes) in PLACES {
        client.send(&head(path, media, &format!("Content-Length: {bytes}")));
        client.send(&" ".repeat(bytes));
        assert_eq!(client.answer().as_deref(), Some(TOO_LARGE), "{path} {media}");
        client.send(&head(path, media, "Transfer-Encoding: chunked"));
        client.send(&format!("{bytes:x}\r\n{}\r\n0\r\n\r\n", " ".repeat(bytes)));
        assert_eq!(client.answer().as_deref(), Some(TOO_LARGE), "{path} {media} in chunks");
    }
    server.shut_down();
}

/// What is refused for its head alone.
const REFUSED: [(&str, &str, &str); 3] = [
    ("/v1/evaluate", "text/plain", "HTTP/1.1 415 Unsupported Media Type"),
    ("/v1/limits", "application/json", "HTTP/1.1 405 Method Not Allowed"),
    ("/nowhere", "application/json", "HTTP/1.1 404 Not Found"),
];

#[test]
fn who_is_refused_for_something_else_is_told_and_keeps_the_connection() {
    let server = Server::start(PATIENT);
    let mut client = server.connect();
    for (path, media, refusal) in REFUSED {
        for bytes in [100, 1 << 20, 20 << 20] {
            client.send(&head(path, media, &format!("Content-Length: {bytes}")));
            // As clients do that send a body apart from its head.
            sleep(Duration::from_millis(30));
            client.send(&" ".repeat(bytes));
            assert_eq!(client.answer().as_deref(), Some(refusal), "{path} {media} {bytes}");
        }
    }
    server.shut_down();
}

#[test]
fn who_asks_first_or_would_never_end_is_told_at_once() {
    let server = Server::start(PATIENT);
    for (path, media, bytes) in PLACES {
        for more in [
            format!("Content-Length: {bytes}\r\nExpect: 100-continue"),
            "Content-Length: 1000000000".to_owned(),
        ] {
            let mut client = server.connect();
            client.send(&head(path, media, &more));
            assert_eq!(client.answer().as_deref(), Some(TOO_LARGE), "{path} {media} {more}");
        }
    }
    server.shut_down();
}

#[test]
fn a_body_whose_chunks_cannot_be_read_is_called_incomplete() {
    let server = Server::start(PATIENT);
    for (path, media, _) in PLACES {
        let mut client = server.connect();
        client.send(&head(path, media, "Transfer-Encoding: chunked"));
        client.send("1\r\n[\r\nxyz\r\n");
        let mut answer = String::new();
        client.0.read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 400 Bad Request"), "{path} {media}: {answer}");
        assert!(answer.contains(r#""code":"body_incomplete""#), "{path} {media}: {answer}");
    }
    server.shut_down();
}

#[test]
fn who_sends_too_much_by_http_2_is_told() {
    let server = Server::start(PATIENT);
    let address = server.address.to_string();
    let event_loop = runtime::Builder::new_current_thread().enable_all().build().unwrap();
    event_loop.block_on(async {
        let stream = TcpStream::connect(&address).await.unwrap();
        let (mut sender, connection) = client::handshake(stream).await.unwrap();
        let connection = tokio::spawn(connection);
        for (path, media, bytes) in PLACES {
            let asked = Request::post(format!("http://{address}{path}")).header("content-type", media);
            let (answer, mut body) = sender.send_request(asked.body(()).unwrap(), false).unwrap();
            body.send_data(Bytes::from(vec![b' '; bytes]), true).unwrap();
            assert_eq!(answer.await.unwrap().status(), 413, "{path} {media}");
        }
        drop(sender);
        connection.await.unwrap().unwrap();
    });
    server.shut_down();
}
