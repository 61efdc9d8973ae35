//! What a client calls one of many things in a request.

use std::borrow::Cow;
use std::fmt;

use serde::Serialize;
use serde::de::{Deserialize, Deserializer, Error, Visitor};
use utoipa::openapi::{ObjectBuilder, OneOfBuilder, RefOr, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

/// What a client calls an item.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub(crate) enum ItemId {
    /// A number.
    Number(i64),
    /// A number that has no sign to spare.
    LargeNumber(u64),
    /// A text.
    Text(String),
}

impl ItemId {
    /// The longest text, in characters.
    pub(crate) const MAX_LENGTH: usize = 128;
}

impl<'de> Deserialize<'de> for ItemId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(IdVisitor)
    }
}

struct IdVisitor;

impl Visitor<'_> for IdVisitor {
    type Value = ItemId;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "a whole number or a text of at most {} characters", ItemId::MAX_LENGTH)
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<ItemId, E> {
        Ok(ItemId::Number(number))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<ItemId, E> {
        Ok(i64::try_from(number).map_or(ItemId::LargeNumber(number), ItemId::Number))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<ItemId, E> {
        let length = text.chars().count();
        if length > ItemId::MAX_LENGTH {
            return Err(E::invalid_length(length, &self));
        }
        Ok(ItemId::Text(text.to_owned()))
    }
}

impl PartialSchema for ItemId {
    fn schema() -> RefOr<Schema> {
        let number = ObjectBuilder::new()
            .schema_type(Type::Integer)
            .minimum(Some(i64::MIN))
            .maximum(Some(u64::MAX))
            .description(Some("Signed or unsigned, of 64 bits."));
        let text = ObjectBuilder::new().schema_type(Type::String).max_length(Some(Self::MAX_LENGTH));
        OneOfBuilder::new()
            .item(number)
            .item(text)
            .description(Some("What the client calls an item: a whole number of 64 bits or a text."))
            .examples(["e4-e5-17"])
            .into()
    }
}

impl ToSchema for ItemId {
    fn name() -> Cow<'static, str> {
        "ItemId".into()
    }
}
