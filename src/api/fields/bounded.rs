//! Whole numbers with bounds: one statement each gives the type, its parser and its schema.
//!
//! These are the bounds that every server has; what a server's settings allow may be less and stands in `/v1/limits`.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, Unexpected, Visitor};
use utoipa::openapi::{ObjectBuilder, RefOr, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

use crate::engine::search::Elo as Strength;

/// Declares a whole number that is only ever inside its bounds.
macro_rules! bounded {
    (
        $(#[doc = $text:literal])+
        $name:ident, $bounds:expr, $(capped by $cap:literal,)? example $example:expr
    ) => {
        $(#[doc = $text])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) struct $name(u64);

        impl $name {
            /// The least value allowed.
            pub(crate) const MIN: u64 = *($bounds).start();
            /// The greatest value allowed.
            pub(crate) const MAX: u64 = *($bounds).end();
            const RANGE: Range =
                Range { least: Self::MIN, most: Self::MAX, cap: [$($cap)?].first().copied() };

            /// The number itself.
            pub(crate) const fn get(self) -> u64 {
                self.0
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_u64(Self::RANGE).map(Self)
            }
        }

        impl PartialSchema for $name {
            fn schema() -> RefOr<Schema> {
                let text = concat!($($text),+);
                schema(text, &Self::RANGE, $example)
            }
        }

        impl ToSchema for $name {
            fn name() -> Cow<'static, str> {
                stringify!($name).into()
            }
        }
    };
}

bounded!(
    /// Search depth in plies (half-moves).
    Depth, 1..=127_u64, capped by "maxDepth", example 12
);
bounded!(
    /// Positions to search.
    Nodes, 1..=1_000_000_000_000_u64, capped by "maxNodes", example 200_000
);
bounded!(
    /// Time to think, in milliseconds, counted from the arrival of the request; fewer than 10 count as 10.
    Movetime, 1..=86_400_000_u64, capped by "maxMovetimeMs", example 300
);
bounded!(
    /// The longest the whole request may take, in milliseconds, counted from its arrival; fewer than 10 count as 10.
    TimeoutMs, 1..=86_400_000_u64, capped by "maxTimeoutMs", example 5000
);
bounded!(
    /// The strength of a weaker opponent, on the scale of Stockfish's `UCI_Elo`.
    Elo, Strength::MIN.get() as u64..=Strength::MAX.get() as u64, example 1200
);
bounded!(
    /// Number of lines.
    LineCount, 1..=218_u64, capped by "maxMultiPv", example 3
);

impl Elo {
    /// The strength that the engine is asked for.
    pub(crate) fn strength(self) -> Strength {
        Strength::new(self.0 as u16).unwrap_or(Strength::MAX)
    }
}

fn schema(text: &str, range: &Range, example: u64) -> RefOr<Schema> {
    let text = text.trim();
    let text = match range.cap {
        Some(cap) => format!("{text} No more than `{cap}` of `/v1/limits`."),
        None => text.to_owned(),
    };
    ObjectBuilder::new()
        .schema_type(Type::Integer)
        .description(Some(text))
        .minimum(Some(range.least))
        .maximum(Some(range.most))
        .examples([example])
        .into()
}

/// Reads a whole number from `least` to `most`. JSON knows one kind of number, so `12.0` is twelve.
struct Range {
    least: u64,
    most: u64,
    /// The name in `/v1/limits` of what a server's settings allow, which may be less.
    cap: Option<&'static str>,
}

impl Visitor<'_> for Range {
    type Value = u64;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "a whole number from {} to {}", self.least, self.most)?;
        match self.cap {
            Some(cap) => write!(formatter, " and no more than `{cap}` of /v1/limits"),
            None => Ok(()),
        }
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<u64, E> {
        if (self.least..=self.most).contains(&number) {
            Ok(number)
        } else {
            Err(E::invalid_value(Unexpected::Unsigned(number), &self))
        }
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<u64, E> {
        match u64::try_from(number) {
            Ok(number) => self.visit_u64(number),
            Err(_) => Err(E::invalid_value(Unexpected::Signed(number), &self)),
        }
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<u64, E> {
        /// 2 to the 53rd: up to here a float is exact.
        const MOST_EXACT: f64 = 9_007_199_254_740_992.0;
        let is_whole = number.fract() == 0.0 && (0.0..=MOST_EXACT).contains(&number);
        if is_whole {
            self.visit_u64(number as u64)
        } else {
            Err(E::invalid_value(Unexpected::Float(number), &self))
        }
    }
}
