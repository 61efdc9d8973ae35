//! How many lines: a number, or all of them.

use std::borrow::Cow;
use std::fmt;
use std::num::NonZeroUsize;

use serde::de::{Deserialize, Deserializer, Error, Visitor};
use utoipa::openapi::{ObjectBuilder, OneOfBuilder, Ref, RefOr, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

use super::bounded::{LineCount, Whole};

/// `multiPv`: the lines a search reports. There are never more than there are legal moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MultiPv(NonZeroUsize);

impl MultiPv {
    /// The number of lines; the greatest allowed stands for "all".
    pub fn lines(self) -> NonZeroUsize {
        self.0
    }
}

impl Default for MultiPv {
    fn default() -> Self {
        Self(NonZeroUsize::MIN)
    }
}

impl<'de> Deserialize<'de> for MultiPv {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(MultiPvVisitor)
    }
}

struct MultiPvVisitor;

impl MultiPvVisitor {
    const COUNT: Whole = Whole { least: LineCount::MIN, most: LineCount::MAX };

    fn counted(count: u64) -> MultiPv {
        MultiPv(NonZeroUsize::new(count as usize).unwrap_or(NonZeroUsize::MIN))
    }
}

impl Visitor<'_> for MultiPvVisitor {
    type Value = MultiPv;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        Self::COUNT.expecting(formatter)?;
        formatter.write_str(" or \"all\"")
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<MultiPv, E> {
        Self::COUNT.visit_u64(number).map(Self::counted)
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<MultiPv, E> {
        Self::COUNT.visit_i64(number).map(Self::counted)
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<MultiPv, E> {
        Self::COUNT.visit_f64(number).map(Self::counted)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<MultiPv, E> {
        match text {
            "all" => Ok(Self::counted(LineCount::MAX)),
            _ => Err(E::invalid_value(serde::de::Unexpected::Str(text), &self)),
        }
    }
}

impl PartialSchema for MultiPv {
    fn schema() -> RefOr<Schema> {
        let all = ObjectBuilder::new()
            .schema_type(Type::String)
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
