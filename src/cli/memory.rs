//! Whether the tables can ever fill: the system hands out memory that it does not have, and kills who uses it.

use std::fs;
use std::path::{Path, PathBuf};

use crate::config::PoolOptions;
use crate::pool::FRESH_TABLE_MEBIBYTES;

/// Tables and cache that together are larger than the memory there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the tables and the cache may grow to {wanted} MiB, but the machine or container has {available} MiB: lower \
     --interactive-hash-mib, --bulk-hash-mib or --result-cache-mib"
)]
pub(super) struct TooLarge {
    wanted: u64,
    available: u64,
}

/// Holds the tables against the memory of the machine and the limits of the process's control groups. Where the system does
/// not tell, everything fits.
///
/// # Errors
/// [`TooLarge`], in MiB.
pub(super) fn fits(options: &PoolOptions) -> Result<(), TooLarge> {
    let available = available(Path::new("/")).unwrap_or(u64::MAX) >> 20;
    let wanted = wanted(options);
    if wanted <= available { Ok(()) } else { Err(TooLarge { wanted, available }) }
}

/// MiB that the tables and the cache come to once they are full; a deterministic search has a table of its own.
fn wanted(options: &PoolOptions) -> u64 {
    let fresh = (options.interactive_threads + options.bulk_threads) * FRESH_TABLE_MEBIBYTES;
    (options.interactive_hash_mib + options.bulk_hash_mib + fresh) as u64 + options.result_cache_mib
}

/// Bytes that the process may use, by the files below `root`.
fn available(root: &Path) -> Option<u64> {
    let machine = fs::read_to_string(root.join("proc/meminfo")).ok().and_then(|text| total(&text));
    let groups = fs::read_to_string(root.join("proc/self/cgroup")).unwrap_or_default();
    let limits = groups.lines().flat_map(|line| limit_files(root, line)).filter_map(limit);
    limits.chain(machine).min()
}

/// The line `MemTotal: 123 kB`, in bytes.
fn total(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? << 10)
}

/// The files that may limit a group named by a line like `0::/path` (the unified hierarchy) or `4:memory:/path`, those of the
/// groups around it included. A container sees its own group as the root, whatever its name is outside.
fn limit_files(root: &Path, line: &str) -> Vec<PathBuf> {
    let mut parts = line.splitn(3, ':').skip(1);
    let (controllers, group) = (parts.next().unwrap_or_default(), parts.next().unwrap_or("/"));
    let (mount, file) = match controllers {
        "" => ("sys/fs/cgroup", "memory.max"),
        _ if controllers.split(',').any(|name| name == "memory") => {
            ("sys/fs/cgroup/memory", "memory.limit_in_bytes")
        }
        _ => return Vec::new(),
    };
    let around = Path::new(group.trim_start_matches('/'));
    around.ancestors().map(|group| root.join(mount).join(group).join(file)).collect()
}

/// Bytes, or the word `max` for none.
fn limit(file: PathBuf) -> Option<u64> {
    fs::read_to_string(file).ok()?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder with such files, gone at its end.
    struct Root(PathBuf);

    impl Root {
        fn with(name: &str, files: &[(&str, &str)]) -> Self {
            let root = std::env::temp_dir().join(format!("centipawn-{}-{name}", std::process::id()));
            for (file, text) in files {
                let path = root.join(file);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, text).unwrap();
            }
            Self(root)
        }
    }

    impl Drop for Root {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    const MACHINE: (&str, &str) = ("proc/meminfo", "MemFree: 1 kB\nMemTotal:       2048 kB\n");

    #[test]
    fn the_tightest_limit_counts() {
        let check = |name, files: &[_], bytes| {
            assert_eq!(available(&Root::with(name, files).0), bytes, "{name}");
        };
        check("nothing", &[("etc/x", "")], None);
        check("machine", &[MACHINE], Some(2 << 20));
        let unified = ("proc/self/cgroup", "0::/a/b\n");
        check("inner", &[MACHINE, unified, ("sys/fs/cgroup/a/b/memory.max", "4096\n")], Some(4096));
        check(
            "outer",
            &[unified, ("sys/fs/cgroup/a/memory.max", "8192"), ("sys/fs/cgroup/a/b/memory.max", "max")],
            Some(8192),
        );
        check("container", &[MACHINE, unified, ("sys/fs/cgroup/memory.max", "5000\n")], Some(5000));
        let separate = ("proc/self/cgroup", "5:cpu,memory:/x\n4:cpu:/y\n");
        check(
            "separate",
            &[MACHINE, separate, ("sys/fs/cgroup/memory/x/memory.limit_in_bytes", "77")],
            Some(77),
        );
    }
}
