//! The items of a batch as they come in, in sheaves that are worked on as one.

use std::fmt;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::HeaderMap;
use bytes::{Buf, BytesMut};
use futures_util::StreamExt;
use futures_util::stream::{self, BoxStream};
use http_body_util::BodyExt;
use serde::de::{Deserialize, Deserializer, SeqAccess, Visitor};
use serde_json::value::RawValue;
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};

use crate::api::input::{self, BODY_TIMEOUT, Media};
use crate::api::problem::{Code, Problem};
use crate::config::Limits as Caps;

/// A sheaf is cut after so many bytes of lines, or so many elements: some hundred positions are worth handing over to a
/// thread, and leave the others something to do.
const SHEAF_BYTES: usize = 32 << 10;
const SHEAF_ELEMENTS: usize = 384;

/// The least bytes a second in which lines have to come: three positions. Pauses take from the time that a body has, and
/// whole lines give it back.
const LEAST_BYTES_PER_SECOND: u32 = 256;

/// The most items of an array.
pub(crate) const MAX_ELEMENTS: usize = 100_000;

/// Items that are worked on as one.
#[derive(Clone, Debug)]
pub(super) struct Sheaf {
    /// The number of the first item.
    first: u64,
    content: Content,
    errand: Errand,
}

/// Held by whoever has an item that is not answered: while there is one, the client waits for us and not we for it.
#[derive(Clone, Debug)]
pub(super) struct Errand(
    #[expect(dead_code, reason = "it only has to be there")] Option<watch::Receiver<()>>,
);

#[derive(Clone, Debug)]
enum Content {
    /// One a line; what is blank is no item.
    Lines(Bytes),
    Elements(Vec<Bytes>),
    /// In place of an item, or of all that would have come.
    Broken(Problem),
}

impl Sheaf {
    /// The time in which its lines had to come.
    fn pace(&self) -> Duration {
        match &self.content {
            Content::Lines(text) => Duration::from_secs(text.len() as u64) / LEAST_BYTES_PER_SECOND,
            Content::Elements(_) | Content::Broken(_) => Duration::ZERO,
        }
    }

    /// What is to be held until all of its items are answered.
    pub(super) fn errand(&self) -> Errand {
        self.errand.clone()
    }

    /// Each item with its number; or in its place why there is none.
    pub(super) fn items(&self) -> Vec<(u64, Result<&[u8], &Problem>)> {
        let numbers = self.first..;
        match &self.content {
            Content::Lines(text) => {
                let lines = text.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
                numbers
                    .zip(lines.map(Ok))
                    .filter(|(_, line)| line.is_ok_and(|line| !line.is_empty()))
                    .collect()
            }
            Content::Elements(elements) => {
                numbers.zip(elements.iter().map(|element| Ok(element.as_ref()))).collect()
            }
            Content::Broken(problem) => vec![(self.first, Err(problem))],
        }
    }
}

/// A batch as it is sent.
pub(super) enum Intake {
    /// An item a line, read as the answers are taken.
    Lines(Lines),
    /// The elements of an array.
    Elements(Vec<Bytes>),
}

impl Intake {
    /// Begins to read a body; an array is read to its end.
    ///
    /// # Errors
    /// That it is neither, too large, too slow, or no array.
    pub(super) async fn open(headers: &HeaderMap, body: Body, caps: &Caps) -> Result<Self, Problem> {
        match input::media(headers)? {
            Media::Lines => Ok(Self::Lines(Lines::new(body, caps.max_body_bytes))),
            Media::Json => {
                let bytes = input::read(body, caps.max_batch_bytes, BODY_TIMEOUT).await?;
                elements(&bytes.slice(input::mark_length(&bytes)..)).map(Self::Elements)
            }
        }
    }

    /// All items.
    pub(super) fn sheaves(self) -> BoxStream<'static, Sheaf> {
        match self {
            Self::Lines(lines) => {
                let next = |mut lines: Lines| async { lines.next().await.map(|sheaf| (sheaf, lines)) };
                stream::unfold(lines, next).boxed()
            }
            Self::Elements(elements) => {
                let sheaves: Vec<_> = elements
                    .chunks(SHEAF_ELEMENTS)
                    .enumerate()
                    .map(|(number, part)| Sheaf {
                        first: (number * SHEAF_ELEMENTS) as u64,
                        content: Content::Elements(part.to_vec()),
                        // All has come.
                        errand: Errand(None),
                    })
                    .collect();
                stream::iter(sheaves).boxed()
            }
        }
    }
}

/// The elements of a JSON array, as they stand.
fn elements(bytes: &Bytes) -> Result<Vec<Bytes>, Problem> {
    if bytes.trim_ascii_start().first() != Some(&b'[') {
        let wanted = "a JSON array of items, or an item a line with `Content-Type: application/x-ndjson`";
        return Err(input::unlike("body", bytes, wanted));
    }
    let Elements { first, count } =
        serde_json::from_slice(bytes).map_err(|error| input::malformed("body", &error))?;
    if count > MAX_ELEMENTS {
        let detail = format!(
            "The array has {count} items; at most {MAX_ELEMENTS} are taken in one, and any number with an item a line."
        );
        return Err(Problem::new(Code::LimitExceeded, detail));
    }
    Ok(first.into_iter().map(|element| bytes.slice_ref(element.get().as_bytes())).collect())
}

