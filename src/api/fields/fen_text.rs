//! A FEN as the client wrote it.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, Visitor};
use utoipa::openapi::{ObjectBuilder, RefOr, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

/// The text of a FEN, not yet looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FenText(String);

impl FenText {
    /// The longest FEN or EPD, in characters; a FEN has 90 or so, an EPD may carry operations.
    pub(crate) const MAX_LENGTH: usize = 512;

    /// The text.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl<'de> Deserialize<'de> for FenText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(FenVisitor)
    }
}

struct FenVisitor;

impl Visitor<'_> for FenVisitor {
    type Value = FenText;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "a FEN of at most {} characters", FenText::MAX_LENGTH)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<FenText, E> {
        // What is short enough in bytes need not be counted in characters.
        if text.len() > FenText::MAX_LENGTH && text.chars().count() > FenText::MAX_LENGTH {
            return Err(E::invalid_length(text.chars().count(), &self));
        }
        Ok(FenText(text.to_owned()))
    }
}

impl PartialSchema for FenText {
    fn schema() -> RefOr<Schema> {
        let text = "X-FEN or Shredder-FEN; 4-field EPD and missing counters are fine. In a query string `_` may stand \
                    for a space.";
        ObjectBuilder::new()
            .schema_type(Type::String)
            .description(Some(text))
            .max_length(Some(Self::MAX_LENGTH))
            .examples(["r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3"])
            .into()
    }
}

impl ToSchema for FenText {
    fn name() -> Cow<'static, str> {
        "Fen".into()
    }
}
