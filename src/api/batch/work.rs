//! The work on a batch: items without a search are answered sheaf by sheaf, those with one by one.

use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use axum::body::Bytes;
use futures_util::StreamExt;
use futures_util::stream::{self, BoxStream};
use serde::Serialize;

use super::intake::{Sheaf, too_long};
use super::item::{BatchItem, IdOnly, Label};
use crate::api::AppState;
use crate::api::accept::{JSON, LINES};
use crate::api::evaluate::Wish;
use crate::api::fields::ItemId;
use crate::api::input;
use crate::api::problem::{Code, Fault, Problem};
use crate::api::subject::Subject;
use crate::api::thinking::draining;
use crate::pool::{BulkRequest, Start, Timing};

/// How the answers are set apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Elements of one JSON array.
    Array,
    /// An answer a line.
    Lines,
}

impl Form {
    pub(super) const fn media_type(self) -> &'static str {
        match self {
            Self::Array => JSON,
            Self::Lines => LINES,
        }
    }

    /// The answers with what stands around all of them.
    pub(super) fn frame(self, answers: BoxStream<'static, Bytes>) -> BoxStream<'static, Bytes> {
        match self {
            Self::Lines => answers,
            Self::Array => {
                // Every answer begins with a comma, of which the first is one too many.
                let mut comma = b",".len();
                let answers = answers.map(move |text| text.slice(std::mem::take(&mut comma)..));
                let [opening, closing] = [b"[".as_slice(), b"\n]\n"].map(Bytes::from_static);
                stream::iter([opening]).chain(answers).chain(stream::iter([closing])).boxed()
            }
        }
    }
}

/// A batch at work.
pub(super) struct Work {
    state: AppState,
    form: Form,
    /// Whether the answers are numbered.
    numbered: bool,
    /// Given back with the last answer.
    place: BulkRequest,
}

/// What came of an item, or of several in a row.
pub(super) enum Found {
    /// The answers, as they are sent.
    Answers(Bytes),
    /// Something has to be searched.
    Question(Box<Question>),
}

/// An item that needs a search.
pub(super) struct Question {
    id: Option<ItemId>,
    number: u64,
    subject: Subject,
    wish: Wish,
}

impl Work {
    pub(super) const fn new(state: AppState, form: Form, numbered: bool, place: BulkRequest) -> Self {
        Self { state, form, numbered, place }
    }

    /// Reads a sheaf on a thread of the pool, and answers there what needs no search.
    pub(super) async fn read(self: Arc<Self>, sheaf: Sheaf) -> Vec<Found> {
        let timeout = Duration::from_millis(self.state.limits().request_timeout_ms);
        let timing = Timing { start: Start::Work, movetime: None, timeout };
        let (reader, copy) = (Arc::clone(&self), sheaf.clone());
        let ticket = self
            .state
            .pools()
            .bulk
            .run(self.place.client(), timing, move |stop| reader.read_here(&copy, stop));
        let lost = match ticket {
            Ok(ticket) => match ticket.await {
                Ok(found) => return found,
                Err(lost) => Problem::from(lost),
            },
            Err(refused) => Problem::from(refused),
        };
        self.refuse(&sheaf, &lost)
    }

    /// Searches for the answer, if that is left to do.
    pub(super) async fn answer(self: Arc<Self>, found: Found) -> Bytes {
        let question = match found {
            Found::Answers(answers) => return answers,
            Found::Question(question) => question,
        };
        let Question { id, number, subject, wish } = *question;
        let evaluation = wish.fulfil(&subject, &self.state.pools().bulk, self.state.limits()).await;
        let mut text = Vec::with_capacity(USUAL_BYTES);
        match evaluation {
            Ok(evaluation) => self.write(&mut text, (id.as_ref(), number), &evaluation),
            Err(problem) => self.write_problem(&mut text, (id.as_ref(), number), &problem),
        }
        text.into()
    }

