//! What the address of a cache holds is seen nowhere.

use std::env;
use std::fs;
use std::io::Read;
use std::net::TcpListener;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use centipawn::shared_cache::{Address, AddressError};

use crate::house::FOREVER;
use crate::liars::{Liar, Lie};

const SECRET: &str = "hunter2HUNTER2";

/// The command of the service, with nothing of this process' environment that could be a setting.
fn centipawn() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_centipawn"));
    command.env_remove("CENTIPAWN_SHARED_CACHE_URL").stdin(Stdio::null());
    command
}

#[test]
fn what_is_no_address_is_told_without_the_address() {
    let wrong = [
        format!("redis://user:{SECRET}@"),
        format!("redis://user:{SECRET}@host:port"),
        format!("redis://user:{SECRET}@host/database"),
        format!("http://user:{SECRET}@host"),
        format!("user:{SECRET}@host"),
        format!("redis://user:{SECRET}@0.0.0.0"),
        format!("redis://a@b@{SECRET}:x"),
        SECRET.to_owned(),
    ];
    for url in wrong {
        for told in
            [Address::single(&[&url], None).unwrap_err(), Address::cluster(&[&url], None).unwrap_err()]
        {
            assert!(matches!(told, AddressError::Invalid { number: 1 }), "{told:?}");
            assert!(!format!("{told} {told:?}").contains(SECRET));
        }
        let output = centipawn().args(["serve", "--shared-cache-url", &url]).output().unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{told}");
        assert!(told.contains("shared-cache-url") && !told.contains(SECRET), "{told}");
    }
}

#[test]
fn addresses_that_contradict_each_other_are_told() {
    let [one, other] = ["redis://a:word@host1", "redis://b:word@host2"];
    let told = Address::single(&[one, other], None).unwrap_err();
    assert!(matches!(told, AddressError::Several { count: 2 }), "{told}");
    let told = Address::cluster(&[one, other], None).unwrap_err();
    assert!(matches!(told, AddressError::Contradictory), "{told}");
    let missing = env::temp_dir().join("centipawn-no-such-file.pem");
    let told = Address::single(&["rediss://host"], Some(&missing)).unwrap_err();
    assert!(matches!(told, AddressError::Unreadable { .. }), "{told}");
    let told = Address::single(&["redis://host"], Some(&missing)).unwrap_err();
    assert!(matches!(told, AddressError::CertificatesWithoutTls), "{told}");
    let empty = env::temp_dir().join(format!("centipawn-empty-{}.pem", std::process::id()));
    fs::write(&empty, "no certificate").unwrap();
    let told = Address::cluster(&["rediss://host"], Some(&empty)).unwrap_err();
    fs::remove_file(&empty).unwrap();
    assert!(matches!(told, AddressError::NoCertificates { .. }), "{told}");
    assert!(Address::single(&["rediss://user:word@host:7000/1"], None).is_ok());
    assert!(Address::cluster(&["redis://host1", "redis://host2:7001"], None).is_ok());
}

#[test]
fn help_shows_neither_the_variable_nor_the_file() {
    let url = format!("redis://:{SECRET}@host");
    let output =
        centipawn().args(["serve", "--help"]).env("CENTIPAWN_SHARED_CACHE_URL", &url).output().unwrap();
    let help = String::from_utf8(output.stdout).unwrap();
    assert!(help.contains("CENTIPAWN_SHARED_CACHE_URL") && !help.contains(SECRET), "{help}");
    let file = env::temp_dir().join(format!("centipawn-secret-{}.toml", std::process::id()));
    fs::write(&file, format!("shared-cache-url = \"{url}\"\nresult-cache-mib = 0\n")).unwrap();
    let output = centipawn().arg("serve").arg("--config").arg(&file).output().unwrap();
    fs::remove_file(&file).unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("result-cache-mib") && !told.contains(SECRET), "the settings are read: {told}");
}

/// A server that hands back what it was told in confidence, in every way there is; the service at its most talkative.
#[test]
fn no_log_and_no_metric_repeats_what_a_server_says() {
    let liar = Liar::start(Lie::Echo);
    let file = env::temp_dir().join(format!("centipawn-log-{}", std::process::id()));
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    for topology in ["single", "cluster"] {
        let mut service = centipawn()
            .args(["serve", "--log-level", "trace", "--shared-cache-topology", topology])
            .args(["--listen", &format!("127.0.0.1:{port}")])
            .env("CENTIPAWN_SHARED_CACHE_URL", format!("redis://user:{SECRET}@127.0.0.1:{}", liar.port))
            .stderr(fs::File::create(&file).unwrap())
            .spawn()
            .unwrap();
        let (begun, heard) = (Instant::now(), liar.heard());
        let log = || fs::read_to_string(&file).unwrap();
        // Several attempts, so that whatever there is to say is said.
        while liar.heard() < heard + 8 || !log().contains("shared cache") {
            assert!(begun.elapsed() < FOREVER, "the service does not connect: {}", log());
            thread::sleep(Duration::from_millis(10));
        }
        let metrics = read(port, "/metrics");
        service.kill().unwrap();
        service.wait().unwrap();
        assert!(metrics.contains("centipawn_shared_cache_breaker{state=\"open\"} 1"), "{metrics}");
        assert!(!log().contains(SECRET) && !metrics.contains(SECRET), "{topology}: {}", log());
    }
    fs::remove_file(&file).unwrap();
}

fn read(port: u16, path: &str) -> String {
    let begun = Instant::now();
    let mut stream = loop {
        match std::net::TcpStream::connect(("127.0.0.1", port)) {
            Ok(stream) => break stream,
            Err(error) => assert!(begun.elapsed() < FOREVER, "{error}"),
        }
        thread::sleep(Duration::from_millis(10));
    };
    let request = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    std::io::Write::write_all(&mut stream, request.as_bytes()).unwrap();
    let mut reply = String::new();
    stream.read_to_string(&mut reply).unwrap();
    reply
}
