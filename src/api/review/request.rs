//! What is asked of a review, in JSON or as a PGN with settings in the query string.

use axum::extract::{FromRequestParts, Request};
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa::openapi::path::{Parameter, ParameterIn};

use super::MAX_BYTES;
use crate::api::budget::Budget;
use crate::api::fields::{
    Depth, EvaluatorName, FenText, MoveTexts, Movetime, Nodes, PieceValuesName, VariantName, query_parameters,
};
use crate::api::input::{self, BODY_TIMEOUT, Query};
use crate::api::problem::{Code, Problem};
use crate::game::pgn;

/// Which games to review, and how.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct ReviewRequest {
    /// One game or several, with comments, variations, glyphs and `[%eval]`, as programs and people write them. Either this or
    /// `moves`.
    #[schema(max_length = 4_194_304, examples("1. e4 e5 2. Nf3 Nc6 3. Bc4 Nd4 4. Nxe5 Qg5 *"))]
    pgn: Option<String>,
    /// The position from which `moves` are played; by default the start position.
    fen: Option<FenText>,
    /// The moves of one game, in UCI or SAN.
    moves: Option<MoveTexts>,
    /// The rules of `moves`, and of games that do not name theirs; by default `standard`.
    variant: Option<VariantName>,
    /// By default `full`.
    evaluator: Option<EvaluatorName>,
    /// With the evaluators `count`, `material` and `psqt`; by default `classic`.
    piece_values: Option<PieceValuesName>,
    /// Search each position this deep. One of `depth`, `nodes` and `movetime`; by default so many `nodes` as `/v1/limits` says.
    depth: Option<Depth>,
    /// Search so many positions for each position of the game.
    nodes: Option<Nodes>,
    /// Think this long about each position, in milliseconds.
    movetime: Option<Movetime>,
    /// Take the scores from the PGN's own `[%eval]` comments instead of searching. By default false. Where a move has none, or
    /// one that cannot be read, what depends on it is null.
    use_evals: Option<bool>,
}

/// How to review the games of a body that is a PGN: the fields of the JSON body of the same names.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct ReviewSettings {
    /// With a PGN as body: the rules of games that do not name theirs; by default `standard`.
    pub(super) variant: Option<VariantName>,
    /// With a PGN as body: by default `full`.
    pub(super) evaluator: Option<EvaluatorName>,
    /// With a PGN as body, and the evaluators `count`, `material` and `psqt`: by default `classic`.
    pub(super) piece_values: Option<PieceValuesName>,
    /// With a PGN as body: search each position this deep.
    depth: Option<Depth>,
    /// With a PGN as body: search so many positions for each position of the game.
    nodes: Option<Nodes>,
    /// With a PGN as body: think this long about each position, in milliseconds.
    movetime: Option<Movetime>,
    /// With a PGN as body: take the scores from its own `[%eval]` comments instead of searching.
    use_evals: Option<bool>,
}

impl utoipa::IntoParams for ReviewSettings {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        query_parameters::<Self>()
    }
}

impl ReviewSettings {
    pub(super) fn budget(&self) -> Result<Option<Budget>, Problem> {
        Budget::one_of(self.depth, self.nodes, self.movetime)
    }

    pub(super) fn uses_evals(&self) -> bool {
        self.use_evals == Some(true)
    }
}

/// What is asked.
pub(super) struct Asked {
    pub(super) source: Source,
    pub(super) settings: ReviewSettings,
}

/// Where the games come from.
pub(super) enum Source {
    Pgn(String),
    Moves { fen: Option<FenText>, moves: MoveTexts },
}

/// Reads either form of a request.
///
/// # Errors
/// Those of the body and of the query string, and `conflicting_fields`.
pub(super) async fn read(request: Request) -> Result<Asked, Problem> {
    let asked = if input::is_pgn(request.headers())? {
        let (mut parts, body) = request.into_parts();
        let Query(settings) = Query::from_request_parts(&mut parts, &()).await?;
        let bytes = input::read(body, MAX_BYTES, BODY_TIMEOUT).await?;
        Asked { source: Source::Pgn(pgn::decode(&bytes).into_owned()), settings }
    } else {
        input::object::<ReviewRequest>(request, MAX_BYTES).await?.try_into()?
    };
    asked.refuse_contradictions()?;
    Ok(asked)
}

fn conflict(field: &'static str, detail: &'static str) -> Problem {
    Problem::new(Code::ConflictingFields, detail).in_field(field)
}

impl TryFrom<ReviewRequest> for Asked {
    type Error = Problem;

    fn try_from(request: ReviewRequest) -> Result<Self, Problem> {
        let ReviewRequest {
            pgn,
            fen,
            moves,
            variant,
            evaluator,
            piece_values,
            depth,
            nodes,
            movetime,
            use_evals,
        } = request;
        let source = match (pgn, moves, fen) {
            (None, None, _) => {
                return Err(conflict(
                    "pgn",
                    "Say which game: `pgn`, or `moves` (from `fen`, if it is not the start position).",
                ));
            }
            (Some(_), Some(_), _) => {
                return Err(conflict("moves", "Give either `pgn` or `moves`, not both."));
            }
            (Some(_), None, Some(_)) => {
                return Err(conflict(
                    "fen",
                    "A PGN says from which position it starts by its own tag `FEN`; `fen` goes with `moves`.",
                ));
            }
            (Some(text), None, None) => Source::Pgn(text),
            (None, Some(moves), fen) => Source::Moves { fen, moves },
        };
        let settings = ReviewSettings { variant, evaluator, piece_values, depth, nodes, movetime, use_evals };
        Ok(Self { source, settings })
    }
}

impl Asked {
    fn refuse_contradictions(&self) -> Result<(), Problem> {
        if !self.settings.uses_evals() {
            return Ok(());
        }
        if matches!(self.source, Source::Moves { .. }) {
            return Err(conflict("useEvals", "`useEvals` goes with `pgn`: `moves` have no scores."));
        }
        if self.settings.budget()?.is_some() {
            return Err(conflict(
                "useEvals",
                "With `useEvals` nothing is searched: it takes no `depth`, `nodes` or `movetime`.",
            ));
        }
        Ok(())
    }
}
