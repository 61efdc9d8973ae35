//! Who asks, as far as a pool has to know: enough to tell one client from another.

use std::hash::{BuildHasher, Hash, Hasher, RandomState};
use std::num::NonZeroU32;
use std::sync::LazyLock;

/// A client of the service, opaque and small. Pools treat clients alike and share out among them.
#[derive(Clone, Copy, Debug)]
pub struct Client {
    identity: u64,
    searches: Option<NonZeroU32>,
}

impl Client {
    /// Nobody in particular: who cannot be told from others, and is bounded only together with all of them.
    pub const UNKNOWN: Self = Self { identity: 0, searches: None };

    /// The client whom `identity` tells from others. The hash has a secret of this process, so that nobody can choose
    /// to be taken for another.
    #[must_use]
    pub fn of<T: Hash + ?Sized>(identity: &T) -> Self {
        static SECRET: LazyLock<RandomState> = LazyLock::new(RandomState::new);
        // Not even by chance nobody in particular.
        Self { identity: SECRET.hash_one(identity).max(1), searches: None }
    }

    /// The same client, with a bound of its own on the searches that wait and run at once, if there is one.
    #[must_use]
    pub const fn with_searches(self, most: Option<NonZeroU32>) -> Self {
        Self { searches: most, ..self }
    }

    /// How many searches of it may wait and run at once, where that is not as for others.
    #[must_use]
    pub fn searches(self) -> Option<usize> {
        self.searches.map(|most| most.get() as usize)
    }

    /// Whether it is nobody in particular.
    #[must_use]
    pub const fn is_unknown(self) -> bool {
        self.identity == Self::UNKNOWN.identity
    }
}

// Whatever bound it has: that may change while it has searches at work.
impl PartialEq for Client {
    fn eq(&self, other: &Self) -> bool {
        self.identity == other.identity
    }
}

impl Eq for Client {}

impl Hash for Client {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.identity.hash(state);
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use super::Client;

    #[test]
    fn clients_are_told_apart() {
        assert_eq!(Client::of("key"), Client::of("key"));
        assert_ne!(Client::of("key"), Client::of("another"));
        assert_eq!(Client::of("key").with_searches(NonZeroU32::new(3)), Client::of("key"));
        assert!(Client::UNKNOWN.is_unknown() && !Client::of("key").is_unknown());
    }
}
