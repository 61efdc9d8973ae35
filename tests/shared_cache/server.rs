//! A server of our own, started for a test and gone with it.

use std::env;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

const COMMAND: &str = "redis-server";

/// Says that the test is skipped where there is no server; `true` if there is one.
pub(crate) fn is_there(test: &str) -> bool {
    let found = Command::new(COMMAND).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    if found.is_ok_and(|status| status.success()) {
        return true;
    }
    assert!(env::var_os("CENTIPAWN_REQUIRE_REDIS").is_none(), "{test}: the command {COMMAND} is missing");
    eprintln!("SKIPPED {test}: the command {COMMAND} is missing (Debian's package redis-server has it)");
    false
}

/// A running server on a port of the loopback address.
pub(crate) struct Server {
    process: Child,
    pub(crate) port: u16,
    folder: PathBuf,
    options: Vec<String>,
}

impl Server {
    /// On a free port, with an empty memory, keeping nothing on the disk.
    pub(crate) fn start(options: &[&str]) -> Self {
        Self::start_at(free_port(), options)
    }

    pub(crate) fn start_at(port: u16, options: &[&str]) -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let folder = env::temp_dir().join(format!("centipawn-redis-{}-{number}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let options: Vec<String> = options.iter().map(|&option| option.to_owned()).collect();
        let process = launch(port, &folder, &options);
        let server = Self { process, port, folder, options };
        server.wait_until_it_answers();
        server
    }

    pub(crate) fn url(&self) -> String {
        format!("redis://127.0.0.1:{}", self.port)
    }

    /// Ends it at once (SIGKILL).
    pub(crate) fn kill(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }

    /// Starts it again, where it was, with nothing in it.
    pub(crate) fn restart(&mut self) {
        self.process = launch(self.port, &self.folder, &self.options);
        self.wait_until_it_answers();
    }

    /// Takes connections, answers nothing (SIGSTOP).
    pub(crate) fn stall(&self) {
        self.signal("-STOP");
    }

    /// Goes on where it was (SIGCONT).
    pub(crate) fn resume(&self) {
        self.signal("-CONT");
    }

    /// The answer to a command, in the protocol's own form; bytes that are no text are replaced.
    pub(crate) fn ask(&self, words: &[&str]) -> String {
        self.try_ask(words).unwrap()
    }

    /// The keys that are there.
    pub(crate) fn keys(&self) -> Vec<String> {
        let reply = self.ask(&["KEYS", "*"]);
        reply.lines().filter(|line| line.starts_with("centipawn")).map(str::to_owned).collect()
    }

    fn try_ask(&self, words: &[&str]) -> std::io::Result<String> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port))?;
        stream.set_read_timeout(Some(Duration::from_secs(10)))?;
        let strings: String = words.iter().copied().map(bulk).collect();
        let request = format!("*{}\r\n{strings}", words.len());
        stream.write_all(request.as_bytes())?;
        let mut reply = Vec::new();
        read_reply(&mut BufReader::new(stream), &mut reply)?;
        Ok(String::from_utf8_lossy(&reply).into_owned())
    }

    fn wait_until_it_answers(&self) {
        let begun = Instant::now();
        // With a password it answers too, by an error.
        while self.try_ask(&["PING"]).is_err() {
            assert!(begun.elapsed() < Duration::from_secs(30), "the server does not start");
            thread::sleep(Duration::from_millis(10));
        }
    }

    fn signal(&self, signal: &str) {
        let id = self.process.id().to_string();
        assert!(Command::new("kill").args([signal, &id]).status().unwrap().success());
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn launch(port: u16, folder: &PathBuf, options: &[String]) -> Child {
    let base = ["--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--enable-debug-command", "yes"];
    Command::new(COMMAND)
        .args(["--port", &port.to_string(), "--dir"])
        .arg(folder)
        .args(base)
        .args(options)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

fn bulk(word: &str) -> String {
    format!("${}\r\n{word}\r\n", word.len())
}

/// One whole reply, with those inside it.
fn read_reply(reader: &mut impl BufRead, reply: &mut Vec<u8>) -> std::io::Result<()> {
    let start = reply.len();
    if reader.read_until(b'\n', reply)? == 0 {
        return Err(std::io::ErrorKind::UnexpectedEof.into());
    }
    let line = String::from_utf8_lossy(&reply[start..]).trim().to_owned();
    let count = line.get(1..).and_then(|number| number.parse::<i64>().ok()).unwrap_or(0);
    match line.as_bytes().first() {
        Some(b'$') if count >= 0 => {
            let mut bytes = vec![0; count as usize + 2];
            reader.read_exact(&mut bytes)?;
            reply.extend(bytes);
        }
        Some(b'*') => {
            for _ in 0..count {
                read_reply(reader, reply)?;
            }
        }
        _ => {}
    }
    Ok(())
}

/// A port that nobody listens on at this moment.
pub(crate) fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}
