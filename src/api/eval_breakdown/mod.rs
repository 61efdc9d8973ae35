//! `GET` and `POST /v1/eval-breakdown`: why a position is worth what it is.

mod change;
pub(crate) mod diff;
mod drawing;
mod leaf;

use std::collections::BTreeMap;
use std::time::Instant;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::openapi::RefOr;
use utoipa::{IntoResponses, ToSchema};

use crate::api::AppState;
use crate::api::accept::{Rendering, SVG};
use crate::api::caller::Caller;
use crate::api::fields::{Depth, Movetime, Nodes, Pov};
use crate::api::identity::{EngineIdentity, identity};
use crate::api::input::{Arrived, Body, Query};
use crate::api::json;
use crate::api::problem::{GetSearchProblems, PostSearchProblems, Problem, problems};
use crate::api::reply::{Line, Phase, Scale, SideName, StatusName, Warning, Weight};
use crate::api::score::Viewpoint;
use crate::api::searched::Searched;
use crate::api::subject::{Subject, position_request};
use crate::api::validator::{tagged, with_origin};
use crate::engine::eval::breakdown::{Blending, FeatureLine, TermLine};
use crate::engine::eval::{Blend, ScaleReason};
use crate::pool::Table;
pub(crate) use change::Choice;
use change::{Comparison, Explained};
use leaf::{Leaf, Remainder, SearchPlan};

position_request! {
    /// What to explain.
    pub(crate) struct BreakdownRequest {
        /// Explain a searched score: everything is about the leaf of the main line, and `change` says what changes from
        /// here to there. Needs one of `depth`, `nodes` and `movetime`. By default false.
        pub(crate) searched: Option<bool>,
        /// With `searched`: search this deep.
        pub(crate) depth: Option<Depth>,
        /// With `searched`: search so many positions.
        pub(crate) nodes: Option<Nodes>,
        /// With `searched`: search this long, in milliseconds from the arrival of the request.
        pub(crate) movetime: Option<Movetime>,
        /// With `searched` and `depth` or `nodes`: search with a fresh table on one thread and without the server's
        /// endgame tables, so that the same request gives the same bytes on every machine, with a strong `ETag`. By
        /// default false.
        pub(crate) deterministic: Option<bool>,
    }
}

/// A static evaluation taken apart: the centipawns of the terms add up to `cp`, those of the features to their term.
///
/// It is that of the position asked for or, with `searched`, that of the leaf of the main line: then `fen`, `turn` and the
/// point of view are still those of the position asked for, and everything from `cp` to `winner` is about `leafFen`.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Breakdown {
    /// The position after `moves`, in canonical X-FEN.
    #[schema(examples("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3"))]
    fen: String,
    turn: SideName,
    pov: Pov,
    /// The static evaluation in centipawns, from the point of view that `pov` names; 0 in a game that is drawn.
    #[schema(examples(-37))]
    cp: i32,
    /// Whether the side to move is in check.
    in_check: bool,
    phase: Phase,
    blend: BlendReply,
    /// Every term of the evaluator, those that say nothing here too.
    terms: Vec<TermReply>,
    /// The verdict and the chief reasons, a sentence each; numbers as `pov` says.
    #[schema(examples("Black is slightly better (-0.37)."))]
    summary: Vec<String>,
    status: StatusName,
    /// The side that has won, with `checkmate`.
    #[schema(required = true)]
    winner: Option<SideName>,
    /// What was repaired in the request.
    warnings: Vec<Warning>,
    /// With `searched`: the position at the end of the main line, in canonical X-FEN.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(
        nullable = false,
        examples("r1bqkb1r/pppp1ppp/2n2n2/4p3/4P3/2N2N2/PPPP1PPP/R1BQKB1R w KQkq - 4 4")
    )]
    leaf_fen: Option<String>,
    /// With `searched`: the moves that lead there.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    line: Option<Line>,
    /// With `searched`: what the search says.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    search: Option<Searched>,
    /// With `searched`: what the searched score has that the leaf's static evaluation has not.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    remainder: Option<Remainder>,
    /// With `searched`: what changes from the position asked for to the leaf.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    change: Option<Comparison>,
    engine: EngineIdentity,
}

/// How the sum of the terms became centipawns: tapered by the phase, scaled, damped by the 50-move rule, rounded once.
#[derive(Serialize, ToSchema)]
#[schema(as = Blend)]
pub(crate) struct BlendReply {
    /// The sum with all pieces on the board.
    #[schema(examples(-52))]
    mg: i32,
    /// The sum with pawns and kings only.
    #[schema(examples(11))]
    eg: i32,
    /// The sum tapered between the two by the phase.
    #[schema(examples(-37))]
    tapered: i32,
    scale: Scale,
    /// What the right to move adds to `cp`; it is one of the terms.
    #[schema(examples(-12))]
    tempo: i32,
    rule50: Rule50,
}

