//! The precomputed table of the 236,196 usual constellations.

use std::sync::LazyLock;

use super::Entry;
use crate::engine::chess::{Color, MaterialKey, PieceKind};

static TABLE: LazyLock<Box<[Entry]>> = LazyLock::new(build);

/// Builds the table if that has not happened yet, so that the first evaluation does not have to wait for it.
pub fn warm_up() {
    LazyLock::force(&TABLE);
}

/// The entry of a usual constellation.
///
/// # Panics
/// If the constellation is not [usual](MaterialKey::is_usual).
#[inline]
pub(super) fn entry(key: MaterialKey) -> Entry {
    TABLE[key.index()]
}

/// Every usual constellation, in order of the index.
pub fn usual_constellations() -> impl Iterator<Item = MaterialKey> {
    // The radices in the order of the index's weights, the least first: queens, rooks, bishops, knights, pawns.
    let digits = PieceKind::ALL[..5].iter().rev().flat_map(|kind| {
        Color::ALL.map(|color| {
            let radix = match kind {
                PieceKind::Pawn => 9,
                PieceKind::Queen => 2,
                _ => 3,
            };
            (color, *kind, radix)
        })
    });
    let digits: Vec<_> = digits.collect();
    (0..MaterialKey::USUAL as u32).map(move |index| {
        let mut counts = [[0; 2]; 6];
        let mut rest = index;
        for (color, kind, radix) in &digits {
            counts[kind.index()][color.index()] = rest % radix;
            rest /= radix;
        }
        MaterialKey::from_counts(|color, kind| counts[kind.index()][color.index()])
    })
}

fn build() -> Box<[Entry]> {
    usual_constellations().map(Entry::compute).collect()
}
