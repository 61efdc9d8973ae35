//! `GET /api/cloud-eval`: Lichess' cloud evaluation, for clients that were written for it.
//!
//! It takes and gives what Lichess does, to the letter; but where Lichess looks into a database this searches, always as
//! far as it is set up to, so that its replies can be kept like those of a database.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;

use axum::extract::State;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use utoipa::openapi::{RefOr, Response as Documented};
use utoipa::{IntoResponses, ToSchema};

use crate::api::AppState;
use crate::api::budget::Budget;
use crate::api::caller::Caller;
use crate::api::fields::Pov;
use crate::api::input::{Arrived, Query};
use crate::api::json;
use crate::api::problem::{Code, Problem, problems};
use crate::api::score::{Score, Viewpoint};
use crate::api::thinking::{Allowance, Thought, find};
use crate::api::validator::with_origin;
use crate::engine::chess::{Fen, Game, Variant, uci_move};
use crate::engine::eval::Evaluator;
use crate::engine::search::{Line, SearchRequest};
use crate::pool::{Start, Table};

/// What Lichess' clients ask for. Fields that are not known are passed over, as Lichess does: clients send all sorts.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CloudEvalRequest {
    fen: Option<String>,
    multi_pv: Option<String>,
    variant: Option<String>,
}

/// An evaluation in Lichess' form.
#[derive(Serialize, ToSchema)]
pub(crate) struct CloudEval {
    /// The position as it was sent.
    #[schema(examples("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3"))]
    fen: String,
    /// Thousands of positions that were searched, rounded up.
    #[schema(minimum = 0, examples(200))]
    knodes: u64,
    /// The last finished iteration, in plies.
    #[schema(minimum = 0, maximum = 127, examples(14))]
    depth: u8,
    /// The best lines, best first.
    #[schema(min_items = 1, max_items = 5)]
    pvs: Vec<CloudLine>,
}

/// A line of play: with `cp` or with `mate`.
#[derive(Serialize, ToSchema)]
pub(crate) struct CloudLine {
    /// The moves in UCI, separated by spaces. As Lichess has it, castling is king takes rook, whatever the variant.
    #[schema(examples("f1b5 g8f6 e1h1"))]
    moves: String,
    /// Centipawns, from White's point of view.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, examples(28))]
    cp: Option<i32>,
    /// Moves to mate, negative if White is mated.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    mate: Option<i32>,
}

struct CloudEvalProblems;

impl IntoResponses for CloudEvalProblems {
    fn responses() -> BTreeMap<String, RefOr<Documented>> {
        let mut responses = problems(&[304, 404, 414, 429, 500, 503, 504]);
        if let Some(RefOr::T(response)) = responses.get_mut("404") {
            "There is no evaluation: the position is illegal or the game is over, or a value is not one of those above."
                .clone_into(&mut response.description);
        }
        responses
    }
}

