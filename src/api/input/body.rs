//! A JSON body as a request.

use std::fmt;

use serde::Deserialize;
use serde::de::{DeserializeOwned, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::{Map, Value};

use super::diagnosis::{self, Entry};
use crate::api::problem::{Code, Problem};

/// Where a text begins that may have a byte-order mark before it, as RFC 8259 (section 8.1) lets a reader ignore it.
pub(crate) fn mark_length(bytes: &[u8]) -> usize {
    const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";
    if bytes.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 }
}

/// Reads an object, which errors call `what`; only where that fails is it read again, field by field, to say why.
///
/// # Errors
/// `json_syntax` with line and column, or the problem of the first field at fault.
pub(crate) fn parse<T: DeserializeOwned>(what: &str, bytes: &[u8]) -> Result<T, Problem> {
    // Serde would take an array for a struct, its elements for the fields in their order.
    if bytes.trim_ascii_start().first() != Some(&b'{') {
        return Err(unlike(what, bytes, "a JSON object, `{}` at the least"));
    }
    serde_json::from_slice(bytes).map_err(|error| explain::<T>(what, bytes, &error))
}

/// Why a text, which errors call `what`, is not the JSON that is `wanted`: it is empty, no JSON, or another kind of it.
pub(crate) fn unlike(what: &str, bytes: &[u8], wanted: &str) -> Problem {
    if bytes.trim_ascii().is_empty() {
        return Problem::new(Code::JsonSyntax, format!("The {what} is empty; it must be {wanted}."));
    }
    match serde_json::from_slice::<IgnoredAny>(bytes) {
        Ok(_) => Problem::new(Code::InvalidField, format!("The {what} must be {wanted}.")),
        Err(error) => malformed(what, &error),
    }
}

fn explain<T: DeserializeOwned>(what: &str, bytes: &[u8], error: &serde_json::Error) -> Problem {
    let fields = match serde_json::from_slice(bytes) {
        Ok(Fields(fields)) if error.is_data() => fields,
        Ok(_) => return malformed(what, error),
        Err(syntax) => return malformed(what, &syntax),
    };
    let names = diagnosis::field_names::<T>();
    // Of more entries than there are names one is unknown or doubled, and a large body may have a million.
    let entries: Vec<_> = fields
        .iter()
        .take(names.len() + 1)
        .map(|(name, value)| {
            let alone = Value::Object(Map::from_iter([(name.clone(), value.clone())]));
            Entry { name, fault: serde_json::from_value::<T>(alone).err().map(|error| error.to_string()) }
        })
        .collect();
    diagnosis::blame(names, &entries, &error.to_string())
}

/// What is no JSON, and where.
pub(crate) fn malformed(what: &str, error: &serde_json::Error) -> Problem {
    let said = error.to_string();
    let fault = said.split(" at line ").next().unwrap_or(&said);
    let place = format!("line {}, column {}", error.line(), error.column());
    Problem::new(Code::JsonSyntax, format!("The {what} is not JSON: {fault} at {place}."))
}

/// The fields of an object as they stand, doubled ones included.
struct Fields(Vec<(String, Value)>);

impl<'de> Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(FieldsVisitor)
    }
}

struct FieldsVisitor;

impl<'de> Visitor<'de> for FieldsVisitor {
    type Value = Fields;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields, A::Error> {
        let mut fields = Vec::new();
        while let Some(entry) = map.next_entry()? {
            fields.push(entry);
        }
        Ok(Fields(fields))
    }
}
