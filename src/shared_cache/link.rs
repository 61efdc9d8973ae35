//! A connection, to one server or to a cluster; a clone is the same connection.

use std::sync::Arc;

use redis::aio::MultiplexedConnection;
use redis::cluster_async::ClusterConnection;
use redis::{AsyncConnectionConfig, Cmd, ErrorKind, RedisConnectionInfo, RedisError, Value, cmd};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::task::JoinHandle;

use super::breaker::Failure;
use super::value::MOST_BYTES;

#[derive(Clone)]
pub(super) enum Link {
    Single {
        connection: MultiplexedConnection,
        /// Where the library has not its own.
        _driver: Option<Arc<Driver>>,
    },
    Cluster(ClusterConnection),
}

/// The task that carries a connection; it ends with the last who uses it.
pub(super) struct Driver(JoinHandle<()>);

impl Drop for Driver {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// What a key holds.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Holding {
    Nothing,
    Bytes(Vec<u8>),
    /// Something that we would never have written.
    Foreign,
}

impl Link {
    /// A connection to one server over a stream.
    pub(super) async fn over<S>(
        stream: S,
        settings: &RedisConnectionInfo,
        config: AsyncConnectionConfig,
    ) -> Result<Self, RedisError>
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let (connection, driver) = MultiplexedConnection::new_with_config(settings, stream, config).await?;
        let driver = Driver(tokio::spawn(driver));
        Ok(Self::Single { connection, _driver: Some(Arc::new(driver)) })
    }

    /// What a key holds; of a value that is too large only so much that this shows.
    pub(super) async fn get(&mut self, key: &str) -> Result<Holding, RedisError> {
        match self.query(cmd("GETRANGE").arg(key).arg(0).arg(MOST_BYTES)).await {
            Ok(Value::BulkString(bytes)) if bytes.is_empty() => Ok(Holding::Nothing),
            Ok(Value::BulkString(bytes)) => Ok(Holding::Bytes(bytes)),
            Ok(Value::Nil) => Ok(Holding::Nothing),
            Ok(_) => Ok(Holding::Foreign),
            Err(error) if error.code() == Some("WRONGTYPE") => Ok(Holding::Foreign),
            Err(error) => Err(error),
        }
    }

    /// Keeps a value for so many seconds, in place of whatever is there.
    pub(super) async fn set(&mut self, key: &str, value: &[u8], ttl_seconds: u64) -> Result<(), RedisError> {
        match self.query(cmd("SET").arg(key).arg(value).arg("EX").arg(ttl_seconds)).await? {
            Value::Okay => Ok(()),
            _ => Err((ErrorKind::UnexpectedReturnType, "SET was not answered by OK").into()),
        }
    }

    /// What an error means for the connection. A cluster's client mends its connections itself.
    pub(super) fn failure(&self, error: &RedisError) -> Failure {
        match self {
            Self::Single { .. } if error.is_unrecoverable_error() => Failure::Fatal,
            Self::Single { .. } | Self::Cluster(_) => Failure::Passing,
        }
    }

    /// What it means for the connection that a long time has passed without an answer.
    pub(super) const fn failure_of_silence(&self) -> Failure {
        match self {
            Self::Single { .. } => Failure::Fatal,
            Self::Cluster(_) => Failure::Passing,
        }
    }

    async fn query(&mut self, command: &Cmd) -> Result<Value, RedisError> {
        match self {
            Self::Single { connection, .. } => command.query_async(connection).await,
            Self::Cluster(connection) => command.query_async(connection).await,
        }
    }
}
