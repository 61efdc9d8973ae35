//! Which pieces are on the board, as one number kept up to date by adding and subtracting.

use super::{Color, Piece, PieceKind};

/// The constellation of pieces without the kings.
///
/// The lower 40 bits hold ten counts of four bits each (white pawns, black pawns, white knights and so on); the upper
/// 24 hold the mixed-radix index of the precomputed material table. Both are sums over the pieces, so one addition
/// keeps them. The counts alone name a constellation; the index does so only for the usual ones.
///
/// Source of the index: Strelka's, in the chess programming wiki, "Material Tables".
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MaterialKey(u64);

impl MaterialKey {
    /// Kings only.
    pub const EMPTY: Self = Self(0);

    /// The number of usual constellations: at most one queen and two of each other piece a side, and eight pawns.
    pub const USUAL: usize = 236_196;

    /// What one piece adds, by [`Piece::index`]; a king adds nothing.
    const UNIT: [u64; 16] = {
        let weights: [u64; 10] = [2_916, 26_244, 324, 972, 36, 108, 4, 12, 1, 2];
        let mut unit = [0; 16];
        let mut piece = 0;
        while piece < 10 {
            unit[piece] = weights[piece] << Self::INDEX_SHIFT | 1 << (4 * piece);
            piece += 1;
        }
        unit
    };

    const INDEX_SHIFT: u32 = 40;
    const COUNTS: u64 = (1 << Self::INDEX_SHIFT) - 1;

    /// Added to the lower three bits of the counts, these carry into bit 3 of one beyond the usual: 6 for queens, 5 for the
    /// other pieces.
    const BIAS: u64 = 0x66_5555_5500;
    const BEYOND: u64 = 0x88_8888_8800;

    #[inline]
    pub(super) const fn add(&mut self, piece: Piece) {
        self.0 += Self::UNIT[piece.index()];
    }

    #[inline]
    pub(super) const fn remove(&mut self, piece: Piece) {
        self.0 -= Self::UNIT[piece.index()];
    }

    /// The key of a constellation given by counts: `count(color, kind)` for each piece but the kings.
    ///
    /// Counts beyond 15 cannot be held and never pass validation.
    #[must_use]
    pub fn from_counts(mut count: impl FnMut(Color, PieceKind) -> u32) -> Self {
        Self(
            Piece::ALL[..10]
                .iter()
                .map(|piece| Self::UNIT[piece.index()] * u64::from(count(piece.color(), piece.kind())))
                .sum(),
        )
    }

    /// How many pieces of this kind a side has; kings are not counted.
    #[must_use]
    pub const fn count(self, color: Color, kind: PieceKind) -> u32 {
        match kind {
            PieceKind::King => 0,
            _ => (self.0 >> (4 * Piece::new(color, kind).index()) & 15) as u32,
        }
    }

    /// `true` for the constellations that the precomputed table holds.
    #[must_use]
    pub const fn is_usual(self) -> bool {
        let counts = self.0 & Self::COUNTS;
        // A count of eight and more has bit 3 itself, and must not carry out of it.
        (((counts & !Self::BEYOND) + Self::BIAS) | counts) & Self::BEYOND == 0
    }

    /// The mixed-radix index, below [`Self::USUAL`] for a usual constellation.
    #[must_use]
    pub const fn index(self) -> usize {
        (self.0 >> Self::INDEX_SHIFT) as usize
    }

    /// All 64 bits, different for different constellations.
    #[must_use]
    pub const fn bits(self) -> u64 {
        self.0
    }
}

impl std::fmt::Debug for MaterialKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for color in Color::ALL {
            f.write_str(if color == Color::White { "K" } else { "vK" })?;
            for kind in PieceKind::ALL.into_iter().rev().skip(1) {
                (0..self.count(color, kind)).try_for_each(|_| write!(f, "{}", kind.letter()))?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::MaterialKey;

    #[test]
    fn every_usual_constellation_has_its_own_index() {
        let mut seen = vec![false; MaterialKey::USUAL];
        let radix = [9, 9, 3, 3, 3, 3, 3, 3, 2, 2];
        for number in 0..MaterialKey::USUAL as u32 {
            let mut rest = number;
            let mut counts = [0; 10];
            for (count, radix) in counts.iter_mut().zip(radix) {
                *count = rest % radix;
                rest /= radix;
            }
            let key = MaterialKey::from_counts(|color, kind| counts[kind.index() * 2 + color.index()]);
            assert!(key.is_usual(), "{key:?}");
            assert!(!std::mem::replace(&mut seen[key.index()], true), "{key:?}");
        }
    }

    #[test]
    fn more_than_the_usual_is_seen() {
        for kind in &super::PieceKind::ALL[1..5] {
            for color in super::Color::ALL {
                for count in 0..=15 {
                    let key =
                        MaterialKey::from_counts(|c, k| if (c, k) == (color, *kind) { count } else { 0 });
                    let limit = if *kind == super::PieceKind::Queen { 1 } else { 2 };
                    assert_eq!(key.is_usual(), count <= limit, "{key:?}");
                }
            }
        }
    }
}
