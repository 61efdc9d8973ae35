//! `POST /v1/evaluate/batch`: many positions, each with its own wishes, answered as they are done.

mod intake;
mod item;
mod work;

use std::cmp::Ordering;
use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::Response;
use futures_util::stream::{self, BoxStream};
use futures_util::{FutureExt, Stream, StreamExt};
use serde::Deserialize;

use crate::api::AppState;
use crate::api::accept::{JSON, LINES, preference};
use crate::api::caller::Caller;
use crate::api::input::Query;
use crate::api::problem::{BatchProblems, Problem};
use crate::api::stream as pieces;
use intake::Intake;
pub(crate) use intake::MAX_ELEMENTS;
use item::{BatchAnswer, BatchItem};
use work::{Form, Work};

/// What is sent where there is nothing to say: white space means nothing between two answers.
const HEARTBEAT: Bytes = Bytes::from_static(b"\n");

/// How the answers are wanted.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct BatchQuery {
    /// Answer each item as soon as it is done, in whatever order, and number the answers by `index`. By default they come in
    /// the order of the items.
    #[param(required = false, nullable = false)]
    unordered: Option<bool>,
}

/// Evaluate many positions
///
/// Items are what `POST /v1/evaluate` takes, and an `id` that is repeated in the answer; answers are what it answers, or an error
/// of the same shape as everywhere for this item alone. Time counts for each item from when its search begins.
///
/// A JSON array of items is read as a whole and answered by an array. With `Content-Type: application/x-ndjson` there is an item a
/// line, any number of them, and an answer a line; lines are read no faster than the answers are taken, so a client has to read
/// while it sends. `Accept` can ask for the other form. In silence an empty line follows every 5 s, between the items of an array
/// too. Lines have to come at 256 bytes a second, with pauses of 10 s at the most while no item waits or is worked on. Leaving
/// stops the work.
#[utoipa::path(
    post, path = "/v1/evaluate/batch", tag = "evaluation", operation_id = "evaluateBatch", params(BatchQuery),
    request_body(content(
        (Vec<BatchItem> = "application/json"),
        (BatchItem = "application/x-ndjson")
    )),
    responses(
        (
            status = 200, description = "An answer for each item.",
            content((Vec<BatchAnswer> = "application/json"), (BatchAnswer = "application/x-ndjson"))
        ),
        BatchProblems
    )
)]
pub(crate) async fn post(
    State(state): State<AppState>,
    Caller(client): Caller,
    Query(query): Query<BatchQuery>,
    headers: HeaderMap,
    request: Request,
) -> Result<Response, Problem> {
    let place = state.pools().begin_bulk(client)?;
    let intake = Intake::open(&headers, request.into_body(), state.limits()).await?;
    let form = match (preference(&headers, LINES, JSON), &intake) {
        (Ordering::Greater, _) | (Ordering::Equal, Intake::Lines(_)) => Form::Lines,
        (Ordering::Less, _) | (Ordering::Equal, Intake::Elements(_)) => Form::Array,
    };
    // Half of the place is for sheaves that are read, half for searches: both are under way together.
    let (window, unordered) = (place.window() / 2, query.unordered == Some(true));
    let work = Arc::new(Work::new(state, form, unordered, place));
    let reader = Arc::clone(&work);
    // The errand of a sheaf goes with each of its items until that is answered.
    let found = intake.sheaves().map(move |sheaf| {
        let errand = sheaf.errand();
        Arc::clone(&reader).read(sheaf).map(move |found| stream::iter(found).zip(stream::repeat(errand)))
    });
    let found = at_once(found, window, unordered).flatten();
    let answers =
        found.map(move |(found, errand)| Arc::clone(&work).answer(found).map(move |answer| (answer, errand)));
    let answers = at_once(answers, window, unordered).map(|(answer, _errand)| answer).boxed();
    let answers = form.frame(answers);
    let mut response = pieces::lasting(form.media_type(), answers, HEARTBEAT);
    response.headers_mut().insert(header::VARY, HeaderValue::from_static("Accept, Content-Type"));
    Ok(response)
}

/// What comes of these futures, so many of which are under way at once.
fn at_once<F: Future<Output: Send> + Send + 'static>(
    futures: impl Stream<Item = F> + Send + 'static,
    window: usize,
    unordered: bool,
) -> BoxStream<'static, F::Output> {
    if unordered { futures.buffer_unordered(window).boxed() } else { futures.buffered(window).boxed() }
}
