//! Where the collector is.

use std::env;

use hyper::Uri;

/// The path of traces, below an address that names none.
const PATH: &str = "/v1/traces";

/// Why traces cannot be sent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TracesError {
    /// The collector's address is none that spans can be sent to.
    #[error(
        "{setting}: `{address}` is no address of a collector: give one like http://127.0.0.1:4318 (OTLP over HTTP, without TLS: \
         put a collector beside the service that speaks TLS to others)"
    )]
    Endpoint {
        /// Where it was given.
        setting: &'static str,
        /// What was given.
        address: String,
    },
    /// One of OpenTelemetry's own variables has a value that the library refuses.
    #[error("traces cannot be sent: {0}")]
    Unusable(String),
}

/// The full address of the collector: by our own setting, else by OpenTelemetry's variables, else there is none.
///
/// # Errors
/// [`TracesError::Endpoint`].
pub(super) fn configured(setting: Option<&str>) -> Result<Option<String>, TracesError> {
    let variable = |name: &'static str| env::var(name).ok().filter(|value| !value.trim().is_empty());
    choose(setting, variable)
}

fn choose(
    setting: Option<&str>,
    variable: impl Fn(&'static str) -> Option<String>,
) -> Result<Option<String>, TracesError> {
    const FOR_TRACES: &str = "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT";
    const FOR_ALL: &str = "OTEL_EXPORTER_OTLP_ENDPOINT";
    if let Some(address) = setting.filter(|address| !address.is_empty()) {
        let has_path = parse("otlp-endpoint", address)?.path() != "/";
        return Ok(Some(if has_path { address.to_owned() } else { below(address) }));
    }
    if variable("OTEL_SDK_DISABLED").is_some_and(|value| value.eq_ignore_ascii_case("true")) {
        return Ok(None);
    }
    if let Some(address) = variable(FOR_TRACES) {
        return parse(FOR_TRACES, &address).map(|_| Some(address));
    }
    let Some(address) = variable(FOR_ALL) else { return Ok(None) };
    parse(FOR_ALL, &address).map(|_| Some(below(&address)))
}

fn below(address: &str) -> String {
    format!("{}{PATH}", address.trim_end_matches('/'))
}

fn parse(setting: &'static str, address: &str) -> Result<Uri, TracesError> {
    let uri = address.parse::<Uri>().ok();
    let usable =
        uri.filter(|uri| uri.scheme_str() == Some("http") && uri.host().is_some_and(|it| !it.is_empty()));
    usable.ok_or_else(|| TracesError::Endpoint { setting, address: address.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_endpoint_is_ours_or_the_standard_one() {
        type Variables = &'static [(&'static str, &'static str)];
        const ALL: (&str, &str) = ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://all:4318/base/");
        const TRACES: (&str, &str) = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "http://traces:4318/as/it/is");
        const OFF: (&str, &str) = ("OTEL_SDK_DISABLED", "true");
        let cases: [(Option<&str>, Variables, Option<&str>); 7] = [
            (None, &[], None),
            (Some("http://ours:4318"), &[ALL, TRACES, OFF], Some("http://ours:4318/v1/traces")),
            (Some("http://ours:4318/"), &[], Some("http://ours:4318/v1/traces")),
            (Some("http://ours/otlp/traces"), &[], Some("http://ours/otlp/traces")),
            (None, &[ALL], Some("http://all:4318/base/v1/traces")),
            (None, &[ALL, TRACES], Some("http://traces:4318/as/it/is")),
            (None, &[ALL, OFF], None),
        ];
        for (setting, variables, wanted) in cases {
            let variable = |name| {
                variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
            };
            assert_eq!(choose(setting, variable).unwrap().as_deref(), wanted, "{setting:?} {variables:?}");
        }
        for wrong in ["localhost:4318", "https://collector:4318", "http://", "grpc://a", "a b"] {
            let error = choose(Some(wrong), |_| None).unwrap_err().to_string();
            assert!(error.contains(wrong) && error.contains("http://127.0.0.1:4318"), "{error}");
        }
    }
}
