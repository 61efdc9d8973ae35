//! When a game of the engine against itself is over, and who has won it.

use centipawn::engine::chess::{Color, Status};

/// A lead so large, in centipawns, that both sides have seen for [`RESIGN_PLIES`], ends the game.
const RESIGN: i32 = 1500;
const LOST: i32 = -RESIGN;
/// See [`RESIGN`].
const RESIGN_PLIES: i32 = 6;

/// No game is longer, in plies; what has not ended is drawn.
pub(crate) const MOST_PLIES: u32 = 600;

/// Who has won.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    White,
    Draw,
    Black,
}

impl Outcome {
    /// The side has.
    pub(crate) const fn win(color: Color) -> Self {
        match color {
            Color::White => Self::White,
            Color::Black => Self::Black,
        }
    }

    /// White's points, as the data have them.
    pub(crate) const fn points(self) -> &'static str {
        match self {
            Self::White => "1.0",
            Self::Draw => "0.5",
            Self::Black => "0.0",
        }
    }
}

/// Ends games that nobody would play on.
#[derive(Default)]
pub(crate) struct Verdict {
    /// Plies in a row that say so, positive for White.
    decided: i32,
}

impl Verdict {
    /// What the score of one more position, White's, says.
    pub(crate) fn after(&mut self, white: i32) -> Option<Outcome> {
        self.decided = match white {
            RESIGN.. => self.decided.max(0) + 1,
            ..=LOST => self.decided.min(0) - 1,
            _ => 0,
        };
        let winner = if white > 0 { Outcome::White } else { Outcome::Black };
        (self.decided.abs() >= RESIGN_PLIES).then_some(winner)
    }
}

/// The result by the rules; who may claim a draw does.
pub(crate) fn over(status: Status, turn: Color) -> Option<Outcome> {
    match status {
        Status::Ongoing => None,
        Status::Checkmate => Some(Outcome::win(!turn)),
        Status::Stalemate
        | Status::InsufficientMaterial
        | Status::FiftyMoves
        | Status::SeventyFiveMoves
        | Status::Threefold
        | Status::Fivefold => Some(Outcome::Draw),
    }
}

#[cfg(test)]
mod tests {
    use super::{Outcome, Verdict};

    #[test]
    fn a_game_is_given_up_when_it_has_been_lost_for_long() {
        let mut verdict = Verdict::default();
        let scores = [1500, 1499, -1500, -1600, -1500, -1500, -2000, -1500];
        let results = scores.map(|white| verdict.after(white));
        assert_eq!(results, [None, None, None, None, None, None, None, Some(Outcome::Black)]);
    }

    #[test]
    fn a_lead_that_changes_sides_decides_nothing() {
        let mut verdict = Verdict::default();
        for white in [1500, 1500, 1500, 1500, 1500, -1500, 1500] {
            assert_eq!(verdict.after(white), None);
        }
    }
}
