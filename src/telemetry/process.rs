//! What the operating system knows about this process.

#![cfg_attr(
    target_os = "linux",
    expect(clippy::cast_precision_loss, reason = "Prometheus knows no numbers but floating ones")
)]

#[cfg(target_os = "linux")]
use std::sync::LazyLock;

/// When the machine began, in seconds since the beginning of 1970: by its clocks, because `/proc/stat`, which says it too, is
/// hidden where a process sees of `/proc` only itself (`ProcSubset=pid` of systemd). Asked for once, so that a clock which
/// is set looks like no restart.
#[cfg(target_os = "linux")]
static BOOT_SECONDS: LazyLock<f64> = LazyLock::new(|| {
    use rustix::time::{ClockId, clock_gettime};

    let [now, since_boot] = [ClockId::Realtime, ClockId::Boottime].map(|clock| {
        let time = clock_gettime(clock);
        time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
    });
    now - since_boot
});

/// One reading.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Process {
    /// Time on a processor, all threads together, in seconds.
    pub cpu_seconds: f64,
    /// Memory that is backed by the machine's, in bytes.
    pub resident_bytes: u64,
    /// Addresses in use, in bytes.
    pub virtual_bytes: u64,
    /// Open file descriptors, sockets included.
    pub open_fds: u64,
    /// How many there may be; none if there is no limit.
    pub max_fds: Option<u64>,
    /// Threads.
    pub threads: u64,
    /// When the process began, in seconds since the beginning of 1970.
    pub start_time_seconds: f64,
}

impl Process {
    /// Asks the system; `None` where it does not tell, as in a sandbox without `/proc`.
    #[cfg(target_os = "linux")]
    #[must_use]
    pub fn read() -> Option<Self> {
        use procfs::process::LimitValue;

        let process = procfs::process::Process::myself().ok()?;
        let stat = process.stat().ok()?;
        let ticks = procfs::ticks_per_second() as f64;
        let max_fds = process.limits().ok().and_then(|limits| match limits.max_open_files.soft_limit {
            LimitValue::Value(limit) => Some(limit),
            LimitValue::Unlimited => None,
        });
        Some(Self {
            cpu_seconds: (stat.utime + stat.stime) as f64 / ticks,
            resident_bytes: stat.rss.saturating_mul(procfs::page_size()),
            virtual_bytes: stat.vsize,
            open_fds: process.fd_count().ok()? as u64,
            max_fds,
            threads: stat.num_threads as u64,
            start_time_seconds: *BOOT_SECONDS + stat.starttime as f64 / ticks,
        })
    }

    /// Only Linux is asked.
    #[cfg(not(target_os = "linux"))]
    #[must_use]
    pub fn read() -> Option<Self> {
        None
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::fs::File;
    use std::hint::black_box;
    use std::time::{SystemTime, UNIX_EPOCH};

    use super::{BOOT_SECONDS, Process};

    /// The system knows the seconds of it as a whole number.
    #[test]
    fn the_machine_began_when_the_system_says() {
        let said = procfs::boot_time_secs().unwrap() as f64;
        assert!((said - 1.5..said + 2.5).contains(&*BOOT_SECONDS), "{said} {}", *BOOT_SECONDS);
    }

    #[test]
    fn memory_descriptors_and_time_are_those_of_this_process() {
        let before = Process::read().unwrap();
        let block = black_box(vec![1_u8; 64 << 20]);
        let files: Vec<_> = (0..32).map(|_| File::open("/dev/null").unwrap()).collect();
        let mut work = 0_u64;
        let during = loop {
            work = black_box((0..1_000_000_u64).fold(work, u64::wrapping_add));
            let reading = Process::read().unwrap();
            if reading.cpu_seconds >= before.cpu_seconds + 0.02 {
                break reading;
            }
        };
        // Other tests run beside this one, and may give back some of theirs.
        assert!(during.resident_bytes > before.resident_bytes + (32 << 20), "{before:?} {during:?}");
        assert!(during.open_fds >= 32 && during.threads > 0, "{during:?}");
        assert!(during.max_fds.is_none_or(|most| most >= during.open_fds), "{during:?}");
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs_f64();
        assert!((now - 86_400.0..now + 2.0).contains(&during.start_time_seconds), "{during:?}");
        drop((block, files));
    }
}
