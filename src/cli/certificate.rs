//! The certificate of the service: read from its files, and again when they change.

use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{fs, io};

use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::task::spawn_blocking;
use tokio::time::sleep;
use tracing::{info, warn};

use super::Failure;
use crate::api::Tls;
use crate::config::ConnectionOptions;

/// How often the files are looked at. Whoever renews a certificate does so days before the old one ends.
const INTERVAL: Duration = Duration::from_secs(5);

/// A certificate and where it comes from.
pub(super) struct Certificate {
    files: Files,
    /// What was in the files when they were looked at last, good or not.
    seen: Contents,
    tls: Tls,
    hangup: Signal,
}

#[derive(Clone)]
struct Files {
    certificate: PathBuf,
    key: PathBuf,
}

#[derive(PartialEq, Eq)]
struct Contents {
    certificate: Vec<u8>,
    key: Vec<u8>,
}

impl Certificate {
    /// Reads the certificate, if there is to be one.
    ///
    /// # Errors
    /// If a file cannot be read or is not what it should be.
    pub(super) fn load(options: &ConnectionOptions) -> Result<Option<Self>, Failure> {
        let (Some(certificate), Some(key)) = (&options.tls_certificate, &options.tls_key) else {
            return Ok(None);
        };
        let files = Files { certificate: certificate.clone(), key: key.clone() };
        let seen = files.read()?;
        let tls = Tls::new(&seen.certificate, &seen.key).map_err(|source| Failure::Tls {
            certificate: files.certificate.clone(),
            key: files.key.clone(),
            source,
        })?;
        let hangup = signal(SignalKind::hangup())
            .map_err(|source| Failure::Serve { doing: "watch for signals".to_owned(), source })?;
        Ok(Some(Self { files, seen, tls, hangup }))
    }

    /// What the listener needs; it is shown what is found in the files later, too.
    pub(super) fn tls(&self) -> Tls {
        self.tls.clone()
    }

    /// Looks at the files every few seconds, and at once on SIGHUP, and takes what is good.
    pub(super) async fn keep(mut self) {
        loop {
            tokio::select! {
                () = sleep(INTERVAL) => {}
                _ = self.hangup.recv() => {}
            }
            let files = self.files.clone();
            // A disk that does not answer keeps nobody else waiting.
            let Ok(read) = spawn_blocking(move || files.read()).await else { continue };
            match read {
                Ok(contents) if contents == self.seen => {}
                Ok(contents) => self.take(contents),
                // While files are being replaced one may be missing for a moment.
                Err(error) => warn!(%error, "the certificate stays as it is"),
            }
        }
    }

    fn take(&mut self, contents: Contents) {
        let certificate = self.files.certificate.display();
        match self.tls.replace(&contents.certificate, &contents.key) {
            Ok(()) => info!(%certificate, "the certificate is replaced"),
            Err(error) => warn!(%certificate, %error, "the certificate stays as it is"),
        }
        self.seen = contents;
    }
}

impl Files {
    fn read(&self) -> Result<Contents, Failure> {
        Ok(Contents { certificate: read("certificate", &self.certificate)?, key: read("key", &self.key)? })
    }
}

fn read(what: &str, path: &Path) -> Result<Vec<u8>, Failure> {
    fs::read(path).map_err(|source: io::Error| Failure::Serve {
        doing: format!("read the file of --tls-{what}, {}", path.display()),
        source,
    })
}
