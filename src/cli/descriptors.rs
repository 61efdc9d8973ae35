//! How many files the process may have open, and so how many connections.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tracing::info;

use super::Failure;
use crate::api::ServerOptions;

/// Raises the process's limit on open files as far as it may, and returns it; `None` if there is none.
pub(super) fn raise() -> Option<u64> {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    // A system that does not keep its word leaves the limit as it was.
    match setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum }) {
        Ok(()) => maximum,
        Err(_) => current,
    }
}

/// How many connections are served at once by a process that may have so many files open.
///
/// # Errors
/// If so many are asked for that they cannot be.
pub(super) fn connections(asked: Option<usize>, open_files: Option<u64>) -> Result<usize, Failure> {
    let Some(open_files) = open_files else { return Ok(asked.unwrap_or(ServerOptions::MAX_CONNECTIONS)) };
    let room = open_files - (open_files / 2).min(ServerOptions::OTHER_DESCRIPTORS as u64);
    let room = usize::try_from(room).unwrap_or(usize::MAX).max(1);
    match asked {
        Some(asked) if asked > room => Err(Failure::Descriptors { asked, open_files, room }),
        Some(asked) => Ok(asked),
        None => {
            let most = room.min(ServerOptions::MAX_CONNECTIONS);
            if most < ServerOptions::MAX_CONNECTIONS {
                info!(max_connections = most, open_files, "the limit on open files bounds the connections");
            }
            Ok(most)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_adapts_and_a_wish_is_refused() {
        for (asked, open_files, most) in [
            (None, None, 8_192),
            (None, Some(1_000_000), 8_192),
            (None, Some(1_024), 768),
            (None, Some(100), 50),
            (Some(768), Some(1_024), 768),
            (Some(100_000), None, 100_000),
        ] {
            assert_eq!(connections(asked, open_files).unwrap(), most, "{asked:?} {open_files:?}");
        }
        let said = connections(Some(5_000), Some(1_024)).unwrap_err().to_string();
        assert!(said.contains("5000") && said.contains("1024") && said.contains("768"), "{said}");
    }

    #[test]
    fn the_limit_is_raised_to_the_hard_one() {
        raise();
        let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
        assert_eq!(current, maximum);
    }
}
