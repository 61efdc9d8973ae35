//! A queue that serves clients by turns: each client's own in their order, one of each client before a second of any.

use std::collections::{HashMap, VecDeque};

use super::client::Client;

/// What waits, by client.
pub(super) struct Turns<T> {
    /// Never an empty one.
    lines: HashMap<Client, VecDeque<T>>,
    /// Every client with a line, once; whose turn it is stands first.
    order: VecDeque<Client>,
    len: usize,
}

impl<T> Turns<T> {
    pub(super) fn new() -> Self {
        Self { lines: HashMap::new(), order: VecDeque::new(), len: 0 }
    }

    pub(super) const fn len(&self) -> usize {
        self.len
    }

    /// How many wait for this client.
    pub(super) fn of(&self, client: Client) -> impl Iterator<Item = &T> {
        self.lines.get(&client).into_iter().flatten()
    }

    /// Lets one more wait; a client that has nothing waiting takes its turn after all others.
    pub(super) fn push(&mut self, client: Client, waiting: T) {
        let line = self.lines.entry(client).or_default();
        if line.is_empty() {
            self.order.push_back(client);
        }
        line.push_back(waiting);
        self.len += 1;
    }

    /// The oldest of the client whose turn it is.
    pub(super) fn pop(&mut self) -> Option<T> {
        let client = self.order.pop_front()?;
        let line = self.lines.get_mut(&client)?;
        let next = line.pop_front()?;
        if line.is_empty() {
            self.lines.remove(&client);
        } else {
            self.order.push_back(client);
        }
        self.len -= 1;
        Some(next)
    }

    /// Forgets whatever is not wanted any more.
    pub(super) fn retain(&mut self, is_wanted: impl Fn(&T) -> bool) {
        self.lines.retain(|_, line| {
            line.retain(&is_wanted);
            !line.is_empty()
        });
        self.order.retain(|client| self.lines.contains_key(client));
        self.len = self.lines.values().map(VecDeque::len).sum();
    }

    /// Takes out the newest of the client with the most, if `newcomer` will have fewer than that one has now, so that
    /// the shares come closer to each other.
    pub(super) fn make_room_for(&mut self, newcomer: Client) -> Option<T> {
        let own = self.lines.get(&newcomer).map_or(0, VecDeque::len);
        let (&client, line) = self.lines.iter_mut().max_by_key(|(_, line)| line.len())?;
        if own + 1 >= line.len() {
            return None;
        }
        let newest = line.pop_back()?;
        if line.is_empty() {
            self.lines.remove(&client);
            self.order.retain(|other| *other != client);
        }
        self.len -= 1;
        Some(newest)
    }

    /// Everything, in no order.
    pub(super) fn take_all(&mut self) -> impl Iterator<Item = T> {
        let Self { lines, .. } = std::mem::replace(self, Self::new());
        lines.into_values().flatten()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Turns;
    use crate::pool::Client;

    /// Clients and their work, named by a letter and a number.
    fn queue(waiting: &[&'static str]) -> Turns<&'static str> {
        let mut turns = Turns::new();
        for name in waiting {
            turns.push(client(name), *name);
        }
        turns
    }

    fn client(name: &str) -> Client {
        Client::of(&name[..1])
    }

    fn order(mut turns: Turns<&'static str>) -> Vec<&'static str> {
        std::iter::from_fn(|| turns.pop()).collect()
    }

    #[test]
    fn clients_take_turns() {
        for (waiting, served) in [
            (&["a1", "a2", "a3"][..], &["a1", "a2", "a3"][..]),
            (&["a1", "a2", "a3", "b1"], &["a1", "b1", "a2", "a3"]),
            (&["a1", "b1", "a2", "c1", "b2", "a3"], &["a1", "b1", "c1", "a2", "b2", "a3"]),
        ] {
            assert_eq!(order(queue(waiting)), served);
        }
    }

    #[test]
    fn a_newcomer_waits_for_one_of_each_other_client() {
        let mut turns = queue(&["a1", "a2", "a3", "a4"]);
        assert_eq!(turns.pop(), Some("a1"));
        turns.push(client("b1"), "b1");
        assert_eq!(order(turns), ["a2", "b1", "a3", "a4"]);
    }

    #[test]
    fn room_is_made_only_where_it_is_fairer_after() {
        for (waiting, newcomer, gone) in [
            (&["a1", "a2", "a3"][..], "b", Some("a3")),
            (&["a1", "a2", "b1"], "b", None),
            (&["a1", "a2", "a3", "b1"], "b", Some("a3")),
            (&["a1", "b1", "c1"], "d", None),
            (&["a1", "a2"], "a", None),
            (&[], "a", None),
        ] {
            let mut turns = queue(waiting);
            assert_eq!(turns.make_room_for(client(newcomer)), gone, "{waiting:?}");
            let left: Vec<_> = waiting.iter().copied().filter(|name| Some(*name) != gone).collect();
            assert_eq!(turns.len(), left.len());
            let mut served = order(turns);
            served.sort_unstable();
            assert_eq!(served, left);
        }
    }

    proptest! {
        /// However they came and went: nobody is lost, each client's own come in their order, and nobody is served twice
        /// while another who was there waits.
        #[test]
        fn turns_are_fair_and_complete(clients in prop::collection::vec(0_u64..5, 0..60), gone in 0_usize..60) {
            let mut turns = Turns::new();
            for (number, name) in clients.iter().enumerate() {
                turns.push(Client::of(name), (*name, number));
            }
            turns.retain(|(_, number)| *number != gone);
            let expected = clients.len() - usize::from(gone < clients.len());
            prop_assert_eq!(turns.len(), expected);
            let served: Vec<_> = std::iter::from_fn(|| turns.pop()).collect();
            prop_assert_eq!(served.len(), expected);
            for (at, (name, number)) in served.iter().enumerate() {
                let next = served[at + 1..].iter().position(|(other, _)| other == name);
                let between = &served[at + 1..at + 1 + next.unwrap_or(0)];
                if let Some(next) = next {
                    prop_assert!(served[at + 1 + next].1 > *number);
                    for (waiting, _) in &served[at + 1 + next..] {
                        prop_assert!(waiting == name || between.iter().any(|(other, _)| other == waiting));
                    }
                }
            }
        }
    }
}
