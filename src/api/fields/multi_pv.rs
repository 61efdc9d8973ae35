//! How many lines: a number, or all of them.

use std::borrow::Cow;
use std::fmt;
use std::num::NonZeroUsize;

use serde::de::{Deserialize, Deserializer, Error, IntoDeserializer, Unexpected, Visitor};
use utoipa::openapi::{ObjectBuilder, OneOfBuilder, Ref, RefOr, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

use super::LineCount;

/// `multiPv`: the lines a search reports. There are never more than there are legal moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MultiPv {
    /// So many.
    Count(LineCount),
    /// One for every legal move.
    All,
}

impl MultiPv {
    /// The lines to search for; more than there are moves are all of them.
    pub(crate) fn lines(self) -> NonZeroUsize {
        match self {
            Self::Count(count) => NonZeroUsize::new(count.get() as usize).unwrap_or(NonZeroUsize::MIN),
            Self::All => NonZeroUsize::MAX,
        }
    }

    /// The number asked for, if it is one.
    pub(crate) fn count(self) -> Option<u64> {
        match self {
            Self::Count(count) => Some(count.get()),
            Self::All => None,
        }
    }
}

impl<'de> Deserialize<'de> for MultiPv {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(MultiPvVisitor)
    }
}

struct MultiPvVisitor;

impl Visitor<'_> for MultiPvVisitor {
    type Value = MultiPv;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "a whole number from {} to {} or \"all\"", LineCount::MIN, LineCount::MAX)
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<MultiPv, E> {
        LineCount::deserialize(number.into_deserializer()).map(MultiPv::Count)
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<MultiPv, E> {
        LineCount::deserialize(number.into_deserializer()).map(MultiPv::Count)
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<MultiPv, E> {
        LineCount::deserialize(number.into_deserializer()).map(MultiPv::Count)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<MultiPv, E> {
        match text {
            "all" => Ok(MultiPv::All),
            _ => Err(E::invalid_value(Unexpected::Str(text), &self)),
        }
    }
}

impl PartialSchema for MultiPv {
    fn schema() -> RefOr<Schema> {
        let all = ObjectBuilder::new()
            .schema_type(Type::String)
            // Generated clients call its type by it.
            .title(Some("AllMoves"))
            .description(Some("Every legal move."))
            .enum_values(Some(["all"]));
        OneOfBuilder::new()
            .description(Some("Lines to report: a number, or `\"all\"` for every legal move."))
            .item(Ref::from_schema_name(LineCount::name()))
            .item(all)
            .into()
    }
}

impl ToSchema for MultiPv {
    fn name() -> Cow<'static, str> {
        "MultiPv".into()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        schemas.push((LineCount::name().into_owned(), LineCount::schema()));
    }
}
