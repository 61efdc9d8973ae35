//! What is known of a constellation.

use super::{DrawKnowledge, Endgame, imbalance, values};
use crate::engine::chess::{Color, MaterialKey, PieceKind};
use crate::engine::eval::evaluators::post_material;
use crate::engine::eval::ledger::{Balance, each_side};
use crate::engine::eval::{Blend, PieceValues};
use crate::engine::weights::{PHASE, Score, TEXTBOOK, TUNED};

/// Everything that the pieces on the board say by themselves, wherever they stand. Scores are White's minus Black's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    values: [Score; 2],
    imbalance: Score,
    tuned: Score,
    phase: u8,
    draw: Option<DrawKnowledge>,
    endgame: Option<(Endgame, Color)>,
}

impl Entry {
    /// The entry of no constellation, to fill tables with before they are built.
    pub(super) const NOTHING: Self = Self {
        values: [Score::ZERO; 2],
        imbalance: Score::ZERO,
        tuned: Score::ZERO,
        phase: 0,
        draw: None,
        endgame: None,
    };

    /// Works out an entry, by letting the material terms post to a balance: the slow truth of both tables.
    #[must_use]
    pub fn compute(key: MaterialKey) -> Self {
        Self {
            values: PieceValues::ALL.map(|set| {
                let mut balance = Balance::new(&TEXTBOOK);
                each_side(&mut balance, |side, ledger| values::post(&key, side, set, ledger));
                balance.sum()
            }),
            imbalance: {
                let mut balance = Balance::new(&TEXTBOOK);
                each_side(&mut balance, |side, ledger| imbalance::post(&key, side, ledger));
                balance.sum()
            },
            tuned: {
                let mut balance = Balance::new(&TUNED);
                each_side(&mut balance, |side, ledger| post_material(&key, side, ledger));
                balance.sum()
            },
            phase: phase(key),
            draw: DrawKnowledge::of(&key),
            endgame: Endgame::of(&key),
        }
    }

    /// The worth of the pieces by themselves.
    #[inline]
    #[must_use]
    pub const fn value(&self, set: PieceValues) -> Score {
        self.values[set.index()]
    }

    /// Bishop pairs and knights against bishops.
    #[inline]
    #[must_use]
    pub const fn imbalance(&self) -> Score {
        self.imbalance
    }

    /// All that `full` says of the constellation: values and imbalance, with tuned weights.
    #[inline]
    #[must_use]
    pub const fn tuned(&self) -> Score {
        self.tuned
    }

    /// Knights and bishops 1, rooks 2, queens 4, at most 24.
    #[must_use]
    pub const fn phase(&self) -> i32 {
        self.phase as i32
    }

    /// The rule by which the constellation is drawn or hard to win.
    #[inline]
    #[must_use]
    pub const fn draw(&self) -> Option<DrawKnowledge> {
        self.draw
    }

    /// How much of a score can be turned into a win, of 64.
    #[must_use]
    pub fn scale(&self) -> i32 {
        self.draw.map_or(Blend::FULL_SCALE, DrawKnowledge::scale)
    }

    /// The named endgame and the side that plays for a win in it.
    #[must_use]
    pub const fn endgame(&self) -> Option<(Endgame, Color)> {
        self.endgame
    }
}

fn phase(key: MaterialKey) -> u8 {
    let one_side = |color| -> i32 {
        PieceKind::ALL.into_iter().map(|kind| PHASE[kind.index()] * key.count(color, kind) as i32).sum()
    };
    (one_side(Color::White) + one_side(Color::Black)).min(Blend::FULL_PHASE) as u8
}
