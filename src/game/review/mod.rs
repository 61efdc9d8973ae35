//! What a review says of a game: Lichess' numbers, by Lichess' formulas.
//!
//! They work on evaluations from White's point of view, wherever these come from. Sources: lichess-org/scalachess
//! `core/src/main/scala/eval.scala` and lichess-org/lila `modules/analyse/src/main` (`AccuracyPercent`, `AccuracyCP`, `Advice`).

mod accuracy;
mod centipawns;
mod judgment;
mod win;

pub use accuracy::of_move as move_accuracy;
pub use judgment::{Judgment, Occasion, Severity};
pub use win::{MODEL, win_percent};

use crate::engine::chess::{ByColor, Color};
use crate::game::pgn::Eval;

/// What the start position is worth: White's advantage of the first move.
pub const START: Eval = Eval::Cp(15);

/// A game as far as the formulas go.
#[derive(Clone, Copy, Debug)]
pub struct Course<'a> {
    /// Who moves first.
    pub first: Color,
    /// What the position is worth from which the game starts; Lichess takes [`START`] for every game.
    pub start: Eval,
    /// What the position after each half-move is worth, where that is known.
    pub evals: &'a [Option<Eval>],
    /// Of each half-move whether it is the best there is: it is not judged then, whatever the evaluations say.
    pub best: &'a [bool],
}

/// The verdict on a game.
#[derive(Clone, Debug, PartialEq)]
pub struct Review {
    /// On each half-move.
    pub plies: Vec<PlyReview>,
    /// On each player.
    pub players: ByColor<PlayerReview>,
}

/// The verdict on a half-move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlyReview {
    /// White's chance to win after it, in percent.
    pub win_percent: Option<f64>,
    /// How accurate it is, in percent.
    pub accuracy: Option<f64>,
    /// What is wrong with it.
    pub judgment: Option<Judgment>,
}

/// The verdict on a player.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PlayerReview {
    /// Moves of each severity.
    pub inaccuracies: usize,
    /// See above.
    pub mistakes: usize,
    /// See above.
    pub blunders: usize,
    /// The average loss of a move, in centipawns.
    pub acpl: Option<u32>,
    /// How accurate the moves are together, in percent.
    pub accuracy: Option<f64>,
}

/// Applies the formulas. As at Lichess the move that gives checkmate counts in no average.
#[must_use]
pub fn review(course: &Course<'_>) -> Review {
    let plies: Vec<_> = (0..course.evals.len()).map(|index| review_ply(course, index)).collect();
    let accuracy = accuracy::of_game(course);
    let players = ByColor::from_fn(|color| {
        let own = plies.iter().enumerate().filter(|(index, _)| course.mover(*index) == color);
        let judged: Vec<_> = own.filter_map(|(_, ply)| Some(ply.judgment?.severity)).collect();
        let count = |severity| judged.iter().filter(|own| **own == severity).count();
        PlayerReview {
            inaccuracies: count(Severity::Inaccuracy),
            mistakes: count(Severity::Mistake),
            blunders: count(Severity::Blunder),
            acpl: centipawns::average_loss(course, color),
            accuracy: accuracy[color],
        }
    });
    Review { plies, players }
}

fn review_ply(course: &Course<'_>, index: usize) -> PlyReview {
    let (before, after, mover) = (course.before(index), course.evals[index], course.mover(index));
    let judged = || judgment::judge(before?, after?, mover);
    let was_best = course.best.get(index).copied().unwrap_or(false);
    let accuracy = || {
        let wins = [before?, after?].map(|eval| win::of_side(eval, mover));
        Some(accuracy::of_move(wins[0], wins[1]))
    };
    PlyReview {
        win_percent: after.map(win_percent),
        accuracy: accuracy(),
        judgment: if was_best { None } else { judged() },
    }
}

impl Course<'_> {
    /// Who makes a half-move, counted from 0.
    #[must_use]
    pub fn mover(&self, index: usize) -> Color {
        if index.is_multiple_of(2) { self.first } else { !self.first }
    }

    /// What the position before a half-move is worth.
    #[must_use]
    pub fn before(&self, index: usize) -> Option<Eval> {
        match index.checked_sub(1) {
            None => Some(self.start),
            Some(previous) => self.evals[previous],
        }
    }

    /// The evaluations that count in averages.
    fn counted(&self) -> &[Option<Eval>] {
        let is_open = |eval: &Option<Eval>| matches!(eval, Some(Eval::Cp(_) | Eval::Mate(_)));
        let end = self.evals.iter().rposition(is_open).map_or(0, |last| last + 1);
        &self.evals[..end]
    }
}
