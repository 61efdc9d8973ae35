//! Services behind a guard, and requests to them.

use std::net::IpAddr;
use std::path::Path;
use std::sync::Arc;

use axum::body::Body;
use axum::http::{Method, Request};
use centipawn::api::{self, Guard, Peer, Service};
use centipawn::config::{ApiKey, GuardOptions, KeyHash, parse_keys};
use clap::{Args, Command, FromArgMatches};

use crate::client::{Reply, send_to, state};

/// The settings that these words of the command line ask for.
pub(crate) fn options(words: &[&str]) -> GuardOptions {
    let command = GuardOptions::augment_args(Command::new("guard").no_binary_name(true));
    GuardOptions::from_arg_matches(&command.try_get_matches_from(words).unwrap()).unwrap()
}

/// The entry of a key in a file, with more lines of its own.
pub(crate) fn entry(key: &str, more: &str) -> String {
    let name = key.replace("cpk_", "");
    let hash = KeyHash::of(key.as_bytes()).hexadecimal();
    format!("[[key]]\nname = \"{name}\"\nsha256 = \"{hash}\"\n{more}\n")
}

/// The keys of a file that has these entries.
pub(crate) fn keys(entries: &[String]) -> Vec<ApiKey> {
    parse_keys(Path::new("keys.toml"), &entries.concat()).unwrap()
}

/// A guard by these words of the command line and with these keys, and a service behind it.
pub(crate) fn guarded(words: &[&str], keys: Option<Vec<ApiKey>>) -> (Arc<Guard>, Service) {
    let mut options = options(words);
    options.api_keys = keys.as_ref().map(|_| "keys.toml".into());
    let guard = Arc::new(Guard::new(&options, keys).unwrap());
    (Arc::clone(&guard), api::service(state(1, 8).with_guard(Some(guard))))
}

/// A request with headers from an address.
pub(crate) fn from(peer: &str, method: Method, path: &str, headers: &[(&str, &str)]) -> Request<Body> {
    let mut request = Request::builder().method(method).uri(path);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let peer: IpAddr = peer.parse().unwrap();
    request.extension(Peer(peer)).body(Body::empty()).unwrap()
}

/// The reply to a `GET` with headers from the same address each time.
pub(crate) fn get(service: &Service, path: &str, headers: &[(&str, &str)]) -> Reply {
    get_from(service, "192.0.2.1", path, headers)
}

/// The reply to a `GET` with headers from an address.
pub(crate) fn get_from(service: &Service, peer: &str, path: &str, headers: &[(&str, &str)]) -> Reply {
    send_to(service.clone(), from(peer, Method::GET, path, headers))
}
