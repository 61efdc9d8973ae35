//! `GET` and `POST /v1/best-move`: what to play.

mod telling;

use std::hash::{BuildHasher, RandomState};
use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;

use crate::api::AppState;
use crate::api::accept::{Delivery, Framing};
use crate::api::budget::Budget;
use crate::api::caller::Caller;
use crate::api::fields::{Depth, Elo, MoveTexts, Movetime, MultiPv, Nodes, Pov, Strategy, TimeoutMs};
use crate::api::input::{Arrived, Body, Query};
use crate::api::json;
use crate::api::problem::{Code, GetSearchProblems, PostSearchProblems, Problem};
use crate::api::reply::SideName;
use crate::api::searched::{Clockwork, Searched};
use crate::api::stream;
use crate::api::subject::{Subject, illegal_move, position_request};
use crate::api::thinking::{
    Allowance, Thought, few_enough, find, greedily, overhear, table, timeout, within,
};
use crate::api::validator::with_origin;
use crate::engine::chess::{Move, parse_move, san};
use crate::engine::search::{Handicap, SearchRequest};
use crate::pool::{Start, Table};
use telling::{BestMoveEvent, Question, tell};

position_request! {
    /// What to search and how far.
    pub(crate) struct BestMoveRequest {
        /// Search this deep. One of `depth`, `nodes` and `movetime`; by default a short `movetime` (see `/v1/limits`).
        pub(crate) depth: Option<Depth>,
        /// Search so many positions.
        pub(crate) nodes: Option<Nodes>,
        /// Think this long, in milliseconds from the arrival of the request.
        pub(crate) movetime: Option<Movetime>,
        /// Lines to report, by default 1. Also read as `multipv`, UCI's spelling.
        #[serde(alias = "multipv")]
        pub(crate) multi_pv: Option<MultiPv>,
        /// Choose among these moves only. Also read as `searchmoves`, UCI's spelling.
        #[serde(alias = "searchmoves")]
        pub(crate) search_moves: Option<MoveTexts>,
        /// By default `search`. `greedy` looks one ply ahead and takes neither limits nor `multiPv`, `searchMoves` or `elo`.
        pub(crate) strategy: Option<Strategy>,
        /// With `depth` or `nodes`: search with a fresh table on one thread and without the server's endgame tables, so
        /// that the same request gives the same bytes on every machine, with a strong `ETag`. By default false.
        pub(crate) deterministic: Option<bool>,
        /// Answer within this time whatever the other limits, with the best found until then.
        pub(crate) timeout_ms: Option<TimeoutMs>,
        /// Play like an opponent of this strength, who errs as people do: roughly on the scale of Stockfish's `UCI_Elo`, with the
        /// evaluator `full`. It searches as many positions as its strength needs, whatever the machine; `depth`, `nodes` and `movetime` can
        /// only shorten that, and so weaken it more. Of the lines the first is that of the move it takes, with the score that its
        /// search gives it; the others are the best of the rest, some with a bound only. Its errors are others every time; with
        /// `deterministic`, which needs no limit here, they are the same for the same position and strength. Not with `greedy`.
        pub(crate) elo: Option<Elo>,
    }
}

/// The move to play and the lines behind it.
#[derive(Serialize, ToSchema)]
pub(crate) struct BestMove {
    /// The position after `moves`, in canonical X-FEN.
    #[schema(examples("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"))]
    fen: String,
    turn: SideName,
    pov: Pov,
    /// The move in UCI; null if the game is over, for which `status` gives the reason.
    #[schema(required = true, examples("d2d4"))]
    bestmove: Option<String>,
    /// The move in SAN.
    #[schema(required = true, examples("d4"))]
    san: Option<String>,
    /// Where the move starts.
    #[schema(required = true, pattern = "^[a-h][1-8]$", examples("d2"))]
    from: Option<String>,
    /// Where it ends; the rook's square where Chess960 castles.
    #[schema(required = true, pattern = "^[a-h][1-8]$", examples("d4"))]
    to: Option<String>,
    /// What a pawn becomes: `q`, `r`, `b` or `n`.
    #[schema(required = true, pattern = "^[qrbn]$", examples(json!(null)))]
    promotion: Option<String>,
    /// The strength of the opponent that chose the move, where the request has one; otherwise absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, minimum = 500, maximum = 2600)]
    elo: Option<u64>,
    /// The reply expected, in UCI.
    #[schema(required = true, examples("d7d5"))]
    ponder: Option<String>,
    #[serde(flatten)]
    search: Searched,
}

