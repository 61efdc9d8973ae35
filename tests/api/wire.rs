//! A server on a real socket, and clients that speak to it byte by byte.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use centipawn::api::{AppState, ConnectionsSnapshot, Patience, ServerOptions, serve};
use socket2::{Domain, Socket, Type};
use tokio::net::TcpListener;
use tokio::runtime;
use tokio::sync::oneshot;
use tokio::task::spawn_blocking;

use crate::client::state;

/// Time enough for everybody.
pub(crate) const PATIENT: Patience = Patience {
    idle: Duration::from_secs(20),
    head: Duration::from_secs(20),
    answer: Duration::from_secs(20),
    farewell: Duration::from_secs(10),
};

/// What is waited for takes a fraction of this; more of it means that it does not happen.
pub(crate) const LONG: Duration = Duration::from_mins(1);

/// What has an answer of more than a megabyte.
pub(crate) const LARGE: &str = "/docs/swagger-ui-bundle.js";

/// A connection of a client whose system takes little for it.
pub(crate) fn little_at_once(address: SocketAddr) -> TcpStream {
    let socket = Socket::new(Domain::IPV4, Type::STREAM, None).unwrap();
    socket.set_recv_buffer_size(4096).unwrap();
    socket.connect(&address.into()).unwrap();
    socket.into()
}

/// A server on a thread of its own.
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    pub(crate) state: AppState,
    shut_down: oneshot::Sender<()>,
    thread: thread::JoinHandle<()>,
}

impl Server {
    /// One that has time, and room for everybody.
    pub(crate) fn start(patience: Patience) -> Self {
        Self::start_with(ServerOptions { patience, ..ServerOptions::default() })
    }

    pub(crate) fn start_with(options: ServerOptions) -> Self {
        Self::start_at(listen(), options)
    }

    /// It goes down as the service does: the searches first, with ten seconds to finish.
    pub(crate) fn start_at(
        (event_loop, listener): (runtime::Runtime, TcpListener),
        options: ServerOptions,
    ) -> Self {
        let (shut_down, asked) = oneshot::channel();
        let address = listener.local_addr().unwrap();
        let state = state(2, 8);
        let served = state.clone();
        let thread = thread::spawn(move || {
            let ending = served.clone();
            let end = async {
                asked.await.unwrap();
                ending.close();
                spawn_blocking(move || ending.pools().drain(Duration::from_secs(10))).await.unwrap();
            };
            event_loop.block_on(serve(listener, served, end, options)).unwrap();
        });
        Self { address, state, shut_down, thread }
    }

    pub(crate) fn connect(&self) -> Client {
        Client::connect(self.address)
    }

    /// Waits until the counts of connections are as they should be.
    pub(crate) fn wait_for(&self, what: &str, is_so: impl Fn(ConnectionsSnapshot) -> bool) {
        wait_until(what, || is_so(self.state.connections()));
    }

    /// Asks it to end, and returns how long that took.
    pub(crate) fn shut_down(self) -> Duration {
        let asked = Instant::now();
        self.shut_down.send(()).unwrap();
        self.thread.join().unwrap();
        asked.elapsed()
    }
}

pub(crate) fn listen() -> (runtime::Runtime, TcpListener) {
    let event_loop = runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let listener = event_loop.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
    (event_loop, listener)
}

/// Asks again and again, for a [`LONG`] time.
pub(crate) fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < LONG, "{what}: not after {LONG:?}");
        thread::sleep(Duration::from_millis(20));
    }
}

/// A connection that is kept.
pub(crate) struct Client(pub(crate) BufReader<TcpStream>);

impl Client {
    pub(crate) fn connect(address: SocketAddr) -> Self {
        Self::over(TcpStream::connect(address).unwrap())
    }

    pub(crate) fn over(stream: TcpStream) -> Self {
        stream.set_read_timeout(Some(LONG)).unwrap();
        Self(BufReader::new(stream))
    }

    pub(crate) fn send(&mut self, text: &str) {
        self.0.get_mut().write_all(text.as_bytes()).unwrap();
    }

    pub(crate) fn ask(&mut self, path: &str) {
        self.send(&format!("GET {path} HTTP/1.1\r\nHost: test\r\n\r\n"));
    }

    /// The status line of the next answer, whose body is read away; `None` if the server has closed the connection.
    pub(crate) fn answer(&mut self) -> Option<String> {
        self.whole_answer().map(|answer| answer.lines().next().unwrap().to_owned())
    }

    /// The next answer, its head and its body; `None` if the server has closed the connection.
    pub(crate) fn whole_answer(&mut self) -> Option<String> {
        let (mut answer, mut length) = (String::new(), 0);
        loop {
            let begun = answer.len();
            if self.0.read_line(&mut answer).unwrap() == 0 {
                return None;
            }
            let line = answer[begun..].trim_end();
            if line.is_empty() {
                break;
            }
            if let Some(value) = line.strip_prefix("content-length: ") {
                length = value.parse().unwrap();
            }
        }
        let mut body = vec![0; length];
        self.0.read_exact(&mut body).unwrap();
        Some(answer + &String::from_utf8_lossy(&body))
    }

    /// Whether the server has closed the connection without another byte.
    pub(crate) fn is_closed(&mut self) -> bool {
        self.0.read(&mut [0]).unwrap_or(0) == 0
    }
}
