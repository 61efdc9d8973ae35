//! How many connections there may be.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, PoisonError};

use ipnet::IpNet;

use super::statistics::{Connections, Count};

/// How many connections one address may have.
#[derive(Clone, Debug)]
pub struct PerAddress {
    /// So many at once.
    pub most: usize,
    /// Networks that have no such bound: of proxies, where one address stands for all their clients.
    pub except: Vec<IpNet>,
}

impl PerAddress {
    fn bounds(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        !self.except.iter().any(|network| network.contains(&address))
    }
}

/// Counts those who are inside, and lets in no more than there is room for.
#[derive(Debug)]
pub(super) struct Gate {
    most: usize,
    per_address: Option<PerAddress>,
    /// How many connections each address has; kept only if that is bounded.
    addresses: Mutex<HashMap<IpAddr, usize>>,
    connections: Arc<Connections>,
}

/// Why somebody was not let in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Full {
    /// There are as many connections as there may be.
    Everywhere,
    /// This address has as many as one address may have.
    Address,
}

impl Gate {
    pub(super) fn new(
        most: usize,
        per_address: Option<PerAddress>,
        connections: Arc<Connections>,
    ) -> Arc<Self> {
        Arc::new(Self { most, per_address, addresses: Mutex::default(), connections })
    }

    /// A place for a connection from this address.
    pub(super) fn enter(self: &Arc<Self>, address: IpAddr) -> Result<Place, Full> {
        if self.connections.of(Count::Open) >= self.most as u64 {
            self.connections.count(Count::Refused);
            return Err(Full::Everywhere);
        }
        let bound = self.per_address.as_ref().filter(|bound| bound.bounds(address));
        let counted = bound.map(|bound| (bound.most, block(address)));
        if let Some((most, block)) = counted {
            let mut addresses = self.addresses.lock().unwrap_or_else(PoisonError::into_inner);
            let places = addresses.entry(block).or_default();
            if *places >= most {
                self.connections.count(Count::Refused);
                return Err(Full::Address);
            }
            *places += 1;
        }
        self.connections.count(Count::Open);
        self.connections.count(Count::Accepted);
        Ok(Place { gate: Arc::clone(self), block: counted.map(|(_, block)| block) })
    }

    /// Whether room is getting scarce, so that who does not ask has to go sooner: a quarter is left, or less.
    pub(super) fn is_crowded(&self) -> bool {
        self.connections.of(Count::Open) * 4 >= self.most as u64 * 3
    }

    pub(super) fn connections(&self) -> &Connections {
        &self.connections
    }
}

/// What counts as one address: of IPv6 a network of 64 bits, which is what one customer gets.
fn block(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => IpAddr::V4(address),
        IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() >> 64 << 64)),
    }
}

/// A connection's place, which is free again when this is dropped.
#[derive(Debug)]
pub(super) struct Place {
    gate: Arc<Gate>,
    block: Option<IpAddr>,
}

impl Place {
    pub(super) fn gate(&self) -> &Gate {
        &self.gate
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.gate.connections.uncount(Count::Open);
        let Some(block) = self.block else { return };
        let mut addresses = self.gate.addresses.lock().unwrap_or_else(PoisonError::into_inner);
        if let Entry::Occupied(mut places) = addresses.entry(block) {
            *places.get_mut() -= 1;
            if *places.get() == 0 {
                places.remove();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn enter(gate: &Arc<Gate>, address: &str) -> Result<Place, Full> {
        gate.enter(address.parse().unwrap())
    }

    #[test]
    fn a_place_is_free_again_when_its_connection_ends() {
        let gate = Gate::new(2, None, Arc::default());
        let first = enter(&gate, "192.0.2.1").unwrap();
        let _second = enter(&gate, "192.0.2.1").unwrap();
        assert_eq!(enter(&gate, "192.0.2.2").unwrap_err(), Full::Everywhere);
        drop(first);
        let _third = enter(&gate, "192.0.2.2").unwrap();
        let told = gate.connections().snapshot();
        assert_eq!((told.open, told.accepted, told.refused), (2, 3, 1));
    }

    #[test]
    fn an_address_has_its_share_and_leaves_nothing_behind() {
        let gate = Gate::new(100, Some(PerAddress { most: 2, except: Vec::new() }), Arc::default());
        for (own, same, other) in [
            ("192.0.2.1", "::ffff:192.0.2.1", "192.0.2.2"),
            ("2001:db8:0:1::1", "2001:db8:0:1:ffff::2", "2001:db8:0:2::1"),
        ] {
            let first = enter(&gate, own).unwrap();
            let _second = enter(&gate, same).unwrap();
            assert_eq!(enter(&gate, own).unwrap_err(), Full::Address, "{own}");
            let _other = enter(&gate, other).unwrap();
            drop(first);
            let _third = enter(&gate, same).unwrap();
        }
        assert!(gate.addresses.lock().unwrap().is_empty());
        assert_eq!(gate.connections().snapshot().open, 0);
    }

    #[test]
    fn a_proxy_stands_for_many() {
        let except = vec!["10.0.0.0/8".parse().unwrap()];
        let gate = Gate::new(100, Some(PerAddress { most: 1, except }), Arc::default());
        let _proxied =
            ["10.0.0.1", "10.0.0.1", "::ffff:10.0.0.1"].map(|address| enter(&gate, address).unwrap());
        let _other = enter(&gate, "192.0.2.1").unwrap();
        assert_eq!(enter(&gate, "192.0.2.1").unwrap_err(), Full::Address);
    }

    #[test]
    fn three_quarters_are_a_crowd() {
        let gate = Gate::new(4, None, Arc::default());
        let mut inside = vec![enter(&gate, "192.0.2.1").unwrap(), enter(&gate, "192.0.2.1").unwrap()];
        assert!(!gate.is_crowded());
        inside.push(enter(&gate, "192.0.2.1").unwrap());
        assert!(gate.is_crowded());
    }
}
