//! How many connections there may be, and what becomes of those beyond.

use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use centipawn::api::{Patience, PerAddress, ServerOptions};
use serde_json::Value;
use socket2::{Domain, Socket, Type};

use crate::wire::{Client, PATIENT, Server, wait_until};

fn with_room_for(most: usize, per_address: Option<usize>) -> Server {
    Server::start_with(ServerOptions {
        patience: PATIENT,
        max_connections: most,
        per_address: per_address.map(|most| PerAddress { most, except: Vec::new() }),
        ..ServerOptions::default()
    })
}

/// A client with an address of its own.
fn from(own: &str, address: SocketAddr) -> Client {
    let socket = Socket::new(Domain::IPV4, Type::STREAM, None).unwrap();
    socket.bind(&format!("{own}:0").parse::<SocketAddr>().unwrap().into()).unwrap();
    socket.connect(&address.into()).unwrap();
    Client::over(TcpStream::from(socket))
}

fn assert_served(client: &mut Client) {
    client.ask("/v1/evaluate");
    assert_eq!(client.answer().as_deref(), Some("HTTP/1.1 200 OK"));
}

fn assert_refused(client: &mut Client, why: &str) {
    client.ask("/v1/evaluate");
    let answer = client.whole_answer().unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    assert!(head.starts_with("HTTP/1.1 503 Service Unavailable\r\n"), "{head}");
    assert!(head.contains("\r\nretry-after: 1\r\n") && head.contains("application/problem+json"), "{head}");
    let body: Value = serde_json::from_str(body).unwrap();
    assert_eq!(body["code"], "too_many_connections");
    assert!(body["detail"].as_str().unwrap().contains(why), "{body}");
    assert!(client.is_closed());
}

#[test]
fn beyond_the_bound_is_told_so_until_there_is_room() {
    let server = with_room_for(3, None);
    let mut kept = [(); 3].map(|()| server.connect());
    kept.iter_mut().for_each(assert_served);
    for _ in 0..10 {
        assert_refused(&mut server.connect(), "as many connections as it takes");
    }
    kept.iter_mut().for_each(assert_served);
    let told = server.state.connections();
    assert_eq!((told.open, told.accepted, told.refused), (3, 3, 10));
    let [gone, ..] = kept;
    drop(gone);
    server.wait_for("the place is free", |told| told.open == 2);
    assert_served(&mut server.connect());
    server.shut_down();
}

#[test]
fn an_address_has_no_more_than_its_share() {
    let server = with_room_for(100, Some(2));
    let mut first = [(); 2].map(|()| from("127.0.0.1", server.address));
    first.iter_mut().for_each(assert_served);
    assert_refused(&mut from("127.0.0.1", server.address), "Your address");
    assert_served(&mut from("127.0.0.2", server.address));
    drop(first);
    server.wait_for("both have left", |told| told.open <= 1);
    assert_served(&mut from("127.0.0.1", server.address));
    server.shut_down();
}

#[test]
fn who_does_not_ask_makes_room_in_a_crowd() {
    let patience = Patience { head: Duration::from_millis(200), ..PATIENT };
    let server =
        Server::start_with(ServerOptions { patience, max_connections: 4, ..ServerOptions::default() });
    let mut kept = [(); 3].map(|()| server.connect());
    kept.iter_mut().for_each(assert_served);
    server.wait_for("they are asked to leave", |told| told.idle >= 1);
    wait_until("and leave", || server.state.connections().open < 3);
    assert_served(&mut server.connect());
    server.shut_down();
}
