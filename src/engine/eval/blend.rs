//! How a score becomes centipawns: tapered between middlegame and endgame, scaled, damped, rounded once.

use super::ScaleReason;
use crate::engine::chess::Position;
use crate::engine::weights::Score;

/// The three factors between a score and centipawns, all integers:
/// `(mg * phase + eg * (24 - phase)) / 24 * scale / 64 * damping / 100`.
///
/// The map is linear, so every single posting has an exact integer [`worth`](Self::worth), and only the sum is rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blend {
    /// Pieces left, from 0 (kings and pawns) to [`Self::FULL_PHASE`].
    pub phase: i32,
    /// How much of the score can be turned into a win, from 0 to [`Self::FULL_SCALE`].
    pub scale: i32,
    /// Why the scale is not full.
    pub reason: Option<ScaleReason>,
    /// What the 50-move rule leaves, in hundredths.
    pub damping: i32,
}

impl Blend {
    /// The phase of a full board: knights and bishops 1, rooks 2, queens 4. Source: PeSTO.
    pub const FULL_PHASE: i32 = 24;
    /// The scale of a position that can be won.
    pub const FULL_SCALE: i32 = 64;
    /// The damping of a position where the 50-move rule is far away.
    pub const FULL_DAMPING: i32 = 100;
    /// How many parts of a centipawn an exact worth is counted in.
    pub const PARTS: i64 = (Self::FULL_PHASE * Self::FULL_SCALE * Self::FULL_DAMPING) as i64;

    /// Plies without capture or pawn move that cost nothing; each further one, up to the 100th, costs a hundredth.
    const FREE_HALFMOVES: i32 = 10;

    /// Tapering alone.
    #[inline]
    #[must_use]
    pub fn tapered(position: &Position) -> Self {
        Self {
            phase: position.phase().min(Self::FULL_PHASE),
            scale: Self::FULL_SCALE,
            reason: None,
            damping: Self::FULL_DAMPING,
        }
    }

    /// Scales for a reason, unless the score is already scaled as much: of several reasons the strongest counts.
    #[inline]
    #[must_use]
    pub fn scaled_by(self, reason: Option<ScaleReason>) -> Self {
        match reason.map(|reason| (reason, reason.scale())) {
            Some((reason, scale)) if scale < self.scale => Self { scale, reason: Some(reason), ..self },
            _ => self,
        }
    }

    /// Damps as the 50-move rule comes nearer: by a hundredth for each ply from the 11th to the 100th.
    ///
    /// The results of labelled games ask for more (`tune --scales`), but most leads in them are small; a large one is won
    /// by the next pawn move.
    #[inline]
    #[must_use]
    pub fn damped_by(self, halfmoves: u16) -> Self {
        let beyond = (i32::from(halfmoves) - Self::FREE_HALFMOVES).clamp(0, 100 - Self::FREE_HALFMOVES);
        Self { damping: Self::FULL_DAMPING - beyond, ..self }
    }

    /// What a score is worth, exactly, in [`Self::PARTS`] of a centipawn.
    #[inline]
    #[must_use]
    pub fn worth(&self, score: Score) -> i64 {
        let tapered = score.mg() * self.phase + score.eg() * (Self::FULL_PHASE - self.phase);
        i64::from(tapered * self.scale) * i64::from(self.damping)
    }

    /// What a score is worth in centipawns, rounded half away from zero.
    #[inline]
    #[must_use]
    pub fn centipawns(&self, score: Score) -> i32 {
        rounded(self.worth(score), Self::PARTS)
    }
}

/// Rounds a quotient to the nearest integer, halves away from zero, so that the negated number gives the negated
/// result.
#[inline]
#[must_use]
pub(super) const fn rounded(dividend: i64, divisor: i64) -> i32 {
    let half = divisor / 2;
    let shifted = if dividend < 0 { dividend - half } else { dividend + half };
    (shifted / divisor) as i32
}

/// How far the game has gone, by the pieces left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GamePhase {
    /// Knights and bishops 1, rooks 2, queens 4, from 0 to [`Blend::FULL_PHASE`].
    pub value: i32,
}

impl GamePhase {
    /// From here on nearly everything is still on the board: at most two minor pieces or a rook are gone.
    const OPENING: i32 = 22;
    /// Up to here it is an endgame: two rooks a side, or a queen a side.
    const ENDGAME: i32 = 8;

    /// The phase of a position; promoted pieces do not make it more than a full board.
    #[must_use]
    pub fn of(position: &Position) -> Self {
        Self { value: position.phase().min(Blend::FULL_PHASE) }
    }

    /// `opening`, `middlegame` or `endgame`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self.value {
            Self::OPENING..=Blend::FULL_PHASE => "opening",
            ..=Self::ENDGAME => "endgame",
            _ => "middlegame",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Blend, rounded};
    use crate::engine::chess::Position;
    use crate::engine::weights::Score;

    #[test]
    fn halves_are_rounded_away_from_zero() {
        let cases = [(0, 0), (1, 0), (2, 1), (3, 1), (5, 1), (6, 2), (-1, 0), (-2, -1), (-5, -1), (-6, -2)];
        for (dividend, quotient) in cases {
            assert_eq!(rounded(dividend, 4), quotient, "{dividend}");
        }
    }

    #[test]
    fn blending_is_linear_in_the_score() {
        let blend = Blend { phase: 7, scale: 12, reason: None, damping: 55 };
        let (a, b) = (Score::new(123, -45), Score::new(-7, 300));
        assert_eq!(blend.worth(a) + blend.worth(b), blend.worth(a + b));
        assert_eq!(blend.worth(-a), -blend.worth(a));
        assert_eq!(blend.worth(Score::new(24, 0)), 24 * 7 * 12 * 55);
    }

    #[test]
    fn the_fifty_move_rule_damps_from_the_11th_ply() {
        let blend = Blend::tapered(&Position::start());
        for (halfmoves, hundredths) in [(0, 100), (10, 100), (11, 99), (60, 50), (100, 10), (150, 10)] {
            assert_eq!(blend.damped_by(halfmoves).damping, hundredths, "{halfmoves}");
        }
    }
}
