//! `Problem`: the one shape of every error (RFC 9457, `application/problem+json`).

mod abridged;
mod code;
mod documented;

use std::borrow::Cow;
use std::fmt::Display;
use std::time::Duration;

use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

pub(crate) use abridged::abridged;
pub(crate) use code::Code;
pub(crate) use documented::{
    BatchProblems, GetSearchProblems, PostSearchProblems, ReviewProblems, problems, too_often,
};

/// The media type of every error.
pub(crate) const MEDIA_TYPE: &str = "application/problem+json";

/// The most characters of a `detail`, which may repeat what a client has sent: enough for every sentence of our own.
const MOST_OF_A_DETAIL: usize = 600;

/// The most characters of the name of a field, or of a move, that is repeated.
pub(crate) const MOST_OF_A_NAME: usize = 60;

/// Why a request failed: a code for programs, a sentence for people, and what they need to mend it.
#[derive(Clone, Debug)]
pub(crate) struct Problem {
    code: Code,
    detail: Cow<'static, str>,
    field: Option<String>,
    illegal_move: Option<Box<IllegalMove>>,
    retry_after: Option<Duration>,
    cause: Option<String>,
}

/// What a client needs to mend an illegal move.
#[derive(Clone, Debug)]
pub(crate) struct IllegalMove {
    /// Its index in its list, from 0; of a single move how many `moves` come before it.
    pub(crate) ply: usize,
    /// As the client wrote it; what is too long for a move is told abridged.
    pub(crate) text: String,
    /// What could have been played there, in UCI.
    pub(crate) legal_moves: Vec<String>,
}

impl Problem {
    /// A problem with its explanation: a full sentence that says what to do.
    pub(crate) fn new(code: Code, detail: impl Into<Cow<'static, str>>) -> Self {
        let detail = match detail.into() {
            Cow::Borrowed(own) => Cow::Borrowed(own),
            Cow::Owned(text) => match abridged(&text, MOST_OF_A_DETAIL) {
                Cow::Owned(shorter) => Cow::Owned(shorter),
                Cow::Borrowed(_) => Cow::Owned(text),
            },
        };
        Self { code, detail, field: None, illegal_move: None, retry_after: None, cause: None }
    }

    /// The same, blamed on one field of the request.
    #[must_use]
    pub(crate) fn in_field(mut self, field: impl Into<String>) -> Self {
        self.field = Some(abridged(&field.into(), MOST_OF_A_NAME).into_owned());
        self
    }

    /// The same, with the move at fault.
    #[must_use]
    pub(crate) fn with_illegal_move(mut self, illegal_move: IllegalMove) -> Self {
        let text = abridged(&illegal_move.text, MOST_OF_A_NAME).into_owned();
        self.illegal_move = Some(Box::new(IllegalMove { text, ..illegal_move }));
        self
    }

    /// The same, with the time after which a second try makes sense (rounded up to a second).
    #[must_use]
    pub(crate) fn retry_after(mut self, wait: Duration) -> Self {
        self.retry_after = Some(wait);
        self
    }

    /// The same, with what the log is to say about it and the client is not.
    #[must_use]
    pub(crate) fn because(mut self, cause: String) -> Self {
        self.cause = Some(cause);
        self
    }
}

/// What an error of the engine says, as a sentence for people.
pub(crate) fn sentence(error: &impl Display) -> String {
    let said = error.to_string();
    let mut letters = said.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    let end = if said.ends_with(['.', '?', '!']) { "" } else { "." };
    first.chain(letters).chain(end.chars()).collect()
}

/// An error reply.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Problem)]
pub(crate) struct ProblemBody<'a> {
    /// A URN that names the kind of problem.
    #[schema(value_type = String, format = "uri", examples("urn:centipawn:problem:illegal_move"))]
    r#type: String,
    /// What kind of problem it is, for people; the same for every occurrence.
    #[schema(value_type = String, examples("Illegal move"))]
    title: &'a str,
    /// The HTTP status, repeated.
    #[schema(minimum = 400, maximum = 599, examples(422))]
    status: u16,
    /// What happened here and what to do about it.
    #[schema(value_type = String, examples("Move 0, counted from 0: 'e2e5' is not legal: the pawn on e2 cannot go to e5."))]
    detail: &'a str,
    #[schema(inline = false, value_type = Code)]
    code: &'a str,
    /// Repeats `detail`, for clients that expect the shape of Lichess' errors.
    #[schema(value_type = String, examples("Move 0, counted from 0: 'e2e5' is not legal: the pawn on e2 cannot go to e5."))]
    error: &'a str,
    /// The field of the request that is at fault, if it is one.
    #[schema(value_type = Option<String>, required = true, examples("moves"))]
    field: Option<&'a str>,
    /// With `illegal_move`: the index of the move in its list, from 0; of a single move how many `moves` come before it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 0, nullable = false, examples(0))]
    ply: Option<usize>,
    /// With `illegal_move`: the move as it was sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, nullable = false, required = false, examples("e2e5"))]
    r#move: Option<&'a str>,
    /// With `illegal_move`: what could have been played, in UCI.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Vec<String>, nullable = false, required = false, examples("e2e3", "e2e4"))]
    legal_moves: Option<&'a [String]>,
}

/// What the log says about a failure of the server's own; a response carries it from where it arose to where it is logged.
#[derive(Clone, Debug)]
pub(crate) struct Fault(pub(crate) Cow<'static, str>);

impl Problem {
    /// What kind of problem it is.
    pub(crate) const fn code(&self) -> Code {
        self.code
    }

    /// What the client is told.
    pub(crate) fn body(&self) -> ProblemBody<'_> {
        let illegal_move = self.illegal_move.as_deref();
        ProblemBody {
            r#type: format!("urn:centipawn:problem:{}", self.code.name()),
            title: self.code.title(),
            status: self.code.status().as_u16(),
            detail: &self.detail,
            code: self.code.name(),
            error: &self.detail,
            field: self.field.as_deref(),
            ply: illegal_move.map(|it| it.ply),
            r#move: illegal_move.map(|it| it.text.as_str()),
            legal_moves: illegal_move.map(|it| it.legal_moves.as_slice()),
        }
    }

    /// What the log is told, if the failure is the server's own.
    pub(crate) fn fault(&self) -> Option<Fault> {
        (self.code == Code::Internal)
            .then(|| Fault(self.cause.clone().map_or_else(|| self.detail.clone(), Cow::Owned)))
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        // Strings and numbers always serialise.
        let bytes = serde_json::to_vec(&self.body()).unwrap_or_default();
        let mut response = (self.code.status(), [(header::CONTENT_TYPE, MEDIA_TYPE)], bytes).into_response();
        if let Some(wait) = self.retry_after {
            let seconds = wait.as_millis().div_ceil(1000).max(1) as u64;
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        if let Some(fault) = self.fault() {
            response.extensions_mut().insert(fault);
        }
        response
    }
}
