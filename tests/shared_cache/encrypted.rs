//! A server that is reached over TLS, and one that is somebody else.

use std::env;
use std::fs;
use std::net::TcpListener;
use std::path::PathBuf;
use std::process;

use centipawn::pool::BreakerState;
use centipawn::shared_cache::Address;
use rcgen::{CertifiedKey, generate_simple_self_signed};

use crate::house::{Embedded, House, question};
use crate::server::{self, Server};

/// A certificate of its own and its key, in files that are gone at the end.
struct Identity {
    certificate: PathBuf,
    key: PathBuf,
}

impl Identity {
    fn new(name: &str) -> Self {
        let CertifiedKey { cert, signing_key } =
            generate_simple_self_signed(["127.0.0.1".to_owned()]).unwrap();
        let file = |kind| env::temp_dir().join(format!("centipawn-{}-{name}.{kind}", process::id()));
        let (certificate, key) = (file("crt"), file("key"));
        fs::write(&certificate, cert.pem()).unwrap();
        fs::write(&key, signing_key.serialize_pem()).unwrap();
        Self { certificate, key }
    }
}

impl Drop for Identity {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.certificate);
        let _ = fs::remove_file(&self.key);
    }
}

#[test]
fn a_cache_over_tls_is_one_if_its_certificate_is_trusted() {
    if !server::is_there("encrypted") {
        return;
    }
    let [own, other] = ["own", "other"].map(Identity::new);
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port().to_string();
    let [certificate, key] = [&own.certificate, &own.key].map(|path| path.to_str().unwrap());
    let _server = Server::start(&[
        "--tls-port",
        &port,
        "--tls-auth-clients",
        "no",
        "--tls-cert-file",
        certificate,
        "--tls-key-file",
        key,
        "--tls-ca-cert-file",
        certificate,
    ]);
    let url = format!("rediss://127.0.0.1:{port}");
    let trusting = |identity: &Identity| Address::single(&[&url], Some(&identity.certificate)).unwrap();

    let [first, second] = [(); 2].map(|()| House::with_address(trusting(&own), Embedded::Roomy));
    first.wait_for_the_cache();
    second.wait_for_the_cache();
    let searched = first.get(&question(1));
    assert_eq!((searched.status, searched.cache_status()), (200, "centipawn; fwd=miss; stored"));
    first.wait_for_writes(1);
    let shared = second.get(&question(1));
    assert_eq!((shared.status, shared.cache_status()), (200, "centipawn; hit; detail=shared"));
    assert_eq!(shared.bytes, searched.bytes);

    // Whoever cannot show the certificate is told nothing and asked nothing.
    let wary = House::with_address(trusting(&other), Embedded::Roomy);
    wary.wait_until("it is not believed", |seen| seen.state == BreakerState::Open);
    assert_eq!(wary.get(&question(1)).status, 200);
    assert_eq!(wary.shared().hits, 0);
}
