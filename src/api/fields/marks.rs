//! What is marked on a board that is drawn: the last move, arrows and rings.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, Unexpected, Visitor};
use utoipa::openapi::{ObjectBuilder, RefOr, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

use crate::api::picture::{Arrow, Paint};
use crate::engine::chess::Square;

/// The squares of a move, in UCI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LastMove([Square; 2]);

impl LastMove {
    const PATTERN: &str = "^[a-h][1-8][a-h][1-8][qrbn]?$";

    /// The squares that a move in UCI names, if it is one.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let (squares, promotion) = text.split_at_checked(4)?;
        let is_move = matches!(promotion, "" | "q" | "r" | "b" | "n");
        squares_of(squares).filter(|_| is_move).map(Self)
    }

    /// From and to.
    pub(crate) const fn squares(self) -> [Square; 2] {
        self.0
    }
}

fn squares_of(text: &str) -> Option<[Square; 2]> {
    let (from, to) = text.split_at_checked(2)?;
    Some([from.parse().ok()?, to.parse().ok()?])
}

/// Arrows and rings, in the order in which they are drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Arrows(Vec<Arrow>);

impl Arrows {
    /// The most in one picture.
    pub(crate) const MAX_COUNT: usize = 64;
    const MAX_LENGTH: usize = Self::MAX_COUNT * "Ga1h8,".len() - 1;
    const PATTERN: &str = "^[GRYB]?([a-h][1-8]){1,2}(,[GRYB]?([a-h][1-8]){1,2})*$";

    /// Each of them.
    pub(crate) fn as_slice(&self) -> &[Arrow] {
        &self.0
    }

    fn read(text: &str) -> Option<Self> {
        let arrows: Option<Vec<_>> = text.split(',').map(arrow).collect();
        arrows.filter(|arrows| arrows.len() <= Self::MAX_COUNT).map(Self)
    }
}

/// `e2e4` or `e4`, a letter of a colour before it or not.
fn arrow(text: &str) -> Option<Arrow> {
    let paint = match text.chars().next()? {
        'G' => Some(Paint::Green),
        'R' => Some(Paint::Red),
        'Y' => Some(Paint::Yellow),
        'B' => Some(Paint::Blue),
        _ => None,
    };
    let squares = text.get(usize::from(paint.is_some())..)?;
    let [from, to] = match squares.len() {
        2 => [squares.parse().ok()?; 2],
        _ => squares_of(squares)?,
    };
    Some(Arrow { from, to, paint: paint.unwrap_or(Paint::Green) })
}

/// Declares how a type is read from a text by its function `read`.
macro_rules! read_from_text {
    ($name:ident, $expected:expr) => {
        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct Reader;
                impl Visitor<'_> for Reader {
                    type Value = $name;

                    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                        formatter.write_str($expected)
                    }

                    fn visit_str<E: Error>(self, text: &str) -> Result<$name, E> {
                        $name::read(text).ok_or_else(|| E::invalid_value(Unexpected::Str(text), &self))
                    }
                }
                deserializer.deserialize_str(Reader)
            }
        }
    };
}

read_from_text!(LastMove, "a move in UCI, such as e2e4");
read_from_text!(Arrows, "up to 64 arrows and rings with commas between them, such as e2e4,Rd8h4,Ye5");

impl PartialSchema for LastMove {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .description(Some("A move in UCI."))
            .pattern(Some(Self::PATTERN))
            .examples(["e2e4"])
            .into()
    }
}

impl ToSchema for LastMove {
    fn name() -> Cow<'static, str> {
        "LastMove".into()
    }
}

impl PartialSchema for Arrows {
    fn schema() -> RefOr<Schema> {
        let text = "Arrows from square to square and rings around single squares, with commas between them; a letter before each \
                    says its colour: `G` green (default), `R` red, `Y` yellow, `B` blue. 64 at the most.";
        ObjectBuilder::new()
            .schema_type(Type::String)
            .description(Some(text))
            .pattern(Some(Self::PATTERN))
            .max_length(Some(Self::MAX_LENGTH))
            .examples(["e2e4,Rd8h4,Ye5"])
            .into()
    }
}

impl ToSchema for Arrows {
    fn name() -> Cow<'static, str> {
        "Arrows".into()
    }
}
