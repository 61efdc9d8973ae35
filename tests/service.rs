//! The service as a process: its listeners, its certificate, its limits.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{self, Child, Command, Output, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use rcgen::generate_simple_self_signed;
use rustix::process::{Pid, Resource, Rlimit, Signal, getrlimit, kill_process, prlimit};

/// What is waited for takes a fraction of this.
const LONG: Duration = Duration::from_mins(1);

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_centipawn"));
    command.args(arguments).stdin(Stdio::null());
    command
}

/// A service that runs, and the lines of its log.
struct Service {
    process: Child,
    lines: Receiver<String>,
}

impl Service {
    fn start(arguments: &[&str]) -> Self {
        Self::start_with_table("1", arguments)
    }

    fn start_with_table(mebibytes: &str, arguments: &[&str]) -> Self {
        let first = ["serve", "--listen", "127.0.0.1:0", "--bulk-hash-mib", "1", "--interactive-hash-mib"];
        let all = [&first[..], &[mebibytes], arguments].concat();
        let mut process = command(&all).stderr(Stdio::piped()).spawn().unwrap();
        let (told, lines) = channel();
        let log = BufReader::new(process.stderr.take().unwrap());
        thread::spawn(move || log.lines().map_while(Result::ok).try_for_each(|line| told.send(line)));
        Self { process, lines }
    }

    /// The next line of the log that says so.
    fn line(&self, what: &str) -> String {
        loop {
            let line =
                self.lines.recv_timeout(LONG).unwrap_or_else(|_| panic!("the log does not say: {what}"));
            if line.contains(what) {
                return line;
            }
        }
    }

    /// The address in the next line of the log that says so.
    fn address(&self, what: &str) -> SocketAddr {
        let line = self.line(what);
        let (_, after) = line.split_once("address=").unwrap();
        after.split_whitespace().next().unwrap().parse().unwrap()
    }

    fn pid(&self) -> Pid {
        Pid::from_child(&self.process)
    }

    fn signal(&self, signal: Signal) {
        kill_process(self.pid(), signal).unwrap();
    }

