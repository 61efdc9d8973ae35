//! Why a request could not be read. Only requests that already failed come here, so that the good ones pay nothing
//! for the precision: the fields are tried one by one, and the first that fails is named.

use serde::de::{Deserialize, Deserializer, Visitor};
use serde::forward_to_deserialize_any;

use crate::api::problem::{Code, MOST_OF_A_NAME, Problem, abridged};

/// One field of a request, detached from the format it came in.
pub(super) struct Entry<'a> {
    pub(super) name: &'a str,
    /// What is wrong with the field when it is the only one, if anything is.
    pub(super) fault: Option<String>,
}

/// Blames the first field that is unknown, doubled or unreadable; else repeats what the parser said.
///
/// `names` are the fields of the request, aliases included.
pub(super) fn blame(names: &[&'static str], entries: &[Entry<'_>], otherwise: &str) -> Problem {
    for (index, entry) in entries.iter().enumerate() {
        if !names.contains(&entry.name) {
            return unknown(entry.name, names);
        }
        if let Some(earlier) = entries[..index].iter().find(|it| it.name.eq_ignore_ascii_case(entry.name)) {
            return doubled([earlier.name, entry.name], names);
        }
        if let Some(fault) = &entry.fault {
            let detail = format!("`{}`: {fault}.", entry.name);
            return Problem::new(Code::InvalidField, detail).in_field(entry.name);
        }
    }
    Problem::new(Code::InvalidField, format!("{otherwise}."))
}

/// A field given twice, by one name or by two: UCI's spelling of a name differs from ours by its case alone.
fn doubled(given: [&str; 2], names: &[&'static str]) -> Problem {
    let unknowable = "which of the two is meant cannot be known";
    let [name, other] = given;
    if name == other {
        let detail = format!("`{name}` is given twice; {unknowable}.");
        return Problem::new(Code::DuplicateField, detail).in_field(name);
    }
    // Aliases stand behind their field.
    let (name, alias) = match names.iter().find(|it| it.eq_ignore_ascii_case(name)) {
        Some(first) if *first == other => (other, name),
        _ => (name, other),
    };
    let detail = format!("`{alias}` is another name of `{name}`, which is so given twice; {unknowable}.");
    Problem::new(Code::DuplicateField, detail).in_field(name)
}

fn unknown(name: &str, names: &[&'static str]) -> Problem {
    let shown = abridged(name, MOST_OF_A_NAME);
    let detail = match nearest(name, names) {
        Some(candidate) => format!("There is no field `{shown}` here; did you mean `{candidate}`?"),
        None if names.is_empty() => format!("There is no field `{shown}` here; it takes none."),
        None => format!("There is no field `{shown}` here; the fields are {}.", names.join(", ")),
    };
    Problem::new(Code::UnknownField, detail).in_field(shown)
}

/// The field that was probably meant: the same but for case and separators, or near enough in spelling.
fn nearest(name: &str, names: &[&'static str]) -> Option<&'static str> {
    /// The share of letters in common from which two spellings are taken for one word: one slip in a word of three.
    const ALIKE: f64 = 0.6;
    let plain = |text: &str| {
        text.chars().filter(|letter| letter.is_alphanumeric()).collect::<String>().to_lowercase()
    };
    let wanted = plain(&abridged(name, MOST_OF_A_NAME));
    // Of equals the last is taken, and aliases stand behind their field.
    let scored = names
        .iter()
        .rev()
        .map(|&candidate| (strsim::normalized_damerau_levenshtein(&wanted, &plain(candidate)), candidate));
    scored
        .filter(|(likeness, _)| *likeness >= ALIKE)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, candidate)| candidate)
}

/// The names of the fields of `T`, aliases included, as its `Deserialize` declares them.
pub(super) fn field_names<T: for<'de> Deserialize<'de>>() -> &'static [&'static str] {
    let mut names: &'static [&'static str] = &[];
    // The probe never yields a value: its error is how it ends.
    let _ = T::deserialize(Probe(&mut names));
    names
}

/// Asks a type for its fields by pretending to deserialise it.
struct Probe<'a>(&'a mut &'static [&'static str]);

impl<'de> Deserializer<'de> for Probe<'_> {
    type Error = serde::de::value::Error;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Self::Error> {
        Err(serde::de::Error::custom("only the fields were asked for"))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Self::Error> {
        *self.0 = fields;
        self.deserialize_any(visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit
        unit_struct newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}
