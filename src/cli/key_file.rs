//! The file of API keys, read at the start and again when it changes.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::task::spawn_blocking;
use tokio::time::{MissedTickBehavior, interval};
use tracing::{info, warn};

use crate::api::Guard;
use crate::config::{ApiKey, KeyFileError, parse_keys, read_key_file};

/// How often the file is looked at. It is compared by its content: a mounted secret may be changed without a trace in
/// its times.
const EVERY: Duration = Duration::from_secs(2);

/// A file of keys that is watched.
#[derive(Debug)]
pub(super) struct KeyFile {
    path: PathBuf,
    /// What it said the last time, whether it was of use or not.
    seen: Result<String, String>,
    hangup: Signal,
}

impl KeyFile {
    /// The file, from now on watched for SIGHUP.
    ///
    /// # Errors
    /// If signals cannot be watched.
    pub(super) fn new(path: PathBuf) -> io::Result<Self> {
        Ok(Self { path, seen: Ok(String::new()), hangup: signal(SignalKind::hangup())? })
    }

    /// The keys that stand in it.
    ///
    /// # Errors
    /// If it cannot be read, or is no file of keys.
    pub(super) fn read(&mut self) -> Result<Vec<ApiKey>, KeyFileError> {
        let text = read_key_file(&self.path)?;
        let keys = parse_keys(&self.path, &text);
        self.seen = Ok(text);
        if let Ok(keys) = &keys {
            info!(keys = keys.len(), path = %self.path.display(), "API keys read");
        }
        keys
    }

    /// Gives the guard the keys of the file whenever it is changed, and on SIGHUP.
    pub(super) async fn watch(mut self, guard: Arc<Guard>) {
        let mut ticks = interval(EVERY);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            let is_asked_for = tokio::select! {
                signal = self.hangup.recv() => signal.is_some(),
                _ = ticks.tick() => false,
            };
            let path = self.path.clone();
            // A file on a network may let its reader wait.
            let Ok(text) = spawn_blocking(move || read_key_file(&path)).await else { continue };
            let text = text.map_err(|error| error.to_string());
            if text != self.seen || is_asked_for {
                take_over(&self.path, text.as_deref(), &guard);
                self.seen = text;
            }
        }
    }
}

/// Gives the guard new keys, if they can be read; if not, those that it has stay.
fn take_over(path: &Path, text: Result<&str, &String>, guard: &Guard) {
    let keys = match text {
        Ok(text) => parse_keys(path, text).map_err(|error| error.to_string()),
        Err(error) => Err(error.clone()),
    };
    match keys {
        Ok(keys) => {
            info!(keys = keys.len(), path = %path.display(), "API keys read again");
            guard.replace_keys(keys);
        }
        Err(error) => warn!(error, "the API keys stay as they were"),
    }
}
