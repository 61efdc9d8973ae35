//! In which form a reply is wanted: the header `Accept`.

use std::cmp::Ordering;
use std::convert::Infallible;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};

/// The media type of pictures.
pub(crate) const SVG: &str = "image/svg+xml";
/// Of server-sent events.
pub(crate) const EVENTS: &str = "text/event-stream";
/// Of JSON values, one a line.
pub(crate) const LINES: &str = "application/x-ndjson";
pub(crate) const JSON: &str = "application/json";
/// Of games.
pub(crate) const PGN: &str = "application/x-chess-pgn";

/// Media types that are read as one of the above. Lines of JSON have none that is registered, games one that nobody uses.
const ALIASES: [(&str, &str); 4] = [
    ("application/ndjson", LINES),
    ("application/jsonl", LINES),
    ("application/x-jsonlines", LINES),
    ("application/vnd.chess-pgn", PGN),
];

/// Whether a client means this media type by that name.
pub(crate) fn is_called(name: &str, media_type: &str) -> bool {
    let alias = ALIASES.iter().find(|(alias, _)| name.eq_ignore_ascii_case(alias));
    alias.map_or(name, |(_, meant)| meant).eq_ignore_ascii_case(media_type)
}

/// The form of a reply, where there is a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rendering {
    /// Data; what is sent unless a picture is preferred, and to clients that would take neither.
    Json,
    /// A picture.
    Svg,
}

impl<S: Sync> FromRequestParts<S> for Rendering {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(preferred(&parts.headers, [(JSON, Self::Json), (SVG, Self::Svg)]))
    }
}

/// Whether a reply comes when all is done, or is told as it is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Delivery {
    /// In one piece, as JSON; what is sent unless a stream is preferred, and to clients that would take neither.
    Whole,
    /// Piece by piece.
    Streamed(Framing),
}

/// How the pieces of a stream are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Framing {
    /// Server-sent events.
    Events,
    /// A line for each.
    Lines,
}

impl<S: Sync> FromRequestParts<S> for Delivery {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self::preferred(&parts.headers))
    }
}

impl Delivery {
    fn preferred(headers: &HeaderMap) -> Self {
        let streams = [(EVENTS, Framing::Events), (LINES, Framing::Lines)];
        let [events, lines] = streams.map(|(media_type, framing)| (media_type, Self::Streamed(framing)));
        preferred(headers, [(JSON, Self::Whole), events, lines])
    }
}

/// Whether the first of two media types is wanted more than the second.
pub(crate) fn preference(headers: &HeaderMap, one: &str, other: &str) -> Ordering {
    let ranges = ranges(headers);
    quality(&ranges, one).cmp(&quality(&ranges, other))
}

/// The form that the client prefers; of equals the first.
pub(crate) fn preferred<T: Copy, const N: usize>(headers: &HeaderMap, offers: [(&str, T); N]) -> T {
    let ranges = ranges(headers);
    let weighed = offers.map(|(media_type, form)| (quality(&ranges, media_type), form));
    weighed.into_iter().fold(weighed[0], |best, next| if next.0 > best.0 { next } else { best }).1
}

fn ranges(headers: &HeaderMap) -> Vec<&str> {
    let lines = headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
    lines.flat_map(|line| line.split(',')).collect()
}

/// How much a media type is wanted, in thousandths, by the range that names it most closely.
fn quality(ranges: &[&str], media_type: &str) -> u32 {
    let read = |range: &&str| {
        let mut parts = range.split(';').map(str::trim);
        let closeness = closeness(parts.next()?, media_type)?;
        let weight = parts.find_map(|part| part.strip_prefix("q=").or_else(|| part.strip_prefix("Q=")));
        Some((closeness, weight.map_or(1000, thousandths)))
    };
    ranges.iter().filter_map(read).max().map_or(0, |(_, weight)| weight)
}

/// How closely a range names a media type, if it does.
fn closeness(range: &str, media_type: &str) -> Option<u8> {
    let family = media_type.split('/').next().unwrap_or_default();
    match range.split_once('/')? {
        ("*", "*") => Some(0),
        (kind, "*") if kind.eq_ignore_ascii_case(family) => Some(1),
        _ if is_called(range, media_type) => Some(2),
        _ => None,
    }
}

/// A weight from 0 to 1; what is no weight counts fully.
fn thousandths(weight: &str) -> u32 {
    weight.parse::<f64>().map_or(1000, |weight| (weight.clamp(0.0, 1.0) * 1000.0) as u32)
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderMap, header};

    use super::{Delivery, Framing, JSON, Rendering, SVG, preferred};

    fn rendering(headers: &HeaderMap) -> Rendering {
        preferred(headers, [(JSON, Rendering::Json), (SVG, Rendering::Svg)])
    }

    #[test]
    fn a_stream_is_for_those_who_prefer_it() {
        let (events, lines) = (Delivery::Streamed(Framing::Events), Delivery::Streamed(Framing::Lines));
        let cases = [
            ("*/*", Delivery::Whole),
            ("application/json", Delivery::Whole),
            ("application/*", Delivery::Whole),
            ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", Delivery::Whole),
            ("image/svg+xml", Delivery::Whole),
            ("text/event-stream", events),
            ("application/x-ndjson", lines),
            ("application/jsonl", lines),
            ("application/x-jsonlines, application/json;q=0.9", lines),
            ("Application/NDJSON;q=0.5, application/json", Delivery::Whole),
            ("application/x-ndjson;q=0.5, application/json", Delivery::Whole),
            ("application/json;q=0.5, application/x-ndjson", lines),
            ("application/x-ndjson, text/event-stream", events),
            ("text/event-stream;q=0, */*", Delivery::Whole),
        ];
        for (accept, delivery) in cases {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT, accept.parse().unwrap());
            assert_eq!(Delivery::preferred(&headers), delivery, "{accept}");
        }
        assert_eq!(Delivery::preferred(&HeaderMap::new()), Delivery::Whole);
    }

    #[test]
    fn a_picture_is_for_those_who_prefer_it() {
        let cases = [
            ("", Rendering::Json),
            ("*/*", Rendering::Json),
            ("application/json", Rendering::Json),
            ("image/svg+xml", Rendering::Svg),
            ("IMAGE/SVG+XML", Rendering::Svg),
            ("image/*", Rendering::Svg),
            ("text/plain", Rendering::Json),
            ("nonsense", Rendering::Json),
            ("application/json, image/svg+xml", Rendering::Json),
            ("image/svg+xml, application/json;q=0.9", Rendering::Svg),
            ("image/svg+xml;q=0.5, application/json", Rendering::Json),
            ("image/svg+xml;q=0, */*", Rendering::Json),
            ("image/svg+xml; q=0.2, */*; q=0.1", Rendering::Svg),
            ("image/svg+xml;q=x", Rendering::Svg),
            // What browsers ask for a picture and for a page.
            ("image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8", Rendering::Svg),
            ("text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8", Rendering::Json),
        ];
        for (accept, form) in cases {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT, accept.parse().unwrap());
            assert_eq!(rendering(&headers), form, "{accept}");
        }
        assert_eq!(rendering(&HeaderMap::new()), Rendering::Json);
    }
}
