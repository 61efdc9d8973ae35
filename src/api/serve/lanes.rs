//! The threads that serve connections, each with an event loop of its own.

use std::convert::Infallible;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;
use std::{io, thread};

use tokio::runtime::{self, Runtime};
use tokio::sync::{mpsc, watch};
use tokio::time::sleep;

use super::attend::{Arrival, Host, attend};
use super::statistics::{Connections, Count};

/// At the end, the time in which who has just connected may send a request that is still answered.
const LAST_WORDS: Duration = Duration::from_millis(100);

/// Connections that wait for the same thread to take them; a thread that has so many is as good as lost.
const MOST_WAITING: usize = 1024;

/// How long to wait before an event loop is tried again that the system did not give.
const PAUSE: Duration = Duration::from_millis(100);

/// What is given to a lane.
pub(super) enum Given {
    /// A connection to be served.
    Connection(Arrival),
    /// The end of its event loop, as by a fault of ours.
    #[cfg(test)]
    Panic,
}

/// Threads that serve the connections that they are given by turns.
pub(super) struct Lanes {
    lanes: Vec<mpsc::Sender<Given>>,
    turn: usize,
}

impl Lanes {
    /// Starts `count` threads, which serve until these lanes are dropped and then answer what had begun. Each holds a
    /// clone of `serving` until it ends.
    ///
    /// # Errors
    /// Those of starting threads and event loops.
    pub(super) fn start(
        count: usize,
        host: &Host,
        connections: &Arc<Connections>,
        serving: &mpsc::Sender<Infallible>,
    ) -> io::Result<Self> {
        let start = |number| {
            let (lane, mut waiting) = mpsc::channel(MOST_WAITING);
            let (host, connections, serving) = (host.clone(), Arc::clone(connections), serving.clone());
            let event_loop = event_loop()?;
            thread::Builder::new().name(format!("http-{number}")).spawn(move || {
                let _serving = serving;
                supervise(event_loop, &connections, |event_loop| {
                    event_loop.block_on(drive(&mut waiting, &host));
                });
            })?;
            Ok(lane)
        };
        Ok(Self { lanes: (0..count).map(start).collect::<io::Result<_>>()?, turn: 0 })
    }

    /// One lane and what is given to it, for somebody who serves it on a thread that there is.
    pub(super) fn single() -> (Self, mpsc::Receiver<Given>) {
        let (lane, waiting) = mpsc::channel(MOST_WAITING);
        (Self { lanes: vec![lane], turn: 0 }, waiting)
    }

    /// Gives a connection to the next lane that has taken all it was given before; else to the next that has room.
    ///
    /// # Errors
    /// The connection, if no lane has room.
    pub(super) fn give(&mut self, arrival: Arrival) -> Result<(), Arrival> {
        let count = self.lanes.len();
        self.turn += 1;
        let lanes = || (self.turn..self.turn + count).map(|turn| &self.lanes[turn % count]);
        let at_leisure = lanes().filter(|lane| lane.capacity() == lane.max_capacity());
        let mut given = Given::Connection(arrival);
        for lane in at_leisure.chain(lanes()) {
            match lane.try_send(given) {
                Ok(()) => return Ok(()),
                Err(error) => given = error.into_inner(),
            }
        }
        match given {
            Given::Connection(arrival) => Err(arrival),
            #[cfg(test)]
            Given::Panic => Ok(()),
        }
    }
}

pub(super) fn event_loop() -> io::Result<Runtime> {
    runtime::Builder::new_current_thread().enable_all().build()
}

/// Lets `serve` work to its end. If the event loop is lost to a panic, so are its connections, but it goes on with a new one.
pub(super) fn supervise(mut event_loop: Runtime, connections: &Connections, mut serve: impl FnMut(&Runtime)) {
    loop {
        // What a panic leaves behind is a queue, which loses nothing, and a service, which every connection clones.
        let served = catch_unwind(AssertUnwindSafe(|| {
            serve(&event_loop);
            drop(event_loop);
        }));
        if served.is_ok() {
            return;
        }
        connections.count(Count::LanesRestarted);
        tracing::error!("an event loop was lost with its connections, and is replaced");
        event_loop = loop {
            match self::event_loop() {
                Ok(event_loop) => break event_loop,
                Err(error) => {
                    tracing::error!(%error, "no event loop");
                    thread::sleep(PAUSE);
                }
            }
        };
    }
}

