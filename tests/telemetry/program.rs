//! The program, running on a free port of the loopback address.

use std::env;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, ChildStderr, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Longer than anything takes on a busy machine; what is awaited is polled for.
const PATIENCE: Duration = Duration::from_mins(1);

/// A running service; dropping it kills it.
pub(crate) struct Program {
    child: Child,
    pub(crate) port: u16,
}

impl Program {
    /// Starts the service with these arguments and variables, none of those of whoever runs the tests, and waits until it is
    /// ready.
    pub(crate) fn start(stderr: Stdio, arguments: &[&str], variables: &[(&str, &str)]) -> Self {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let mut command = Command::new(env!("CARGO_BIN_EXE_centipawn"));
        for (name, _) in env::vars().filter(|(name, _)| name.starts_with("CENTIPAWN_")) {
            command.env_remove(name);
        }
        let child = command
            .args(["serve", "--listen", &format!("127.0.0.1:{port}"), "--interactive-threads", "1"])
            .args(arguments)
            .envs(variables.iter().copied())
            .stderr(stderr)
            .spawn()
            .unwrap();
        let program = Self { child, port };
        eventually("ready", || program.try_ask("GET /readyz", &[], "").is_some_and(|reply| reply.0 == 200));
        program
    }

    /// What the program writes to its stderr, if that is a pipe.
    pub(crate) fn stderr(&mut self) -> ChildStderr {
        self.child.stderr.take().unwrap()
    }

    /// Status and body of the answer to `METHOD PATH`.
    pub(crate) fn ask(&self, what: &str, headers: &[(&str, &str)], body: &str) -> (u16, String) {
        self.try_ask(what, headers, body).unwrap()
    }

    fn try_ask(&self, what: &str, headers: &[(&str, &str)], body: &str) -> Option<(u16, String)> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).ok()?;
        let headers: Vec<_> = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        let headers = headers.concat();
        let length = body.len();
        let request = format!(
            "{what} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-type: application/json\r\n\
             content-length: {length}\r\n{headers}\r\n{body}"
        );
        stream.write_all(request.as_bytes()).ok()?;
        let mut reply = String::new();
        stream.read_to_string(&mut reply).ok()?;
        let (head, body) = reply.split_once("\r\n\r\n")?;
        Some((head.split(' ').nth(1)?.parse().ok()?, body.to_owned()))
    }

    /// The sum of a metric over its labels.
    pub(crate) fn metric(&self, name: &str) -> f64 {
        let (_, page) = self.ask("GET /metrics", &[], "");
        let samples = page.lines().filter(|line| line.split(['{', ' ']).next() == Some(name));
        samples.map(|line| line.rsplit(' ').next().unwrap().parse::<f64>().unwrap()).sum()
    }

    /// Asks the program to end, and waits until it has.
    pub(crate) fn end(mut self) -> ExitStatus {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
        let mut status = None;
        eventually("over", || {
            status = self.child.try_wait().unwrap();
            status.is_some()
        });
        status.unwrap()
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Waits until something is so.
pub(crate) fn eventually(what: &str, mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < PATIENCE, "not {what} after {PATIENCE:?}");
        sleep(Duration::from_millis(20));
    }
}
