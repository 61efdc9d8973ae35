//! Why a move is wrong: what the best one has over it, in the terms of the static evaluation.

use std::cmp::Reverse;

use serde::Serialize;
use utoipa::ToSchema;

use crate::engine::chess::{Color, Game, Move, Travel, san};
use crate::engine::eval::Evaluator;
use crate::engine::eval::breakdown::{Difference, Step};

/// What the best move has over the move played, statically: `POST /v1/eval-breakdown/diff` with the move played as `moveA` and the
/// best one as `moveB` has all of it.
#[derive(Serialize, ToSchema)]
pub(crate) struct Why {
    /// What the difference comes to and its chief reasons, a sentence each.
    #[schema(examples("d7-d6 is better for Black than Qd8-g5 by 0.84: chiefly threats (+0.41)."))]
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

impl Why {
    /// Compares a move played in this game with a better one.
    pub(super) fn new(game: &Game, evaluator: Evaluator, moves: [Move; 2]) -> Self {
        let position = game.position();
        let [played, best] = moves.map(|mv| {
            let mut game = game.clone();
            game.play(mv);
            evaluator.explain(game.position(), game.status())
        });
        let [first, second] = moves.map(|mv| Travel::along(position, &[mv]));
        let [one, other] = moves.map(|mv| san::format_long(position, mv));
        let travel = first.to_end_of(&second);
        let difference = Difference::between(&played, &best, &travel);
        let summary = difference.summary(Step::Choice(&one, &other), position.turn(), Color::White);
        let changes =
            difference.terms.iter().map(|change| WhyTerm { term: change.term.id(), cp: change.cp() });
        let mut terms: Vec<_> = changes.filter(|change| change.cp != 0).collect();
        terms.sort_by_key(|change| Reverse(change.cp.abs()));
        Self { summary, terms }
    }
}