    /// Ends it as a supervisor would.
    fn end(mut self) {
        self.signal(Signal::TERM);
        assert!(self.process.wait().unwrap().success());
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A folder that is gone at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("centipawn-{}-{name}", process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    /// Writes a certificate of its own and its key.
    fn certify(&self) -> [String; 2] {
        let made = generate_simple_self_signed(["localhost".to_owned()]).unwrap();
        let [certificate, key] = ["tls.crt", "tls.key"].map(|name| self.0.join(name));
        write_anew(&key, &made.signing_key.serialize_pem());
        write_anew(&certificate, &made.cert.pem());
        [certificate, key].map(|path| path.to_str().unwrap().to_owned())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A file is whole or not there.
fn write_anew(path: &Path, text: &str) {
    let beside = path.with_extension("new");
    fs::write(&beside, text).unwrap();
    fs::rename(beside, path).unwrap();
}

fn refused(arguments: &[&str]) -> String {
    let Output { status, stderr, .. } = command(&[&["serve"], arguments].concat()).output().unwrap();
    let said = String::from_utf8(stderr).unwrap();
    assert_eq!(status.code(), Some(1), "{said}");
    said
}

fn healthcheck(arguments: &[&str]) -> Result<(), String> {
    let Output { status, stderr, .. } = command(&[&["healthcheck"], arguments].concat()).output().unwrap();
    if status.success() { Ok(()) } else { Err(String::from_utf8(stderr).unwrap()) }
}

/// The status of the answer, over a connection of its own; nothing, if there is no answer.
fn status(address: SocketAddr, path: &str) -> Option<u16> {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(LONG)).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    let _ = stream.read_to_string(&mut answer);
    answer.split(' ').nth(1).and_then(|status| status.parse().ok())
}

#[test]
fn what_does_not_fit_is_said_at_the_start() {
    let folder = Folder::new("start");
    let [certificate, key] = folder.certify();
    let empty = folder.0.join("empty.pem").to_str().unwrap().to_owned();
    fs::write(&empty, "").unwrap();
    let others = Folder::new("start-other");
    let [_, others_key] = others.certify();
    for (arguments, why) in [
        (vec!["--max-connections", "1000000"], "files open"),
        (vec!["--tls-certificate", &certificate], "tls-key"),
        (vec!["--tls-key", &key], "tls-certificate"),
        (vec!["--tls-certificate", "/nowhere.pem", "--tls-key", &key], "--tls-certificate, /nowhere.pem"),
        (vec!["--tls-certificate", &certificate, "--tls-key", "/nowhere.pem"], "--tls-key, /nowhere.pem"),
        (vec!["--tls-certificate", &empty, "--tls-key", &key], "no certificate in it"),
        (vec!["--tls-certificate", &certificate, "--tls-key", &empty], "no private key in it"),
        (vec!["--tls-certificate", &certificate, "--tls-key", &others_key], "do not go together"),
        (vec!["--listen", "127.0.0.1:1", "--admin-listen", "127.0.0.1:1"], "admin-listen"),
    ] {
        let said = refused(&arguments);
        assert!(said.contains(why), "{said}");
        assert!(!said.contains("PRIVATE KEY-----\n"), "{said}");
    }
}

#[test]
fn the_admin_listener_has_the_metrics_and_the_public_one_has_not() {
    let service = Service::start(&["--admin-listen", "127.0.0.1:0"]);
    let (admin, public) = (service.address("admin"), service.address("ready"));
    for (path, there, here) in [
        ("/metrics", 200, 404),
        ("/healthz", 200, 200),
        ("/readyz", 200, 200),
        ("/v1/evaluate", 404, 200),
        ("/docs/", 404, 200),
    ] {
        assert_eq!((status(admin, path), status(public, path)), (Some(there), Some(here)), "{path}");
    }
    healthcheck(&["--admin-listen", &admin.to_string()]).unwrap();
    let nobody = "127.0.0.1:1";
    healthcheck(&["--address", nobody, "--admin-listen", &admin.to_string()]).unwrap();
    healthcheck(&["--address", &public.to_string(), "--admin-listen", nobody]).unwrap_err();

    // While it drains, the admin listener says so.
    let mut searching = TcpStream::connect(public).unwrap();
    write!(searching, "GET /v1/best-move?movetime=3000 HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n")
        .unwrap();
    thread::sleep(Duration::from_millis(500));
    service.signal(Signal::TERM);
    service.line("draining");
    assert_eq!((status(admin, "/readyz"), status(admin, "/healthz")), (Some(503), Some(200)));
    let mut answer = String::new();
    searching.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200 OK"), "{answer}");
    service.end();
}

#[test]
fn the_certificate_is_read_again_when_it_changes() {
    let folder = Folder::new("reload");
    let [certificate, key] = folder.certify();
    let service = Service::start(&["--tls-certificate", &certificate, "--tls-key", &key]);
    let address = service.address("ready").to_string();
    let over_tls = || healthcheck(&["--address", &address, "--tls-certificate", &certificate]);
    over_tls().unwrap();
    healthcheck(&["--address", &address]).unwrap_err();
    // Nobody says anything: the service looks for itself.
    folder.certify();
    service.line("the certificate is replaced");
    over_tls().unwrap();
    // A broken one is refused.
    write_anew(Path::new(&certificate), "nonsense");
    service.signal(Signal::HUP);
    assert!(service.line("the certificate stays").contains("no certificate in it"));
    over_tls().unwrap();
    folder.certify();
    service.signal(Signal::HUP);
    service.line("the certificate is replaced");
    over_tls().unwrap();
    service.end();
}

#[test]
fn a_hangup_ends_nothing() {
    let service = Service::start(&[]);
    let address = service.address("ready");
    service.signal(Signal::HUP);
    assert_eq!(status(address, "/healthz"), Some(200));
    service.end();
}

#[test]
fn without_file_descriptors_nobody_is_lost() {
    let service = Service::start(&["--max-connections", "100"]);
    let address = service.address("ready");
    assert_eq!(status(address, "/healthz"), Some(200));
    let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
    let open_files =
        |current| prlimit(Some(service.pid()), Resource::Nofile, Rlimit { current, maximum }).unwrap();
    open_files(Some(3));
    // It is accepted by the system and waits for us.
    let mut waiting = TcpStream::connect(address).unwrap();
    waiting.set_read_timeout(Some(LONG)).unwrap();
    waiting.write_all(b"GET /v1/evaluate HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n").unwrap();
    service.line("no connection can be accepted");
    let cpu = cpu_ticks(&service);
    let begun = Instant::now();
    thread::sleep(Duration::from_secs(1));
    let percent = (cpu_ticks(&service) - cpu) * 1_000 / begun.elapsed().as_millis() as u64;
    assert!(percent < 5, "it spins, at {percent} % of a core");
    open_files(maximum);
    let mut answer = String::new();
    waiting.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200 OK"), "{answer}");
    service.end();
}

#[test]
fn the_table_has_its_memory_before_a_search_asks_for_it() {
    let service = Service::start_with_table("128", &[]);
    service.line("ready");
    let begun = Instant::now();
    while resident_mebibytes(&service) < 128 {
        assert!(begun.elapsed() < LONG, "{} MiB", resident_mebibytes(&service));
        thread::sleep(Duration::from_millis(10));
    }
    service.end();
}

fn resident_mebibytes(service: &Service) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", service.process.id())).unwrap();
    let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    resident.trim().trim_end_matches(" kB").parse::<u64>().unwrap() / 1024
}

/// CPU time of the process so far, in hundredths of a second.
fn cpu_ticks(service: &Service) -> u64 {
    let text = fs::read_to_string(format!("/proc/{}/stat", service.process.id())).unwrap();
    let (_, fields) = text.rsplit_once(") ").unwrap();
    let fields: Vec<_> = fields.split(' ').collect();
    fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()
}
