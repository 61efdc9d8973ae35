//! The binary with a file of keys: how it starts, what it does when the file changes, and that no key gets into its log.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use crate::guarded::entry;

/// Long enough for everything on a busy machine.
const PATIENCE: Duration = Duration::from_mins(1);

/// A running service whose log is kept.
struct Server {
    child: Child,
    address: SocketAddr,
    log: Arc<Mutex<String>>,
    keys: PathBuf,
}

impl Server {
    fn start(test: &str, keys: &str, more: &[&str]) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("keys-{test}.toml"));
        fs::write(&path, keys).unwrap();
        let mut child = command(&path).args(more).stderr(Stdio::piped()).spawn().unwrap();
        let stderr = BufReader::new(child.stderr.take().unwrap());
        let log = Arc::new(Mutex::new(String::new()));
        let kept = Arc::clone(&log);
        thread::spawn(move || {
            for line in stderr.lines().map_while(Result::ok) {
                let mut log = kept.lock().unwrap();
                *log += &line;
                log.push('\n');
            }
        });
        let mut server = Self { child, address: SocketAddr::from(([127, 0, 0, 1], 0)), log, keys: path };
        server.await_log("ready");
        let log = server.log();
        let address = log.split("address=").nth(1).unwrap().split_whitespace().next().unwrap();
        server.address = address.parse().unwrap();
        server
    }

    fn log(&self) -> String {
        self.log.lock().unwrap().clone()
    }

    fn await_log(&self, text: &str) {
        poll(text, || self.log().contains(text));
    }

    fn write_keys(&self, text: &str) {
        fs::write(&self.keys, text).unwrap();
    }

    /// The reply to a request with these lines in its head, as text.
    fn ask(&self, path: &str, headers: &str) -> String {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nHost: test\r\nConnection: close\r\n{headers}\r\n").unwrap();
        let mut reply = String::new();
        stream.read_to_string(&mut reply).unwrap();
        reply
    }

    fn status(&self, key: &str) -> u16 {
        let reply = self.ask("/v1/evaluate", &format!("X-Api-Key: {key}\r\n"));
        reply.split(' ').nth(1).unwrap().parse().unwrap()
    }

    fn hang_up(&self) {
        let done = Command::new("kill").args(["-HUP", &self.child.id().to_string()]).status().unwrap();
        assert!(done.success());
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = fs::remove_file(&self.keys);
    }
}

fn command(keys: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_centipawn"));
    command.args(["serve", "--listen", "127.0.0.1:0", "--interactive-threads", "1", "--bulk-threads", "1"]);
    command.arg("--api-keys").arg(keys);
    command
}

fn poll(what: &str, mut is_so: impl FnMut() -> bool) {
    let began = Instant::now();
    while !is_so() {
        assert!(began.elapsed() < PATIENCE, "not within a minute: {what}");
        thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_changed_file_is_taken_over_and_a_broken_one_is_not() {
    let (alice, bob) = (entry("cpk_alice", ""), entry("cpk_bob", ""));
    let server = Server::start("changed", &alice, &[]);
    assert_eq!((server.status("cpk_alice"), server.status("cpk_bob")), (200, 401));
    // By looking.
    server.write_keys(&(alice.clone() + &bob));
    poll("bob is let in", || server.status("cpk_bob") == 200);
    assert_eq!(server.status("cpk_alice"), 200);
    // A broken file changes nothing, nor one that is empty or gone.
    for (broken, said) in
        [("[[key]]\nname = cpk_0123456789", "line 2 cannot be read"), ("", "there is no key in it")]
    {
        server.write_keys(broken);
        server.await_log(said);
        assert_eq!((server.status("cpk_alice"), server.status("cpk_bob")), (200, 200), "{said}");
    }
    fs::remove_file(&server.keys).unwrap();
    server.await_log("cannot read the file");
    assert_eq!(server.status("cpk_bob"), 200);
    assert!(server.log().contains("the API keys stay as they were"));
    assert!(!server.log().contains("0123456789"));
    // What is mended is taken over, and a key that is gone stops working.
    server.write_keys(&bob);
    poll("alice is refused", || server.status("cpk_alice") == 401);
    assert_eq!(server.status("cpk_bob"), 200);
}

#[test]
fn a_signal_has_the_file_read_again() {
    let server = Server::start("signal", &entry("cpk_alice", ""), &[]);
    let count = || server.log().matches("API keys read again").count();
    assert_eq!(count(), 0);
    // The same file, so that it is the signal that did it.
    server.hang_up();
    poll("it is read again", || count() == 1);
    assert_eq!(server.status("cpk_alice"), 200);
}

#[test]
fn it_does_not_start_with_a_file_that_is_none() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let broken = folder.join("keys-broken.toml");
    fs::write(&broken, "[[key]]\nname = \"alice\"\nsha256 = \"cpk_0123456789\"\n").unwrap();
    for (path, said) in [(broken, "is the key itself"), (folder.join("keys-absent.toml"), "cannot read")] {
        let done = command(&path).output().unwrap();
        let text = String::from_utf8(done.stderr).unwrap();
        assert!(!done.status.success() && text.contains("--api-keys") && text.contains(said), "{text}");
        assert!(!text.contains("0123456789"), "{text}");
    }
}

/// With every line that there is.
#[test]
fn no_secret_gets_into_the_log() {
    let key = "cpk_5ec4e7000000";
    let secrets = ["5ec4e7", "QmFzaWM", "hunter2"];
    let server = Server::start(
        "secrets",
        &entry(key, "").replace("5ec4e7000000", "alice"),
        &["--log-level", "trace", "--access-log", "all"],
    );
    for headers in [
        format!("Authorization: Bearer {key}\r\n"),
        format!("X-Api-Key: {key}\r\n"),
        "Authorization: Bearer cpk_wrong5ec4e7\r\n".to_owned(),
        "Authorization: Basic QmFzaWM=\r\n".to_owned(),
        "X-Api-Key: hunter2\r\nX-Api-Key: 5ec4e7\r\n".to_owned(),
        "X-Request-Id: hello\r\nCookie: hunter2\r\n".to_owned(),
    ] {
        for path in [
            "/v1/evaluate",
            "/v1/evaluate?api_key=hunter2",
            "/v1/nothing?token=hunter2",
            "/metrics",
            "/healthz",
        ] {
            let reply = server.ask(path, &headers);
            assert!(reply.starts_with("HTTP/1.1"));
            assert!(!secrets.iter().any(|secret| reply.contains(secret)), "{path} {headers}: {reply}");
        }
    }
    server.await_log("/v1/nothing");
    server.hang_up();
    server.await_log("API keys read again");
    let log = server.log();
    for secret in secrets {
        assert!(!log.contains(secret), "{secret} in {log}");
    }
    assert!(log.contains("TRACE") || log.contains("DEBUG"), "the log was kept");
}
