//! The best move left of a list, found eight at a time.

use arrayvec::ArrayVec;
use wide::i32x8;

use crate::engine::chess::MoveList;

/// The scores of a list's moves, each in one number with its place and a mark.
///
/// Source: the chess programming wiki, "Move Ordering" (selection of the best left instead of sorting).
pub(super) struct Keys(ArrayVec<i32, { MoveList::CAPACITY }>);

impl Keys {
    /// The key of a move that has been taken, and of none.
    const TAKEN: i32 = i32::MIN;
    const LAST: i32 = MoveList::CAPACITY as i32 - 1;
    /// A score counts so much: below it stand the place, lower ones first, and the mark.
    const UNIT: i32 = 2 * MoveList::CAPACITY as i32;
    const LANES: usize = 8;

    pub(super) fn new() -> Self {
        Self(ArrayVec::new())
    }

    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Appends the score of the next move of the list, within 21 bits and a sign, and its mark.
    #[inline]
    pub(super) fn add(&mut self, score: i32, mark: bool) {
        let place = self.0.len() as i32;
        self.0.push(score * Self::UNIT + 2 * (Self::LAST - place) + i32::from(mark));
    }

    /// No move of the list is missing.
    #[inline]
    pub(super) fn end(&mut self) {
        while self.0.len() % Self::LANES != 0 {
            self.0.push(Self::TAKEN);
        }
    }

    /// Takes those without a mark out. Once a node at the most, and not worth its room in the loop over moves.
    #[inline(never)]
    pub(super) fn retain_marked(&mut self) {
        for key in &mut self.0 {
            *key = if *key & 1 == 0 { Self::TAKEN } else { *key };
        }
    }

    /// The place of the highest score left, the first among equals, with that score and the mark; it is not left afterwards.
    pub(super) fn take_highest(&mut self) -> Option<(usize, i32, bool)> {
        let keys = self.0.as_chunks::<{ Self::LANES }>().0.iter().map(|keys| i32x8::new(*keys));
        let highest = keys.fold(i32x8::splat(Self::TAKEN), i32x8::max);
        let highest = highest.to_array().into_iter().fold(Self::TAKEN, i32::max);
        if highest == Self::TAKEN {
            return None;
        }
        let place = (Self::LAST - highest.rem_euclid(Self::UNIT) / 2) as usize;
        self.0[place] = Self::TAKEN;
        Some((place, highest.div_euclid(Self::UNIT), highest & 1 != 0))
    }
}

#[cfg(test)]
mod tests {
    use super::Keys;

    /// The keys of these scores with marks.
    fn keys(moves: &[(i32, bool)]) -> Keys {
        let mut keys = Keys::new();
        for (score, mark) in moves {
            keys.add(*score, *mark);
        }
        keys.end();
        keys
    }

    fn taken(mut keys: Keys) -> Vec<(usize, i32, bool)> {
        std::iter::from_fn(|| keys.take_highest()).collect()
    }

    #[test]
    fn the_highest_comes_first_and_of_equals_the_first() {
        let moves = [(-5, false), (7, true), (-200_000, true), (7, false), (0, false), (300_000, false)];
        let expected = [
            (5, 300_000, false),
            (1, 7, true),
            (3, 7, false),
            (4, 0, false),
            (0, -5, false),
            (2, -200_000, true),
        ];
        assert_eq!(taken(keys(&moves)), expected);
    }

    #[test]
    fn a_list_of_any_length_is_taken_whole() {
        for length in 0..=40 {
            let moves: Vec<_> = (0..length).map(|score| (score, false)).collect();
            let scores: Vec<_> = taken(keys(&moves)).iter().map(|(_, score, _)| *score).collect();
            assert_eq!(scores, (0..length).rev().collect::<Vec<_>>());
        }
    }

    #[test]
    fn only_those_with_a_mark_are_retained() {
        let mut keys = keys(&[(3, false), (1, true), (2, false), (9, true), (4, true)]);
        assert_eq!(keys.take_highest(), Some((3, 9, true)));
        keys.retain_marked();
        assert_eq!(taken(keys), [(4, 4, true), (1, 1, true)]);
    }
}
