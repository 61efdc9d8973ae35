//! `GET` and `POST /v1/evaluate`: what a position is worth.

use std::time::Instant;

use axum::extract::State;
use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;

use crate::api::AppState;
use crate::api::budget::Budget;
use crate::api::caller::Caller;
use crate::api::fields::{Depth, EvaluatorName, Movetime, Nodes, Pov};
use crate::api::identity::{EngineIdentity, identity};
use crate::api::input::{Arrived, Body, Query};
use crate::api::json;
use crate::api::problem::{GetSearchProblems, PostSearchProblems, Problem};
use crate::api::reply::{Phase, SideName, StatusName, Warning};
use crate::api::score::{Score, Wdl, Worth};
use crate::api::searched::Searched;
use crate::api::subject::{Subject, position_request};
use crate::api::thinking::{Allowance, Thought, resolve_and_search, resolve_captures, search};
use crate::config::Limits as Caps;
use crate::engine::eval::material::{Signature, Source};
use crate::engine::eval::win;
use crate::engine::eval::{Evaluate, Evaluator, Material};
use crate::engine::search::{Quiescence, SearchRequest};
use crate::pool::{Client, Pool, Start, Table};

position_request! {
    /// What to evaluate and how.
    pub(crate) struct EvaluateRequest {
        /// Also evaluate after captures are resolved. By default false. With a search it is part of the search's time, and
        /// comes first.
        pub(crate) quiescence: Option<bool>,
        /// Also search this deep. At most one of `depth`, `nodes` and `movetime`.
        pub(crate) depth: Option<Depth>,
        /// Also search so many positions.
        pub(crate) nodes: Option<Nodes>,
        /// Also search this long, in milliseconds from the arrival of the request.
        pub(crate) movetime: Option<Movetime>,
    }
}

/// What a position is worth: statically, and where asked for after captures and after a search.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Evaluation {
    /// The position after `moves`, in canonical X-FEN.
    #[schema(examples("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"))]
    fen: String,
    turn: SideName,
    pov: Pov,
    /// Centipawns, from the point of view that `pov` names: the search's where one was asked for, else the static one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, examples(28))]
    cp: Option<i32>,
    /// Moves to mate instead of `cp`, negative if the side of `pov` is mated; 0 with the mate on the board.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    mate: Option<i32>,
    /// The score to be expected in percent of a win, from the point of view that `pov` names: the chance to win and half of
    /// the chance to draw.
    #[schema(minimum = 0.0, maximum = 100.0, examples(52.6))]
    win_percent: f64,
    wdl: Wdl,
    /// The name of the model behind `winPercent` and `wdl`: from centipawns and phase to the results of this engine's own
    /// games. A lead of about 100 centipawns wins half of them.
    #[schema(value_type = String, examples("centipawn-selfplay-6"))]
    win_model: &'static str,
    /// The static evaluation; 0 in a game that is drawn.
    r#static: Worth,
    /// With `quiescence`: the evaluation after captures are resolved.
    #[schema(required = true)]
    quiescence: Option<Worth>,
    /// With `quiescence`: whether the static number can be trusted here, because no capture, promotion or check
    /// changes it by more than half a pawn. Never where the time was over before all captures were resolved.
    #[schema(required = true)]
    quiet: Option<bool>,
    /// With `depth`, `nodes` or `movetime`: what the search says.
    #[schema(required = true)]
    search: Option<Searched>,
    phase: Phase,
    material: MaterialBalance,
    status: StatusName,
    /// The side that has won, with `checkmate`.
    #[schema(required = true)]
    winner: Option<SideName>,
    /// Whether the side to move is in check.
    in_check: bool,
    evaluator: EvaluatorName,
    /// What was repaired in the request.
    warnings: Vec<Warning>,
    engine: EngineIdentity,
}

/// What the pieces on the board are worth by themselves.
#[derive(Serialize, ToSchema)]
pub(crate) struct MaterialBalance {
    /// White's pieces, `v`, Black's pieces.
    #[schema(pattern = "^K[QRBNP]*vK[QRBNP]*$", examples("KQRRBBNNPPPPPPPPvKQRRBBNNPPPPPPPP"))]
    signature: String,
    /// The balance in centipawns, imbalances and draw knowledge included, from the point of view that `pov` names.
    #[schema(examples(0))]
    cp: i32,
    source: MaterialSource,
}

