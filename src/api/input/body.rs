//! A JSON body as a request.

use std::fmt;

use serde::Deserialize;
use serde::de::{DeserializeOwned, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::{Map, Value};

use super::diagnosis::{self, Entry};
use crate::api::problem::{Code, Problem};

/// Reads a body; only where that fails is it read again, field by field, to say why.
///
/// # Errors
/// `json_syntax` with line and column, or the problem of the first field at fault.
pub(super) fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Problem> {
    // Serde would take an array for a struct, its elements for the fields in their order.
    if bytes.trim_ascii_start().first() != Some(&b'{') {
        return Err(no_object(bytes));
    }
    serde_json::from_slice(bytes).map_err(|error| explain::<T>(bytes, &error))
}

fn no_object(bytes: &[u8]) -> Problem {
    if bytes.trim_ascii().is_empty() {
        return Problem::new(Code::JsonSyntax, "The body is empty; send a JSON object, `{}` at the least.");
    }
    match serde_json::from_slice::<IgnoredAny>(bytes) {
        Ok(_) => Problem::new(Code::InvalidField, "The body must be a JSON object."),
        Err(error) => malformed(&error),
    }
}

fn explain<T: DeserializeOwned>(bytes: &[u8], error: &serde_json::Error) -> Problem {
    let fields = match serde_json::from_slice(bytes) {
        Ok(Fields(fields)) if error.is_data() => fields,
        Ok(_) => return malformed(error),
        Err(syntax) => return malformed(&syntax),
    };
    let entries: Vec<_> = fields
        .iter()
        .map(|(name, value)| {
            let alone = Value::Object(Map::from_iter([(name.clone(), value.clone())]));
            Entry { name, fault: serde_json::from_value::<T>(alone).err().map(|error| error.to_string()) }
        })
        .collect();
    diagnosis::blame(diagnosis::field_names::<T>(), &entries, &error.to_string())
}

fn malformed(error: &serde_json::Error) -> Problem {
    let said = error.to_string();
    let what = said.split(" at line ").next().unwrap_or(&said);
    let place = format!("line {}, column {}", error.line(), error.column());
    Problem::new(Code::JsonSyntax, format!("The body is not JSON: {what} at {place}."))
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
