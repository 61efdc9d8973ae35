//! `GET` and `POST /v1/eval-breakdown/diff`: what a move changes, or what one move has over another.

use std::borrow::Cow;

use axum::extract::State;
use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;

use super::change::{Choice, Comparison, Explained};
use super::{GetProblems, PostProblems};
use crate::api::AppState;
use crate::api::fields::{MoveText, MoveTexts, Pov};
use crate::api::identity::{EngineIdentity, identity};
use crate::api::input::{Body, Query};
use crate::api::json;
use crate::api::problem::{Code, Problem};
use crate::api::reply::{Line, SideName, Warning};
use crate::api::subject::{Subject, illegal_move, position_request};
use crate::api::thinking::few_enough;
use crate::engine::chess::{Move, Travel, parse_move, san};
use crate::engine::eval::breakdown::Step;

position_request! {
    /// Which move, or which two moves, to compare in which position.
    pub(crate) struct DiffRequest {
        /// The move whose effect is asked for: the position before it is compared with that after it. Either this or two
        /// candidates.
        pub(crate) r#move: Option<MoveText>,
        /// The first of two candidate moves.
        pub(crate) move_a: Option<MoveText>,
        /// The second of two candidate moves: what it has over the first is told.
        pub(crate) move_b: Option<MoveText>,
        /// Instead of `moveA`: the first candidate with the moves that follow it. The comparison is made at the end.
        pub(crate) line_a: Option<MoveTexts>,
        /// Instead of `moveB`: the second candidate with the moves that follow it.
        pub(crate) line_b: Option<MoveTexts>,
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
    /// The first of two candidates.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    move_a: Option<NamedMove>,
    /// The second of two candidates.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    move_b: Option<NamedMove>,
    /// The line that begins with `moveA`, where one was given; `before` stands at its end, else after the move.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    line_a: Option<Line>,
    /// The line that begins with `moveB`, where one was given; `after` stands at its end, else after the move.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    line_b: Option<Line>,
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
/// by term and feature by feature, adding up exactly. Nothing is searched: what the opponent can do about it counts only
/// where it is part of the lines (`lineA`, `lineB`), at whose ends two candidates are compared.
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
    Move(Candidate<'a>),
    /// What becomes of it by the first candidate with what becomes of it by the second.
    Choice([Candidate<'a>; 2]),
}

/// A move to be compared, and the field that names it.
struct Candidate<'a> {
    field: &'static str,
    /// The move, then what follows it in a line.
    texts: Vec<&'a str>,
    is_line: bool,
}

fn compare(state: &AppState, request: &DiffRequest) -> Result<Response, Problem> {
    let question = question(request)?;
    let caps = state.limits();
    let subject = Subject::read(&request.position(), caps)?;
    let ply = request.moves.as_ref().map_or(0, |moves| moves.iter().len());
    let read = |candidate: &Candidate<'_>| {
        few_enough(candidate.field, candidate.texts.len(), caps)?;
        candidate.read(&subject, ply)
    };
    json::pure(&match &question {
        Question::Move(only) => Diff::of_move(&subject, read(only)?[0]),
        Question::Choice([first, second]) => {
            Diff::of_choice(&subject, [(first, read(first)?), (second, read(second)?)])
        }
    })
}

fn question(request: &DiffRequest) -> Result<Question<'_>, Problem> {
    let conflict =
        |field, detail: Cow<'static, str>| Err(Problem::new(Code::ConflictingFields, detail).in_field(field));
    let first = Candidate::of_either(["moveA", "lineA"], request.move_a.as_ref(), request.line_a.as_ref())?;
    let second = Candidate::of_either(["moveB", "lineB"], request.move_b.as_ref(), request.line_b.as_ref())?;
    match (&request.r#move, first, second) {
        (Some(only), None, None) => Ok(Question::Move(Candidate::of_move("move", only))),
        (None, Some(first), Some(second)) => Ok(Question::Choice([first, second])),
        (None, None, None) => conflict(
            "move",
            "Say what to compare: `move` for what a move changes, or `moveA` and `moveB` for what the second has over the \
             first."
                .into(),
        ),
        (None, Some(first), None) => {
            conflict("moveB", format!("`{}` goes with `moveB`, with which it is compared.", first.field).into())
        }
        (None, None, Some(second)) => {
            conflict("moveA", format!("`{}` goes with `moveA`, with which it is compared.", second.field).into())
        }
        (Some(_), _, _) => conflict("move", "Give either `move` or two candidates, not both.".into()),
    }
}

impl<'a> Candidate<'a> {
    fn of_move(field: &'static str, text: &'a MoveText) -> Self {
        Self { field, texts: vec![text.as_str()], is_line: false }
    }

    /// One of two candidates, if it is there: given as a move or as a line.
    fn of_either(
        [move_field, line_field]: [&'static str; 2],
        mv: Option<&'a MoveText>,
        line: Option<&'a MoveTexts>,
    ) -> Result<Option<Self>, Problem> {
        let conflict = |detail| Err(Problem::new(Code::ConflictingFields, detail).in_field(line_field));
        match (mv, line) {
            (None, None) => Ok(None),
            (Some(text), None) => Ok(Some(Self::of_move(move_field, text))),
            (None, Some(line)) if line.iter().len() == 0 => {
                conflict(format!("`{line_field}` begins with the move to be compared; here it is empty."))
            }
            (None, Some(line)) => {
                Ok(Some(Self { field: line_field, texts: line.iter().collect(), is_line: true }))
            }
            (Some(_), Some(_)) => {
                conflict(format!("Give either `{move_field}` or `{line_field}`, which begins with the move."))
            }
        }
    }

    /// Its moves, the first of them made after so many half-moves of the game.
    fn read(&self, subject: &Subject, plies: usize) -> Result<Vec<Move>, Problem> {
        let mut game = subject.game.clone();
        let moves = self.texts.iter().enumerate().map(|(index, text)| {
            let mv = parse_move(game.position(), text).map_err(|error| {
                illegal_move(&error, &game, text, plies + index, subject.rights).in_field(self.field)
            })?;
            game.play(mv);
            Ok(mv)
        });
        moves.collect()
    }
}

impl Diff {
    fn of_move(subject: &Subject, mv: Move) -> Self {
        let before = Explained::new(subject.evaluator, subject.game.clone());
        let after = Explained::after(subject.evaluator, &subject.game, &[mv]);
        let travel = Travel::along(subject.position(), &[mv]);
        let (name, view) = (san::format_long(subject.position(), mv), subject.viewpoint());
        let comparison = Comparison::new(view, [&before, &after], &travel, Step::Move(&name), subject.turn());
        Self { r#move: Some(NamedMove::new(subject, mv)), ..Self::new(subject, comparison) }
    }

    fn of_choice(subject: &Subject, [first, second]: [(&Candidate<'_>, Vec<Move>); 2]) -> Self {
        let choice = Choice::new(subject.evaluator, &subject.game, [&first.1, &second.1]);
        let comparison = Comparison::of_choice(subject.viewpoint(), &choice);
        let line =
            |candidate: &Candidate<'_>, moves| candidate.is_line.then(|| Line::new(&subject.game, moves));
        Self {
            move_a: NamedMove::first(subject, &first.1),
            move_b: NamedMove::first(subject, &second.1),
            line_a: line(first.0, &first.1),
            line_b: line(second.0, &second.1),
            ..Self::new(subject, comparison)
        }
    }

    fn new(subject: &Subject, comparison: Comparison) -> Self {
        Self {
            fen: subject.fen(),
            turn: subject.turn().into(),
            pov: subject.pov,
            r#move: None,
            move_a: None,
            move_b: None,
            line_a: None,
            line_b: None,
            comparison,
            warnings: subject.warnings.clone(),
            engine: identity(),
        }
    }
}
impl NamedMove {
    /// The first of these moves.
    fn first(subject: &Subject, moves: &[Move]) -> Option<Self> {
        moves.first().map(|mv| Self::new(subject, *mv))
    }

    fn new(subject: &Subject, mv: Move) -> Self {
        Self { uci: subject.uci(mv), san: san::format(subject.position(), mv) }
    }
}
