//! TLS on the listener: who speaks it is served, who speaks something else or nothing harms nobody.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use centipawn::api::{Patience, ServerOptions, Tls};
use rcgen::{CertifiedKey, KeyPair, generate_simple_self_signed};
use socket2::SockRef;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::CertificateDer;
use tokio_rustls::rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};

use crate::wire::{LONG, PATIENT, Server, listen, little_at_once};

fn certificate() -> CertifiedKey<KeyPair> {
    generate_simple_self_signed(["localhost".to_owned()]).unwrap()
}

fn tls(certified: &CertifiedKey<KeyPair>) -> Tls {
    Tls::new(certified.cert.pem().as_bytes(), certified.signing_key.serialize_pem().as_bytes()).unwrap()
}

fn start(tls: &Tls, patience: Patience) -> Server {
    Server::start_with(ServerOptions { patience, tls: Some(tls.clone()), ..ServerOptions::default() })
}

/// A client that trusts this certificate alone, and speaks these protocols.
fn connect(
    server: &Server,
    trusted: &CertificateDer<'static>,
    protocols: &[&str],
) -> StreamOwned<ClientConnection, TcpStream> {
    over(TcpStream::connect(server.address).unwrap(), trusted, protocols)
}

/// The same over a connection that there is.
fn over(
    stream: TcpStream,
    trusted: &CertificateDer<'static>,
    protocols: &[&str],
) -> StreamOwned<ClientConnection, TcpStream> {
    let mut roots = RootCertStore::empty();
    roots.add(trusted.clone()).unwrap();
    let mut config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = protocols.iter().map(|name| name.as_bytes().to_vec()).collect();
    let connection = ClientConnection::new(Arc::new(config), "localhost".try_into().unwrap()).unwrap();
    stream.set_read_timeout(Some(LONG)).unwrap();
    StreamOwned::new(connection, stream)
}

