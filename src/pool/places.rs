//! Places for so many at once, of which one client gets only its share.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use super::client::Client;
use super::sync::lock;

/// The places and who has them.
pub(super) struct Places {
    state: Mutex<State>,
    all: usize,
}

struct State {
    taken: usize,
    /// Never a zero.
    by_client: HashMap<Client, usize>,
    share: usize,
    doors: Doors,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Doors {
    Open,
    Closed,
}

/// Why there is no place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoPlace {
    /// Every place is taken.
    Full,
    /// The client has its share, which is so many.
    Share(usize),
    /// The doors are closed.
    Closed,
}

/// A place that is held; dropping it gives it back.
pub(super) struct Place {
    places: Arc<Places>,
    client: Client,
}

impl Place {
    pub(super) const fn client(&self) -> Client {
        self.client
    }
}

impl Places {
    /// So many places in all. One client may have half of them, and one at least.
    pub(super) fn new(all: usize) -> Self {
        let state =
            State { taken: 0, by_client: HashMap::new(), share: all.div_ceil(2).max(1), doors: Doors::Open };
        Self { state: Mutex::new(state), all }
    }

    /// How many of the places one client may have.
    pub(super) fn share(&self, most: usize) {
        lock(&self.state).share = most.max(1);
    }

    /// Takes a place. Nobody in particular is many, and has no share.
    pub(super) fn take(self: &Arc<Self>, client: Client) -> Result<Place, NoPlace> {
        let mut state = lock(&self.state);
        let held = state.by_client.get(&client).copied().unwrap_or(0);
        if state.doors == Doors::Closed {
            return Err(NoPlace::Closed);
        }
        if held >= state.share && !client.is_unknown() {
            return Err(NoPlace::Share(state.share));
        }
        if state.taken >= self.all {
            return Err(NoPlace::Full);
        }
        state.taken += 1;
        state.by_client.insert(client, held + 1);
        Ok(Place { places: Arc::clone(self), client })
    }

    /// Gives no more places.
    pub(super) fn close(&self) {
        lock(&self.state).doors = Doors::Closed;
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut state = lock(&self.places.state);
        state.taken -= 1;
        if let Some(held) = state.by_client.get_mut(&self.client) {
            *held -= 1;
            if *held == 0 {
                state.by_client.remove(&self.client);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::{NoPlace, Places};
    use crate::pool::Client;

    #[test]
    fn one_client_cannot_take_all_places() {
        let places = Arc::new(Places::new(4));
        let [one, other, third] = ["one", "other", "third"].map(Client::of);
        let take = |client| places.take(client);
        let first = take(one).unwrap();
        let _second = take(one).unwrap();
        assert_eq!(take(one).err(), Some(NoPlace::Share(2)));
        let _others = [take(other).unwrap(), take(other).unwrap()];
        assert_eq!(take(third).err(), Some(NoPlace::Full));
        drop(first);
        let _third = take(third).unwrap();
        assert_eq!(take(one).err(), Some(NoPlace::Full), "a share is no claim");
        places.close();
        assert_eq!(take(third).err(), Some(NoPlace::Closed));
    }

    #[test]
    fn a_single_place_is_anybodys_and_nobody_in_particular_has_no_share() {
        let places = Arc::new(Places::new(1));
        drop(places.take(Client::of("one")).unwrap());
        drop(places.take(Client::of("one")).unwrap());
        let places = Arc::new(Places::new(3));
        let _all = [(); 3].map(|()| places.take(Client::UNKNOWN).unwrap());
        assert_eq!(places.take(Client::UNKNOWN).err(), Some(NoPlace::Full));
    }

    #[test]
    fn nothing_is_kept_of_clients_who_have_gone() {
        let places = Arc::new(Places::new(2));
        for number in 0..1_000 {
            drop(places.take(Client::of(&number)).unwrap());
        }
        assert!(super::lock(&places.state).by_client.is_empty());
    }
}
