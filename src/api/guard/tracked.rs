//! Where the clients stand that are told apart: no more than so many.

use std::array;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Mutex, MutexGuard, PoisonError};

use governor::nanos::Nanos;
use governor::state::StateStore;
use governor::state::keyed::ShrinkableKeyedStateStore;

use crate::pool::Client;

/// So many locks that threads seldom wait for each other.
const SHARDS: usize = 16;
/// Limits that the clients of a shard share who come when it is full.
const SHARED_OF_A_SHARD: usize = 64;

/// When each client's quota will be whole, in the library's nanoseconds. When it is full, new clients are told apart only
/// roughly: they share some limits with each other. To let go of an old client for a new one instead would give who has
/// many addresses a whole quota again and again.
#[derive(Debug)]
pub(super) struct Tracked {
    shards: [Mutex<Shard>; SHARDS],
    hasher: RandomState,
    most_of_a_shard: usize,
}

#[derive(Debug)]
struct Shard {
    clients: HashMap<Client, Nanos>,
    shared: [Option<Nanos>; SHARED_OF_A_SHARD],
}

impl Tracked {
    /// The limits that are shared, of all shards.
    #[cfg(test)]
    pub(super) const SHARED: usize = SHARDS * SHARED_OF_A_SHARD;

    pub(super) fn new(most: usize) -> Self {
        let shards = array::from_fn(|_| {
            Mutex::new(Shard { clients: HashMap::new(), shared: [None; SHARED_OF_A_SHARD] })
        });
        Self { shards, hasher: RandomState::new(), most_of_a_shard: most / SHARDS }
    }
}

/// No critical section leaves its data half changed.
fn lock(shard: &Mutex<Shard>) -> MutexGuard<'_, Shard> {
    shard.lock().unwrap_or_else(PoisonError::into_inner)
}

impl StateStore for Tracked {
    type Key = Client;

    fn measure_and_replace<T, F, E>(&self, client: &Client, judge: F) -> Result<T, E>
    where
        F: Fn(Option<Nanos>) -> Result<(T, Nanos), E>,
    {
        let hash = self.hasher.hash_one(client) as usize;
        let mut shard = lock(&self.shards[hash % SHARDS]);
        let is_full = shard.clients.len() >= self.most_of_a_shard;
        let place = match shard.clients.entry(*client) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(_) if is_full => {
                let place = &mut shard.shared[hash / SHARDS % SHARED_OF_A_SHARD];
                let (outcome, whole) = judge(*place)?;
                *place = Some(whole);
                return Ok(outcome);
            }
            Entry::Vacant(new) => {
                let (outcome, whole) = judge(None)?;
                new.insert(whole);
                return Ok(outcome);
            }
        };
        let (outcome, whole) = judge(Some(*place))?;
        *place = whole;
        Ok(outcome)
    }
}

impl ShrinkableKeyedStateStore<Client> for Tracked {
    fn retain_recent(&self, drop_below: Nanos) {
        for shard in &self.shards {
            let clients = &mut lock(shard).clients;
            clients.retain(|_, whole| *whole > drop_below);
            // What a flood has left behind is given back; a little room is kept, as it will be used again.
            if clients.capacity() > 4 * clients.len().max(64) {
                clients.shrink_to(2 * clients.len());
            }
        }
    }

    fn len(&self) -> usize {
        self.shards.iter().map(|shard| lock(shard).clients.len()).sum()
    }

    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
