//! In which form a reply is wanted: the header `Accept`.

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};

/// The media type of pictures.
pub(crate) const SVG: &str = "image/svg+xml";
const JSON: &str = "application/json";

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
        Ok(Self::preferred(&parts.headers))
    }
}

impl Rendering {
    /// The form that the client prefers; of equals JSON.
    fn preferred(headers: &HeaderMap) -> Self {
        let lines = headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
        let ranges: Vec<&str> = lines.flat_map(|line| line.split(',')).collect();
        if quality(&ranges, SVG) > quality(&ranges, JSON) { Self::Svg } else { Self::Json }
    }
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
        _ if range.eq_ignore_ascii_case(media_type) => Some(2),
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

    use super::Rendering;

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
            assert_eq!(Rendering::preferred(&headers), form, "{accept}");
        }
        assert_eq!(Rendering::preferred(&HeaderMap::new()), Rendering::Json);
    }
}
