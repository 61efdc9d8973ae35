//! The server killed, stalled, full, locked or read-only, with clients at work.

use centipawn::pool::BreakerState;
use centipawn::shared_cache::Address;

use crate::house::{Embedded, House, question, settings};
use crate::load::{Exam, under_load};
use crate::server::{self, Server, free_port};

const QUESTIONS: usize = 60;

#[test]
fn killed_and_stalled_in_mid_load_it_costs_no_request_anything() {
    if !server::is_there("kills and stalls") {
        return;
    }
    let mut server = Server::start(&[]);
    let house = House::sharing(&server.url(), Embedded::Full);
    house.wait_for_the_cache();
    under_load(&Exam::of(QUESTIONS), &house, |load| {
        load.wait_for_hits(50);
        for _ in 0..2 {
            server.kill();
            house.wait_until("the breaker opens", |shared| shared.state == BreakerState::Open);
            load.wait_for_answers(50);
            server.restart();
            load.wait_for_hits(50);
            let opened = house.shared().opened;
            server.stall();
            house.wait_until("the breaker opens", |shared| shared.opened > opened);
            load.wait_for_answers(50);
            server.resume();
            load.wait_for_hits(50);
        }
        let opened = house.shared().opened;
        // All in one: what was sent before is answered too late, to nobody.
        assert!(server.ask(&["DEBUG", "SLEEP", "1.5"]).starts_with("+OK"));
        house.wait_until("the breaker opened", |shared| shared.opened > opened);
        load.wait_for_hits(50);
    });
    assert_eq!(house.shared().rejected, 0);
}

#[test]
fn while_the_breaker_is_open_nobody_waits() {
    if !server::is_there("an open breaker") {
        return;
    }
    let server = Server::start(&[]);
    let house = House::sharing(&server.url(), Embedded::Full);
    house.wait_for_the_cache();
    house.get(&question(0));
    assert_eq!(house.shared().state, BreakerState::Closed);
    server.stall();
    // One after the other, so that none is let through before it is known how the last one fared, which the service does not
    // wait for.
    for number in 1..=5 {
        house.get(&question(number as usize));
        house.wait_until("it is known how the look-up fared", |shared| {
            shared.timeouts == number || shared.state == BreakerState::Open
        });
    }
    house.wait_until("it opens after five in a row", |shared| shared.state == BreakerState::Open);
    let before = house.shared();
    house.get(&question(50));
    let after = house.shared();
    assert_eq!(after.timeouts, before.timeouts, "not waited for");
    assert_eq!(after.skipped, before.skipped + 1);
    house.wait_until("nothing is written either", |shared| shared.dropped_writes > 0);
}

#[test]
fn the_service_starts_and_serves_without_it() {
    if !server::is_there("a late server") {
        return;
    }
    let port = free_port();
    let house = House::sharing(&format!("redis://127.0.0.1:{port}"), Embedded::Full);
    let exam = Exam::of(10);
    exam.sit(&house);
    let shared = house.shared();
    assert_eq!((shared.skipped, shared.hits + shared.misses + shared.timeouts + shared.errors), (10, 0));
    let _server = Server::start_at(port, &[]);
    house.wait_for_the_cache();
    exam.sit(&house);
    house.wait_for_writes(10);
    let hits = house.shared().hits;
    exam.sit(&house);
    assert_eq!(house.shared().hits, hits + 10);
}

#[test]
fn a_server_that_takes_nothing_may_still_have_something() {
    if !server::is_there("a full server") {
        return;
    }
    let server = Server::start(&["--maxmemory-policy", "noeviction"]);
    let house = House::sharing(&server.url(), Embedded::Full);
    house.wait_for_the_cache();
    let exam = Exam::of(10);
    exam.sit(&house);
    house.wait_for_writes(10);
    for (obstacle, way_out) in [
        (["CONFIG", "SET", "maxmemory", "1"], ["CONFIG", "SET", "maxmemory", "0"]),
        (["CONFIG", "SET", "min-replicas-to-write", "1"], ["CONFIG", "SET", "min-replicas-to-write", "0"]),
    ] {
        let before = house.shared();
        assert!(server.ask(&obstacle).starts_with("+OK"));
        exam.sit(&house);
        assert_eq!(house.shared().hits, before.hits + 10, "what is there is read");
        let new = 100 + before.written as usize;
        for number in new..new + 10 {
            assert_eq!(house.get(&question(number)).status, 200);
        }
        house.wait_until("writes fail", |shared| shared.failed_writes >= before.failed_writes + 10);
        assert_eq!((house.shared().written, house.shared().opened), (before.written, before.opened));
        assert!(server.ask(&way_out).starts_with("+OK"));
        house.get(&question(new));
        house.wait_for_writes(before.written + 1);
    }
}

