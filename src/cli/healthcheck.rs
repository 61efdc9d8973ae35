//! `centipawn healthcheck`: for container images that have no `curl`.

use std::io::{self, Read, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, ValueEnum};

use super::{Failure, any_certificate};

/// Whom to ask, and what.
#[derive(Args, Clone, Debug)]
pub(super) struct HealthcheckOptions {
    /// The settings file of the service: what it says of `listen`, `admin-listen` and `tls-certificate` holds here too
    #[arg(long, env = "CENTIPAWN_CONFIG", value_name = "FILE")]
    config: Option<PathBuf>,

    /// Address of the service; 0.0.0.0 and [::] stand for this machine
    #[arg(
        long,
        alias = "listen",
        env = "CENTIPAWN_LISTEN",
        value_name = "ADDR",
        default_value = "127.0.0.1:8080"
    )]
    address: SocketAddr,

    /// Address of the service's admin listener, which is asked instead if there is one
    #[arg(long, env = "CENTIPAWN_ADMIN_LISTEN", value_name = "ADDR")]
    admin_listen: Option<SocketAddr>,

    /// Ask over TLS, as a service has it with this setting; whatever certificate it shows is taken, since the probe asks
    /// for health and not for identity
    #[arg(long, env = "CENTIPAWN_TLS_CERTIFICATE", value_name = "FILE")]
    tls_certificate: Option<PathBuf>,

    /// What to ask
    #[arg(long, value_name = "PROBE", value_enum, default_value_t = Probe::Ready)]
    probe: Probe,

    /// How long to wait for the answer, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 2_000, value_parser = clap::value_parser!(u64).range(1..))]
    timeout_ms: u64,
}

impl HealthcheckOptions {
    pub(super) fn config(&self) -> Option<&Path> {
        self.config.as_deref()
    }
}

/// What can be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Probe {
    /// Does it take requests? (/readyz)
    Ready,
    /// Does it run? (/healthz)
    Live,
}

impl Probe {
    const fn path(self) -> &'static str {
        match self {
            Self::Ready => "/readyz",
            Self::Live => "/healthz",
        }
    }
}

/// Longest part of an answer that is read: its status line.
const STATUS_LINE_BYTES: u64 = 256;

/// Succeeds if the service answers the probe with 200.
pub(super) fn run(options: &HealthcheckOptions) -> Result<(), Failure> {
    // The admin listener speaks no TLS.
    let with_tls = options.admin_listen.is_none() && options.tls_certificate.is_some();
    let address = reachable(options.admin_listen.unwrap_or(options.address));
    let timeout = Duration::from_millis(options.timeout_ms);
    let status = connect(address, timeout)
        .and_then(|stream| {
            let path = options.probe.path();
            if with_tls {
                ask(any_certificate::connect(stream)?, address, path)
            } else {
                ask(stream, address, path)
            }
        })
        .map_err(|error| Failure::Unwell(format!("{address} does not answer: {error}")))?;
    if is_ok(&status) {
        return Ok(());
    }
    Err(Failure::Unwell(format!("{address}{} answers: {status}", options.probe.path())))
}

fn connect(address: SocketAddr, timeout: Duration) -> io::Result<TcpStream> {
    let stream = TcpStream::connect_timeout(&address, timeout)?;
    stream.set_read_timeout(Some(timeout))?;
    stream.set_write_timeout(Some(timeout))?;
    Ok(stream)
}

/// The status line of the answer.
fn ask(mut stream: impl Read + Write, address: SocketAddr, path: &str) -> io::Result<String> {
    let request = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes())?;
    let mut answer = Vec::new();
    stream.take(STATUS_LINE_BYTES).read_to_end(&mut answer)?;
    let answer = String::from_utf8_lossy(&answer);
    Ok(answer.lines().next().unwrap_or_default().to_owned())
}

fn is_ok(status: &str) -> bool {
    status.starts_with("HTTP/1.1 200") || status.starts_with("HTTP/1.0 200")
}

