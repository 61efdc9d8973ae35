//! `searched`: the leaf of the main line, whose static evaluation is what a searched score is made of.

use std::time::Instant;

use serde::Serialize;
use utoipa::ToSchema;

use super::BreakdownRequest;
use super::change::{Comparison, Explained};
use crate::api::AppState;
use crate::api::budget::Budget;
use crate::api::caller::Caller;
use crate::api::problem::{Code, Problem};
use crate::api::score::Score;
use crate::api::searched::Searched;
use crate::api::subject::Subject;
use crate::api::thinking::{Allowance, Thought, find, table};
use crate::config::Limits as Caps;
use crate::engine::chess::{Game, Move, Status, Travel};
use crate::engine::eval::breakdown::{Step, pawns};
use crate::engine::search::{Line, SearchRequest};
use crate::pool::{Origin, Start, Table};

/// What the searched score has that the static evaluation of the leaf has not.
///
/// The line goes on through captures and checks until the position is quiet; there the search takes the static evaluation
/// and adds the mean error that it has found in such positions, so that usually nothing else is missing.
#[derive(Serialize, ToSchema)]
pub(crate) struct Remainder {
    /// The searched score less the leaf's `cp`, in centipawns; null where the score is a mate.
    #[schema(required = true, examples(0))]
    cp: Option<i32>,
    reason: RemainderReason,
    /// The reason as a sentence.
    #[schema(examples("The searched score is the static evaluation of the leaf."))]
    text: String,
}

/// Why the searched score and the static evaluation of the leaf differ, if they do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(examples("none"))]
pub(crate) enum RemainderReason {
    /// They are the same.
    None,
    /// The score is a mate, which counts moves instead of centipawns.
    Mate,
    /// The search takes the leaf for a draw: the position has been there before in the line or the game.
    Repetition,
    /// The search takes the leaf for a draw: 50 moves have passed without a capture or a pawn move.
    FiftyMoves,
    /// The search has corrected the static evaluation of the leaf by the mean error that it found in positions with the
    /// same pawns.
    Correction,
    /// The score comes from beyond the line that is reported: from captures played out at its end, from the
    /// transposition table or from endgame tables.
    BeyondTheLine,
    /// No iteration was finished in time: the leaf is the position after the move after which the static evaluation is best.
    NotSearched,
}

/// How far to search, where the request asks for it.
pub(super) struct SearchPlan {
    allowance: Allowance,
    pub(super) table: Table,
}

impl SearchPlan {
    /// What the request says of a search, if it asks for one.
    ///
    /// # Errors
    /// `conflicting_fields` for `searched` without a limit and for a limit without `searched`; else those of the limits.
    pub(super) fn read(
        request: &BreakdownRequest,
        (arrived, Caller(client)): (Instant, Caller),
        caps: &Caps,
    ) -> Result<Option<Self>, Problem> {
        let conflict =
            |field: &'static str, detail| Err(Problem::new(Code::ConflictingFields, detail).in_field(field));
        let budget = Budget::one_of(request.depth, request.nodes, request.movetime)?;
        if request.searched != Some(true) {
            let surplus = match budget {
                Some(Budget::Depth(_)) => "depth",
                Some(Budget::Nodes(_)) => "nodes",
                Some(Budget::Movetime(_)) => "movetime",
                None if request.deterministic == Some(true) => "deterministic",
                None => return Ok(None),
            };
            return conflict(
                surplus,
                format!(
                    "`{surplus}` is about a search, and a breakdown searches only with `searched`: true."
                ),
            );
        }
        let Some(budget) = budget else {
            return conflict(
                "searched",
                "`searched` needs one of `depth`, `nodes` and `movetime`.".to_owned(),
            );
        };
        let table = table(request.deterministic, Some(budget))?;
        let allowance = Allowance::new(client, budget, None, Start::Arrival(arrived), caps)?;
        Ok(Some(Self { allowance, table }))
    }
}

/// The end of the main line, and the search that led there.
pub(super) struct Leaf {
    pub(super) moves: Vec<Move>,
    pub(super) explained: Explained,
    thought: Thought,
    table: Table,
}