/// Serves the connections of a lane until no more can come, and answers what had begun.
pub(super) async fn drive(waiting: &mut mpsc::Receiver<Given>, host: &Host) {
    let (closing, closed) = watch::channel(());
    while let Some(given) = waiting.recv().await {
        match given {
            Given::Connection(arrival) => drop(tokio::spawn(attend(arrival, host.clone(), closed.clone()))),
            #[cfg(test)]
            Given::Panic => panic!("the event loop is lost"),
        }
    }
    sleep(LAST_WORDS).await;
    drop(closed);
    closing.send_replace(());
    closing.closed().await;
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::{TcpListener, TcpStream};
    use std::time::Instant;

    use super::*;
    use crate::api::AppState;
    use crate::api::serve::Patience;
    use crate::api::serve::gate::Gate;

    fn host() -> Host {
        let service = crate::api::service(AppState::with_one_thread());
        Host { service, patience: Patience::DEFAULT, tls: None }
    }

    /// Whether a connection that is given to these lanes is answered.
    fn is_served(lanes: &mut Lanes, gate: &Arc<Gate>, listener: &TcpListener) -> bool {
        let mut client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        client.set_read_timeout(Some(Duration::from_mins(1))).unwrap();
        let (stream, address) = listener.accept().unwrap();
        stream.set_nonblocking(true).unwrap();
        let place = gate.enter(address.ip()).unwrap();
        lanes.give(Arrival { stream, address: address.ip(), place }).unwrap();
        client.write_all(b"GET /healthz HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n").unwrap();
        let mut answer = String::new();
        client.read_to_string(&mut answer).unwrap();
        answer.starts_with("HTTP/1.1 200 OK")
    }

    #[test]
    fn a_lost_event_loop_is_replaced_and_loses_nobody_who_waits() {
        let connections = Arc::<Connections>::default();
        let gate = Gate::new(100, None, Arc::clone(&connections));
        let (serving, mut served) = mpsc::channel(1);
        let mut lanes = Lanes::start(2, &host(), &connections, &serving).unwrap();
        drop(serving);
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        for lost in 1..=3 {
            for lane in &lanes.lanes {
                lane.try_send(Given::Panic).map_err(|_| "the lane is gone").unwrap();
            }
            // Given at once, they wait behind the panics.
            for _ in 0..4 {
                assert!(is_served(&mut lanes, &gate, &listener), "after {lost} panics of each");
            }
        }
        let begun = Instant::now();
        while connections.snapshot().lanes_restarted < 6 {
            assert!(begun.elapsed() < Duration::from_mins(1), "{:?}", connections.snapshot());
        }
        drop(lanes);
        assert_eq!(served.blocking_recv(), None, "they end as they should");
        assert_eq!(connections.snapshot().open, 0);
    }

    #[test]
    fn a_lane_that_takes_nothing_is_passed_over() {
        let connections = Arc::<Connections>::default();
        let gate = Gate::new(100, None, Arc::clone(&connections));
        let [(stuck, mut left), (busy, mut taken)] = [mpsc::channel(2), mpsc::channel(2)];
        let mut lanes = Lanes { lanes: vec![stuck, busy], turn: 0 };
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let arrive = || {
            let stream = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
            let address = stream.local_addr().unwrap().ip();
            Arrival { stream, address, place: gate.enter(address).unwrap() }
        };
        for _ in 0..10 {
            lanes.give(arrive()).unwrap();
            while taken.try_recv().is_ok() {}
        }
        assert_eq!(left.len(), 1, "what it was given before it was known to be stuck");
        assert!(
            (0..10).map(|_| lanes.give(arrive())).filter(Result::is_err).count() == 7,
            "there is room for three"
        );
        while left.try_recv().is_ok() || taken.try_recv().is_ok() {}
        assert_eq!(connections.snapshot().open, 0, "whoever is not given has no place");
    }
}