/// A service that listens on every address is asked on the loopback.
fn reachable(address: SocketAddr) -> SocketAddr {
    let ip = match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
        IpAddr::V6(ip) if ip.is_unspecified() => IpAddr::V6(Ipv6Addr::LOCALHOST),
        ip => ip,
    };
    SocketAddr::new(ip, address.port())
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;
    use std::net::TcpListener;
    use std::{env, fs, process, thread};

    use super::*;
    use crate::cli::{Face, parse};

    fn check(reply: &'static str) -> Result<(), Failure> {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let server = thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let mut request = [0; 1024];
            let length = stream.read(&mut request).unwrap();
            assert!(request[..length].starts_with(b"GET /readyz HTTP/1.1\r\n"));
            stream.write_all(reply.as_bytes()).unwrap();
        });
        let outcome = run(&HealthcheckOptions {
            config: None,
            address,
            admin_listen: None,
            tls_certificate: None,
            probe: Probe::Ready,
            timeout_ms: 1_000,
        });
        server.join().unwrap();
        outcome
    }

    #[test]
    fn only_200_is_well() {
        check("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n").unwrap();
        let Err(Failure::Unwell(why)) = check("HTTP/1.1 503 Service Unavailable\r\n\r\n") else {
            panic!("well")
        };
        assert!(why.ends_with("/readyz answers: HTTP/1.1 503 Service Unavailable"), "{why}");
        assert!(check("").is_err());
    }

    /// What a line asks where the settings file has this text.
    fn options(name: &str, text: &str, line: &[&str]) -> Result<HealthcheckOptions, String> {
        let path = env::temp_dir().join(format!("centipawn-{}-health-{name}.toml", process::id()));
        fs::write(&path, text).unwrap();
        let begin = ["centipawn", "healthcheck", "--config", path.to_str().unwrap()];
        let face = parse(begin.iter().chain(line).map(OsString::from).collect());
        fs::remove_file(path).unwrap();
        match face.unwrap() {
            Ok(Face::Healthcheck(options)) => Ok(options),
            Ok(other) => panic!("{other:?}"),
            Err(failure) => Err(failure.to_string()),
        }
    }

    #[test]
    fn the_settings_file_of_the_service_says_where_it_is() {
        let text = "listen = \"127.0.0.1:1\"\nmax-depth = 40\nprobe = \"live\"\n";
        let asked = options("listen", text, &[]).unwrap();
        assert_eq!((asked.address.port(), asked.admin_listen, asked.probe), (1, None, Probe::Ready));
        assert_eq!(options("flag", text, &["--address", "127.0.0.1:2"]).unwrap().address.port(), 2);
        let text = "admin-listen = \"127.0.0.1:3\"\ntls-certificate = \"tls.crt\"\ntls-key = \"tls.key\"\n";
        let asked = options("admin", text, &[]).unwrap();
        assert_eq!((asked.address.port(), asked.admin_listen.unwrap().port()), (8080, 3));
        assert_eq!(asked.tls_certificate, Some("tls.crt".into()));
        let said = options("wrong", "listen = \"here\"\n", &[]).unwrap_err();
        assert!(said.contains("`listen`: invalid value 'here'"), "{said}");
        assert!(options("syntax", "listen = \n", &[]).unwrap_err().contains("is not TOML: line 1"));
        let gone = ["centipawn", "healthcheck", "--config", "/nowhere/centipawn.toml"];
        let said = parse(gone.map(OsString::from).into()).unwrap().unwrap_err().to_string();
        assert!(said.starts_with("cannot read the settings file /nowhere/centipawn.toml"), "{said}");
    }

    #[test]
    fn the_unspecified_address_is_asked_on_the_loopback() {
        for (listen, ask) in
            [("0.0.0.0:8080", "127.0.0.1:8080"), ("[::]:80", "[::1]:80"), ("10.0.0.1:1", "10.0.0.1:1")]
        {
            assert_eq!(reachable(listen.parse().unwrap()), ask.parse().unwrap());
        }
    }
}
