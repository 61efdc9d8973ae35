//! What is counted of connections, as metrics.

use super::page::Page;
use crate::api::serve::ConnectionsSnapshot;

/// Shows the connections.
pub(super) fn show(connections: &ConnectionsSnapshot, page: &mut Page) {
    let open = connections.open as f64;
    page.gauge("centipawn_connections_open", "Connections that are served.", [(&[][..], open)]);
    let counters = [
        ("connections_accepted", "Connections taken in.", connections.accepted),
        (
            "connections_refused",
            "Connections turned away because there were as many as are served at once.",
            connections.refused,
        ),
        (
            "connection_accept_errors",
            "How often the system could not give the next connection.",
            connections.accept_errors,
        ),
        ("tls_handshakes_failed", "TLS handshakes that failed.", connections.tls_failures),
        (
            "event_loops_restarted",
            "Event loops that were lost to a panic and replaced.",
            connections.lanes_restarted,
        ),
    ];
    for (name, meaning, count) in counters {
        page.counter(&format!("centipawn_{name}_total"), meaning, [(&[][..], count as f64)]);
    }
    let closed = [
        ("idle", connections.idle),
        ("slow_head", connections.slow_heads),
        ("slow_reader", connections.slow_readers),
    ]
    .map(|(reason, count)| ([("reason", reason)], count as f64));
    page.counter(
        "centipawn_connections_closed_total",
        "Connections that the service closed, because of their clients.",
        closed.iter().map(|(labels, count)| (&labels[..], *count)),
    );
}
