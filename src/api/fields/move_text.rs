//! A single move as the client wrote it.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, Visitor};
use utoipa::openapi::{ObjectBuilder, RefOr, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

use super::MoveTexts;

/// A move in UCI or SAN, not yet looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MoveText(String);

impl MoveText {
    /// The text.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl<'de> Deserialize<'de> for MoveText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(MoveVisitor)
    }
}

struct MoveVisitor;

impl Visitor<'_> for MoveVisitor {
    type Value = MoveText;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "a move of at most {} characters", MoveTexts::MAX_MOVE_LENGTH)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<MoveText, E> {
        let length = text.chars().count();
        if length > MoveTexts::MAX_MOVE_LENGTH {
            return Err(E::invalid_length(length, &self));
        }
        Ok(MoveText(text.to_owned()))
    }
}

impl PartialSchema for MoveText {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .description(Some("A move in UCI (`e1g1` and `e1h1` both castle) or SAN."))
            .max_length(Some(MoveTexts::MAX_MOVE_LENGTH))
            .examples(["f3e5"])
            .into()
    }
}

impl ToSchema for MoveText {
    fn name() -> Cow<'static, str> {
        "Move".into()
    }
}
