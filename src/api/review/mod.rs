//! `POST /v1/games/review`: what a whole game was worth, move by move, in Lichess' names and by Lichess' formulas.

mod report;
mod study;
mod telling;
mod why;

use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::{HeaderValue, header};
use axum::response::Response;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::api::AppState;
use crate::api::accept::Delivery;
use crate::api::budget::Budget;
use crate::api::fields::{Depth, EvaluatorName, FenText, MoveTexts, Movetime, Nodes, Pov, VariantName};
use crate::api::input;
use crate::api::json;
use crate::api::problem::{Code, IllegalMove, Problem, ReviewProblems, sentence};
use crate::api::subject::{PositionFields, Subject, illegal_move};
use crate::api::thinking::{Allowance, within};
use crate::engine::chess::{Variant, parse_move, uci_move};
use crate::engine::eval::Evaluator;
use crate::game::pgn::{self, Caps, Fault, PgnError, Record};
use crate::pool::{Start, Timing};
use report::Reviews;
use study::{Study, Work};
use telling::ReviewEvent;

/// The largest body, in bytes: a few hundred games with their annotations.
pub(crate) const MAX_BYTES: usize = 1 << 20;
/// Games of one request.
pub(crate) const MAX_GAMES: usize = 64;
/// Variations within variations.
const MAX_NESTING: usize = 32;
/// What is searched for each position where nothing else is asked for.
pub(crate) const DEFAULT_NODES: u64 = 100_000;

/// Which games to review, and how.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct ReviewRequest {
    /// One game or several, with comments, variations, glyphs and `[%eval]`, as programs and people write them. Either this or
    /// `moves`.
    #[schema(max_length = 1_048_576, examples("1. e4 e5 2. Nf3 Nc6 3. Bc4 Nd4 4. Nxe5 Qg5 *"))]
    pgn: Option<String>,
    /// The position from which `moves` are played; by default the start position.
    fen: Option<FenText>,
    /// The moves of one game, in UCI or SAN.
    moves: Option<MoveTexts>,
    /// The rules of `moves`, and of games that do not name theirs; by default `standard`.
    variant: Option<VariantName>,
    /// By default `full`.
    evaluator: Option<EvaluatorName>,
    /// Search each position this deep. One of `depth`, `nodes` and `movetime`; by default so many `nodes` as `/v1/limits` says.
    depth: Option<Depth>,
    /// Search so many positions for each position of the game.
    nodes: Option<Nodes>,
    /// Think this long about each position, in milliseconds.
    movetime: Option<Movetime>,
    /// Take the scores from the PGN's own `[%eval]` comments instead of searching. By default false. Where a move has none, what
    /// depends on it is null.
    use_evals: Option<bool>,
}

/// Review games
///
/// Every game of a PGN, or one by its moves: for each half-move score, chance to win, accuracy and, where it was wrong, a judgment
/// with the better move and why it is better; for each player the judgments counted, the average centipawn loss and the accuracy.
/// Scores are White's; the formulas are Lichess', which take 100 centipawns for much the same lead as this engine does. As at
/// Lichess the start counts 15 centipawns, and the best move is never judged. The searches are spread over the server's
/// `bulk` pool and share its table.
///
/// With `Accept: text/event-stream` or `application/x-ndjson` a `progress` is told for each position, and in the end the `review`; what
/// is lost on the way is told as `error`. In silence a comment, or an empty line, follows every 5 s. Leaving stops the work.
#[utoipa::path(
    post, path = "/v1/games/review", tag = "games", operation_id = "reviewGames", request_body = ReviewRequest,
    responses(
        (
            status = 200, description = "The reviews; or, where a stream is preferred, how far they are, and then the reviews.",
            content(
                (Reviews = "application/json"), (ReviewEvent = "text/event-stream"), (ReviewEvent = "application/x-ndjson")
            )
        ),
        ReviewProblems
    )
)]
pub(crate) async fn post(
    State(state): State<AppState>,
    delivery: Delivery,
    request: Request,
) -> Result<Response, Problem> {
    let request: ReviewRequest = input::object(request, MAX_BYTES).await?;
    let place = state.pools().begin_bulk()?;
    let studies = studies(&state, request).await?;
    let work = Work::new(studies, state, place);
    let mut response = match delivery {
        Delivery::Whole => json::reply(&work.finish().await?)?,
        Delivery::Streamed(framing) => telling::tell(work, framing),
    };
    response.headers_mut().insert(header::VARY, HeaderValue::from_static("Accept"));
    Ok(response)
}