/// What the 50-move rule leaves of a score.
#[derive(Serialize, ToSchema)]
pub(crate) struct Rule50 {
    /// Plies since the last capture or pawn move.
    #[schema(minimum = 0, examples(3))]
    halfmoves: u16,
    /// The share that is left.
    #[schema(minimum = 0.0, maximum = 1.0, examples(1.0))]
    factor: f64,
}

/// A term: a family of features.
#[derive(Serialize, ToSchema)]
#[schema(as = Term)]
pub(crate) struct TermReply {
    /// Its name; `/v1/eval-breakdown/terms` says what it means.
    #[schema(value_type = String, examples("mobility"))]
    term: &'static str,
    /// What White's features add up to, good for White being positive.
    white: Weight,
    /// What Black's features add up to, good for Black being positive.
    black: Weight,
    /// The difference, from the point of view that `pov` names.
    total: Weight,
    /// Its share of `cp`, in centipawns.
    #[schema(examples(-5))]
    cp: i32,
    /// Its features on this board.
    features: Vec<FeatureReply>,
}

/// One reason for which points are given or taken.
#[derive(Serialize, ToSchema)]
#[schema(as = Feature)]
pub(crate) struct FeatureReply {
    /// Its name; `/v1/eval-breakdown/terms` says what it means.
    #[schema(value_type = String, examples("knightMobility"))]
    name: &'static str,
    side: SideName,
    /// The pieces it is about.
    #[schema(max_items = 64, examples("f3"))]
    squares: Vec<String>,
    /// Its worth with all pieces on the board, from the point of view that `pov` names.
    #[schema(examples(10))]
    mg: i32,
    /// Its worth with pawns and kings only.
    #[schema(examples(12))]
    eg: i32,
    /// Its share of `cp`, in centipawns.
    #[schema(examples(11))]
    cp: i32,
    /// The reason as a sentence.
    #[schema(examples("The knight on f3 can go to 6 safe squares."))]
    text: String,
}

/// What a `GET` can fail with that does not search.
pub(crate) struct GetProblems;

impl IntoResponses for GetProblems {
    fn responses() -> BTreeMap<String, RefOr<utoipa::openapi::Response>> {
        problems(&[304, 400, 414, 422, 500])
    }
}

/// What a `POST` can fail with that does not search.
pub(crate) struct PostProblems;

impl IntoResponses for PostProblems {
    fn responses() -> BTreeMap<String, RefOr<utoipa::openapi::Response>> {
        problems(&[400, 408, 412, 413, 415, 422, 500])
    }
}

/// Explain a position
///
/// Every term of the static evaluation, for both sides, with the squares, adding up exactly. With `searched` and a limit the
/// same for the leaf of the main line, with what changes from here to there. With `Accept: image/svg+xml` the same as a
/// picture: the board with what each piece adds beyond its material, and a bar for each term.
#[utoipa::path(
    get, path = "/v1/eval-breakdown", tag = "evaluation", operation_id = "getEvalBreakdown", params(BreakdownRequest),
    responses(
        (
            status = 200, description = "The breakdown; with `Accept: image/svg+xml` as a picture.",
            content((Breakdown = "application/json"), (String = "image/svg+xml")),
            headers(
                ("ETag" = String, description = "A strong validator of the reply's bytes; there is none with `searched` without `deterministic`."),
                ("Cache-Status" = String, description = "With `deterministic`, from the cache of results (RFC 9211): `hit`, with `detail=shared` from the shared \
                cache, or \
                `fwd=miss` with `stored`, or with `collapsed` where an equal request was being searched.")
            )
        ),
        GetSearchProblems
    )
)]
pub(crate) async fn get(
    State(state): State<AppState>,
    Arrived(arrived): Arrived,
    caller: Caller,
    rendering: Rendering,
    Query(request): Query<BreakdownRequest>,
) -> Result<Response, Problem> {
    break_down(&state, &request, (arrived, caller), rendering).await
}

