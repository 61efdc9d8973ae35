//! A query string as the same request that a body gives: percent-decoding, and serde's view of the text values.

use std::borrow::Cow;

use serde::de::value::Error;
use serde::de::{DeserializeSeed, Deserializer, IntoDeserializer, MapAccess, Visitor};
use serde::forward_to_deserialize_any;

/// The decoded pairs of a query string, in their order.
pub(super) type Pairs<'a> = Vec<(Cow<'a, str>, Cow<'a, str>)>;

/// Decodes a query string.
///
/// `+` and `%20` are spaces; in `fen` so is `_`, which is how Lichess' addresses write one.
///
/// # Errors
/// A sentence that names the part that is not percent-encoded UTF-8.
pub(super) fn decode(query: &str) -> Result<Pairs<'_>, String> {
    let parts = query.split('&').filter(|part| !part.is_empty());
    parts
        .map(|part| {
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            let (name, mut value) = (unescape(name)?, unescape(value)?);
            if name == "fen" && value.contains('_') {
                value = Cow::Owned(value.replace('_', " "));
            }
            Ok((name, value))
        })
        .collect()
}

fn unescape(text: &str) -> Result<Cow<'_, str>, String> {
    if !text.bytes().any(|byte| byte == b'%' || byte == b'+') {
        return Ok(Cow::Borrowed(text));
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, tail)) = rest.split_first() {
        rest = tail;
        match byte {
            b'+' => bytes.push(b' '),
            b'%' => {
                let digits = tail.get(..2).and_then(|pair| Some(hex(pair[0])? << 4 | hex(pair[1])?));
                let Some(decoded) = digits else {
                    return Err(format!(
                        "`{text}` has a `%` that two hexadecimal digits do not follow; write `%25` for the sign itself."
                    ));
                };
                bytes.push(decoded);
                rest = &tail[2..];
            }
            _ => bytes.push(byte),
        }
    }
    String::from_utf8(bytes)
        .map(Cow::Owned)
        .map_err(|_| format!("`{text}` is not UTF-8 once its percent signs are decoded."))
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).map(|value| value as u8)
}

/// Decoded pairs as a map that a request deserialises from.
pub(super) struct PairsDeserializer<'de> {
    pairs: std::slice::Iter<'de, (Cow<'de, str>, Cow<'de, str>)>,
    value: &'de str,
}

impl<'de> PairsDeserializer<'de> {
    pub(super) fn new(pairs: &'de [(Cow<'de, str>, Cow<'de, str>)]) -> Self {
        Self { pairs: pairs.iter(), value: "" }
    }
}

impl<'de> Deserializer<'de> for PairsDeserializer<'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_map(self)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit
        unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

impl<'de> MapAccess<'de> for PairsDeserializer<'de> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Error> {
        let Some((name, value)) = self.pairs.next() else { return Ok(None) };
        self.value = value;
        seed.deserialize(Text(name)).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Error> {
        seed.deserialize(Text(self.value))
    }
}

/// One value of a query string: it is whatever the field that reads it asks for.
struct Text<'de>(&'de str);

impl<'de> Deserializer<'de> for Text<'de> {
    type Error = Error;

    /// A number if it reads as one, else text. Bounds and kinds are the field's to check, as with a body.
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if let Ok(number) = self.0.parse() {
            return visitor.visit_u64(number);
        }
        if let Ok(number) = self.0.parse() {
            return visitor.visit_i64(number);
        }
        visitor.visit_borrowed_str(self.0)
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.0 {
            "true" => visitor.visit_bool(true),
            "false" => visitor.visit_bool(false),
            text => visitor.visit_borrowed_str(text),
        }
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_borrowed_str(self.0)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_borrowed_str(self.0)
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_borrowed_str(self.0)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_some(self)
    }

    /// A list of moves: text, whatever it reads as.
    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_borrowed_str(self.0)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_enum(self.0.into_deserializer())
    }

    forward_to_deserialize_any! {
        i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char bytes byte_buf unit unit_struct seq tuple
        tuple_struct map struct ignored_any
    }
}

impl<'de> IntoDeserializer<'de, Error> for Text<'de> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}
