//! The file of API keys. It holds hashes, so who reads it has no key. What is wrong with it is said without a value of it:
//! somebody may have put a key where its hash belongs.

use std::collections::HashSet;
use std::fmt::Write;
use std::fs::File;
use std::io::{self, Read};
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use sha2::{Digest, Sha256};
use toml::{Table, Value};

use super::file::place_of;
use super::guard::{MOST_AT_ONCE, Rate};

/// How every key begins that `centipawn key new` makes, so that people and scanners see what it is.
pub const KEY_PREFIX: &str = "cpk_";
/// Each request is compared with all keys.
const MOST_KEYS: usize = 1_000;
/// Enough for as many keys with all their fields.
const MOST_BYTES: u64 = 1 << 20;
const FIELDS: &str = "`name`, `sha256`, `rate`, `burst`, `searches` and `expires`";
/// No pool has room for more.
const MOST_SEARCHES: u32 = 1_000_000;

/// An API key, without the key.
#[derive(Clone, Debug, PartialEq)]
pub struct ApiKey {
    /// What people call it; no two have the same name.
    pub name: Arc<str>,
    /// What tells whether a key that is sent is this one.
    pub hash: KeyHash,
    /// Its own rate; without one it has the rate that clients have.
    pub rate: Option<Rate>,
    /// How many requests it may send at once after a pause.
    pub burst: Option<u32>,
    /// How many of its searches may wait and run at once; without a number as many as of other clients.
    pub searches: Option<NonZeroU32>,
    /// When it stops being let in.
    pub expires: Option<SystemTime>,
}

/// The SHA-256 of a key. Passwords need a slow hash because they can be guessed; a key is 256 bits of chance, of which
/// nobody guesses one however fast the hash is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct KeyHash(pub [u8; 32]);

impl KeyHash {
    /// The hash of a key as it is sent.
    #[must_use]
    pub fn of(key: &[u8]) -> Self {
        Self(Sha256::digest(key).into())
    }

    /// As it stands in the file.
    #[must_use]
    pub fn hexadecimal(&self) -> String {
        hexadecimal(&self.0)
    }

    fn parse(text: &str) -> Option<Self> {
        let digits = text.as_bytes().as_chunks::<2>();
        let bytes: Option<Vec<u8>> = match digits {
            (pairs, []) => pairs.iter().map(|pair| byte(*pair)).collect(),
            _ => None,
        };
        bytes?.try_into().ok().map(Self)
    }
}

/// Two digits a byte.
#[must_use]
pub fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Text takes whatever is written.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

fn byte(digits: [u8; 2]) -> Option<u8> {
    let [high, low] = digits.map(|digit| char::from(digit).to_digit(16));
    Some((high? << 4 | low?) as u8)
}

/// What can be wrong with a file of keys. Every message names the file and none has a value of it.
#[derive(Debug, thiserror::Error)]
pub enum KeyFileError {
    /// It cannot be read.
    #[error("cannot read the file of API keys {}: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// It says something else than keys.
    #[error("{}: {reason}", path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// What is wrong, and what would be right.
        reason: String,
    },
}

/// The text of a file of keys.
///
/// # Errors
/// If it cannot be read or is too long to be one.
pub fn read_key_file(path: &Path) -> Result<String, KeyFileError> {
    let unreadable = |source| KeyFileError::Unreadable { path: path.to_owned(), source };
    let mut text = String::new();
    File::open(path)
        .and_then(|file| file.take(MOST_BYTES + 1).read_to_string(&mut text))
        .map_err(unreadable)?;
    if text.len() as u64 > MOST_BYTES {
        return Err(unreadable(io::Error::other(format!("it is longer than {MOST_BYTES} bytes"))));
    }
    Ok(text)
}

/// The keys that stand in a text. `path` is where it came from.
///
/// # Errors
/// If it is not a list of keys: at least one, each with a name and a hash of its own.
pub fn parse_keys(path: &Path, text: &str) -> Result<Vec<ApiKey>, KeyFileError> {
    keys(text).map_err(|reason| KeyFileError::Content { path: path.to_owned(), reason })
}

