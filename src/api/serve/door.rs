//! Where connections come in: each gets a place and a lane, or is told that there is none.

use std::io::{self, ErrorKind};
use std::net;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
#[cfg(target_os = "linux")]
use socket2::SockRef;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};

use super::attend::Arrival;
use super::gate::{Full, Gate};
use super::lanes::Lanes;
use super::statistics::Count;
use crate::api::problem::{Code, MEDIA_TYPE, Problem};

/// How long to wait after the system could not give us a connection: other connections have to end first.
const PAUSE: Duration = Duration::from_millis(100);

/// Refusals that are being told at once. Beyond them connections are closed without a word.
pub(super) const MOST_REFUSALS: usize = 64;

/// How long a client that is turned away may take to hear so.
const REFUSAL: Duration = Duration::from_secs(1);

/// Answers that the system holds for a client beyond those that are on their way to it, in bytes. Without such a bound it
/// takes megabytes of an answer for a client that reads none of it, and we would learn of that only after them.
#[cfg(target_os = "linux")]
const MOST_UNSENT_BYTES: u32 = 64 << 10;

/// Accepts connections.
pub(super) struct Door {
    gate: Arc<Gate>,
    lanes: Lanes,
    refusals: Option<Refusals>,
}

impl Door {
    /// A door to these lanes. Who finds no place is told so, if `refusals` are to be told.
    pub(super) const fn new(gate: Arc<Gate>, lanes: Lanes, refusals: Option<Refusals>) -> Self {
        Self { gate, lanes, refusals }
    }

    /// Accepts connections and gives them to the lanes until `shutdown` is over, and then those which the system has
    /// already accepted for us.
    ///
    /// # Errors
    /// Those of the listening socket.
    pub(super) async fn open(
        mut self,
        listener: TcpListener,
        shutdown: impl Future<Output = ()>,
    ) -> io::Result<()> {
        let mut shutdown = pin!(shutdown);
        loop {
            tokio::select! {
                (stream, address) = self.next(&listener) => match stream.into_std() {
                    Ok(stream) => self.welcome(stream, address),
                    Err(error) => tracing::warn!(%error, "a connection was lost at the door"),
                },
                () = &mut shutdown => break,
            }
        }
        let backlog = listener.into_std()?;
        while let Ok((stream, address)) = backlog.accept() {
            if stream.set_nonblocking(true).is_ok() {
                self.welcome(stream, address);
            }
        }
        Ok(())
    }

    /// The next connection, however long the system takes to have one for us.
    async fn next(&self, listener: &TcpListener) -> (TcpStream, net::SocketAddr) {
        let mut failing = false;
        loop {
            match listener.accept().await {
                Ok(connection) => return connection,
                Err(error) if is_its_own_affair(&error) => {}
                Err(error) => {
                    self.gate.connections().count(Count::AcceptErrors);
                    if !failing {
                        tracing::error!(%error, "no connection can be accepted; more are tried for");
                    }
                    failing = true;
                    sleep(PAUSE).await;
                }
            }
        }
    }

    fn welcome(&mut self, stream: net::TcpStream, address: net::SocketAddr) {
        prepare(&stream);
        let address = address.ip();
        let place = match self.gate.enter(address) {
            Ok(place) => place,
            Err(full) => return self.refuse(stream, full),
        };
        if let Err(Arrival { stream, .. }) = self.lanes.give(Arrival { stream, address, place }) {
            self.gate.connections().count(Count::Refused);
            self.refuse(stream, Full::Everywhere);
        }
    }

    fn refuse(&self, stream: net::TcpStream, full: Full) {
        if let Some(refusals) = &self.refusals {
            refusals.tell(stream, full);
        }
    }
}

/// Sets what a connection needs; an old connection may refuse, and other systems than Linux may not know it.
fn prepare(stream: &net::TcpStream) {
    // Small answers go out at once instead of waiting for more to send.
    let _ = stream.set_nodelay(true);
    #[cfg(target_os = "linux")]
    let _ = SockRef::from(stream).set_tcp_notsent_lowat(MOST_UNSENT_BYTES);
}

/// Whether it is one connection that went wrong, which its client has left already.
fn is_its_own_affair(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::ConnectionAborted
            | ErrorKind::ConnectionReset
            | ErrorKind::ConnectionRefused
            | ErrorKind::Interrupted
    )
}

/// Tells those for whom there is no place.
pub(super) struct Refusals {
    everywhere: Bytes,
    address: Bytes,
    telling: Arc<Semaphore>,
}

impl Refusals {
    pub(super) fn new() -> Self {
        Self {
            everywhere: answer("The server has as many connections as it takes; try again a little later."),
            address: answer(
                "Your address has as many connections as one may have; close some, or use those there are for more requests.",
            ),
            telling: Arc::new(Semaphore::new(MOST_REFUSALS)),
        }
    }

    fn tell(&self, stream: net::TcpStream, full: Full) {
        let Ok(permit) = Arc::clone(&self.telling).try_acquire_owned() else { return };
        let Ok(mut stream) = TcpStream::from_std(stream) else { return };
        let answer = match full {
            Full::Everywhere => self.everywhere.clone(),
            Full::Address => self.address.clone(),
        };
        let told = async move {
            stream.write_all(&answer).await?;
            stream.shutdown().await?;
            // If the request lay unread when the connection is closed, the answer would be lost on its way.
            let mut unread = [0; 4096];
            while stream.read(&mut unread).await? > 0 {}
            io::Result::Ok(())
        };
        tokio::spawn(async move {
            let _ = timeout(REFUSAL, told).await;
            drop(permit);
        });
    }
}

/// The answer to whatever may be asked.
fn answer(detail: &'static str) -> Bytes {
    let problem = Problem::new(Code::TooManyConnections, detail);
    // Strings and numbers always serialise.
    let body = serde_json::to_string(&problem.body()).unwrap_or_default();
    let status = Code::TooManyConnections.status();
    format!(
        "HTTP/1.1 {status}\r\ncontent-type: {MEDIA_TYPE}\r\ncache-control: no-store\r\nretry-after: 1\r\n\
         connection: close\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
    .into()
}