/// Choose a move
///
/// The best move with its lines. Where the game is over, `bestmove` is null and `status` says why.
///
/// With `Accept: text/event-stream` (server-sent events) or `application/x-ndjson` (a JSON object a line) the search is told
/// while it runs: an `info` after each finished iteration, with all lines that were asked for, and in the end a `bestmove`;
/// `event` says which is which, and so does the name of the event. In silence a comment, or an empty line, follows every 5 s. What
/// is refused, or lost before the stream has said anything, is an error with a status; a search that is lost later is told as
/// `error`. Leaving stops the search. A browser's `EventSource` asks again when a stream ends: close it at `bestmove`.
#[utoipa::path(
    get, path = "/v1/best-move", tag = "moves", operation_id = "getBestMove", params(BestMoveRequest),
    responses(
        (
            status = 200, description = "The move; or, where a stream is preferred, the search while it runs.",
            content(
                (BestMove = "application/json"), (BestMoveEvent = "text/event-stream"),
                (BestMoveEvent = "application/x-ndjson")
            ),
            headers(
                ("ETag" = String, description = "With `deterministic`: a strong validator of the reply's bytes."),
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
    delivery: Delivery,
    Query(request): Query<BestMoveRequest>,
) -> Result<Response, Problem> {
    best_move(&state, &request, (arrived, caller), delivery).await
}

/// Choose a move
///
/// Takes in its body what the `GET` takes in its query string.
#[utoipa::path(
    post, path = "/v1/best-move", tag = "moves", operation_id = "findBestMove", request_body = BestMoveRequest,
    responses(
        (
            status = 200, description = "The move; or, where a stream is preferred, the search while it runs.",
            content(
                (BestMove = "application/json"), (BestMoveEvent = "text/event-stream"),
                (BestMoveEvent = "application/x-ndjson")
            ),
            headers(
                ("ETag" = String, description = "With `deterministic`: a strong validator of the reply's bytes."),
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
    delivery: Delivery,
    Body(request): Body<BestMoveRequest>,
) -> Result<Response, Problem> {
    best_move(&state, &request, (arrived, caller), delivery).await
}

async fn best_move(
    state: &AppState,
    request: &BestMoveRequest,
    origin: (Instant, Caller),
    delivery: Delivery,
) -> Result<Response, Problem> {
    let mut response = answer(state, request, origin, delivery).await?;
    response.headers_mut().insert(header::VARY, HeaderValue::from_static("Accept"));
    Ok(response)
}

async fn answer(
    state: &AppState,
    request: &BestMoveRequest,
    (arrived, Caller(client)): (Instant, Caller),
    delivery: Delivery,
) -> Result<Response, Problem> {
    let own_budget = Budget::one_of(request.depth, request.nodes, request.movetime)?;
    let budget = own_budget.or_else(|| request.elo.map(|elo| nodes_of(elo, state)));
    let table = table_for(request, budget)?;
    let subject = Subject::read(&request.position(), state.limits())?;
    let timeout_ms = request.timeout_ms.map(TimeoutMs::get);
    let elo = request.elo.map(Elo::get);
    let thought = match request.strategy.unwrap_or_default() {
        Strategy::Greedy => {
            timeout(timeout_ms, state.limits())?;
            refuse_company_of_greedy(request, budget)?;
            greedily(&subject.game, subject.evaluator, Start::Arrival(arrived))
        }
        Strategy::Search => {
            let default = || Budget::Movetime(Duration::from_millis(state.limits().default_movetime_ms));
            let budget = budget.unwrap_or_else(default);
            let start = Start::Arrival(arrived);
            let allowance = Allowance::new(client, budget, timeout_ms, start, state.limits())?;
            let question = SearchRequest {
                multi_pv: lines(request, state)?,
                search_moves: choice(request, &subject, state)?,
                handicap: request.elo.map(|elo| handicap(elo, table)),
                ..SearchRequest::new(subject.game.clone(), subject.evaluator, allowance.limits())
            };
            if let Delivery::Streamed(framing) = delivery
                && !subject.status.is_over()
            {
                let search = overhear(state, question, allowance, table)?;
                return tell(Question { subject, allowance, table, elo }, search, framing).await;
            }
            find(state, question, &allowance, table).await?
        }
    };
    let reply = BestMove::new(&subject, &thought, thought.clockwork(table), elo);
    if let Delivery::Streamed(framing) = delivery {
        return Ok(stream::whole(framing, reply.event(framing)));
    }
    match table {
        Table::Shared => json::reply(&reply),
        // How far an opponent looks has a bound of this server's.
        Table::Fresh if elo.is_some() && own_budget.is_none() => {
            Ok(with_origin(json::as_set_up(&reply)?, thought.origin))
        }
        Table::Fresh => Ok(with_origin(json::pure(&reply)?, thought.origin)),
    }
}

/// The one-ply choice needs no limit to be the same everywhere.
fn table_for(request: &BestMoveRequest, budget: Option<Budget>) -> Result<Table, Problem> {
    match (request.strategy, request.deterministic) {
        (Some(Strategy::Greedy), Some(true)) => Ok(Table::Fresh),
        _ => table(request.deterministic, budget),
    }
}

/// What a weaker opponent needs, where this server allows so much.
fn nodes_of(elo: Elo, state: &AppState) -> Budget {
    Budget::Nodes(elo.strength().nodes().min(state.limits().max_nodes))
}

/// A weaker opponent, whose errors nobody can foretell where nobody asked for that.
fn handicap(elo: Elo, table: Table) -> Handicap {
    let seed = match table {
        Table::Shared => RandomState::new().hash_one(()),
        Table::Fresh => 0,
    };
    Handicap { elo: elo.strength(), seed }
}

fn refuse_company_of_greedy(request: &BestMoveRequest, budget: Option<Budget>) -> Result<(), Problem> {
    let surplus = match () {
        () if request.elo.is_some() => "elo",
        () if budget.is_some() => "depth`, `nodes` or `movetime",
        () if request.multi_pv.is_some() => "multiPv",
        () if request.search_moves.is_some() => "searchMoves",
        () => return Ok(()),
    };
    let detail = format!("The strategy `greedy` looks exactly one ply ahead and takes no `{surplus}`.");
    Err(Problem::new(Code::ConflictingFields, detail).in_field("strategy"))
}

fn lines(request: &BestMoveRequest, state: &AppState) -> Result<NonZeroUsize, Problem> {
    let Some(wanted) = request.multi_pv else { return Ok(NonZeroUsize::MIN) };
    if let Some(count) = wanted.count() {
        within("multiPv", count, state.limits().max_multi_pv as u64)?;
    }
    Ok(wanted.lines())
}

/// The moves to choose from. An empty list is taken for what it says in UCI, nothing: all moves.
fn choice(request: &BestMoveRequest, subject: &Subject, state: &AppState) -> Result<Vec<Move>, Problem> {
    let Some(texts) = &request.search_moves else { return Ok(Vec::new()) };
    few_enough("searchMoves", texts.iter().len(), state.limits())?;
    let chosen = texts.iter().enumerate().map(|(index, text)| {
        parse_move(subject.position(), text).map_err(|error| {
            illegal_move(&error, &subject.game, text, index, subject.rights).in_field("searchMoves")
        })
    });
    chosen.collect()
}

impl BestMove {
    /// The last piece of a stream.
    fn event(self, framing: Framing) -> Bytes {
        BestMoveEvent::bestmove(self).piece(framing)
    }

    fn new(subject: &Subject, thought: &Thought, clockwork: Clockwork, elo: Option<u64>) -> Self {
        let best = thought.report.best_move();
        let uci = best.map(|mv| subject.uci(mv));
        let part =
            |range: std::ops::Range<usize>| uci.as_ref().and_then(|uci| uci.get(range)).map(str::to_owned);
        Self {
            fen: subject.fen(),
            turn: subject.turn().into(),
            pov: subject.pov,
            san: best.map(|mv| san::format(subject.position(), mv)),
            from: part(0..2),
            to: part(2..4),
            promotion: part(4..5),
            elo,
            ponder: thought.report.ponder_move().map(|mv| subject.uci(mv)),
            search: Searched::new(subject, &thought.report, thought.stop_reason, clockwork),
            bestmove: uci,
        }
    }
}
