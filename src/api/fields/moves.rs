//! A list of moves as the client wrote it: an array, or one string with spaces between.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};
use utoipa::openapi::{ArrayBuilder, ObjectBuilder, OneOfBuilder, RefOr, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

/// Moves in UCI or SAN, not yet looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct MoveTexts(Vec<String>);

impl MoveTexts {
    /// The most moves a list may have on any server, in plies; the setting `max-moves` may lower it.
    pub(crate) const MAX_PLIES: usize = 1_024;
    /// The longest move, in characters; the longest SAN (`Qa1xb2=Q+`) has nine, and `!?` or ` e.p.` may follow.
    pub(crate) const MAX_MOVE_LENGTH: usize = 16;

    /// The longest text of a list, in characters: every move as long as a move may be, and a space after each.
    const MAX_LINE_LENGTH: usize = (Self::MAX_MOVE_LENGTH + 1) * Self::MAX_PLIES;

    /// The moves in their order.
    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }

    /// The schema of the one-string form, which is the only one that a query string has.
    pub(super) fn line_schema(max_length: usize) -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .description(Some("Moves with spaces between them."))
            .max_length(Some(max_length))
            .examples(["e2e4 e7e5 Nf3"])
            .into()
    }

    fn push<E: Error>(&mut self, text: Cow<'_, str>) -> Result<(), E> {
        if text.chars().count() > Self::MAX_MOVE_LENGTH {
            return Err(E::custom(format_args!(
                "move {} is longer than {} characters",
                self.0.len(),
                Self::MAX_MOVE_LENGTH
            )));
        }
        self.0.push(text.into_owned());
        Ok(())
    }
}

impl<'de> Deserialize<'de> for MoveTexts {
    /// As a type with a name: a query string hands it the text as it stands, though it may read as a number (`0000`).
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_newtype_struct("Moves", MovesVisitor)
    }
}

struct MovesVisitor;

impl<'de> Visitor<'de> for MovesVisitor {
    type Value = MoveTexts;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an array of moves or one string with spaces between them")
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<MoveTexts, D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<MoveTexts, E> {
        // What is short enough in bytes need not be counted in characters.
        if text.len() > MoveTexts::MAX_LINE_LENGTH && text.chars().count() > MoveTexts::MAX_LINE_LENGTH {
            return Err(E::custom(format_args!(
                "moves in more than {} characters",
                MoveTexts::MAX_LINE_LENGTH
            )));
        }
        let mut moves = MoveTexts::default();
        for text in text.split_ascii_whitespace() {
            moves.push(Cow::Borrowed(text))?;
        }
        Ok(moves)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<MoveTexts, A::Error> {
        let mut moves = MoveTexts::default();
        while let Some(text) = sequence.next_element::<String>()? {
            moves.push(Cow::Owned(text))?;
        }
        Ok(moves)
    }
}

impl PartialSchema for MoveTexts {
    fn schema() -> RefOr<Schema> {
        let one = ObjectBuilder::new()
            .schema_type(Type::String)
            .description(Some("A move in UCI or SAN."))
            .max_length(Some(Self::MAX_MOVE_LENGTH));
        let array = ArrayBuilder::new()
            .items(one)
            .description(Some("One move an element."))
            .max_items(Some(Self::MAX_PLIES))
            .examples([serde_json::json!(["e2e4", "e7e5", "Nf3"])]);
        OneOfBuilder::new()
            .description(Some("Moves in UCI (`e1g1` and `e1h1` both castle) or SAN, mixed as you like."))
            .item(Self::line_schema(Self::MAX_LINE_LENGTH))
            .item(array)
            .into()
    }
}

impl ToSchema for MoveTexts {
    fn name() -> Cow<'static, str> {
        "Moves".into()
    }
}
