//! `POST /v1/games/review`: what a whole game was worth, move by move, in Lichess' names and by Lichess' formulas.

mod annotated;
mod chart;
mod report;
mod request;
mod reviewed;
mod study;
mod telling;
mod why;

use std::convert::Infallible;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use axum::body::Bytes;
use axum::extract::{FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};

use crate::api::AppState;
use crate::api::accept::{EVENTS, Framing, JSON, LINES, PGN, SVG, preferred};
use crate::api::budget::Budget;
use crate::api::caller::Caller;
use crate::api::fields::{FenText, MoveTexts, Pov};
use crate::api::json;
use crate::api::problem::{Code, IllegalMove, Problem, ReviewProblems, sentence};
use crate::api::subject::{PositionFields, Subject, illegal_move};
use crate::api::thinking::{Allowance, few_enough};
use crate::config::Limits;
use crate::engine::chess::{Variant, parse_move, uci_move};
use crate::engine::eval::Evaluator;
use crate::game::pgn::{self, Caps, Fault, PgnError, Record};
use crate::pool::{Client, Start};
use annotated::annotated;
use chart::drawn;
use report::Reviews;
use request::{Asked, ReviewRequest, ReviewSettings, Source};
use study::{Finding, Study, Work, unhurried};
use telling::ReviewEvent;
use why::Explainer;

/// The largest body, in bytes: a few thousand bare games, or hundreds with annotations.
pub(crate) const MAX_BYTES: usize = 4 << 20;
/// Games of one request.
pub(crate) const MAX_GAMES: usize = 2_000;
/// Half-moves of one request, with those of variations.
pub(crate) const MAX_MOVES: usize = 100_000;
/// Tags of a game: no program writes half as many.
pub(crate) const MAX_TAGS: usize = 256;
/// Comments of one request: two for each half-move. In a body of comments alone there would be seven times as many, each of which
/// takes more memory than its bytes.
pub(crate) const MAX_COMMENTS: usize = 2 * MAX_MOVES;
/// Variations within variations.
const MAX_NESTING: usize = 32;
/// What is searched for each position where nothing else is asked for, and this server allows as much.
const DEFAULT_NODES: u64 = 100_000;

/// What this server searches for each position where nothing else is asked for.
pub(crate) fn default_nodes(caps: &Limits) -> u64 {
    DEFAULT_NODES.min(caps.max_nodes)
}

/// The form of a review.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// Data; what is sent unless another form is preferred, and to clients that would take none of them.
    Json,
    /// The games with annotations.
    Pgn,
    /// The course of the games as a picture.
    Svg,
    /// Data, and before it how far the work is.
    Streamed(Framing),
}

impl<S: Sync> FromRequestParts<S> for Form {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        let streams = [(EVENTS, Framing::Events), (LINES, Framing::Lines)];
        let [events, lines] = streams.map(|(media_type, framing)| (media_type, Self::Streamed(framing)));
        let whole = [(JSON, Self::Json), (PGN, Self::Pgn), (SVG, Self::Svg)];
        let [json, pgn, svg] = whole;
        Ok(preferred(&parts.headers, [json, pgn, svg, events, lines]))
    }
}

