//! The admin listener: metrics and health on a thread of their own, whatever the others do.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use std::{io, net, thread};

use tokio::net::TcpListener;
use tokio::sync::{mpsc, watch};
use tokio::time::timeout;

use super::Patience;
use super::attend::Host;
use super::door::{Door, Refusals};
use super::gate::Gate;
use super::lanes::{Lanes, drive, event_loop, supervise};
use super::statistics::Connections;
use crate::api::AppState;
use crate::api::routes::admin_service;

/// The most connections to it at once: a few probes and a few that collect metrics.
const MOST_CONNECTIONS: usize = 64;

/// How long its last answers are waited for.
const FAREWELL: Duration = Duration::from_millis(500);

/// The thread, which serves until it is ended.
pub(super) struct Admin {
    ending: watch::Sender<bool>,
    served: mpsc::Receiver<Infallible>,
}

impl Admin {
    /// Starts it. Its own connections are not counted with the others.
    ///
    /// # Errors
    /// Those of starting a thread and its event loop.
    pub(super) fn start(
        listener: net::TcpListener,
        state: AppState,
        patience: Patience,
        connections: Arc<Connections>,
    ) -> io::Result<Self> {
        let (ending, ended) = watch::channel(false);
        let (serving, served) = mpsc::channel(1);
        let gate = Gate::new(MOST_CONNECTIONS, None, Arc::default());
        let host = Host { service: admin_service(state), patience, tls: None };
        listener.set_nonblocking(true)?;
        let event_loop = event_loop()?;
        thread::Builder::new().name("http-admin".to_owned()).spawn(move || {
            let _serving = serving;
            supervise(event_loop, &connections, |event_loop| {
                let admitted = admit(&listener, &host, Arc::clone(&gate), ended.clone());
                if let Err(error) = event_loop.block_on(admitted) {
                    tracing::error!(%error, "the admin listener is lost");
                }
            });
        })?;
        Ok(Self { ending, served })
    }

    /// Ends it with its last answers.
    pub(super) async fn end(mut self) {
        self.ending.send_replace(true);
        let _ = timeout(FAREWELL, self.served.recv()).await;
    }
}

/// Accepts and serves, all on this thread.
async fn admit(
    listener: &net::TcpListener,
    host: &Host,
    gate: Arc<Gate>,
    mut ended: watch::Receiver<bool>,
) -> io::Result<()> {
    // A copy, because a listener whose event loop is lost to a panic is lost with it.
    let listener = TcpListener::from_std(listener.try_clone()?)?;
    let (lanes, mut waiting) = Lanes::single();
    let end = async move {
        let _ = ended.wait_for(|ended| *ended).await;
    };
    let opened = Door::new(gate, lanes, Some(Refusals::new())).open(listener, end);
    tokio::join!(opened, drive(&mut waiting, host)).0
}
