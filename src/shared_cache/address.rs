//! Where the shared cache is. The text of an address may hold a password, so no error repeats it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use redis::cluster::ClusterClient;
use redis::{
    AsyncConnectionConfig, Client, ConnectionAddr, ConnectionInfo, IntoConnectionInfo, RedisError,
    TlsCertificates,
};
use tokio::net::TcpStream;

use super::bounded::Bounded;
use super::keeper::CONNECT_TIMEOUT;
use super::link::Link;

/// Times that a cluster's client tries again by itself, as when a key has moved.
const CLUSTER_RETRIES: u32 = 1;

/// One server or the nodes of a cluster, and how to get there.
#[derive(Clone)]
pub struct Address(Kind);

#[derive(Clone)]
enum Kind {
    Single(Box<Client>),
    Cluster(Box<ClusterClient>),
}

impl std::fmt::Debug for Address {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Address(..)")
    }
}

/// What is wrong with the address of a shared cache.
#[derive(Debug, thiserror::Error)]
pub enum AddressError {
    /// Not the address of a server.
    #[error(
        "shared-cache-url: address {number} is none that can be used: give redis://host:6379 or, with TLS and credentials, \
         rediss://user:password@host:6379/0, and write special characters of a password as %XX (the address is not repeated \
         here because it may hold one)"
    )]
    Invalid {
        /// Which of the addresses, from 1.
        number: usize,
    },
    /// Several addresses of one server.
    #[error(
        "shared-cache-url has {count} addresses: give one, or say that they are nodes of a cluster by shared-cache-topology = cluster"
    )]
    Several {
        /// How many.
        count: usize,
    },
    /// The addresses of a cluster contradict each other.
    #[error(
        "shared-cache-url: all nodes of a cluster need the same scheme, the same credentials and no database but 0"
    )]
    Contradictory,
    /// Certificates for a connection without TLS.
    #[error("shared-cache-ca-file is for rediss:// addresses: leave it out, or use TLS")]
    CertificatesWithoutTls,
    /// The file with the certificates cannot be read.
    #[error("cannot read shared-cache-ca-file {}: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// The file has no certificates.
    #[error("shared-cache-ca-file {} has no certificates in PEM format", path.display())]
    NoCertificates {
        /// The file.
        path: PathBuf,
    },
}

impl Address {
    /// One server.
    ///
    /// # Errors
    /// See [`AddressError`].
    pub fn single(urls: &[&str], ca_file: Option<&Path>) -> Result<Self, AddressError> {
        let nodes = nodes(urls)?;
        let [node] = &nodes[..] else { return Err(AddressError::Several { count: nodes.len() }) };
        let client = match certificates(&nodes, ca_file)? {
            Some((path, certificates)) => {
                Client::build_with_tls(node.clone(), certificates).map_err(|_| no_certificates(path))?
            }
            None => Client::open(node.clone()).map_err(|_| AddressError::Invalid { number: 1 })?,
        };
        Ok(Self(Kind::Single(Box::new(client))))
    }

    /// A cluster, of which these are some nodes.
    ///
    /// # Errors
    /// See [`AddressError`].
    pub fn cluster(urls: &[&str], ca_file: Option<&Path>) -> Result<Self, AddressError> {
        let nodes = nodes(urls)?;
        let certificates = certificates(&nodes, ca_file)?;
        let builder = ClusterClient::builder(nodes)
            .retries(CLUSTER_RETRIES)
            .connection_timeout(CONNECT_TIMEOUT)
            .response_timeout(CONNECT_TIMEOUT);
        let client = match certificates {
            Some((path, certificates)) => {
                builder.certs(certificates).build().map_err(|_| no_certificates(path))?
            }
            None => builder.build().map_err(|_| AddressError::Contradictory)?,
        };
        Ok(Self(Kind::Cluster(Box::new(client))))
    }

    /// A new connection.
    pub(super) async fn connect(&self) -> Result<Link, RedisError> {
        // Look-ups and writes have limits of their own.
        let config = AsyncConnectionConfig::new()
            .set_connection_timeout(Some(CONNECT_TIMEOUT))
            .set_response_timeout(None);
        match &self.0 {
            Kind::Single(client) => {
                let info = client.get_connection_info();
                if let ConnectionAddr::Tcp(host, port) = info.addr() {
                    let stream = TcpStream::connect((host.as_str(), *port)).await?;
                    stream.set_nodelay(true)?;
                    return Link::over(Bounded::new(stream), info.redis_settings(), config).await;
                }
                // Whoever answers here has shown a certificate.
                let connection = client.get_multiplexed_async_connection_with_config(&config).await?;
                Ok(Link::Single { connection, _driver: None })
            }
            Kind::Cluster(client) => Ok(Link::Cluster(client.get_async_connection().await?)),
        }
    }
}

fn nodes(urls: &[&str]) -> Result<Vec<ConnectionInfo>, AddressError> {
    let node = |(index, url): (usize, &&str)| {
        let is_known = ["redis://", "rediss://", "valkey://", "valkeys://"]
            .iter()
            .any(|scheme| url.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme)));
        let parsed = is_known.then(|| url.into_connection_info().ok()).flatten();
        parsed.ok_or(AddressError::Invalid { number: index + 1 })
    };
    urls.iter().enumerate().map(node).collect()
}

fn certificates<'a>(
    nodes: &[ConnectionInfo],
    ca_file: Option<&'a Path>,
) -> Result<Option<(&'a Path, TlsCertificates)>, AddressError> {
    let Some(path) = ca_file else { return Ok(None) };
    if nodes.iter().any(|node| !matches!(node.addr(), ConnectionAddr::TcpTls { .. })) {
        return Err(AddressError::CertificatesWithoutTls);
    }
    let pem = fs::read(path).map_err(|source| AddressError::Unreadable { path: path.to_owned(), source })?;
    if !pem.windows(MARK.len()).any(|window| window == MARK) {
        return Err(no_certificates(path));
    }
    Ok(Some((path, TlsCertificates { client_tls: None, root_cert: Some(pem) })))
}

/// A file without it has no certificate, which the library takes for none to trust.
const MARK: &[u8] = b"-----BEGIN CERTIFICATE-----";

fn no_certificates(path: &Path) -> AddressError {
    AddressError::NoCertificates { path: path.to_owned() }
}
