//! The names that metrics and logs have for what was asked: from fixed sets, whatever a client sends.

use std::sync::LazyLock;

use axum::http::{Method, StatusCode};

/// Every path of the service, as the route table writes it; a test holds the two together.
pub(crate) const PATHS: [&str; 20] = [
    "/v1/evaluate",
    "/v1/evaluate/batch",
    "/v1/best-move",
    "/v1/eval-breakdown",
    "/v1/eval-breakdown/diff",
    "/v1/eval-breakdown/terms",
    "/v1/material/{signature}",
    "/v1/board.svg",
    "/v1/games/review",
    "/api/cloud-eval",
    "/v1/limits",
    "/healthz",
    "/readyz",
    "/metrics",
    "/openapi.json",
    "/",
    "/page/{folder}/{file}",
    "/docs",
    "/docs/",
    "/docs/{*path}",
];

/// Where a request was meant to go: one of the paths, or none of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Route(usize);

impl Route {
    /// The paths, and the one name for all others.
    pub(super) const COUNT: usize = PATHS.len() + 1;

    /// All of them.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        (0..Self::COUNT).map(Self)
    }

    /// The route of a path.
    pub(crate) fn of(path: &str) -> Self {
        static ROUTES: LazyLock<matchit::Router<Route>> = LazyLock::new(|| {
            let mut routes = matchit::Router::new();
            for (number, path) in PATHS.into_iter().enumerate() {
                // The test of the paths finds one that is refused.
                let _ = routes.insert(path, Route(number));
            }
            routes
        });
        ROUTES.at(path).map_or(Self(PATHS.len()), |found| *found.value)
    }

    /// The path as the route table writes it.
    pub(crate) fn name(self) -> &'static str {
        PATHS.get(self.0).copied().unwrap_or("unmatched")
    }

    /// Whether machines ask for it time and again: probes and scrapes.
    pub(crate) fn is_polled(self) -> bool {
        ["/healthz", "/readyz", "/metrics"].contains(&self.name())
    }

    pub(super) const fn index(self) -> usize {
        self.0
    }
}

/// The methods that have a name of their own, and the one for all others, which is OpenTelemetry's.
pub(super) const METHODS: [&str; 10] =
    ["GET", "POST", "HEAD", "OPTIONS", "PUT", "DELETE", "PATCH", "CONNECT", "TRACE", "_OTHER"];

/// The place of a method in [`METHODS`].
pub(super) fn method_index(method: &Method) -> usize {
    match *method {
        Method::GET => 0,
        Method::POST => 1,
        Method::HEAD => 2,
        Method::OPTIONS => 3,
        Method::PUT => 4,
        Method::DELETE => 5,
        Method::PATCH => 6,
        Method::CONNECT => 7,
        Method::TRACE => 8,
        _ => 9,
    }
}

/// The name of a method in metrics, logs and traces.
pub(crate) fn method_name(method: &Method) -> &'static str {
    METHODS[method_index(method)]
}

/// Statuses are 100 to 599; who answers with another has made a mistake that 599 may stand for.
pub(super) const STATUSES: usize = 500;

/// The place of a status among them.
pub(super) fn status_index(status: StatusCode) -> usize {
    usize::from(status.as_u16()).saturating_sub(100).min(STATUSES - 1)
}

/// The status of a place.
pub(super) fn status_name(index: usize) -> String {
    (index + 100).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::document;

    #[test]
    fn every_path_of_the_document_has_its_route() {
        let document: serde_json::Value = serde_json::from_str(&document()).unwrap();
        for path in document["paths"].as_object().unwrap().keys() {
            assert_eq!(Route::of(path).name(), path);
        }
    }

    #[test]
    fn every_path_leads_to_its_route() {
        for path in PATHS {
            let asked = path.replace("{*path}", "a/b.css").replace(['{', '}'], "");
            assert_eq!(Route::of(&asked).name(), path, "{asked}");
        }
        for stranger in
            ["", "*", "/v1", "/v1/evaluate/", "/v1/material/", "/v1/material/a/b", "//", "/Healthz"]
        {
            assert_eq!(Route::of(stranger).name(), "unmatched", "{stranger}");
        }
    }

    #[test]
    fn names_and_places_fit() {
        for (index, name) in METHODS.into_iter().enumerate() {
            let method: Method = name.parse().unwrap();
            assert_eq!((method_index(&method), method_name(&method)), (index, name));
        }
        assert_eq!(method_name(&"PROPFIND".parse().unwrap()), "_OTHER");
        for status in [100, 200, 429, 599] {
            assert_eq!(status_name(status_index(StatusCode::from_u16(status).unwrap())), status.to_string());
        }
        assert_eq!(status_name(status_index(StatusCode::from_u16(999).unwrap())), "599");
    }
}
