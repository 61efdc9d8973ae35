//! A review told while it is made.

use axum::body::Bytes;
use axum::response::Response;
use futures_util::StreamExt;
use futures_util::stream;
use serde::Serialize;
use utoipa::ToSchema;

use super::report::Reviews;
use super::study::{Progress, Work};
use crate::api::accept::Framing;
use crate::api::problem::{Fault, Problem, ProblemBody};
use crate::api::stream as pieces;

/// One of the objects of a stream: `progress` for each position, and in the end either `review` or, where the work is lost after it
/// has begun, `error`.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
#[schema(as = ReviewEvent)]
pub(crate) enum ReviewEvent<'a> {
    Progress(ProgressEvent),
    Review(DoneEvent),
    Error(FailedEvent<'a>),
}

/// A position is done.
#[derive(Serialize, ToSchema)]
#[schema(as = ReviewProgress)]
pub(crate) struct ProgressEvent {
    #[schema(inline)]
    event: ProgressName,
    /// Which game, from 1.
    #[schema(minimum = 1, examples(1))]
    game: usize,
    /// So many half-moves of it are done
    #[schema(minimum = 0, examples(12))]
    ply: usize,
    /// of so many.
    #[schema(minimum = 0, examples(80))]
    plies: usize,
}

/// All is done: the reply as it is without a stream.
#[derive(Serialize, ToSchema)]
#[schema(as = ReviewResult)]
pub(crate) struct DoneEvent {
    #[schema(inline)]
    event: ReviewName,
    #[serde(flatten)]
    reviews: Reviews,
}

/// The work is lost.
#[derive(Serialize, ToSchema)]
#[schema(as = ReviewError)]
pub(crate) struct FailedEvent<'a> {
    #[schema(inline)]
    event: ErrorName,
    #[serde(flatten)]
    problem: ProblemBody<'a>,
}

/// `progress`.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum ProgressName {
    Progress,
}

/// `review`.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum ReviewName {
    Review,
}

/// `error`.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum ErrorName {
    Error,
}

/// Tells the work as it goes on. It goes on as its pieces are taken, and ends when the client leaves.
pub(super) fn tell(work: Work, framing: Framing) -> Response {
    let told = stream::unfold(Some(work), move |work| async move {
        let mut work = work?;
        Some(match work.step().await {
            Ok(Some(progress)) => (ReviewEvent::from(progress).piece(framing), Some(work)),
            Ok(None) => {
                let made = work.render(move |games, explainer| {
                    let reviews = Reviews::new(games, explainer)?;
                    let done = DoneEvent { event: ReviewName::Review, reviews };
                    Ok(ReviewEvent::Review(done).piece(framing))
                });
                (made.await.unwrap_or_else(|problem| lost(&problem, framing)), None)
            }
            Err(problem) => (lost(&problem, framing), None),
        })
    });
    pieces::lasting(framing.media_type(), told.boxed(), framing.heartbeat())
}

fn lost(problem: &Problem, framing: Framing) -> Bytes {
    if let Some(Fault(fault)) = problem.fault() {
        tracing::error!(%fault, "a review was lost while it was told");
    }
    ReviewEvent::Error(FailedEvent { event: ErrorName::Error, problem: problem.body() }).piece(framing)
}

impl From<Progress> for ReviewEvent<'_> {
    fn from(Progress { game, ply, plies }: Progress) -> Self {
        Self::Progress(ProgressEvent { event: ProgressName::Progress, game, ply, plies })
    }
}

impl ReviewEvent<'_> {
    fn piece(&self, framing: Framing) -> Bytes {
        let name = match self {
            Self::Progress(_) => "progress",
            Self::Review(_) => "review",
            Self::Error(_) => "error",
        };
        framing.piece(name, self)
    }
}