    fn read_here(&self, sheaf: &Sheaf, stop: &AtomicBool) -> Vec<Found> {
        let mut found = Vec::new();
        let mut text = Vec::with_capacity(USUAL_SHEAF_BYTES);
        for (number, item) in sheaf.items() {
            if stop.load(Relaxed) {
                let id = item.ok().and_then(id_of);
                self.write_problem(&mut text, (id.as_ref(), number), &draining());
                continue;
            }
            let item = match item {
                Ok(item) => item,
                Err(problem) => {
                    self.write_problem(&mut text, (None, number), problem);
                    continue;
                }
            };
            // A panic costs the item it is about.
            let begun = text.len();
            let question = panic::catch_unwind(AssertUnwindSafe(|| self.read_item(item, number, &mut text)));
            match question {
                Ok(None) => {}
                Ok(Some(question)) => {
                    found.extend(answers(std::mem::take(&mut text)));
                    found.push(Found::Question(question));
                }
                Err(_) => {
                    text.truncate(begun);
                    let problem = Problem::new(Code::Internal, "An engine fault; this item alone is lost.");
                    self.write_problem(&mut text, (id_of(item).as_ref(), number), &problem);
                }
            }
        }
        found.extend(answers(text));
        found
    }

    /// Answers an item, unless something has to be searched for that.
    fn read_item(&self, text: &[u8], number: u64, answers: &mut Vec<u8>) -> Option<Box<Question>> {
        let item = match self.parse(text) {
            Ok(item) => item,
            Err(problem) => {
                self.write_problem(answers, (id_of(text).as_ref(), number), &problem);
                return None;
            }
        };
        let caps = self.state.limits();
        let limits = (item.depth, item.nodes, item.movetime);
        let read = Wish::read(self.place.client(), item.quiescence, limits, Start::Work, caps)
            .and_then(|wish| Ok((Subject::read(&item.position(), caps)?, wish)));
        match read {
            Ok((subject, wish)) if wish.is_instant(&subject) => {
                self.write(answers, (item.id.as_ref(), number), &wish.grant(&subject));
                None
            }
            Ok((subject, wish)) => Some(Box::new(Question { id: item.id, number, subject, wish })),
            Err(problem) => {
                self.write_problem(answers, (item.id.as_ref(), number), &problem);
                None
            }
        }
    }

    fn parse(&self, text: &[u8]) -> Result<BatchItem, Problem> {
        let longest = self.state.limits().max_body_bytes;
        if text.len() > longest {
            return Err(too_long(longest));
        }
        input::parse("item", text)
    }

    /// Answers each item of a sheaf with the same problem.
    fn refuse(&self, sheaf: &Sheaf, problem: &Problem) -> Vec<Found> {
        let mut text = Vec::new();
        for (number, item) in sheaf.items() {
            let id = item.ok().and_then(id_of);
            self.write_problem(&mut text, (id.as_ref(), number), item.err().unwrap_or(problem));
        }
        answers(text).into_iter().collect()
    }

    fn write_problem(&self, text: &mut Vec<u8>, about: (Option<&ItemId>, u64), problem: &Problem) {
        if let Some(Fault(fault)) = problem.fault() {
            tracing::error!(%fault, "an item of a batch was lost");
        }
        self.write(text, about, &problem.body());
    }

    /// Appends an answer: an object that begins with the label's fields and goes on with the answer's.
    fn write<T: Serialize>(&self, text: &mut Vec<u8>, (id, number): (Option<&ItemId>, u64), answer: &T) {
        if self.form == Form::Array {
            text.extend_from_slice(b",\n");
        }
        let label = Label { id, index: self.numbered.then_some(number) };
        let labelled = label.id.is_some() || label.index.is_some();
        // Neither can fail: a vector takes everything, and these are structs of numbers and texts.
        if labelled {
            let _ = serde_json::to_writer(&mut *text, &label);
            text.pop();
        }
        let begun = text.len();
        let _ = serde_json::to_writer(&mut *text, answer);
        if labelled && let Some(brace) = text.get_mut(begun) {
            *brace = b',';
        }
        if self.form == Form::Lines {
            text.push(b'\n');
        }
    }
}

/// What is sent of a sheaf, if anything: lines that are blank have no answers, and no comma stands before none.
fn answers(text: Vec<u8>) -> Option<Found> {
    (!text.is_empty()).then(|| Found::Answers(text.into()))
}

/// Room for the usual answer, and for those of the usual sheaf.
const USUAL_BYTES: usize = 2 << 10;
const USUAL_SHEAF_BYTES: usize = 288 << 10;

/// What an item is called that may have other faults.
fn id_of(item: &[u8]) -> Option<ItemId> {
    serde_json::from_slice::<IdOnly>(item).ok()?.id
}