/// Where the material's entry came from.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(examples("table"))]
pub(crate) enum MaterialSource {
    /// The precomputed table of the usual constellations.
    Table,
    /// The hash table of all others.
    Hash,
}

impl From<Source> for MaterialSource {
    fn from(source: Source) -> Self {
        match source {
            Source::Table => Self::Table,
            Source::Hash => Self::Hash,
        }
    }
}

/// Evaluate a position
///
/// Statically; with `quiescence` also after captures are resolved; with one of `depth`, `nodes` and `movetime` also by
/// search. A mated position is `mate: 0` with `status` and `winner`; a game drawn by rule is `cp: 0`.
#[utoipa::path(
    get, path = "/v1/evaluate", tag = "evaluation", operation_id = "getEvaluation", params(EvaluateRequest),
    responses(
        (
            status = 200, description = "The evaluation.", body = Evaluation,
            headers(("ETag" = String, description = "A strong validator of a static evaluation; with `quiescence` or a limit there is none."))
        ),
        GetSearchProblems
    )
)]
pub(crate) async fn get(
    State(state): State<AppState>,
    Arrived(arrived): Arrived,
    caller: Caller,
    Query(request): Query<EvaluateRequest>,
) -> Result<Response, Problem> {
    evaluate(&state, &request, arrived, caller).await
}

/// Evaluate a position
///
/// Takes in its body what the `GET` takes in its query string.
#[utoipa::path(
    post, path = "/v1/evaluate", tag = "evaluation", operation_id = "evaluate", request_body = EvaluateRequest,
    responses(
        (
            status = 200, description = "The evaluation.", body = Evaluation,
            headers(("ETag" = String, description = "A strong validator of a static evaluation; with `quiescence` or a limit there is none."))
        ),
        PostSearchProblems
    )
)]
pub(crate) async fn post(
    State(state): State<AppState>,
    Arrived(arrived): Arrived,
    caller: Caller,
    Body(request): Body<EvaluateRequest>,
) -> Result<Response, Problem> {
    evaluate(&state, &request, arrived, caller).await
}

/// The static part is computed here and now: it costs less than the hand-over to another thread would (one or two
/// microseconds against dozens, by `benches/hand_over.rs`). What searches goes to the pool, quiescence too, because
/// captures can explode.
async fn evaluate(
    state: &AppState,
    request: &EvaluateRequest,
    arrived: Instant,
    Caller(client): Caller,
) -> Result<Response, Problem> {
    let caps = state.limits();
    let limits = (request.depth, request.nodes, request.movetime);
    let wish = Wish::read(client, request.quiescence, limits, Start::Arrival(arrived), caps)?;
    let subject = Subject::read(&request.position(), caps)?;
    if wish.is_instant(&subject) {
        json::pure(&wish.grant(&subject))
    } else {
        json::reply(&wish.fulfil(&subject, &state.pools().interactive, caps).await?)
    }
}

/// What is wanted of a position beside its static evaluation.
pub(crate) struct Wish {
    client: Client,
    quiescence: bool,
    allowance: Option<Allowance>,
    start: Start,
}

impl Wish {
    /// What the fields of a request of `client` ask for, in the time that begins at `start`.
    ///
    /// # Errors
    /// `conflicting_fields` for several limits, `limit_exceeded` for one beyond the caps.
    pub(crate) fn read(
        client: Client,
        quiescence: Option<bool>,
        (depth, nodes, movetime): (Option<Depth>, Option<Nodes>, Option<Movetime>),
        start: Start,
        caps: &Caps,
    ) -> Result<Self, Problem> {
        let budget = Budget::one_of(depth, nodes, movetime)?;
        let allowance = budget.map(|budget| Allowance::new(client, budget, None, start, caps)).transpose()?;
        Ok(Self { client, quiescence: quiescence == Some(true), allowance, start })
    }

