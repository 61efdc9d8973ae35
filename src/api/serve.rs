//! From a listening socket to the router, and the way down.

use std::future::Future;
use std::io;
use std::time::Duration;

use axum::ServiceExt;
use axum::extract::Request;
use axum::serve::ListenerExt;
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::time::sleep;

use crate::api::{AppState, service};

/// Serves until `shutdown` is over, and then until every request that had begun is answered, but not longer than
/// `patience`: a client that does not read its answer cannot keep the service alive.
///
/// # Errors
/// The listener's, if it can accept no more.
pub async fn serve(
    listener: TcpListener,
    state: AppState,
    shutdown: impl Future<Output = ()> + Send + 'static,
    patience: Duration,
) -> io::Result<()> {
    // Small answers go out at once instead of waiting for more to send. An old connection may refuse the option.
    let listener = listener.tap_io(|stream| {
        let _ = stream.set_nodelay(true);
    });
    let (closing, closed) = oneshot::channel();
    let service = ServiceExt::<Request>::into_make_service(service(state));
    let server = axum::serve(listener, service).with_graceful_shutdown(async move {
        shutdown.await;
        let _ = closing.send(());
    });
    let out_of_patience = async {
        // The sender is dropped unused only together with the server.
        let _ = closed.await;
        sleep(patience).await;
    };
    tokio::select! {
        result = server => result,
        () = out_of_patience => Ok(()),
    }
}
