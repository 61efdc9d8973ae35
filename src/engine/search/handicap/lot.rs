//! Chance: the same seed draws the same lots, in whatever order they are drawn.

/// What lots are drawn about. Lots of different questions have nothing to do with each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Question {
    /// Whether a mate in one is missed.
    Mate,
    /// Whether a reply is overlooked.
    Reply,
    /// How a move is misjudged.
    Judgement,
}

/// The lots of one position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lots(u64);

impl Lots {
    /// The lots of a position with this key. With the same seed, another position draws others.
    pub(super) const fn new(seed: u64, key: u64) -> Self {
        Self(mixed(seed ^ mixed(key)))
    }

    /// Whether something that happens so often, in per mille, happens to this subject.
    pub(super) const fn falls(self, question: Question, subject: u16, per_mille: i64) -> bool {
        (((self.draw(question, subject) as u128 * 1000) >> 64) as i64) < per_mille
    }

    /// An error with this standard deviation: a sum of four even lots, nearly normal and never beyond
    /// three and a half deviations.
    pub(super) const fn error(self, question: Question, subject: u16, deviation: i64) -> i64 {
        /// The standard deviation of the sum of four numbers drawn evenly from 0 to 65,535: a number has
        /// the 65,536th part of it in `65,536 / sqrt(12)`, and four together twice as much.
        const DEVIATION: i64 = 37_837;
        const MEAN: i64 = 2 * 65_535;
        let lot = self.draw(question, subject);
        let sum = (lot & 0xffff) + ((lot >> 16) & 0xffff) + ((lot >> 32) & 0xffff) + (lot >> 48);
        (sum as i64 - MEAN) * deviation / DEVIATION
    }

    const fn draw(self, question: Question, subject: u16) -> u64 {
        mixed(self.0 ^ mixed(((question as u64) << 16) | subject as u64))
    }
}

/// Spreads a number over all 64 bits: a step of the generator "splitmix64" of Steele, Lea and Flood, "Fast
/// Splittable Pseudorandom Number Generators" (2014).
const fn mixed(number: u64) -> u64 {
    let mut bits = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

#[cfg(test)]
mod tests {
    use super::{Lots, Question};

    #[test]
    fn what_happens_so_often_does() {
        // How often, and how many times of 65,536, within four standard deviations.
        for (per_mille, least, most) in
            [(0, 0, 0), (1, 34, 98), (250, 15_941, 16_827), (999, 65_438, 65_502), (1000, 65_536, 65_536)]
        {
            let falls = |subject: &u16| Lots::new(1, 2).falls(Question::Reply, *subject, per_mille);
            let times = (0..=u16::MAX).filter(falls).count();
            assert!((least..=most).contains(&times), "{per_mille}: {times}");
        }
    }

    #[test]
    fn errors_have_their_deviation() {
        let errors = (0..=u16::MAX).map(|subject| Lots::new(3, 4).error(Question::Judgement, subject, 100));
        let errors: Vec<_> = errors.collect();
        let mean = errors.iter().sum::<i64>() / 65_536;
        let variance = errors.iter().map(|error| error * error).sum::<i64>() / 65_536;
        assert!(mean.abs() <= 1 && (98 * 98..102 * 102).contains(&variance), "{mean} {variance}");
        assert!(errors.iter().all(|error| error.abs() <= 350));
    }

    #[test]
    fn seed_position_question_and_subject_all_count() {
        let lots = [
            Lots::new(1, 1).draw(Question::Mate, 1),
            Lots::new(2, 1).draw(Question::Mate, 1),
            Lots::new(1, 2).draw(Question::Mate, 1),
            Lots::new(1, 1).draw(Question::Reply, 1),
            Lots::new(1, 1).draw(Question::Mate, 2),
        ];
        let mut different = lots.to_vec();
        different.sort_unstable();
        different.dedup();
        assert_eq!(different.len(), lots.len());
    }
}
