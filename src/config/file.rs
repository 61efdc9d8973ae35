//! The settings file. Its values become the defaults of the command line, so that one parser checks everything and
//! `--help` shows what is in force.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use clap::builder::Resettable;
use clap::{Arg, Command};
use toml::{Table, Value};

/// Least likeness (1 is the same, by Jaro and Winkler) of a key that is offered for an unknown one.
const LIKENESS: f64 = 0.8;

/// What can be wrong with a settings file. Every message names the file.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// It cannot be read.
    #[error("cannot read the settings file {}: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// It is not TOML.
    #[error("{} is not TOML: line {line}, column {column}: {message}", path.display())]
    Syntax {
        /// The file.
        path: PathBuf,
        /// Where, counted from 1.
        line: usize,
        /// And where in that line, in characters from 1.
        column: usize,
        /// What was expected.
        message: String,
    },
    /// It has a key that is no setting.
    #[error("{}: there is no setting `{key}`{}", path.display(), did_you_mean(suggestion.as_deref()))]
    UnknownKey {
        /// The file.
        path: PathBuf,
        /// The key.
        key: String,
        /// The setting it resembles.
        suggestion: Option<String>,
    },
    /// A value does not fit its setting.
    #[error("{}: `{key}`: {reason}", path.display())]
    Value {
        /// The file.
        path: PathBuf,
        /// The key.
        key: String,
        /// What is wrong, and what would be right.
        reason: String,
    },
}

/// Makes the values of the settings file at `path` the defaults of `command`, whose long flags are the file's keys.
///
/// # Errors
/// See [`FileError`].
pub fn file_defaults(path: &Path, command: Command) -> Result<Command, FileError> {
    read(path)?.iter().try_fold(command, |command, (key, value)| apply(path, command, key, value))
}

/// Makes those values of the settings file at `path` the defaults of `command` that it has a use for: those whose key is a
/// long flag of it, or another name of one, that has a variable like a setting. The others are none of its business.
///
/// # Errors
/// See [`FileError`].
pub fn shared_file_defaults(path: &Path, mut command: Command) -> Result<Command, FileError> {
    for (key, value) in &read(path)? {
        if settings_of(&command).any(|arg| is_named(arg, key) && arg.get_env().is_some()) {
            command = apply(path, command, key, value)?;
        }
    }
    Ok(command)
}

fn read(path: &Path) -> Result<Table, FileError> {
    let text =
        fs::read_to_string(path).map_err(|source| FileError::Unreadable { path: path.to_owned(), source })?;
    text.parse().map_err(|error| not_toml(path, &text, &error))
}

/// The parser's own words quote the line, which may have a password in it.
fn not_toml(path: &Path, text: &str, error: &toml::de::Error) -> FileError {
    let (line, column) = place_of(text, error);
    FileError::Syntax { path: path.to_owned(), line, column, message: error.message().to_owned() }
}

/// Line and column of what is no TOML, both counted from 1.
pub(super) fn place_of(text: &str, error: &toml::de::Error) -> (usize, usize) {
    let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
    let in_line = before.rsplit('\n').next().unwrap_or_default();
    (before.matches('\n').count() + 1, in_line.chars().count() + 1)
}

/// Makes one value the default of its argument, after the argument's own parser has accepted it.
fn apply(path: &Path, command: Command, key: &str, value: &Value) -> Result<Command, FileError> {
    let wrong = |reason| FileError::Value { path: path.to_owned(), key: key.to_owned(), reason };
    let Some(id) = settings_of(&command).find(|arg| is_named(arg, key)).map(|arg| arg.get_id().clone())
    else {
        return Err(unknown(path, &command, key));
    };
    let words = words(value).map_err(|reason| wrong(reason.to_owned()))?;
    let mut trial = vec![command.get_name().to_owned()];
    trial.extend(words.iter().map(|word| format!("--{key}={word}")));
    // Without the environment: whatever is wrong there is not the file's fault.
    let deaf = command.clone().mut_args(|arg| arg.env(Resettable::Reset));
    deaf.try_get_matches_from(trial).map_err(|error| wrong(reason(&error)))?;
    // What hides its value in the environment is a secret here too.
    Ok(command.mut_arg(id, |arg| {
        let is_secret = arg.is_hide_env_values_set();
        arg.default_values(words).hide_default_value(is_secret)
    }))
}

/// The value as it would stand on the command line, once per element of an array.
fn words(value: &Value) -> Result<Vec<String>, &'static str> {
    match value {
        Value::Array(values) if values.is_empty() => Err("an empty list says nothing; leave the key out"),
        Value::Array(values) => values.iter().map(word).collect(),
        single => Ok(vec![word(single)?]),
    }
}

fn word(value: &Value) -> Result<String, &'static str> {
    match value {
        Value::String(text) => Ok(text.clone()),
        Value::Integer(number) => Ok(number.to_string()),
        Value::Float(number) => Ok(number.to_string()),
        Value::Boolean(flag) => Ok(flag.to_string()),
        Value::Datetime(_) | Value::Array(_) | Value::Table(_) => {
            Err("a setting is a string, a number, true or false, or a list of these; there are no sections")
        }
    }
}

/// The arguments a file may set: all but the file's own name.
fn settings_of(command: &Command) -> impl Iterator<Item = &Arg> {
    command.get_arguments().filter(|arg| arg.get_id() != "config" && arg.get_long().is_some())
}

fn is_named(arg: &Arg, key: &str) -> bool {
    arg.get_long() == Some(key) || arg.get_all_aliases().is_some_and(|names| names.contains(&key))
}

fn unknown(path: &Path, command: &Command, key: &str) -> FileError {
    let suggestion = nearest_setting(command, key).map(str::to_owned);
    FileError::UnknownKey { path: path.to_owned(), key: key.to_owned(), suggestion }
}

/// The setting that was probably meant by a name that is none.
pub(super) fn nearest_setting<'c>(command: &'c Command, name: &str) -> Option<&'c str> {
    let wanted = name.replace('_', "-").to_lowercase();
    settings_of(command)
        .filter_map(Arg::get_long)
        .map(|long| (strsim::jaro_winkler(long, &wanted), long))
        .filter(|(likeness, _)| *likeness >= LIKENESS)
        .max_by(|(one, _), (other, _)| one.total_cmp(other))
        .map(|(_, long)| long)
}

fn did_you_mean(suggestion: Option<&str>) -> String {
    suggestion.map_or_else(
        || "; `centipawn serve --help` lists them".to_owned(),
        |name| format!("; did you mean `{name}`?"),
    )
}

/// The first line of clap's message, without its label.
fn reason(error: &clap::Error) -> String {
    let text = error.to_string();
    let line = text.lines().next().unwrap_or_default();
    line.strip_prefix("error: ").unwrap_or(line).to_owned()
}
