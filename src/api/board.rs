//! `GET /v1/board.svg`: a picture of a position.

use std::collections::BTreeMap;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use utoipa::openapi::path::{Parameter, ParameterIn};
use utoipa::openapi::{RefOr, Response as Documented};
use utoipa::{IntoResponses, ToSchema};

use crate::api::AppState;
use crate::api::accept::SVG;
use crate::api::fields::query_parameters;
use crate::api::fields::{
    Arrows, EvaluatorName, FenText, LastMove, MoveTexts, Orientation, Pov, ThemeName, VariantName,
};
use crate::api::input::Query;
use crate::api::picture::{PositionPicture, Theme};
use crate::api::problem::{Problem, problems};
use crate::api::subject::{PositionFields, Subject};
use crate::api::validator::tagged;

/// What to draw and how.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct BoardRequest {
    /// The position; by default the start position.
    fen: Option<FenText>,
    /// Moves played from `fen`, in UCI or SAN.
    moves: Option<MoveTexts>,
    /// By default `standard`.
    variant: Option<VariantName>,
    /// The move to be marked; by default the last one of `moves`.
    last_move: Option<LastMove>,
    /// Arrows and rings.
    arrows: Option<Arrows>,
    /// The side at the bottom; by default `white`.
    orientation: Option<Orientation>,
    /// By default `auto`.
    theme: Option<ThemeName>,
    /// Whether files and ranks are named; by default true.
    coordinates: Option<bool>,
}

impl utoipa::IntoParams for BoardRequest {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        query_parameters::<Self>()
    }
}

struct BoardProblems;

impl IntoResponses for BoardProblems {
    fn responses() -> BTreeMap<String, RefOr<Documented>> {
        problems(&[304, 400, 414, 422, 500])
    }
}

/// Draw a position
///
/// A picture for pages, mails and chats: pieces of our own drawing, the last move and a check marked, with a title and a
/// description for those who do not see it. It needs nothing from outside and grows and shrinks without loss.
#[utoipa::path(
    get, path = "/v1/board.svg", tag = "pictures", operation_id = "getBoard", params(BoardRequest),
    responses((
            status = 200, description = "The picture.", body = String, content_type = "image/svg+xml",
            headers(("ETag" = String, description = "A strong validator."))
        ), BoardProblems)
)]
pub(crate) async fn get(
    State(state): State<AppState>,
    Query(request): Query<BoardRequest>,
) -> Result<Response, Problem> {
    let fields = PositionFields {
        fen: request.fen.as_ref(),
        moves: request.moves.as_ref(),
        variant: request.variant.unwrap_or_default(),
        pov: Pov::default(),
        evaluator: EvaluatorName::default(),
        piece_values: None,
    };
    let subject = Subject::read(&fields, state.limits())?;
    let picture = PositionPicture {
        position: subject.position(),
        status: subject.status,
        bottom: request.orientation.unwrap_or_default().side(),
        last_move: request
            .last_move
            .or_else(|| LastMove::read(&subject.uci(subject.last_move?)))
            .map(LastMove::squares),
        arrows: request.arrows.as_ref().map_or(&[], Arrows::as_slice),
        theme: match request.theme.unwrap_or_default() {
            ThemeName::Auto => Theme::Auto,
            ThemeName::Light => Theme::Light,
            ThemeName::Dark => Theme::Dark,
        },
        coordinates: request.coordinates != Some(false),
    };
    let drawn = Bytes::from(picture.draw());
    Ok(tagged(([(header::CONTENT_TYPE, SVG)], drawn.clone()).into_response(), &drawn))
}
