//! The cache's own thread: it keeps the connection and writes what is to be kept.

use std::time::Duration;

use tokio::sync::mpsc;
use tokio::time::{sleep, timeout};

use super::breaker::Failure;
use super::core::{Core, Write};
use super::digest::Digest;
use super::journal::Event;
use super::link::Link;
use super::value;

/// Longest time to connect and to log in. Nobody waits for it.
pub(super) const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);
/// Longest time of a write. Nobody waits for it.
const WRITE_TIMEOUT: Duration = Duration::from_secs(1);
/// Between two questions whether the cache still answers, so that a connection that was lost in silence is renewed before
/// a request finds out.
const CHECK_INTERVAL: Duration = Duration::from_secs(5);

/// Connects, and connects again when the connection is lost.
pub(super) async fn keep(core: &Core) {
    loop {
        match timeout(CONNECT_TIMEOUT, connect(core)).await {
            Ok(Some(link)) => {
                core.breaker.connected(link);
                watch(core).await;
            }
            Ok(None) => {}
            Err(_) => core.journal.not_connected(None),
        }
        sleep(core.breaker.next_pause()).await;
    }
}

/// A connection over which the cache has answered.
async fn connect(core: &Core) -> Option<Link> {
    let attempt = async {
        let mut link = core.settings.address.connect().await?;
        // A cluster's client has asked some nodes already, and one that is gone is no reason to leave the others.
        if let Link::Single { .. } = link {
            link.get(&core.version().idle_key()).await?;
        }
        Ok(link)
    };
    attempt.await.inspect_err(|error| core.journal.not_connected(Some(error))).ok()
}

/// Asks now and then whether the cache still answers, until the breaker opens.
async fn watch(core: &Core) {
    loop {
        if timeout(CHECK_INTERVAL, core.breaker.opened()).await.is_ok() {
            return;
        }
        let Some(mut pass) = core.breaker.link() else { return };
        match timeout(CONNECT_TIMEOUT, pass.link.get(&core.version().idle_key())).await {
            Ok(Ok(_)) => core.journal.turned(core.breaker.answered(&pass)),
            Ok(Err(error)) => core.judge(&pass, pass.link.failure(&error)),
            Err(_) => core.judge(&pass, pass.link.failure_of_silence()),
        }
    }
}

/// Writes what is waiting, one after the other.
pub(super) async fn write(core: &Core, mut waiting: mpsc::Receiver<Write>) {
    while let Some(result) = waiting.recv().await {
        write_one(core, &result).await;
    }
}

async fn write_one(core: &Core, Write { question, finished }: &Write) {
    let digest = Digest::of(question, core.version());
    let (pass, value) = (core.breaker.link(), value::encode(&finished.report, &digest));
    let (Some(mut pass), Some(value)) = (pass, value) else {
        return core.journal.count(Event::WriteDropped);
    };
    let key = digest.key(core.version());
    match timeout(WRITE_TIMEOUT, pass.link.set(&key, &value, core.settings.ttl_seconds)).await {
        Ok(Ok(())) => core.journal.count(Event::Written),
        Ok(Err(error)) => {
            core.journal.write_failed(Some(&error));
            // A server may take no results and still have some.
            if pass.link.failure(&error) == Failure::Fatal {
                core.judge(&pass, Failure::Fatal);
            }
        }
        Err(_) => core.journal.write_failed(None),
    }
}