fn keys(text: &str) -> Result<Vec<ApiKey>, String> {
    let table: Table = text.parse().map_err(|error| not_toml(text, &error))?;
    let entries = match table.get("key") {
        Some(Value::Array(entries)) if table.len() == 1 => entries,
        // A file that is being written is empty for a moment, and must not turn everybody away.
        None if table.is_empty() => {
            return Err("there is no key in it; `centipawn key new` makes one".to_owned());
        }
        _ => return Err("it has to be a list of keys, each beginning with the line [[key]]".to_owned()),
    };
    if entries.is_empty() || entries.len() > MOST_KEYS {
        return Err(format!("it has to have between 1 and {MOST_KEYS} keys"));
    }
    let (mut names, mut hashes) = (HashSet::new(), HashSet::new());
    let mut keys = Vec::new();
    for (index, entry) in entries.iter().enumerate() {
        let number = index + 1;
        let key = key(entry).map_err(|reason| format!("key {number}: {reason}"))?;
        if !names.insert(key.name.clone()) {
            return Err(format!("key {number}: another key has the same name"));
        }
        if !hashes.insert(key.hash) {
            return Err(format!("key {number}: another key has the same hash"));
        }
        keys.push(key);
    }
    Ok(keys)
}

/// The parser's own words quote the line.
fn not_toml(text: &str, error: &toml::de::Error) -> String {
    let (line, _) = place_of(text, error);
    format!("line {line} cannot be read as TOML")
}

fn key(entry: &Value) -> Result<ApiKey, String> {
    let Value::Table(fields) = entry else { return Err(format!("a key has {FIELDS}")) };
    let (mut name, mut hash) = (None, None);
    let (mut rate, mut burst, mut searches, mut expires) = (None, None, None, None);
    for (field, value) in fields {
        match field.as_str() {
            "name" => name = Some(self::name(value)?),
            "sha256" => hash = Some(self::hash(value)?),
            "rate" => rate = Some(self::rate(value)?),
            "burst" => burst = Some(number("burst", value, MOST_AT_ONCE)?.get()),
            "searches" => searches = Some(number("searches", value, MOST_SEARCHES)?),
            "expires" => expires = Some(self::expires(value)?),
            _ => return Err(format!("it has a field that is none of {FIELDS}")),
        }
    }
    let missing = |field| format!("it has no `{field}`");
    let (name, hash) = (name.ok_or_else(|| missing("name"))?, hash.ok_or_else(|| missing("sha256"))?);
    Ok(ApiKey { name, hash, rate, burst, searches, expires })
}

/// Whether a text can be the name of a key: short and harmless, and not by mistake the key.
///
/// # Errors
/// What a name is.
pub fn check_name(text: &str) -> Result<(), String> {
    if text.starts_with(KEY_PREFIX) {
        return Err(format!("a name does not begin with {KEY_PREFIX}: that is the key itself"));
    }
    let is_harmless = (1..=64).contains(&text.chars().count())
        && text.chars().all(|c| c.is_alphanumeric() || " -_.@+".contains(c));
    if !is_harmless {
        return Err("a name is 1 to 64 letters, digits, blanks or -_.@+".to_owned());
    }
    Ok(())
}

fn name(value: &Value) -> Result<Arc<str>, String> {
    let text = value.as_str().ok_or("`name` is a text")?;
    check_name(text).map(|()| text.into()).map_err(|reason| format!("`name`: {reason}"))
}

fn hash(value: &Value) -> Result<KeyHash, String> {
    let text = value.as_str().unwrap_or_default();
    if text.starts_with(KEY_PREFIX) {
        return Err(
            "`sha256` is the key itself; here belongs its SHA-256, so that the file gives nobody a key"
                .to_owned(),
        );
    }
    KeyHash::parse(text).ok_or_else(|| "`sha256` is a text of 64 hexadecimal digits".to_owned())
}

fn rate(value: &Value) -> Result<Rate, String> {
    let whole = || value.as_integer().and_then(|requests| i32::try_from(requests).ok()).map(f64::from);
    let requests = value.as_float().or_else(whole);
    requests.and_then(Rate::per_second).ok_or_else(|| {
        "`rate` is 0 for no limit, or a number of requests a second from 0.001 to 1000000".to_owned()
    })
}

fn number(field: &str, value: &Value, most: u32) -> Result<NonZeroU32, String> {
    let number = value.as_integer().and_then(|number| u32::try_from(number).ok());
    number
        .filter(|number| *number <= most)
        .and_then(NonZeroU32::new)
        .ok_or_else(|| format!("`{field}` is a whole number from 1 to {most}"))
}