/// Evaluate for clients of Lichess
///
/// A drop-in for Lichess' `GET /api/cloud-eval`: the same fields in, the same out, and the same error. Lichess looks into a
/// database; this searches a fixed number of positions (`cloudEvalNodes` in `/v1/limits`) with a fresh table, so that every
/// position has an evaluation and the same request always the same one. As with Lichess, fields that it does not know are
/// passed over, and what cannot be read is a 404; `/v1/evaluate` and `/v1/best-move` say what is wrong, and more.
#[utoipa::path(
    get, path = "/api/cloud-eval", tag = "compatibility", operation_id = "getCloudEval",
    params(
        (
            "fen" = String, Query, description = "The position; `_` may stand for a space.", max_length = 512
        ),
        ("multiPv" = Option<u8>, Query, description = "Number of lines, by default 1.", minimum = 1, maximum = 5),
        (
            "variant" = Option<String>, Query, pattern = "^(standard|chess960|fromPosition)$",
            description = "`standard` (default), `chess960`, or `fromPosition`, which is taken for `chess960`, as by Lichess. There \
            is no evaluation of Lichess' other variants."
        )
    ),
    responses(
        (
            status = 200, description = "The evaluation.", body = CloudEval,
            headers(
                ("ETag" = String, description = "A strong validator."),
                ("Cache-Status" = String, description = "From the cache of results (RFC 9211): `hit`, with `detail=shared` from the shared \
                cache, or `fwd=miss` with `stored`, or \
                with `collapsed` where an equal request was being searched.")
            )
        ),
        CloudEvalProblems
    )
)]
pub(crate) async fn get(
    State(state): State<AppState>,
    Arrived(arrived): Arrived,
    Caller(client): Caller,
    request: Result<Query<CloudEvalRequest>, Problem>,
) -> Result<Response, Problem> {
    let Query(request) = request.map_err(as_lichess)?;
    let wanted = Wanted::read(&request)?;
    let budget = Budget::Nodes(state.limits().cloud_eval_nodes);
    let allowance = Allowance::new(client, budget, None, Start::Arrival(arrived), state.limits())?;
    let question = SearchRequest {
        multi_pv: wanted.lines,
        ..SearchRequest::new(wanted.game.clone(), Evaluator::default(), allowance.limits())
    };
    let thought = find(&state, question, &allowance, Table::Fresh).await?;
    Ok(with_origin(json::as_set_up(&CloudEval::new(&wanted, &thought))?, thought.origin))
}

/// What a request is about.
struct Wanted {
    fen: String,
    game: Game,
    lines: NonZeroUsize,
}

impl Wanted {
    /// # Errors
    /// `no_evaluation`, whatever the reason.
    fn read(request: &CloudEvalRequest) -> Result<Self, Problem> {
        let Some(fen) = given(request.fen.as_ref()) else {
            return Err(Problem::new(Code::NoEvaluation, "Missing FEN").in_field("fen"));
        };
        let variant = match given(request.variant.as_ref()).unwrap_or("standard") {
            "standard" => Variant::Standard,
            "chess960" | "fromPosition" => Variant::Chess960,
            _ => return Err(none_for("variant")),
        };
        let lines = given(request.multi_pv.as_ref()).map_or(Ok(NonZeroUsize::MIN), str::parse);
        let Some(lines) = lines.ok().filter(|lines| lines.get() <= MAX_LINES) else {
            return Err(none_for("multiPv"));
        };
        let position = Fen::parse(fen, variant).map_err(|_| none_for("fen"))?.position;
        let game = Game::with_variant(position, variant);
        if game.status().is_over() {
            return Err(none_for("fen"));
        }
        Ok(Self { fen: fen.to_owned(), game, lines })
    }
}

/// The most lines; Lichess keeps no more.
pub(crate) const MAX_LINES: usize = 5;

/// A value that says something.
fn given(value: Option<&String>) -> Option<&str> {
    value.map(|text| text.trim()).filter(|text| !text.is_empty())
}

fn none_for(field: &'static str) -> Problem {
    Problem::new(Code::NoEvaluation, "No cloud evaluation available for that position").in_field(field)
}

/// A query string that nobody can read asks for no position.
fn as_lichess(problem: Problem) -> Problem {
    if problem.code() == Code::UriTooLong { problem } else { none_for("fen") }
}

impl CloudEval {
    fn new(wanted: &Wanted, thought: &Thought) -> Self {
        let report = &thought.report;
        Self {
            fen: wanted.fen.clone(),
            knodes: report.nodes.div_ceil(1000),
            depth: report.depth,
            pvs: report.lines.iter().map(|line| CloudLine::new(&wanted.game, line)).collect(),
        }
    }
}

impl CloudLine {
    fn new(game: &Game, line: &Line) -> Self {
        let turn = game.position().turn();
        let (view, score) = (Viewpoint::new(Pov::White, turn), Score::of_search(line.score, turn));
        let moves: Vec<_> = line.moves.iter().map(|mv| uci_move::format(*mv, Variant::Chess960)).collect();
        Self { moves: moves.join(" "), cp: view.cp(score), mate: view.mate(score) }
    }
}