/// Review games
///
/// Every game of a PGN, or one by its moves: for each half-move score, chance to win, accuracy and, where it was wrong, a judgment
/// with the better move and why it is better; for each player the judgments counted, the average centipawn loss and the accuracy.
/// Scores are White's; the formulas are Lichess', which take 100 centipawns for much the same lead as this engine does. As at
/// Lichess the start counts 15 centipawns, and the best move is never judged. The searches are spread over the server's
/// `bulk` pool and share its table.
///
/// The games come in a JSON body, or as they are, as `application/x-chess-pgn`; the other fields are then taken from the query
/// string.
///
/// With `Accept: application/x-chess-pgn` the games come back with a score, and where a move was wrong a glyph, a sentence and the
/// better line; what others have said stays, and what of a variation is no legal move is put in a comment. With
/// `Accept: image/svg+xml` the course of each game is drawn.
///
/// With `Accept: text/event-stream` or `application/x-ndjson` a `progress` is told for each position, and in the end the `review`; what
/// is lost on the way is told as `error`. In silence a comment, or an empty line, follows every 5 s. Leaving stops the work.
#[utoipa::path(
    post, path = "/v1/games/review", tag = "games", operation_id = "reviewGames", params(ReviewSettings),
    request_body(content((ReviewRequest = "application/json"), (String = "application/x-chess-pgn"))),
    responses(
        (
            status = 200, description = "The reviews; or, where another form is preferred, the games with annotations, their course as a \
                picture, or how far the reviews are and then the reviews.",
            content(
                (Reviews = "application/json"), (String = "application/x-chess-pgn"), (String = "image/svg+xml"),
                (ReviewEvent = "text/event-stream"), (ReviewEvent = "application/x-ndjson")
            )
        ),
        ReviewProblems
    )
)]
pub(crate) async fn post(
    State(state): State<AppState>,
    Caller(client): Caller,
    form: Form,
    request: Request,
) -> Result<Response, Problem> {
    // Before the body is read: what waits in memory is bounded by the places too.
    let place = state.pools().begin_bulk(client)?;
    let asked = request::read(request).await?;
    let studies = studies(&state, place.client(), asked).await?;
    let work = Work::new(studies, state, place);
    let mut response = match form {
        Form::Json => json::from_bytes(
            work.finish(|games, explainer| json::bytes(&Reviews::new(games, explainer)?)).await?,
        ),
        Form::Pgn => {
            let made = work.finish(|games, Explainer { stop, .. }| Ok(annotated(games, stop)?.into()));
            written(PGN, made.await?)
        }
        Form::Svg => {
            let made = work.finish(|games, Explainer { stop, .. }| Ok(drawn(games, stop)?.into()));
            written(SVG, made.await?)
        }
        Form::Streamed(framing) => telling::tell(work, framing),
    };
    response.headers_mut().insert(header::VARY, HeaderValue::from_static("Accept"));
    Ok(response)
}

fn written(media_type: &'static str, bytes: Bytes) -> Response {
    ([(header::CONTENT_TYPE, media_type)], bytes).into_response()
}

/// What is to be done.
struct Studies {
    games: Vec<Study>,
    evaluator: Evaluator,
    scores: Scores,
}

/// Where the scores of positions come from.
enum Scores {
    /// From searches; what each position may cost.
    Searched(Allowance),
    /// From the games' own comments; what they say of each position of each game.
    Told(Vec<Vec<Finding>>),
}

async fn studies(state: &AppState, client: Client, asked: Asked) -> Result<Studies, Problem> {
    let Asked { source, settings } = asked;
    let caps = state.limits();
    let budget = settings.budget()?.unwrap_or_else(|| Budget::Nodes(default_nodes(caps)));
    let allowance = Allowance::new(client, budget, None, Start::Work, caps)?;
    let variant = settings.variant.unwrap_or_default();
    let start = |fen: Option<&FenText>| {
        let evaluator = settings.evaluator.unwrap_or_default();
        let piece_values = settings.piece_values;
        let fields = PositionFields { fen, moves: None, variant, pov: Pov::White, evaluator, piece_values };
        Subject::read(&fields, caps)
    };
    let evaluator = start(None)?.evaluator;
    let (games, scores) = match source {
        Source::Pgn(text) if settings.uses_evals() => {
            in_pool(state, client, move |caps, stop| {
                let games = read(&text, variant.into(), caps, stop)?;
                let told = told(&games, stop)?;
                Ok((games, Scores::Told(told)))
            })
            .await?
        }
        Source::Pgn(text) => {
            let games = in_pool(state, client, move |caps, stop| read(&text, variant.into(), caps, stop));
            (games.await?, Scores::Searched(allowance))
        }
        Source::Moves { fen, moves } => {
            (vec![replay(start(fen.as_ref())?, &moves, state)?], Scores::Searched(allowance))
        }
    };
    Ok(Studies { games, evaluator, scores })
}