#[test]
fn a_replica_is_read() {
    if !server::is_there("a replica") {
        return;
    }
    let [primary, replica] = [(); 2].map(|()| Server::start(&[]));
    let writer = House::sharing(&primary.url(), Embedded::Full);
    writer.wait_for_the_cache();
    let exam = Exam::of(10);
    exam.sit(&writer);
    writer.wait_for_writes(10);
    replica.ask(&["REPLICAOF", "127.0.0.1", &primary.port.to_string()]);
    let begun = std::time::Instant::now();
    while replica.keys().len() < 10 {
        assert!(begun.elapsed() < crate::house::FOREVER, "the replica does not follow");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let reader = House::sharing(&replica.url(), Embedded::Full);
    reader.wait_for_the_cache();
    exam.sit(&reader);
    assert_eq!((reader.shared().hits, reader.searches()), (10, 0));
    reader.get(&question(90));
    reader.wait_until("READONLY", |shared| shared.failed_writes == 1);
    assert_eq!(reader.shared().state, BreakerState::Closed);
}

#[test]
fn without_the_password_there_is_nothing_and_with_it_there_is() {
    if !server::is_there("passwords") {
        return;
    }
    let server = Server::start(&["--requirepass", "a/secret:word"]);
    let at = |credentials: &str| format!("redis://{credentials}127.0.0.1:{}", server.port);
    let exam = Exam::of(5);
    for credentials in ["", ":wrong@", "nobody:a%2Fsecret%3Aword@"] {
        let house = House::sharing(&at(credentials), Embedded::Full);
        exam.sit(&house);
        assert_eq!((house.shared().skipped, house.shared().state), (5, BreakerState::Open));
    }
    let house = House::sharing(&at(":a%2Fsecret%3Aword@"), Embedded::Full);
    house.wait_for_the_cache();
    exam.sit(&house);
    house.wait_for_writes(5);
    exam.sit(&house);
    assert_eq!(house.shared().hits, 5);
}

/// A user who may read and not write, and then not even that.
#[test]
fn a_user_without_rights_costs_nothing() {
    if !server::is_there("rights") {
        return;
    }
    let server = Server::start(&[]);
    assert!(
        server.ask(&["ACL", "SETUSER", "reader", "on", ">word", "~centipawn:*", "+@read"]).starts_with("+OK")
    );
    let url = format!("redis://reader:word@127.0.0.1:{}", server.port);
    let house = House::sharing(&url, Embedded::Full);
    house.wait_for_the_cache();
    let exam = Exam::of(8);
    exam.sit(&house);
    house.wait_until("writes are refused", |shared| shared.failed_writes >= 8);
    assert_eq!((house.shared().misses, house.shared().state), (8, BreakerState::Closed));
    assert!(server.ask(&["ACL", "SETUSER", "reader", "-@read"]).starts_with("+OK"));
    exam.sit(&house);
    house.wait_until("the breaker opens", |shared| shared.opened == 1);
    assert!(house.shared().errors >= 5);
}

/// Somebody else has written under our keys.
#[test]
fn foreign_values_are_rejected_and_replaced() {
    if !server::is_there("foreign values") {
        return;
    }
    let server = Server::start(&[]);
    let house = House::sharing(&server.url(), Embedded::Full);
    house.wait_for_the_cache();
    let exam = Exam::of(6);
    exam.sit(&house);
    house.wait_for_writes(6);
    let keys = server.keys();
    let large = "x".repeat(1 << 20);
    for (number, key) in keys.iter().enumerate() {
        server.ask(&["DEL", key]);
        let words: &[&str] = match number {
            0 => &["SET", key, "a word"],
            1 => &["SET", key, &large],
            2 => &["LPUSH", key, "a", "list"],
            3 => &["HSET", key, "a", "hash"],
            // Another question's answer.
            4 => &["COPY", &keys[5], key],
            _ => &["SETBIT", key, "300", "1"],
        };
        assert!(!server.ask(words).starts_with('-'), "{words:?}");
    }
    exam.sit(&house);
    assert_eq!(house.shared().rejected, 6);
    house.wait_for_writes(12);
    let hits = house.shared().hits;
    exam.sit(&house);
    assert_eq!((house.shared().hits, house.shared().rejected), (hits + 6, 6));
    assert_eq!(house.shared().opened, 0, "a server that answers is asked");
}

/// A request's own time is worth more than the cache.
#[test]
fn a_look_up_takes_half_of_the_time_at_the_most() {
    if !server::is_there("short requests") {
        return;
    }
    let server = Server::start(&[]);
    let mut patient = settings(Address::single(&[&server.url()], None).unwrap());
    patient.timeout = std::time::Duration::from_secs(40);
    let house = House::with_settings(patient, Embedded::Full);
    house.wait_for_the_cache();
    house.get(&question(0));
    server.stall();
    let reply = house.get(&format!("{}&timeoutMs=6000", question(1)));
    assert_eq!((reply.status, reply.cache_status()), (200, "centipawn; fwd=miss; stored"));
}
