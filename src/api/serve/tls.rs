//! TLS: one certificate for everybody, which can be replaced while the service runs.

use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};

use tokio::net::TcpStream;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::{self, PemObject};
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::server::{ClientHello, ResolvesServerCert};
use tokio_rustls::rustls::sign::CertifiedKey;
use tokio_rustls::rustls::{self, ServerConfig};
use tokio_rustls::server::TlsStream;
use tokio_rustls::{Accept, TlsAcceptor};

use super::traffic::Transport;

/// What TLS needs: TLS 1.2 and 1.3, HTTP/2 and HTTP/1.1, and a certificate. A clone shares it.
#[derive(Clone)]
pub struct Tls {
    acceptor: TlsAcceptor,
    shown: Arc<Shown>,
}

impl Tls {
    /// From a chain of certificates, the server's own first, and the key of that one; both in PEM.
    ///
    /// # Errors
    /// See [`TlsError`].
    pub fn new(certificates: &[u8], key: &[u8]) -> Result<Self, TlsError> {
        let shown = Arc::new(Shown(RwLock::new(certified(certificates, key)?)));
        let builder = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()));
        let mut config = builder
            .with_safe_default_protocol_versions()
            .map_err(TlsError::Pair)?
            .with_no_client_auth()
            .with_cert_resolver(Arc::<Shown>::clone(&shown));
        config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        Ok(Self { acceptor: TlsAcceptor::from(Arc::new(config)), shown })
    }

    /// From now on new connections are shown this certificate; those that there are keep theirs.
    ///
    /// # Errors
    /// See [`TlsError`]; then everything is as it was.
    pub fn replace(&self, certificates: &[u8], key: &[u8]) -> Result<(), TlsError> {
        let certified = certified(certificates, key)?;
        *self.shown.0.write().unwrap_or_else(PoisonError::into_inner) = certified;
        Ok(())
    }

    pub(super) fn accept(&self, stream: TcpStream) -> Accept<TcpStream> {
        self.acceptor.accept(stream)
    }
}

impl fmt::Debug for Tls {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Tls")
    }
}

/// What is wrong with a certificate or its key.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// There is no certificate.
    #[error(
        "the certificate file has no certificate in it: it should begin with `-----BEGIN CERTIFICATE-----`"
    )]
    NoCertificate,
    /// The certificates are not PEM.
    #[error("the certificate file is not PEM: {0}")]
    Certificates(pem::Error),
    /// There is no key that could be read.
    #[error(
        "the key file has no private key in it: it should begin with `-----BEGIN PRIVATE KEY-----`, `-----BEGIN RSA PRIVATE \
         KEY-----` or `-----BEGIN EC PRIVATE KEY-----`; one with a passphrase cannot be read"
    )]
    NoKey,
    /// The key is not PEM.
    #[error("the key file is not PEM: {0}")]
    Key(pem::Error),
    /// They do not belong together, or one of them is of a kind that is not known.
    #[error("the certificate and the key do not go together: {0}")]
    Pair(rustls::Error),
}

fn certified(certificates: &[u8], key: &[u8]) -> Result<Arc<CertifiedKey>, TlsError> {
    let chain = CertificateDer::pem_slice_iter(certificates)
        .collect::<Result<Vec<_>, _>>()
        .map_err(TlsError::Certificates)?;
    if chain.is_empty() {
        return Err(TlsError::NoCertificate);
    }
    let key = PrivateKeyDer::from_pem_slice(key).map_err(|error| match error {
        pem::Error::NoItemsFound => TlsError::NoKey,
        other => TlsError::Key(other),
    })?;
    CertifiedKey::from_der(chain, key, &ring::default_provider()).map(Arc::new).map_err(TlsError::Pair)
}

/// The certificate that is shown, whatever name is asked for.
#[derive(Debug)]
struct Shown(RwLock<Arc<CertifiedKey>>);

impl ResolvesServerCert for Shown {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner)))
    }
}

impl Transport for TlsStream<TcpStream> {
    fn socket(&self) -> &TcpStream {
        self.get_ref().0
    }
}
