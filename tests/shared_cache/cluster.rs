//! A cluster of three nodes on one machine.

use std::thread;
use std::time::{Duration, Instant};

use centipawn::shared_cache::Address;

use crate::house::{Embedded, FOREVER, House};
use crate::load::{Exam, under_load};
use crate::server::{self, Server, free_port};

const SLOTS: u32 = 16_384;

/// Nodes that share the slots in equal parts. A node also listens on a second port, for the others.
fn cluster(nodes: u32) -> Vec<Server> {
    let servers: Vec<Server> = (0..nodes)
        .map(|_| {
            let bus = free_port().to_string();
            Server::start(&[
                "--cluster-enabled",
                "yes",
                "--cluster-port",
                &bus,
                "--cluster-node-timeout",
                "2000",
                "--cluster-require-full-coverage",
                "no",
            ])
        })
        .collect();
    for (number, server) in (0..).zip(&servers) {
        let [from, to] = [number, number + 1].map(|part| SLOTS * part / nodes);
        let slots: Vec<String> = (from..to).map(|slot| slot.to_string()).collect();
        let words: Vec<&str> =
            ["CLUSTER", "ADDSLOTS"].into_iter().chain(slots.iter().map(String::as_str)).collect();
        assert!(server.ask(&words).starts_with("+OK"));
        let bus = servers[0].ask(&["CONFIG", "GET", "cluster-port"]).lines().last().unwrap().to_owned();
        if number > 0 {
            let port = servers[0].port.to_string();
            assert!(server.ask(&["CLUSTER", "MEET", "127.0.0.1", &port, &bus]).starts_with("+OK"));
        }
    }
    let begun = Instant::now();
    let knows_all = |server: &Server| {
        let info = server.ask(&["CLUSTER", "INFO"]);
        info.contains("cluster_state:ok") && info.contains("cluster_slots_ok:16384")
    };
    while !servers.iter().all(knows_all) {
        assert!(begun.elapsed() < FOREVER, "{}", servers[0].ask(&["CLUSTER", "INFO"]));
        thread::sleep(Duration::from_millis(20));
    }
    servers
}

#[test]
fn a_cluster_is_one_cache() {
    if !server::is_there("a cluster") {
        return;
    }
    let mut servers = cluster(3);
    // One address is enough to find the others, several are safer.
    let urls: Vec<String> = servers.iter().map(Server::url).collect();
    let all: Vec<&str> = urls.iter().map(String::as_str).collect();
    let first = House::with_address(Address::cluster(&all, None).unwrap(), Embedded::Full);
    let second = House::with_address(Address::cluster(&all[..1], None).unwrap(), Embedded::Full);
    first.wait_for_the_cache();
    second.wait_for_the_cache();
    let exam = Exam::of(30);
    exam.sit(&first);
    first.wait_for_writes(30);
    exam.sit(&second);
    assert_eq!((second.shared().hits, second.searches()), (30, 0));
    let spread: Vec<usize> = servers.iter().map(|server| server.keys().len()).collect();
    assert_eq!(spread.iter().sum::<usize>(), 30);
    assert!(spread.iter().all(|keys| *keys > 0), "each node has some: {spread:?}");
    // A third of the keys is gone for a while, and nobody notices but by a search more.
    under_load(&exam, &second, |load| {
        servers[2].kill();
        load.wait_for_answers(60);
        load.wait_for_hits(20);
        servers[1].stall();
        load.wait_for_answers(60);
        servers[1].resume();
        load.wait_for_hits(40);
    });
}
