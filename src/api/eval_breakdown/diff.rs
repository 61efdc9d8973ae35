//! `GET` and `POST /v1/eval-breakdown/diff`: what a move changes, or what one move has over another.

use axum::extract::State;
use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;

use super::change::{Comparison, Explained};
use super::{GetProblems, PostProblems};
use crate::api::AppState;
use crate::api::fields::{MoveText, Pov};
use crate::api::identity::{EngineIdentity, identity};
use crate::api::input::{Body, Query};
use crate::api::json;
use crate::api::problem::{Code, Problem};
use crate::api::reply::{SideName, Warning};
use crate::api::subject::{Subject, illegal_move, position_request};
use crate::engine::chess::{Move, Travel, parse_move, san};
use crate::engine::eval::breakdown::Step;

position_request! {
    /// Which move, or which two moves, to compare in which position.
    pub(crate) struct DiffRequest {
        /// The move whose effect is asked for: the position before it is compared with that after it. Either this or
        /// `moveA` and `moveB`.
        pub(crate) r#move: Option<MoveText>,
        /// The first of two candidate moves.
        pub(crate) move_a: Option<MoveText>,
        /// The second of two candidate moves: what it has over the first is told.
        pub(crate) move_b: Option<MoveText>,
    }
}

/// What a move changes in the static evaluation, or what one move has over another.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Diff {
    /// The position after `moves`, in canonical X-FEN: the one in which the moves compared are made.
    #[schema(examples("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"))]
    fen: String,
    turn: SideName,
    pov: Pov,
    /// The move asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    r#move: Option<NamedMove>,
    /// The first of two moves, after which `before` stands.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    move_a: Option<NamedMove>,
    /// The second of two moves, after which `after` stands.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    move_b: Option<NamedMove>,
    #[serde(flatten)]
    comparison: Comparison,
    /// What was repaired in the request.
    warnings: Vec<Warning>,
    engine: EngineIdentity,
}

/// A move in both notations.
#[derive(Serialize, ToSchema)]
pub(crate) struct NamedMove {
    /// In UCI.
    #[schema(examples("g1f3"))]
    uci: String,
    /// In SAN.
    #[schema(examples("Nf3"))]
    san: String,
}

/// Compare moves
///
/// What a move (`move`) changes in the static evaluation, or what one candidate (`moveB`) has over another (`moveA`), term
/// by term and feature by feature, adding up exactly. Nothing is searched: what the opponent can do about it does not count.
#[utoipa::path(
    get, path = "/v1/eval-breakdown/diff", tag = "evaluation", operation_id = "getEvalBreakdownDiff", params(DiffRequest),
    responses((
            status = 200, description = "The difference.", body = Diff,
            headers(("ETag" = String, description = "A strong validator."))
        ), GetProblems)
)]
pub(crate) async fn get(
    State(state): State<AppState>,
    Query(request): Query<DiffRequest>,
) -> Result<Response, Problem> {
    compare(&state, &request)
}

/// Compare moves
///
/// Takes in its body what the `GET` takes in its query string.
#[utoipa::path(
    post, path = "/v1/eval-breakdown/diff", tag = "evaluation", operation_id = "compareMoves",
    request_body = DiffRequest,
    responses((
            status = 200, description = "The difference.", body = Diff,
            headers(("ETag" = String, description = "A strong validator."))
        ), PostProblems)
)]
pub(crate) async fn post(
    State(state): State<AppState>,
    Body(request): Body<DiffRequest>,
) -> Result<Response, Problem> {
    compare(&state, &request)
}

/// What is compared with what.
enum Question<'a> {
    /// The position with what a move makes of it.
    Move(&'a MoveText),
    /// What the first move makes of it with what the second does.
    Choice(&'a MoveText, &'a MoveText),
}

fn compare(state: &AppState, request: &DiffRequest) -> Result<Response, Problem> {
    let question = question(request)?;
    let subject = Subject::read(&request.position(), state.limits())?;
    let ply = request.moves.as_ref().map_or(0, |moves| moves.iter().len());
    let read = |field: &'static str, text: &MoveText| {
        parse_move(subject.position(), text.as_str())
            .map_err(|error| illegal_move(&error, &subject.game, text.as_str(), ply).in_field(field))
    };
    json::pure(&match question {
        Question::Move(text) => Diff::of_move(&subject, read("move", text)?),
        Question::Choice(first, second) => {
            Diff::of_choice(&subject, [read("moveA", first)?, read("moveB", second)?])
        }
    })
}

fn question(request: &DiffRequest) -> Result<Question<'_>, Problem> {
    let conflict = |field, detail| Err(Problem::new(Code::ConflictingFields, detail).in_field(field));
    match (&request.r#move, &request.move_a, &request.move_b) {
        (Some(only), None, None) => Ok(Question::Move(only)),
        (None, Some(first), Some(second)) => Ok(Question::Choice(first, second)),
        (None, None, None) => conflict(
            "move",
            "Say what to compare: `move` for what a move changes, or `moveA` and `moveB` for what the second has over the \
             first.",
        ),
        (None, Some(_), None) => conflict("moveB", "`moveA` goes with `moveB`, with which it is compared."),
        (None, None, Some(_)) => conflict("moveA", "`moveB` goes with `moveA`, with which it is compared."),
        (Some(_), _, _) => conflict("move", "Give either `move` or `moveA` and `moveB`, not both."),
    }
}

impl Diff {
    fn of_move(subject: &Subject, mv: Move) -> Self {
        let before = Explained::new(subject.evaluator, subject.game.clone());
        let after = Explained::after(subject.evaluator, &subject.game, &[mv]);
        let travel = Travel::along(subject.position(), &[mv]);
        let name = san::format_long(subject.position(), mv);
        let comparison = comparison(subject, [&before, &after], &travel, Step::Move(&name));
        Self { r#move: Some(NamedMove::new(subject, mv)), ..Self::new(subject, comparison) }
    }

    fn of_choice(subject: &Subject, moves: [Move; 2]) -> Self {
        let [before, after] = moves.map(|mv| Explained::after(subject.evaluator, &subject.game, &[mv]));
        let [first, second] = moves.map(|mv| Travel::along(subject.position(), &[mv]));
        let [one, other] = moves.map(|mv| san::format_long(subject.position(), mv));
        let travel = first.to_end_of(&second);
        let comparison = comparison(subject, [&before, &after], &travel, Step::Choice(&one, &other));
        let [move_a, move_b] = moves.map(|mv| Some(NamedMove::new(subject, mv)));
        Self { move_a, move_b, ..Self::new(subject, comparison) }
    }

    fn new(subject: &Subject, comparison: Comparison) -> Self {
        Self {
            fen: subject.fen(),
            turn: subject.turn().into(),
            pov: subject.pov,
            r#move: None,
            move_a: None,
            move_b: None,
            comparison,
            warnings: subject.warnings.clone(),
            engine: identity(),
        }
    }
}

fn comparison(subject: &Subject, boards: [&Explained; 2], travel: &Travel, step: Step<'_>) -> Comparison {
    Comparison::new(subject.viewpoint(), boards, travel, step, subject.turn())
}

impl NamedMove {
    fn new(subject: &Subject, mv: Move) -> Self {
        Self { uci: subject.uci(mv), san: san::format(subject.position(), mv) }
    }
}
