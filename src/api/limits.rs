//! `GET /v1/limits`: every published cap.

use std::collections::BTreeMap;

use axum::extract::State;
use axum::response::Response;
use serde::Serialize;
use utoipa::openapi::RefOr;
use utoipa::{IntoResponses, ToSchema};

use crate::api::AppState;
use crate::api::batch::MAX_ELEMENTS;
use crate::api::cloud_eval;
use crate::api::fields::{Arrows, Elo, FenText, ItemId, MoveTexts};
use crate::api::input::{BODY_TIMEOUT, MAX_QUERY_BYTES, NoFields, Query};
use crate::api::json;
use crate::api::problem::{Problem, problems};
use crate::api::review;

/// What one request may ask of this server.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Limits)]
pub(crate) struct LimitsReply {
    /// Largest `depth`, in plies.
    #[schema(minimum = 1, maximum = 127, examples(100))]
    max_depth: u8,
    /// Largest `nodes`.
    #[schema(minimum = 1, examples(1_000_000_000))]
    max_nodes: u64,
    /// Largest `movetime`, in milliseconds.
    #[schema(minimum = 1, examples(30_000))]
    max_movetime_ms: u64,
    /// The `movetime` of a search without a limit, in milliseconds.
    #[schema(minimum = 1, examples(200))]
    default_movetime_ms: u64,
    /// The longest a request may take, in milliseconds; also the largest `timeoutMs`. In a batch it holds for each item, and in a
    /// review for each position, from when its search begins.
    #[schema(minimum = 1, examples(60_000))]
    max_timeout_ms: u64,
    /// Largest number in `multiPv`; `"all"` is always allowed.
    #[schema(minimum = 1, maximum = 218, examples(218))]
    max_multi_pv: usize,
    /// Smallest `elo`.
    #[schema(minimum = 1, examples(500))]
    min_elo: u64,
    /// Largest `elo`.
    #[schema(minimum = 1, examples(2600))]
    max_elo: u64,
    /// Most moves in `moves` and in `searchMoves`.
    #[schema(minimum = 1, maximum = 1024, examples(1024))]
    max_moves: usize,
    /// Longest move, in characters.
    #[schema(minimum = 1, examples(16))]
    max_move_length: usize,
    /// Longest `fen`, in characters.
    #[schema(minimum = 1, examples(512))]
    max_fen_length: usize,
    /// Longest `id` of an item of a batch, in characters.
    #[schema(minimum = 1, examples(128))]
    max_id_length: usize,
    /// Most arrows and rings in `arrows`.
    #[schema(minimum = 1, examples(64))]
    max_arrows: usize,
    /// Largest body, in bytes.
    #[schema(minimum = 1, examples(65_536))]
    max_body_bytes: usize,
    /// Largest JSON array of a batch, in bytes; an item of a batch may be as large as `maxBodyBytes`.
    #[schema(minimum = 1, examples(8_388_608))]
    max_batch_bytes: usize,
    /// Most items of such an array. A batch with an item a line has no end.
    #[schema(minimum = 1, examples(100_000))]
    max_batch_items: usize,
    /// Largest body of `/v1/games/review`, in bytes.
    #[schema(minimum = 1, examples(4_194_304))]
    max_pgn_bytes: usize,
    /// Most games of a PGN. Each may have as many half-moves as `maxMoves`.
    #[schema(minimum = 1, examples(2_000))]
    max_games: usize,
    /// Most half-moves of all games of a PGN together, those of variations included, and in a variation what is no move too.
    #[schema(minimum = 1, examples(100_000))]
    max_pgn_moves: usize,
    /// Most tags of a game of a PGN.
    #[schema(minimum = 1, examples(256))]
    max_pgn_tags: usize,
    /// Most comments of all games of a PGN together.
    #[schema(minimum = 1, examples(200_000))]
    max_pgn_comments: usize,
    /// The positions that a review searches for each position of a game, where no other limit is asked for.
    #[schema(minimum = 1, examples(100_000))]
    default_review_nodes: u64,
    /// Longest query string, in bytes.
    #[schema(minimum = 1, examples(61_440))]
    max_query_bytes: usize,
    /// How long a client may take to send its body, in milliseconds; and to send the next whole line of a batch.
    #[schema(minimum = 1, examples(10_000))]
    body_timeout_ms: u64,
    /// The positions that `/api/cloud-eval` searches for each reply.
    #[schema(minimum = 1, examples(200_000))]
    cloud_eval_nodes: u64,
    /// Largest `multiPv` of `/api/cloud-eval`.
    #[schema(minimum = 1, examples(5))]
    max_cloud_eval_multi_pv: usize,
}

struct LimitsProblems;

impl IntoResponses for LimitsProblems {
    fn responses() -> BTreeMap<String, RefOr<utoipa::openapi::Response>> {
        problems(&[304, 400, 414, 500])
    }
}

/// Limits
///
/// Every cap that this server puts on a request. What exceeds one is refused, never shortened: with `limit_exceeded`, or
/// with `invalid_field` where it is a number or a text that the field's schema allows on no server (always so for
/// `minElo`, `maxElo`, `maxMoveLength`, `maxFenLength`, `maxIdLength` and `maxArrows`). `/api/cloud-eval` answers with
/// `no_evaluation`, as Lichess does. A body that is too large or too slow and a query string that is too long have codes
/// of their own: `body_too_large` (413), `request_timeout` (408) and `uri_too_long` (414).
#[utoipa::path(
    get, path = "/v1/limits", tag = "service", operation_id = "getLimits",
    responses((
            status = 200, description = "The caps.", body = LimitsReply,
            headers(("ETag" = String, description = "A strong validator."))
        ), LimitsProblems)
)]
pub(crate) async fn get(State(state): State<AppState>, _: Query<NoFields>) -> Result<Response, Problem> {
    let caps = state.limits();
    json::as_set_up(&LimitsReply {
        max_depth: caps.max_depth,
        max_nodes: caps.max_nodes,
        max_movetime_ms: caps.max_movetime_ms,
        default_movetime_ms: caps.default_movetime_ms,
        max_timeout_ms: caps.request_timeout_ms,
        max_multi_pv: caps.max_multi_pv,
        min_elo: Elo::MIN,
        max_elo: Elo::MAX,
        max_moves: caps.max_moves,
        max_move_length: MoveTexts::MAX_MOVE_LENGTH,
        max_fen_length: FenText::MAX_LENGTH,
        max_id_length: ItemId::MAX_LENGTH,
        max_arrows: Arrows::MAX_COUNT,
        max_body_bytes: caps.max_body_bytes,
        max_batch_bytes: caps.max_batch_bytes,
        max_batch_items: MAX_ELEMENTS,
        max_pgn_bytes: review::MAX_BYTES,
        max_games: review::MAX_GAMES,
        max_pgn_moves: review::MAX_MOVES,
        max_pgn_tags: review::MAX_TAGS,
        max_pgn_comments: review::MAX_COMMENTS,
        default_review_nodes: review::default_nodes(caps),
        max_query_bytes: MAX_QUERY_BYTES,
        body_timeout_ms: BODY_TIMEOUT.as_millis() as u64,
        cloud_eval_nodes: caps.cloud_eval_nodes,
        max_cloud_eval_multi_pv: cloud_eval::MAX_LINES,
    })
}
