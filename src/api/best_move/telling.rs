//! `best-move` told while the search runs.

use axum::body::Bytes;
use axum::response::Response;
use serde::Serialize;
use tokio::sync::{mpsc, oneshot};
use tokio::time::sleep;
use utoipa::ToSchema;

use super::BestMove;
use crate::api::accept::Framing;
use crate::api::problem::{Code, Fault, Problem, ProblemBody};
use crate::api::searched::{Clockwork, Progress};
use crate::api::stream::{self, HEARTBEAT};
use crate::api::subject::Subject;
use crate::api::thinking::{Allowance, Overheard, Thought};
use crate::engine::search::Report;
use crate::pool::{Finished, Lost, Table};

/// One of the objects of a stream: `info` after each finished iteration, and in the end either `bestmove` or, where the
/// search is lost after it has begun, `error`.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
#[schema(as = BestMoveEvent)]
pub(crate) enum BestMoveEvent<'a> {
    Info(InfoEvent),
    Bestmove(Box<BestmoveEvent>),
    Error(ErrorEvent<'a>),
}

/// An iteration is finished.
#[derive(Serialize, ToSchema)]
#[schema(as = SearchInfo)]
pub(crate) struct InfoEvent {
    #[schema(inline)]
    event: InfoName,
    #[serde(flatten)]
    progress: Progress,
}

/// The search is over: the reply as it is without a stream.
#[derive(Serialize, ToSchema)]
#[schema(as = SearchResult)]
pub(crate) struct BestmoveEvent {
    #[schema(inline)]
    event: BestmoveName,
    #[serde(flatten)]
    reply: BestMove,
}

/// The search is lost.
#[derive(Serialize, ToSchema)]
#[schema(as = SearchError)]
pub(crate) struct ErrorEvent<'a> {
    #[schema(inline)]
    event: ErrorName,
    #[serde(flatten)]
    problem: ProblemBody<'a>,
}

/// `info`.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum InfoName {
    Info,
}

/// `bestmove`.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum BestmoveName {
    Bestmove,
}

/// `error`.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum ErrorName {
    Error,
}

impl<'a> BestMoveEvent<'a> {
    fn info(progress: Progress) -> Self {
        Self::Info(InfoEvent { event: InfoName::Info, progress })
    }

    /// The last one.
    pub(super) fn bestmove(reply: BestMove) -> Self {
        Self::Bestmove(Box::new(BestmoveEvent { event: BestmoveName::Bestmove, reply }))
    }

    fn error(problem: ProblemBody<'a>) -> Self {
        Self::Error(ErrorEvent { event: ErrorName::Error, problem })
    }

    /// Its piece of the stream.
    pub(super) fn piece(&self, framing: Framing) -> Bytes {
        let name = match self {
            Self::Info(_) => "info",
            Self::Bestmove(_) => "bestmove",
            Self::Error(_) => "error",
        };
        framing.piece(name, self)
    }
}

/// What is known of a search before it begins.
pub(super) struct Question {
    pub(super) subject: Subject,
    pub(super) allowance: Allowance,
    pub(super) table: Table,
    pub(super) elo: Option<u64>,
}

/// Tells a search. The reply begins with the first thing there is to say, so that a search which never begins is an
/// error like any other.
///
/// # Errors
/// Those of a search that is lost before there is anything to say.
pub(super) async fn tell(
    question: Question,
    search: Overheard,
    framing: Framing,
) -> Result<Response, Problem> {
    let (pieces, response) = stream::open(framing);
    let (opened, opening) = oneshot::channel();
    tokio::spawn(Voice { question, framing, pieces, opened: Some(opened) }.tell(search));
    match opening.await {
        Ok(Ok(())) => Ok(response),
        Ok(Err(problem)) => Err(problem),
        Err(_) => Err(Problem::new(Code::Internal, "The stream was lost before it began.")),
    }
}

/// Who tells.
struct Voice {
    question: Question,
    framing: Framing,
    pieces: mpsc::Sender<Bytes>,
    /// Hears whether there is a reply, with the first thing that is said.
    opened: Option<oneshot::Sender<Result<(), Problem>>>,
}

/// The client has left.
struct Left;

impl Voice {
    async fn tell(mut self, mut search: Overheard) {
        let outcome = loop {
            let piece = tokio::select! {
                biased;
                () = self.pieces.closed() => return,
                Some((report, clockwork)) = search.iterations.recv() => self.info(&report, clockwork),
                outcome = &mut search.ticket => break outcome.inspect(|finished| search.asked.answered(finished)),
                () = sleep(HEARTBEAT) => self.framing.heartbeat(),
            };
            if self.say(piece).await.is_err() {
                return;
            }
        };
        while let Ok((report, clockwork)) = search.iterations.try_recv() {
            let piece = self.info(&report, clockwork);
            if self.say(piece).await.is_err() {
                return;
            }
        }
        // Whether the last word is heard changes nothing.
        let _ = self.conclude(outcome).await;
    }

    fn info(&self, report: &Report, clockwork: Clockwork) -> Bytes {
        let progress = Progress::new(&self.question.subject, report, clockwork);
        BestMoveEvent::info(progress).piece(self.framing)
    }

    async fn conclude(&mut self, outcome: Result<Finished, Lost>) -> Result<(), Left> {
        let Question { subject, allowance, table, elo } = &self.question;
        let thought =
            outcome.map_err(Problem::from).and_then(|finished| Thought::new(finished, allowance, *table));
        let piece = match thought {
            Ok(thought) => {
                BestMove::new(subject, &thought, thought.clockwork(*table), *elo).event(self.framing)
            }
            Err(problem) => {
                if let Some(opened) = self.opened.take() {
                    return opened.send(Err(problem)).map_err(|_| Left);
                }
                if let Some(Fault(fault)) = problem.fault() {
                    tracing::error!(%fault, "a search was lost while it was told");
                }
                BestMoveEvent::error(problem.body()).piece(self.framing)
            }
        };
        self.say(piece).await
    }

    /// Hands a piece to the reply; waits where the client reads slowly.
    async fn say(&mut self, piece: Bytes) -> Result<(), Left> {
        if let Some(opened) = self.opened.take() {
            opened.send(Ok(())).map_err(|_| Left)?;
        }
        self.pieces.send(piece).await.map_err(|_| Left)
    }
}