/// The game of these moves.
fn replay(start: Subject, moves: &MoveTexts, state: &AppState) -> Result<Study, Problem> {
    few_enough("moves", moves.iter().len(), state.limits())?;
    let mut game = start.game.clone();
    let mut played = Vec::new();
    for (ply, text) in moves.iter().enumerate() {
        let mv = parse_move(game.position(), text)
            .map_err(|error| illegal_move(&error, &game, text, ply, start.rights).in_field("moves"))?;
        game.play(mv);
        played.push(mv);
    }
    Ok(Study { record: Record::bare(start.game, &played), warnings: start.warnings })
}

/// Does what has to do with whole games on a thread of the pool: it takes longer than the thread that serves a connection should
/// be held.
async fn in_pool<T: Send + 'static>(
    state: &AppState,
    client: Client,
    work: impl FnOnce(Caps, &AtomicBool) -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    let caps = Caps {
        games: MAX_GAMES,
        plies: state.limits().max_moves,
        moves: MAX_MOVES,
        tags: MAX_TAGS,
        comments: MAX_COMMENTS,
        depth: MAX_NESTING,
    };
    state.pools().bulk.run(client, unhurried(state), move |stop| work(caps, stop))?.await?
}

fn read(text: &str, variant: Variant, caps: Caps, stop: &AtomicBool) -> Result<Vec<Study>, Problem> {
    let games = pgn::read(text, variant, caps, stop)?;
    if games.is_empty() {
        return Err(Problem::new(Code::PgnSyntax, "The PGN has no game in it.").in_field("pgn"));
    }
    Ok(games.into_iter().map(Study::of_record).collect())
}

/// What the comments of games say of their positions; one game has to have scores at least.
fn told(games: &[Study], stop: &AtomicBool) -> Result<Vec<Vec<Finding>>, Problem> {
    if !games.iter().any(Study::has_evals) {
        let detail =
            "`useEvals` takes the scores from `[%eval]` comments, and the PGN has none that can be read.";
        return Err(Problem::new(Code::ConflictingFields, detail).in_field("useEvals"));
    }
    games.iter().map(|game| game.told(stop)).collect()
}

/// Lets work on a thread of the pool go on, which has to look at its stop flag.
///
/// # Errors
/// `timeout`, once the flag is raised.
fn go_on(stop: &AtomicBool) -> Result<(), Problem> {
    if stop.load(Relaxed) { Err(overdue()) } else { Ok(()) }
}

fn overdue() -> Problem {
    Problem::new(Code::Timeout, "The review was not ready in time; send fewer games, or shorter ones.")
}

impl From<PgnError> for Problem {
    fn from(error: PgnError) -> Self {
        let detail = sentence(&error);
        let problem = match error.fault {
            Fault::Tag
            | Fault::OpenComment
            | Fault::OpenVariation
            | Fault::EarlyVariation
            | Fault::Stray(_)
            | Fault::Glyph
            | Fault::EarlyGlyph(_)
            | Fault::Word(_)
            | Fault::Variant(_) => Self::new(Code::PgnSyntax, detail),
            Fault::TooManyGames(_)
            | Fault::TooManyPlies(_)
            | Fault::TooManyMoves(_)
            | Fault::TooManyTags(_)
            | Fault::TooManyComments(_)
            | Fault::TooDeep(_) => Self::new(Code::LimitExceeded, detail),
            Fault::Stopped => return overdue(),
            Fault::Fen(fault) => Self::new(Self::from(fault).code(), detail),
            Fault::Move { ply, text, game, .. } => {
                let legal = game.position().legal_moves();
                let legal_moves = legal.iter().map(|mv| uci_move::format(*mv, game.variant())).collect();
                Self::new(Code::IllegalMove, detail).with_illegal_move(IllegalMove { ply, text, legal_moves })
            }
        };
        problem.in_field("pgn")
    }
}
