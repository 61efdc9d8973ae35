//! Who asks, as far as a pool has to know: enough to tell one client from another.

use std::hash::{BuildHasher, Hash, RandomState};
use std::sync::LazyLock;

/// A client of the service, opaque and small. Pools treat clients alike and share out among them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Client(u64);

impl Client {
    /// Nobody in particular: who cannot be told from others, and is bounded only together with all of them.
    pub const UNKNOWN: Self = Self(0);

    /// The client whom `identity` tells from others. The hash has a secret of this process, so that nobody can choose
    /// to be taken for another.
    #[must_use]
    pub fn of<T: Hash + ?Sized>(identity: &T) -> Self {
        static SECRET: LazyLock<RandomState> = LazyLock::new(RandomState::new);
        // Not even by chance nobody in particular.
        Self(SECRET.hash_one(identity).max(1))
    }

    /// Whether it is nobody in particular.
    #[must_use]
    pub const fn is_unknown(self) -> bool {
        self.0 == Self::UNKNOWN.0
    }
}

#[cfg(test)]
mod tests {
    use super::Client;

    #[test]
    fn clients_are_told_apart() {
        assert_eq!(Client::of("key"), Client::of("key"));
        assert_ne!(Client::of("key"), Client::of("another"));
        assert!(Client::UNKNOWN.is_unknown() && !Client::of("key").is_unknown());
    }
}
