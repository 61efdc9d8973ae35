//! Variables of the environment that look like settings and are none.

use std::ffi::OsString;

use clap::Command;

use super::file::nearest_setting;

/// What the variable of every setting begins with.
const PREFIX: &str = "CENTIPAWN_";

/// A variable that no setting has. Its value may be anybody's secret and is not kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownVariable {
    /// Its name.
    pub name: String,
    /// The variable of the setting it resembles.
    pub suggestion: Option<String>,
}

/// Those of the variables that begin like the settings of `command` and are none of them. They may belong to other programs of
/// a deployment, so that they are no error; of what Kubernetes says of its services by itself nothing is told.
#[must_use]
pub fn unknown_variables(
    command: &Command,
    variables: impl IntoIterator<Item = (OsString, OsString)>,
) -> Vec<UnknownVariable> {
    let known = |name: &OsString| command.get_arguments().any(|arg| arg.get_env() == Some(name));
    let mut unknown: Vec<_> = variables
        .into_iter()
        .filter(|(name, _)| !known(name))
        .filter_map(|(name, value)| {
            let name = name.into_string().ok()?;
            let rest = name.strip_prefix(PREFIX)?;
            if is_service_link(rest, &value.to_string_lossy()) {
                return None;
            }
            let suggestion = nearest_setting(command, rest)
                .map(|long| format!("{PREFIX}{}", long.replace('-', "_").to_uppercase()));
            Some(UnknownVariable { name, suggestion })
        })
        .collect();
    unknown.sort_by(|one, other| one.name.cmp(&other.name));
    unknown
}

/// Whether a variable is one of those that Kubernetes sets for each service of the namespace, like `…_SERVICE_PORT_HTTP` and, as
/// the links of Docker were, `…_PORT=tcp://10.0.0.1:8080` with `…_PORT_8080_TCP_ADDR`. `rest` is its name behind the prefix.
fn is_service_link(rest: &str, value: &str) -> bool {
    let has_part = |part: &str| format!("_{rest}_").contains(part);
    let of_port = ["_TCP", "_UDP", "_SCTP"].iter().any(|protocol| {
        let ends = ["", "_PROTO", "_PORT", "_ADDR"].map(|end| format!("{protocol}{end}"));
        ends.iter().any(|end| rest.ends_with(end.as_str())) && has_part("_PORT_")
    });
    let names_address = ["tcp://", "udp://", "sctp://"].iter().any(|scheme| value.starts_with(scheme));
    has_part("_SERVICE_HOST_")
        || has_part("_SERVICE_PORT_")
        || of_port
        || names_address && rest.ends_with("PORT")
}

#[cfg(test)]
mod tests {
    use clap::{Arg, Command};

    use super::{UnknownVariable, unknown_variables};

    #[test]
    fn variables_that_no_setting_has_are_told() {
        let settings = ["max-depth", "listen", "log-level"];
        let command = Command::new("serve").args(settings.map(|long| {
            Arg::new(long).long(long).env(format!("CENTIPAWN_{}", long.replace('-', "_").to_uppercase()))
        }));
        let told = |name: &str, value: &str| unknown_variables(&command, [(name.into(), value.into())]);
        for (name, suggestion) in [
            ("CENTIPAWN_MAX_DEPHT", Some("CENTIPAWN_MAX_DEPTH")),
            ("CENTIPAWN_LOGLEVEL", Some("CENTIPAWN_LOG_LEVEL")),
            ("CENTIPAWN_COLOUR", None),
            ("CENTIPAWN_PORT", None),
            ("CENTIPAWN_", None),
        ] {
            let unknown =
                UnknownVariable { name: name.to_owned(), suggestion: suggestion.map(str::to_owned) };
            assert_eq!(told(name, "9000"), [unknown]);
        }
        for (name, value) in [
            ("CENTIPAWN_MAX_DEPTH", "3"),
            ("PATH", "/bin"),
            ("CENTIPAWN_SERVICE_HOST", "10.0.0.1"),
            ("CENTIPAWN_SERVICE_PORT", "8080"),
            ("CENTIPAWN_SERVICE_PORT_HTTP", "8080"),
            ("CENTIPAWN_VALKEY_SERVICE_HOST", "10.0.0.2"),
            ("CENTIPAWN_PORT", "tcp://10.0.0.1:8080"),
            ("CENTIPAWN_PORT_8080_TCP", "tcp://10.0.0.1:8080"),
            ("CENTIPAWN_PORT_8080_TCP_PROTO", "tcp"),
            ("CENTIPAWN_PORT_8080_TCP_PORT", "8080"),
            ("CENTIPAWN_PORT_8080_TCP_ADDR", "10.0.0.1"),
            ("CENTIPAWN_VALKEY_PORT", "tcp://10.0.0.2:6379"),
        ] {
            assert_eq!(told(name, value), [], "{name}");
        }
    }
}