/// An array's elements, of which no more are kept than are taken.
struct Elements<'a> {
    first: Vec<&'a RawValue>,
    count: usize,
}

impl<'de: 'a, 'a> Deserialize<'de> for Elements<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(ElementsVisitor)
    }
}

struct ElementsVisitor;

impl<'de> Visitor<'de> for ElementsVisitor {
    type Value = Elements<'de>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an array of items")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Elements<'de>, A::Error> {
        let (mut first, mut count) = (Vec::new(), 0);
        while let Some(element) = elements.next_element()? {
            if count < MAX_ELEMENTS {
                first.push(element);
            }
            count += 1;
        }
        Ok(Elements { first, count })
    }
}

/// A body of lines, of which little more than a sheaf is held at once.
pub(super) struct Lines {
    body: Body,
    buffer: BytesMut,
    longest: usize,
    patience: Duration,
    /// How long the next whole line is waited for: all of the patience at first, and after lines that came in time.
    credit: Duration,
    /// Closed while no sheaf has an item that is not answered.
    errands: watch::Sender<()>,
    /// The number of the line at the beginning of the buffer.
    number: u64,
    /// The line at the beginning of the buffer is too long and has been answered: what is left of it is thrown away.
    skipping: bool,
    over: bool,
}

impl Lines {
    fn new(body: Body, longest: usize) -> Self {
        Self {
            body,
            buffer: BytesMut::new(),
            longest,
            patience: BODY_TIMEOUT,
            credit: BODY_TIMEOUT,
            errands: watch::Sender::new(()),
            number: 0,
            skipping: false,
            over: false,
        }
    }

    /// The next sheaf. A line has to be whole in time: neither bytes alone nor a line now and then keep a place that others
    /// wait for. No time passes while an item waits or is at work, because its client may wait for the answer, nor while
    /// nobody asks for lines, because the answers are not taken.
    async fn next(&mut self) -> Option<Sheaf> {
        let credit = self.credit.min(self.patience);
        let mut deadline = None;
        loop {
            if let Some(sheaf) = self.cut() {
                let left =
                    deadline.map_or(credit, |end: Instant| end.saturating_duration_since(Instant::now()));
                self.credit = left + sheaf.pace();
                return Some(sheaf);
            }
            if self.over {
                return None;
            }
            let frame = tokio::select! {
                biased;
                frame = self.body.frame() => frame,
                () = run_out(&self.errands, credit, &mut deadline) => {
                    let seconds = self.patience.as_secs();
                    let detail = format!(
                        "Lines came too slowly: whole ones have to come at {LEAST_BYTES_PER_SECOND} bytes a second, with pauses of {seconds} seconds at the most while no item is worked on."
                    );
                    return Some(self.give_up(Problem::new(Code::RequestTimeout, detail)));
                }
            };
            match frame {
                Some(Ok(frame)) => {
                    if let Ok(data) = frame.into_data() {
                        self.buffer.extend_from_slice(&data);
                    }
                }
                None => {
                    self.over = true;
                    if !self.buffer.is_empty() {
                        // The last line may do without its end.
                        self.buffer.extend_from_slice(b"\n");
                    }
                }
                Some(Err(error)) => {
                    return Some(self.give_up(input::incomplete(&error)));
                }
            }
        }
    }

    /// Whole lines from the beginning of the buffer, if there are any.
    fn cut(&mut self) -> Option<Sheaf> {
        let is_end = |byte: &u8| *byte == b'\n';
        if self.skipping {
            match self.buffer.iter().position(is_end) {
                Some(end) => {
                    self.buffer.advance(end + 1);
                    self.number += 1;
                    self.skipping = false;
                }
                None => self.buffer.clear(),
            }
        }
        let near = self.buffer.len().min(SHEAF_BYTES);
        let end = self.buffer[..near].iter().rposition(is_end);
        let end = end.or_else(|| self.buffer[near..].iter().position(is_end).map(|end| near + end));
        let longest = self.longest;
        match end {
            Some(end) if end <= longest.max(SHEAF_BYTES) => {
                let mut text = self.buffer.split_to(end + 1).freeze();
                let first = self.number;
                if first == 0 {
                    text.advance(input::mark_length(&text));
                }
                self.number += text.iter().filter(|byte| is_end(byte)).count() as u64;
                Some(self.sheaf(first, Content::Lines(text)))
            }
            None if self.buffer.len() <= longest => None,
            Some(_) | None => {
                self.skipping = true;
                Some(self.sheaf(self.number, Content::Broken(too_long(longest))))
            }
        }
    }

    fn give_up(&mut self, problem: Problem) -> Sheaf {
        self.over = true;
        self.buffer.clear();
        self.sheaf(self.number, Content::Broken(problem))
    }

    fn sheaf(&self, first: u64, content: Content) -> Sheaf {
        Sheaf { first, content, errand: Errand(Some(self.errands.subscribe())) }
    }
}