impl Leaf {
    /// Searches the position on a thread of the pool.
    ///
    /// # Errors
    /// Those of [`find`].
    pub(super) async fn find(
        state: &AppState,
        subject: &Subject,
        plan: &SearchPlan,
    ) -> Result<Self, Problem> {
        let limits = plan.allowance.limits();
        let request = SearchRequest::new(subject.game.clone(), subject.evaluator, limits);
        let thought = find(state, request, &plan.allowance, plan.table).await?;
        let moves = thought.report.lines.first().map_or_else(Vec::new, |line| line.moves.clone());
        let explained = Explained::after(subject.evaluator, &subject.game, &moves);
        Ok(Self { moves, explained, thought, table: plan.table })
    }

    /// Where the search came from, if it went through the cache of results.
    pub(super) fn origin(&self) -> Option<Origin> {
        self.thought.origin
    }

    pub(super) fn searched(&self, subject: &Subject) -> Searched {
        let clockwork = self.thought.clockwork(self.table);
        Searched::new(subject, &self.thought.report, self.thought.stop_reason, clockwork)
    }

    /// What is different from the position searched.
    pub(super) fn change_from(&self, subject: &Subject, root: &Explained) -> Comparison {
        let travel = Travel::along(subject.position(), &self.moves);
        let step = Step::Line(self.moves.len());
        Comparison::new(subject.viewpoint(), [root, &self.explained], &travel, step, subject.turn())
    }

    /// What the search says the position is worth.
    pub(super) fn score(&self, subject: &Subject) -> Option<Score> {
        let line = self.thought.report.lines.first()?;
        Some(Score::of_search(line.score, subject.turn()))
    }

    /// What the search has added to the static evaluation at the end of its line, in centipawns from White's view.
    fn correction(&self, subject: &Subject) -> i32 {
        let line = self.thought.report.lines.first();
        line.map_or(0, |line| line.correction) * subject.turn().sign()
    }
}

impl Remainder {
    pub(super) fn new(subject: &Subject, leaf: &Leaf) -> Self {
        let view = subject.viewpoint();
        let is_of_no_search = |line: &Line| line.depth == 0 && !line.moves.is_empty();
        let not_searched = leaf.thought.report.lines.first().is_some_and(is_of_no_search);
        let still = view.of(leaf.explained.breakdown.cp);
        let cp = leaf.score(subject).and_then(|score| view.cp(score)).map(|cp| cp - still);
        let reason = match cp {
            None => RemainderReason::Mate,
            Some(0) if not_searched => RemainderReason::NotSearched,
            Some(0) => RemainderReason::None,
            Some(cp) if cp == view.of(leaf.correction(subject)) => RemainderReason::Correction,
            Some(_) => drawn(&leaf.explained.game),
        };
        let difference = pawns(cp.unwrap_or_default());
        let text = match reason {
            RemainderReason::None => "The searched score is the static evaluation of the leaf.".to_owned(),
            RemainderReason::Mate if leaf.explained.breakdown.status == Status::Checkmate => {
                "The line ends in checkmate: the score counts the moves to it, the breakdown what is on the board."
                    .to_owned()
            }
            RemainderReason::Mate => "The search has found a mate that the line does not show.".to_owned(),
            RemainderReason::Repetition => format!(
                "The search takes the leaf for a draw by repetition, which adds {difference} to its static evaluation."
            ),
            RemainderReason::FiftyMoves => format!(
                "The search takes the leaf for a draw by the fifty-move rule, which adds {difference} to its static \
                 evaluation."
            ),
            RemainderReason::Correction => format!(
                "The search adds {difference} to the static evaluation of the leaf: the mean error that it found in \
                 positions with the same pawns."
            ),
            RemainderReason::BeyondTheLine => format!(
                "The score comes from beyond the line that is reported, which adds {difference} to the static evaluation \
                 of the leaf."
            ),
            RemainderReason::NotSearched => {
                "No iteration was finished in time: the move is the one after which the static evaluation is best."
                    .to_owned()
            }
        };
        Self { cp, reason, text }
    }
}

/// By which rule the search takes the end of its line for a draw; a position that comes back once is enough for it.
fn drawn(leaf: &Game) -> RemainderReason {
    if leaf.occurrence() > 1 {
        RemainderReason::Repetition
    } else if leaf.position().halfmoves() >= Status::FIFTY_MOVES_PLIES {
        RemainderReason::FiftyMoves
    } else {
        RemainderReason::BeyondTheLine
    }
}