/// Explain a position
///
/// Takes in its body what the `GET` takes in its query string.
#[utoipa::path(
    post, path = "/v1/eval-breakdown", tag = "evaluation", operation_id = "breakDown", request_body = BreakdownRequest,
    responses(
        (
            status = 200, description = "The breakdown; with `Accept: image/svg+xml` as a picture.",
            content((Breakdown = "application/json"), (String = "image/svg+xml")),
            headers(
                ("ETag" = String, description = "A strong validator of the reply's bytes; there is none with `searched` without `deterministic`."),
                ("Cache-Status" = String, description = "With `deterministic`, from the cache of results (RFC 9211): `hit`, with `detail=shared` from the shared \
                cache, or \
                `fwd=miss` with `stored`, or with `collapsed` where an equal request was being searched.")
            )
        ),
        PostSearchProblems
    )
)]
pub(crate) async fn post(
    State(state): State<AppState>,
    Arrived(arrived): Arrived,
    caller: Caller,
    rendering: Rendering,
    Body(request): Body<BreakdownRequest>,
) -> Result<Response, Problem> {
    break_down(&state, &request, (arrived, caller), rendering).await
}

async fn break_down(
    state: &AppState,
    request: &BreakdownRequest,
    origin: (Instant, Caller),
    rendering: Rendering,
) -> Result<Response, Problem> {
    let plan = SearchPlan::read(request, origin, state.limits())?;
    let subject = Subject::read(&request.position(), state.limits())?;
    let root = Explained::new(subject.evaluator, subject.game.clone());
    let leaf = match &plan {
        Some(plan) => Some(Leaf::find(state, &subject, plan).await?),
        None => None,
    };
    let bytes: Bytes = match rendering {
        Rendering::Svg => drawing::draw(&subject, &root, leaf.as_ref()).into(),
        Rendering::Json => json::bytes(&Breakdown::new(&subject, &root, leaf.as_ref()))?,
    };
    let content_type = match rendering {
        Rendering::Svg => SVG,
        Rendering::Json => "application/json",
    };
    let headers = [(header::CONTENT_TYPE, content_type), (header::VARY, "Accept")];
    let response = (headers, bytes.clone()).into_response();
    let is_pure = plan.is_none_or(|plan| plan.table == Table::Fresh);
    let response = if is_pure { tagged(response, &bytes) } else { response };
    Ok(with_origin(response, leaf.as_ref().and_then(Leaf::origin)))
}

impl Breakdown {
    /// Of the leaf where one was searched for, else of the position itself.
    fn new(subject: &Subject, root: &Explained, leaf: Option<&Leaf>) -> Self {
        let explained = leaf.map_or(root, |leaf| &leaf.explained);
        let (view, breakdown) = (subject.viewpoint(), &explained.breakdown);
        Self {
            fen: subject.fen(),
            turn: subject.turn().into(),
            pov: subject.pov,
            cp: view.of(breakdown.cp),
            in_check: explained.game.position().in_check(),
            phase: breakdown.phase.into(),
            blend: BlendReply::new(view, &breakdown.blending),
            terms: breakdown.terms.iter().map(|term| TermReply::new(view, term)).collect(),
            summary: breakdown.summary(view.side()),
            status: breakdown.status.into(),
            winner: SideName::winner(breakdown.status, explained.game.position().turn()),
            warnings: subject.warnings.clone(),
            leaf_fen: leaf.map(|leaf| leaf.explained.fen()),
            line: leaf.map(|leaf| Line::new(&subject.game, &leaf.moves)),
            search: leaf.map(|leaf| leaf.searched(subject)),
            remainder: leaf.map(|leaf| Remainder::new(subject, leaf)),
            change: leaf.map(|leaf| leaf.change_from(subject, root)),
            engine: identity(),
        }
    }
}

impl BlendReply {
    fn new(view: Viewpoint, blending: &Blending) -> Self {
        Self {
            mg: view.of(blending.sum.mg()),
            eg: view.of(blending.sum.eg()),
            tapered: view.of(blending.tapered),
            scale: Scale::new(blending.scale, blending.scale_reason.map(ScaleReason::name)),
            tempo: view.of(blending.tempo),
            rule50: Rule50 {
                halfmoves: blending.halfmoves,
                factor: f64::from(blending.damping) / f64::from(Blend::FULL_DAMPING),
            },
        }
    }
}

impl TermReply {
    fn new(view: Viewpoint, line: &TermLine) -> Self {
        Self {
            term: line.term.id(),
            white: line.white.into(),
            black: line.black.into(),
            total: view.weight(line.total),
            cp: view.of(line.cp),
            features: line.features.iter().map(|feature| FeatureReply::new(view, feature)).collect(),
        }
    }
}

impl FeatureReply {
    fn new(view: Viewpoint, line: &FeatureLine) -> Self {
        Self {
            name: line.feature.name(),
            side: line.side.into(),
            squares: line.squares.into_iter().map(|square| square.to_string()).collect(),
            mg: view.of(line.score.mg()),
            eg: view.of(line.score.eg()),
            cp: view.of(line.cp),
            text: line.text.clone(),
        }
    }
}