    /// Whether nothing has to be searched for it.
    pub(crate) fn is_instant(&self, subject: &Subject) -> bool {
        self.allowance.is_none() && !self.resolves(subject)
    }

    /// Whether captures have to be resolved: in a game that is over there are none.
    fn resolves(&self, subject: &Subject) -> bool {
        self.quiescence && !subject.status.is_over()
    }

    /// The evaluation where nothing has to be searched.
    pub(crate) fn grant(&self, subject: &Subject) -> Evaluation {
        self.granted(subject, None, None)
    }

    /// The evaluation with what is searched for it on a thread of a pool.
    ///
    /// # Errors
    /// Those of the searches.
    pub(crate) async fn fulfil(
        &self,
        subject: &Subject,
        pool: &Pool,
        caps: &Caps,
    ) -> Result<Evaluation, Problem> {
        let (resolved, thought) = match &self.allowance {
            Some(allowance) => {
                let question =
                    SearchRequest::new(subject.game.clone(), subject.evaluator, allowance.limits());
                if self.resolves(subject) {
                    let both = resolve_and_search(pool, question, allowance, Table::Shared).await?;
                    (Some(both.0), Some(both.1))
                } else {
                    (None, Some(search(pool, question, allowance, Table::Shared).await?))
                }
            }
            None => (Some(resolve_captures(pool, self.client, subject, (self.start, caps)).await?), None),
        };
        Ok(self.granted(subject, resolved, thought.as_ref()))
    }

    fn granted(
        &self,
        subject: &Subject,
        resolved: Option<Quiescence>,
        thought: Option<&Thought>,
    ) -> Evaluation {
        let mut evaluation = Evaluation::of(subject);
        if self.quiescence {
            evaluation.settle(subject, resolved);
        }
        if let Some(thought) = thought {
            evaluation.tell(subject, thought);
        }
        evaluation
    }
}

impl Evaluation {
    /// The static part.
    fn of(subject: &Subject) -> Self {
        let (view, score) = (subject.viewpoint(), subject.static_score());
        let (win_percent, wdl) = view.prospects(score, subject.phase());
        Self {
            fen: subject.fen(),
            turn: subject.turn().into(),
            pov: subject.pov,
            cp: view.cp(score),
            mate: view.mate(score),
            win_percent,
            wdl,
            win_model: win::MODEL,
            r#static: view.worth(score),
            quiescence: None,
            quiet: None,
            search: None,
            phase: subject.phase().into(),
            material: MaterialBalance::of(subject),
            status: subject.status.into(),
            winner: subject.winner(),
            in_check: subject.position().in_check(),
            evaluator: subject.evaluator_name,
            warnings: subject.warnings.clone(),
            engine: identity(),
        }
    }

    /// Says what is left once captures are resolved. A game that is over has settled.
    fn settle(&mut self, subject: &Subject, resolved: Option<Quiescence>) {
        let (score, quiet) = resolved.map_or_else(
            || (subject.static_score(), true),
            |resolved| (Score::of_search(resolved.score, subject.turn()), resolved.quiet),
        );
        self.quiescence = Some(subject.viewpoint().worth(score));
        self.quiet = Some(quiet);
    }

    /// Says what a search found, and puts its score at the top.
    fn tell(&mut self, subject: &Subject, thought: &Thought) {
        if let Some(line) = thought.report.lines.first().filter(|line| !line.moves.is_empty()) {
            let (view, score) = (subject.viewpoint(), Score::of_search(line.score, subject.turn()));
            self.cp = view.cp(score);
            self.mate = view.mate(score);
            (self.win_percent, self.wdl) = view.prospects(score, subject.phase());
        }
        let clockwork = thought.clockwork(Table::Shared);
        self.search = Some(Searched::new(subject, &thought.report, thought.stop_reason, clockwork));
    }
}

impl MaterialBalance {
    fn of(subject: &Subject) -> Self {
        let key = subject.position().material();
        let counted = Evaluator::Material(Material { values: subject.evaluator.piece_values() });
        Self {
            signature: Signature::new(key).text(),
            cp: subject.viewpoint().of(counted.evaluate(subject.position())),
            source: Source::of(key).into(),
        }
    }
}