/// Is over when the credit is used up, which begins to run, up to the `deadline` that it sets, when no errand is left: none
/// comes to it before the next line.
async fn run_out(errands: &watch::Sender<()>, credit: Duration, deadline: &mut Option<Instant>) {
    let end = if let Some(end) = *deadline {
        end
    } else {
        errands.closed().await;
        *deadline.insert(Instant::now() + credit)
    };
    sleep_until(end).await;
}

/// An item that is longer than a body may be.
pub(super) fn too_long(longest: usize) -> Problem {
    let detail = format!("The item is longer than {longest} bytes, the most this server takes for one.");
    Problem::new(Code::BodyTooLarge, detail)
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;
    use std::time::Duration;

    use axum::body::{Body, Bytes};
    use futures_util::StreamExt;
    use futures_util::stream;

    use super::Lines;

    fn lines(pieces: &[&'static str], longest: usize) -> Lines {
        let pieces: Vec<_> =
            pieces.iter().map(|text| Ok::<_, Infallible>(Bytes::from_static(text.as_bytes()))).collect();
        // A client that goes on after its last piece and says nothing.
        Lines::new(Body::from_stream(stream::iter(pieces).chain(stream::pending())), longest)
    }

    /// Each item's number and text; of what is broken the code.
    async fn all(mut lines: Lines) -> Vec<(u64, String)> {
        lines.patience = Duration::from_millis(20);
        let mut told = Vec::new();
        while let Some(sheaf) = lines.next().await {
            for (number, item) in sheaf.items() {
                let text = match item {
                    Ok(text) => String::from_utf8(text.to_vec()).unwrap(),
                    Err(problem) => problem.code().name().to_owned(),
                };
                told.push((number, text));
            }
        }
        told
    }

    fn expected(items: &[(u64, &str)]) -> Vec<(u64, String)> {
        items.iter().map(|(number, text)| (*number, (*text).to_owned())).collect()
    }

    #[tokio::test]
    async fn lines_are_whole_however_they_come() {
        let told = all(lines(&["{\"a\"", ":1}\r\n\n", "  \n2\n3", "4\n5"], 100)).await;
        let items = [(0, "{\"a\":1}"), (3, "2"), (4, "34"), (5, "request_timeout")];
        assert_eq!(told, expected(&items), "the last line has no end, and nothing follows");
    }

    #[tokio::test]
    async fn bytes_that_make_no_line_do_not_gain_time() {
        let drops = stream::unfold((), |()| async {
            tokio::time::sleep(Duration::from_millis(5)).await;
            Some((Ok::<_, Infallible>(Bytes::from_static(b"x")), ()))
        });
        let told = all(Lines::new(Body::from_stream(drops), 1_000)).await;
        assert_eq!(told, expected(&[(0, "request_timeout")]));
    }

    #[tokio::test]
    async fn a_line_now_and_then_does_not_gain_time() {
        let drops = stream::unfold((), |()| async {
            tokio::time::sleep(Duration::from_millis(12)).await;
            Some((Ok::<_, Infallible>(Bytes::from_static(b"1\n")), ()))
        });
        let told = all(Lines::new(Body::from_stream(drops), 1_000)).await;
        assert_eq!(
            told.last().map(|(_, text)| text.as_str()),
            Some("request_timeout"),
            "it would go on for ever"
        );
    }

    #[tokio::test]
    async fn no_time_passes_while_an_item_is_not_answered() {
        let send = async |(pause, text): (u64, &'static str)| {
            tokio::time::sleep(Duration::from_millis(pause)).await;
            Ok::<_, Infallible>(Bytes::from_static(text.as_bytes()))
        };
        let pieces = stream::iter([(0, "1\n"), (60, "2"), (60, "\n")]).then(send).chain(stream::pending());
        let mut lines = Lines::new(Body::from_stream(pieces), 100);
        lines.patience = Duration::from_millis(20);
        let first = lines.next().await.unwrap();
        let second = lines.next().await.unwrap();
        assert_eq!(second.items().first().map(|(_, item)| *item.as_ref().unwrap()), Some(b"2".as_slice()));
        // Of the second the time runs only once it is answered too, and the first was answered before.
        drop(first);
        let answer = async {
            tokio::time::sleep(Duration::from_millis(60)).await;
            let answered = tokio::time::Instant::now();
            drop(second);
            answered
        };
        let (last, answered) = tokio::join!(lines.next(), answer);
        assert_eq!(last.unwrap().items()[0].1.unwrap_err().code().name(), "request_timeout");
        assert!(answered.elapsed() >= lines.patience, "its client has a pause after the answer");
    }

    #[tokio::test]
    async fn a_line_that_is_too_long_costs_itself() {
        let long: &'static str = "x".repeat(40_000).leak();
        let told = all(lines(&["1\n", long, long, "y\n2\n", long, long, long, "\n3\n"], 50_000)).await;
        let items = [
            (0, "1"),
            (1, "body_too_large"),
            (2, "2"),
            (3, "body_too_large"),
            (4, "3"),
            (5, "request_timeout"),
        ];
        assert_eq!(told, expected(&items));
    }
}
