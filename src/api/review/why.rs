//! Why a move is wrong: what the best one has over it, in the terms of the static evaluation.

use std::cmp::Reverse;
use std::sync::atomic::AtomicBool;

use serde::Serialize;
use utoipa::ToSchema;

use crate::api::eval_breakdown::Choice;
use crate::api::reply::Line;
use crate::engine::chess::{Color, Game, Move, san};
use crate::engine::eval::Evaluator;
use crate::engine::search::quiescence;

/// What the best move has over the move played, where either leads: the static evaluations at the ends of two lines are
/// compared. `POST /v1/eval-breakdown/diff` with `lineA` as played and `lineB` as best has all of it.
#[derive(Serialize, ToSchema)]
pub(crate) struct Why {
    /// The move played and what follows it: the best line after it, or, where none is known, the moves of the game; then
    /// captures until nothing hangs.
    played: Line,
    /// The best move and what follows it: its `variation`, then captures until nothing hangs.
    best: Line,
    /// What the difference comes to and its chief reasons, a sentence each.
    #[schema(examples(
        "d7-d6 with its line is better for Black than Qd8-g5 with its line by 1.84: chiefly material (+1.41)."
    ))]
    summary: Vec<String>,
    /// The terms that differ, the weightiest first.
    terms: Vec<WhyTerm>,
}

/// By how much a term differs.
#[derive(Serialize, ToSchema)]
pub(crate) struct WhyTerm {
    /// Its name; `/v1/eval-breakdown/terms` says what it means.
    #[schema(value_type = String, examples("threats"))]
    term: &'static str,
    /// By so many centipawns, from White's point of view.
    #[schema(examples(-41))]
    cp: i32,
}

/// What explanations are made with.
#[derive(Clone, Copy)]
pub(super) struct Explainer<'a> {
    pub(super) evaluator: Evaluator,
    /// Raised when lines are to be left as they are.
    pub(super) stop: &'a AtomicBool,
}

impl Explainer<'_> {
    /// Compares where a move played in this game leads with where a better one does; either line has a move at least.
    pub(super) fn compare(&self, game: &Game, lines: [Vec<Move>; 2]) -> Why {
        let [played, best] = lines.map(|line| self.settled(game, line));
        let choice = Choice::new(self.evaluator, game, [&played, &best]);
        let difference = choice.difference();
        let changes =
            difference.terms.iter().map(|change| WhyTerm { term: change.term.id(), cp: change.cp() });
        let mut terms: Vec<_> = changes.filter(|change| change.cp != 0).collect();
        terms.sort_by_key(|change| Reverse(change.cp.abs()));
        let mut summary = choice.summary(&difference, Color::White);
        if choice.is_still_open(&difference) {
            let name = san::format_long(game.position(), best[0]);
            summary.insert(0, format!("What makes {name} better lies beyond these lines."));
        }
        Why { played: Line::new(game, &played), best: Line::new(game, &best), summary, terms }
    }

    /// A line, then captures until nothing hangs.
    fn settled(&self, game: &Game, mut line: Vec<Move>) -> Vec<Move> {
        let mut end = game.clone();
        for mv in &line {
            end.play(*mv);
        }
        if !end.status().is_over() {
            line.extend(quiescence(end.position(), self.evaluator, self.stop).line);
        }
        line
    }
}
