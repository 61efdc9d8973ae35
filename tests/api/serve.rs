//! The server on a real socket: every thread takes its turn, and the way down loses nothing that had begun.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use centipawn::api::serve;
use tokio::net::TcpListener;
use tokio::runtime;
use tokio::sync::oneshot;

use crate::client::state;

/// A server on a thread of its own.
struct Server {
    address: SocketAddr,
    shut_down: oneshot::Sender<()>,
    thread: thread::JoinHandle<()>,
}

impl Server {
    fn start(patience: Duration) -> Self {
        let (sender, receiver) = oneshot::channel();
        let event_loop = runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let listener = event_loop.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
        let address = listener.local_addr().unwrap();
        let thread = thread::spawn(move || {
            let shutdown = async { receiver.await.unwrap() };
            event_loop.block_on(serve(listener, state(2, 8), shutdown, patience)).unwrap();
        });
        Self { address, shut_down: sender, thread }
    }

    fn connect(&self) -> Client {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        Client(BufReader::new(stream))
    }

    /// Asks it to end, and returns how long that took.
    fn shut_down(self) -> Duration {
        let asked = Instant::now();
        self.shut_down.send(()).unwrap();
        self.thread.join().unwrap();
        asked.elapsed()
    }
}

/// A connection that is kept.
struct Client(BufReader<TcpStream>);

impl Client {
    fn ask(&mut self, path: &str) {
        write!(self.0.get_mut(), "GET {path} HTTP/1.1\r\nHost: test\r\n\r\n").unwrap();
    }

    /// The status line of the next answer, whose body is read away; `None` if the server has closed the connection.
    fn answer(&mut self) -> Option<String> {
        let (mut status, mut length) = (String::new(), 0);
        self.0.read_line(&mut status).unwrap();
        for line in self.0.by_ref().lines().map(Result::unwrap).take_while(|line| !line.is_empty()) {
            if let Some(value) = line.strip_prefix("content-length: ") {
                length = value.parse().unwrap();
            }
        }
        self.0.read_exact(&mut vec![0; length]).unwrap();
        (!status.is_empty()).then(|| status.trim_end().to_owned())
    }

    /// Whether the server has closed the connection without another byte.
    fn is_closed(&mut self) -> bool {
        self.0.read(&mut [0]).unwrap() == 0
    }
}

#[test]
fn every_connection_is_served_again_and_again() {
    let server = Server::start(Duration::from_secs(10));
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
    assert!(server.shut_down() < Duration::from_secs(5), "kept connections do not keep the server");
    assert!(clients.iter_mut().skip(1).all(Client::is_closed));
}

#[test]
fn what_had_begun_is_answered_before_the_end() {
    let server = Server::start(Duration::from_secs(10));
    let mut client = server.connect();
    client.ask("/v1/best-move?movetime=700");
    thread::sleep(Duration::from_millis(200));
    let took = server.shut_down();
    assert_eq!(client.answer().as_deref(), Some("HTTP/1.1 200 OK"));
    assert!(took < Duration::from_secs(5), "{took:?}");
}

#[test]
fn patience_ends() {
    let server = Server::start(Duration::from_millis(100));
    let mut client = server.connect();
    client.ask("/v1/best-move?movetime=8000");
    thread::sleep(Duration::from_millis(200));
    let took = server.shut_down();
    assert!(took < Duration::from_secs(4), "{took:?}");
}
