//! Lots that depend on nothing but a seed.

/// The generator "splitmix64" of Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators" (2014).
#[derive(Clone, Debug)]
pub(crate) struct Lots(u64);

impl Lots {
    /// The lots of a game.
    pub(crate) const fn of(seed: u64, game: u64) -> Self {
        Self(seed.wrapping_mul(0xd134_2543_de82_ef95) ^ game)
    }

    /// The next 64 bits.
    pub(crate) const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    /// One of several things; none of nothing.
    pub(crate) fn one_of<'a, T>(&mut self, things: &'a [T]) -> Option<&'a T> {
        let index = (u128::from(self.next()) * things.len() as u128) >> 64;
        things.get(index as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::Lots;

    #[test]
    fn everything_is_drawn_about_equally_often() {
        let mut counts = [0; 5];
        for game in 0..5000 {
            counts[*Lots::of(7, game).one_of(&[0, 1, 2, 3, 4]).unwrap()] += 1;
        }
        assert!(counts.iter().all(|count| (900..1100).contains(count)), "{counts:?}");
        assert_eq!(Lots::of(7, 3).next(), Lots::of(7, 3).next());
        assert_eq!(Lots::of(1, 1).one_of::<u8>(&[]), None);
    }
}