fn expires(value: &Value) -> Result<SystemTime, String> {
    let time = value.as_datetime().and_then(|time| humantime::parse_rfc3339(&time.to_string()).ok());
    time.ok_or_else(|| {
        "`expires` is a time in UTC without quotation marks, like 2030-01-31T00:00:00Z".to_owned()
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    const SECRET: &str = "cpk_00000000000000000000000000000000000000000000000000000000deadbeef";

    fn read(text: &str) -> Result<Vec<ApiKey>, String> {
        parse_keys(Path::new("keys.toml"), text).map_err(|error| error.to_string())
    }

    fn entry(name: &str, rest: &str) -> String {
        let hash = KeyHash::of(name.as_bytes()).hexadecimal();
        format!("[[key]]\nname = \"{name}\"\nsha256 = \"{hash}\"\n{rest}\n")
    }

    #[test]
    fn keys_are_read_with_what_is_their_own() {
        let own = "rate = 2.5\nburst = 7\nsearches = 3\nexpires = 2030-01-31T12:00:00Z";
        let keys = read(&(entry("alice", own) + &entry("bob", "rate = 0"))).unwrap();
        let expires = SystemTime::UNIX_EPOCH + Duration::new(1_896_091_200, 0);
        assert_eq!(
            keys[0],
            ApiKey {
                name: "alice".into(),
                hash: KeyHash::of(b"alice"),
                rate: Rate::per_second(2.5),
                burst: Some(7),
                searches: NonZeroU32::new(3),
                expires: Some(expires),
            }
        );
        let bob = &keys[1];
        assert_eq!((bob.rate, bob.burst, bob.expires), (Rate::per_second(0.0), None, None));
        assert_eq!(bob.searches, None);
    }

    #[test]
    fn the_hash_is_that_of_sha256sum() {
        // printf abc | sha256sum
        let known = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(KeyHash::of(b"abc").hexadecimal(), known);
        assert_eq!(KeyHash::parse(&known.to_uppercase()), Some(KeyHash::of(b"abc")));
    }

    #[test]
    fn what_is_wrong_is_said_without_the_text() {
        let twice = entry("alice", "");
        for (text, said) in [
            (String::new(), "no key in it"),
            ("# nothing\n".to_owned(), "no key in it"),
            ("key = []".to_owned(), "between 1 and 1000 keys"),
            ("[[keys]]\nname = \"a\"".to_owned(), "beginning with the line [[key]]"),
            (SECRET.to_owned(), "line 1 cannot be read"),
            (format!("\n\n[[key]]\nname = {SECRET}"), "line 4 cannot be read"),
            (format!("[[key]]\nname = \"{SECRET}\""), "key 1: `name`: a name does not begin with cpk_"),
            (format!("[[key]]\nname = \"a\"\nsha256 = \"{SECRET}\""), "key 1: `sha256` is the key itself"),
            (format!("[[key]]\nname = \"a\"\nsha256 = \"{}\"", &SECRET[4..60]), "64 hexadecimal digits"),
            (format!("[[key]]\nname = \"a\"\n{SECRET} = 1"), "a field that is none of"),
            (entry("alice", &format!("rate = \"{SECRET}\"")), "`rate` is 0 for no limit"),
            (entry("alice", "rate = -1"), "`rate` is 0 for no limit"),
            (entry("alice", "burst = 0"), "`burst` is a whole number from 1"),
            (entry("alice", "burst = 1.5"), "`burst` is a whole number from 1"),
            (entry("alice", "searches = 0"), "`searches` is a whole number from 1"),
            (entry("alice", "expires = \"2030-01-31T00:00:00Z\""), "`expires` is a time in UTC"),
            (entry("alice", "expires = 2030-01-31"), "`expires` is a time in UTC"),
            ("[[key]]\nname = \"a\"".to_owned(), "key 1: it has no `sha256`"),
            (twice.clone() + &twice, "key 2: another key has the same name"),
            (twice.clone() + &twice.replace("alice", "bob"), "key 2: another key has the same hash"),
        ] {
            let error = read(&text).unwrap_err();
            assert!(error.starts_with("keys.toml: ") && error.contains(said), "{error}");
            assert!(!error.contains("deadbeef") && !error.contains(&SECRET[4..60]), "{error}");
        }
    }

    #[test]
    fn a_file_that_is_too_long_is_not_read() {
        let error = read_key_file(Path::new("/dev/zero")).unwrap_err().to_string();
        assert!(error.contains("longer than"), "{error}");
        assert!(read_key_file(Path::new("/nowhere/keys.toml")).unwrap_err().to_string().contains("/nowhere"));
    }
}