/// The answer to a request after which the connection ends, as far as it comes.
fn get(stream: &mut impl ReadWrite, path: &str) -> String {
    let asked = stream
        .write_all(format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").as_bytes());
    let mut answer = Vec::new();
    let _ = asked.and_then(|()| stream.read_to_end(&mut answer));
    String::from_utf8_lossy(&answer).into_owned()
}

trait ReadWrite: Read + Write {}
impl<S: Read + Write> ReadWrite for S {}

fn is_served(server: &Server, trusted: &CertificateDer<'static>) -> bool {
    get(&mut connect(server, trusted, &["http/1.1"]), "/v1/evaluate").starts_with("HTTP/1.1 200 OK\r\n")
}

#[test]
fn both_protocols_are_offered() {
    let certified = certificate();
    let server = start(&tls(&certified), PATIENT);
    assert!(is_served(&server, certified.cert.der()));
    for (wanted, agreed) in [(&["h2", "http/1.1"][..], "h2"), (&["http/1.1"], "http/1.1")] {
        let mut client = connect(&server, certified.cert.der(), wanted);
        client.conn.complete_io(&mut client.sock).unwrap();
        assert_eq!(client.conn.alpn_protocol(), Some(agreed.as_bytes()));
        if agreed == "h2" {
            client.write_all(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0").unwrap();
            let mut frame = [0; 9];
            client.read_exact(&mut frame).unwrap();
            assert_eq!(frame[3], 4, "the server begins with its SETTINGS: {frame:?}");
        }
    }
    assert_eq!(server.state.connections().tls_failures, 0);
    server.shut_down();
}

#[test]
fn a_new_certificate_is_shown_and_a_broken_one_is_not() {
    let (old, new) = (certificate(), certificate());
    let tls = tls(&old);
    let server = start(&tls, PATIENT);
    assert!(is_served(&server, old.cert.der()) && !is_served(&server, new.cert.der()));
    let mut kept = connect(&server, old.cert.der(), &["http/1.1"]);
    kept.conn.complete_io(&mut kept.sock).unwrap();

    let (pem, key) = (new.cert.pem(), new.signing_key.serialize_pem());
    let others_key = old.signing_key.serialize_pem();
    let cut_off = &pem.as_bytes()[..pem.len() / 2];
    for (certificates, key, why) in [
        (pem.as_bytes(), others_key.as_bytes(), "do not go together"),
        (b"", key.as_bytes(), "no certificate"),
        (cut_off, key.as_bytes(), "certificate"),
        (pem.as_bytes(), b"", "no private key"),
        (pem.as_bytes(), pem.as_bytes(), "no private key"),
        (key.as_bytes(), key.as_bytes(), "no certificate"),
    ] {
        let said = tls.replace(certificates, key).unwrap_err().to_string();
        assert!(said.contains(why), "{said}");
        assert!(is_served(&server, old.cert.der()), "after: {said}");
    }

    tls.replace(pem.as_bytes(), key.as_bytes()).unwrap();
    assert!(is_served(&server, new.cert.der()) && !is_served(&server, old.cert.der()));
    let reply = get(&mut kept, "/v1/evaluate");
    assert!(reply.starts_with("HTTP/1.1 200 OK"), "who is connected stays");
    assert!(reply.contains("strict-transport-security: max-age=31536000\r\n"), "{reply}");
    server.shut_down();
}

#[test]
fn who_does_not_finish_the_handshake_is_let_go() {
    let certified = certificate();
    let server = start(&tls(&certified), Patience { head: Duration::from_secs(1), ..PATIENT });
    // The first silent, the second with the beginning of a record, the third with none: HTTP without TLS.
    let mut clients = [&b""[..], b"\x16\x03\x01\x02\x00\x01", b"GET / HTTP/1.1\r\n\r\n"].map(|said| {
        let mut stream = TcpStream::connect(server.address).unwrap();
        stream.set_read_timeout(Some(LONG)).unwrap();
        stream.write_all(said).unwrap();
        stream
    });
    assert!(is_served(&server, certified.cert.der()), "others are");
    for client in &mut clients {
        // What is told before the end is an alert at the most.
        let mut told = Vec::new();
        let _ = client.read_to_end(&mut told);
        assert!(told.len() < 10, "{told:?}");
    }
    let told = || server.state.connections();
    crate::wire::wait_until("each is counted", || (told().slow_heads, told().tls_failures) == (2, 1));
    server.shut_down();
}

#[test]
fn what_had_begun_over_tls_is_answered_before_the_end() {
    let certified = certificate();
    let server = start(&tls(&certified), PATIENT);
    let mut client = connect(&server, certified.cert.der(), &["http/1.1"]);
    client.write_all(b"GET /v1/best-move?movetime=1500 HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
    client.flush().unwrap();
    let state = server.state.clone();
    crate::wire::wait_until("the search runs", || state.pools().interactive.snapshot().running == 1);
    let mut unfinished = TcpStream::connect(server.address).unwrap();
    unfinished.write_all(b"\x16\x03\x01").unwrap();
    let end = thread::spawn(move || server.shut_down());
    let mut answer = String::new();
    let _ = client.read_to_string(&mut answer);
    assert!(answer.starts_with("HTTP/1.1 200 OK") && answer.contains("bestmove"), "{answer}");
    let took = end.join().unwrap();
    assert!(took < PATIENT.farewell + Duration::from_secs(10), "{took:?}");
}

#[test]
fn who_has_taken_a_large_answer_is_not_behind() {
    let (certified, answer) = (certificate(), Duration::from_secs(2));
    let patience = Patience { answer, ..PATIENT };
    let (event_loop, listener) = listen();
    // The system takes less at once than TLS, so that the end of the answer is left with TLS.
    SockRef::from(&listener).set_send_buffer_size(4096).unwrap();
    let options = ServerOptions { patience, tls: Some(tls(&certified)), ..ServerOptions::default() };
    let server = Server::start_at((event_loop, listener), options);
    let mut client =
        BufReader::new(over(little_at_once(server.address), certified.cert.der(), &["http/1.1"]));
    for (path, silence) in [("/docs/swagger-ui.css", 2 * answer), ("/v1/best-move?depth=1", Duration::ZERO)] {
        let asked = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n");
        client.get_mut().write_all(asked.as_bytes()).unwrap();
        let (mut head, mut length) = (String::new(), 0);
        while !head.ends_with("\r\n\r\n") {
            let begun = head.len();
            assert_ne!(client.read_line(&mut head).unwrap(), 0, "{path} is answered");
            if let Some(value) = head[begun..].strip_prefix("content-length: ") {
                length = value.trim_end().parse().unwrap();
            }
        }
        assert!(head.starts_with("HTTP/1.1 200 OK\r\n"), "{head}");
        client.read_exact(&mut vec![0; length]).unwrap();
        thread::sleep(silence);
    }
    assert_eq!(server.state.connections().slow_readers, 0);
    server.shut_down();
}
