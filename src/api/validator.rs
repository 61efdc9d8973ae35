//! What caches need: a strong validator for every reply that is a pure function of request and version, and conditional
//! requests (RFC 9110, 13), answered in one place for all.

use std::mem;
use std::sync::LazyLock;

use axum::http::header::{
    CACHE_CONTROL, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, ETAG, IF_NONE_MATCH,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use axum::response::{IntoResponse, Response};

use crate::api::identity::engine_text;
use crate::api::problem::{Code, Problem};
use crate::pool::Origin;

/// What the cache of results had to do with a reply (RFC 9211).
pub(crate) const CACHE_STATUS: HeaderName = HeaderName::from_static("cache-status");

/// For what depends on nothing but the request and the version: a new version is seen within the hour.
const PURE: HeaderValue = HeaderValue::from_static("public, max-age=3600");
/// The same where not everybody may have it: no cache that serves several clients keeps it.
const PURE_BUT_PRIVATE: HeaderValue = HeaderValue::from_static("private, max-age=3600");
/// For what also depends on how this server is set up, or has to fit what is loaded with it: ask whether it is the same.
const REVALIDATED: HeaderValue = HeaderValue::from_static("no-cache");
/// For what is another answer every time, and for answers to a `POST`, whose address does not say what was asked.
const NEVER: HeaderValue = HeaderValue::from_static("no-store");

/// A response with a strong validator of its bytes.
pub(crate) fn tagged(mut response: Response, bytes: &[u8]) -> Response {
    let digits = hexadecimal(digest(bytes));
    let quoted = [b"\"".as_slice(), &digits, b"\""].concat();
    if let Ok(tag) = HeaderValue::try_from(quoted) {
        response.headers_mut().insert(ETAG, tag);
    }
    response
}

/// The same for what a cache has to ask about each time.
pub(crate) fn revalidated(response: Response, bytes: &[u8]) -> Response {
    let mut response = tagged(response, bytes);
    response.headers_mut().insert(CACHE_CONTROL, REVALIDATED);
    response
}

/// A response that says whether its search was a new one.
pub(crate) fn with_origin(mut response: Response, origin: Option<Origin>) -> Response {
    if let Some(origin) = origin {
        let status = HeaderValue::from_static(match origin {
            Origin::Kept => "centipawn; hit",
            Origin::Shared => "centipawn; hit; detail=shared",
            Origin::Joined => "centipawn; fwd=miss; collapsed",
            Origin::Searched => "centipawn; fwd=miss; stored",
        });
        response.headers_mut().insert(CACHE_STATUS, status);
    }
    response
}

/// Keeps the reply to a `GET` out of caches that would give it to somebody else.
pub(crate) fn keep_private(response: &mut Response) {
    if response.headers().contains_key(ETAG) {
        response.headers_mut().entry(CACHE_CONTROL).or_insert(PURE_BUT_PRIVATE);
    }
}

/// What a client has already, by its own account: the tags of `If-None-Match`.
#[derive(Debug)]
pub(super) struct Condition {
    is_read: bool,
    tags: Vec<HeaderValue>,
}

impl Condition {
    pub(super) fn of(method: &Method, headers: &HeaderMap) -> Self {
        let is_read = *method == Method::GET || *method == Method::HEAD;
        Self { is_read, tags: headers.get_all(IF_NONE_MATCH).iter().cloned().collect() }
    }

    /// Makes of a reply what the client is to get: it says how long it may be kept, and is only a status where the client
    /// has it already. What has a validator and says nothing else is a pure function of its request.
    pub(super) fn settle(&self, response: &mut Response) {
        distinguish_coding(response.headers_mut());
        let is_pure = self.is_read && response.headers().contains_key(ETAG);
        response.headers_mut().entry(CACHE_CONTROL).or_insert(if is_pure { PURE } else { NEVER });
        if self.is_known(response) {
            if self.is_read {
                not_modified(response);
            } else {
                precondition_failed(response);
            }
        }
    }

    fn is_known(&self, response: &Response) -> bool {
        if self.tags.is_empty() || response.status() != StatusCode::OK {
            return false;
        }
        let Some(ours) = response.headers().get(ETAG).map(HeaderValue::as_bytes) else { return false };
        // A comma within a tag of somebody else's makes two halves of it, neither of which is ours.
        let theirs = self.tags.iter().flat_map(|line| line.as_bytes().split(|byte| *byte == b','));
        theirs.map(<[u8]>::trim_ascii).any(|tag| tag == b"*" || opaque(tag) == opaque(ours))
    }
}

/// A tag for weak comparison.
fn opaque(tag: &[u8]) -> &[u8] {
    tag.strip_prefix(b"W/").unwrap_or(tag)
}

/// Other bytes have another tag: what is compressed gets one of its own.
fn distinguish_coding(headers: &mut HeaderMap) {
    let Some(coding) = headers.get(CONTENT_ENCODING) else { return };
    let Some(tag) = headers.get(ETAG).and_then(|tag| tag.as_bytes().strip_suffix(b"\"")) else { return };
    if let Ok(own) = HeaderValue::try_from([tag, b"-", coding.as_bytes(), b"\""].concat()) {
        headers.insert(ETAG, own);
    }
}

fn not_modified(response: &mut Response) {
    let mut headers = mem::take(response.headers_mut());
    for representation in [CONTENT_TYPE, CONTENT_LENGTH, CONTENT_ENCODING] {
        headers.remove(representation);
    }
    let extensions = mem::take(response.extensions_mut());
    *response = StatusCode::NOT_MODIFIED.into_response();
    *response.headers_mut() = headers;
    *response.extensions_mut() = extensions;
}

/// The answer to a `POST` whose result the client has: 304 is for `GET` and `HEAD` alone.
fn precondition_failed(response: &mut Response) {
    let detail = "The reply is the one that `If-None-Match` names.";
    let mut problem = Problem::new(Code::PreconditionFailed, detail).into_response();
    let mut headers = mem::take(response.headers_mut());
    headers.remove(CONTENT_LENGTH);
    headers.remove(CONTENT_ENCODING);
    headers.extend(mem::take(problem.headers_mut()));
    *problem.headers_mut() = headers;
    *response = problem;
}

/// A hash of some bytes by this version of the engine: eight of them at a time, because every static evaluation is hashed
/// (FNV-1a, one at a time, would take half a microsecond for it).
pub(super) fn digest(bytes: &[u8]) -> u64 {
    static VERSION: LazyLock<u64> = LazyLock::new(|| hash(0, engine_text().as_bytes()));
    hash(*VERSION, bytes)
}

/// Each word is mixed in by a multiplication to 128 bits, whose halves are folded together.
fn hash(seed: u64, bytes: &[u8]) -> u64 {
    /// An odd number without a pattern: the golden ratio's fraction.
    const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;
    let mix = |state: u64, word: u64| {
        let product = u128::from(state ^ word) * u128::from(MULTIPLIER);
        product as u64 ^ (product >> 64) as u64
    };
    let (words, rest) = bytes.as_chunks::<8>();
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    let state = words.iter().chain([&last]).fold(seed, |state, word| mix(state, u64::from_le_bytes(*word)));
    // The length, because the last word is filled up; twice, so that the last word too reaches every bit.
    mix(mix(state, bytes.len() as u64), MULTIPLIER)
}

/// A number in sixteen digits.
pub(super) fn hexadecimal(number: u64) -> [u8; 16] {
    std::array::from_fn(|index| b"0123456789abcdef"[(number >> (60 - 4 * index)) as usize & 15])
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use axum::body::Body;

    use super::*;

    fn known(ours: &str, theirs: &[&str]) -> bool {
        let mut headers = HeaderMap::new();
        for line in theirs {
            headers.append(IF_NONE_MATCH, line.parse().unwrap());
        }
        let mut response = Response::new(Body::empty());
        response.headers_mut().insert(ETAG, ours.parse().unwrap());
        Condition::of(&Method::GET, &headers).is_known(&response)
    }

    #[test]
    fn tags_are_compared_weakly_one_by_one() {
        for theirs in [
            &["\"a\""][..],
            &["W/\"a\""],
            &["*"],
            &["\"b\", \"a\""],
            &["\"b\",W/\"a\" , \"c\""],
            &["\"b\"", "\"a\""],
            &[" \"a\" "],
        ] {
            assert!(known("\"a\"", theirs), "{theirs:?}");
        }
        for theirs in
            [&[][..], &["\"b\""], &["a"], &["\"A\""], &["\"a"], &["w/\"a\""], &["\"a-gzip\""], &[""]]
        {
            assert!(!known("\"a\"", theirs), "{theirs:?}");
        }
    }

    #[test]
    fn every_change_changes_the_hash() {
        let text: Vec<u8> = (0..100).collect();
        let mut seen = HashSet::new();
        for length in 0..=text.len() {
            assert!(seen.insert(hash(1, &text[..length])), "{length}");
        }
        for place in 0..text.len() {
            for bit in 0..8 {
                let mut other = text.clone();
                other[place] ^= 1 << bit;
                assert!(seen.insert(hash(1, &other)), "{place} {bit}");
            }
        }
        assert!(seen.insert(hash(2, &text)), "the version counts");
        assert_ne!(hash(1, &[0]), hash(1, &[0, 0]), "what is filled up is not what is there");
    }
}