/// What is to be done.
struct Studies {
    games: Vec<Study>,
    evaluator: Evaluator,
    /// What each position may cost; nothing, where the games bring their scores.
    allowance: Option<Allowance>,
}

async fn studies(state: &AppState, request: ReviewRequest) -> Result<Studies, Problem> {
    let budget = Budget::one_of(request.depth, request.nodes, request.movetime)?;
    let uses_evals = request.use_evals == Some(true);
    refuse_contradictions(&request, budget, uses_evals)?;
    let fields = PositionFields {
        fen: request.fen.as_ref(),
        moves: None,
        variant: request.variant.unwrap_or_default(),
        pov: Pov::White,
        evaluator: request.evaluator.unwrap_or_default(),
        piece_values: None,
    };
    let start = Subject::read(&fields, state.limits())?;
    let evaluator = start.evaluator;
    let games: Vec<_> = match (request.pgn, &request.moves) {
        (Some(text), _) => {
            read(state, text, fields.variant.into()).await?.into_iter().map(Study::of_record).collect()
        }
        (None, moves) => vec![replay(start, moves.as_ref(), state)?],
    };
    if uses_evals && !games.iter().any(Study::has_evals) {
        let detail = "`useEvals` takes the scores from `[%eval]` comments, and the PGN has none.";
        return Err(Problem::new(Code::ConflictingFields, detail).in_field("useEvals"));
    }
    let searched =
        || Allowance::new(budget.unwrap_or(Budget::Nodes(DEFAULT_NODES)), None, Start::Work, state.limits());
    let allowance = if uses_evals { None } else { Some(searched()?) };
    Ok(Studies { games, evaluator, allowance })
}

fn refuse_contradictions(
    request: &ReviewRequest,
    budget: Option<Budget>,
    uses_evals: bool,
) -> Result<(), Problem> {
    let conflict = |field: &'static str, detail: &'static str| {
        Err(Problem::new(Code::ConflictingFields, detail).in_field(field))
    };
    match (&request.pgn, &request.moves) {
        (None, None) => {
            return conflict(
                "pgn",
                "Say which game: `pgn`, or `moves` (from `fen`, if it is not the start position).",
            );
        }
        (Some(_), Some(_)) => return conflict("moves", "Give either `pgn` or `moves`, not both."),
        (Some(_), None) if request.fen.is_some() => {
            return conflict(
                "fen",
                "A PGN says from which position it starts by its own tag `FEN`; `fen` goes with `moves`.",
            );
        }
        (None, Some(_)) if uses_evals => {
            return conflict("useEvals", "`useEvals` goes with `pgn`: `moves` have no scores.");
        }
        (Some(_), None) | (None, Some(_)) => {}
    }
    if uses_evals && budget.is_some() {
        return conflict(
            "useEvals",
            "With `useEvals` nothing is searched: it takes no `depth`, `nodes` or `movetime`.",
        );
    }
    Ok(())
}

/// The game of these moves.
fn replay(start: Subject, moves: Option<&MoveTexts>, state: &AppState) -> Result<Study, Problem> {
    let texts = || moves.into_iter().flat_map(MoveTexts::iter);
    within("moves", texts().count() as u64, state.limits().max_moves as u64)?;
    let mut game = start.game.clone();
    let mut played = Vec::new();
    for (ply, text) in texts().enumerate() {
        let mv = parse_move(game.position(), text)
            .map_err(|error| illegal_move(&error, &game, text, ply).in_field("moves"))?;
        game.play(mv);
        played.push(mv);
    }
    Ok(Study { record: Record::bare(start.game, &played), warnings: start.warnings })
}

/// Reads a PGN on a thread of the pool: a large one takes longer than the thread that serves a connection should be held.
async fn read(state: &AppState, text: String, variant: Variant) -> Result<Vec<Record>, Problem> {
    let timeout = Duration::from_millis(state.limits().request_timeout_ms);
    let timing = Timing { start: Start::Work, movetime: None, timeout };
    let caps = Caps { games: MAX_GAMES, plies: state.limits().max_moves, depth: MAX_NESTING };
    let read = state.pools().bulk.run(timing, move |_| pgn::read(&text, variant, caps))?.await?;
    let games = read.map_err(Problem::from)?;
    if games.is_empty() {
        return Err(Problem::new(Code::PgnSyntax, "The PGN has no game in it.").in_field("pgn"));
    }
    Ok(games)
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
            Fault::TooManyGames(_) | Fault::TooManyPlies(_) | Fault::TooDeep(_) => {
                Self::new(Code::LimitExceeded, detail)
            }
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
