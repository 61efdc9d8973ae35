//! The headers that tell browsers what not to do with a reply. Every reply has them, so they are few, and made once.

use axum::http::header::{
    ACCESS_CONTROL_ALLOW_ORIGIN, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY,
    STRICT_TRANSPORT_SECURITY, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method};

const CROSS_ORIGIN_RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");

/// A type that is said is not guessed anew.
const NOSNIFF: HeaderValue = HeaderValue::from_static("nosniff");
/// The address of the analysis page has the position in it, which is nobody else's affair.
const NO_REFERRER: HeaderValue = HeaderValue::from_static("no-referrer");
/// Who may call may also show: pictures stand in the pages of others. Those that an address alone brings about any page may show:
/// an `<img>` does not say whose page it is on, has no key, and lets nobody read it.
const FOR_ALL: HeaderValue = HeaderValue::from_static("cross-origin");
/// Other pages may neither read it nor show it.
const FOR_OUR_OWN: HeaderValue = HeaderValue::from_static("same-origin");
/// A picture has a style sheet within, and nothing else.
const PICTURE: HeaderValue = HeaderValue::from_static("default-src 'none'; style-src 'unsafe-inline'");
/// A page that says nothing of what it needs gets nothing.
const PAGE: HeaderValue = HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'");
/// For browsers that do not know `frame-ancestors`.
const IN_NO_FRAME: HeaderValue = HeaderValue::from_static("DENY");

/// For a year, and for this host alone: what is on others is not ours to say.
const TLS_ALONE: HeaderValue = HeaderValue::from_static("max-age=31536000");

/// Adds to a reply that goes over TLS that this host is to be asked over nothing else.
pub(super) fn keep_to_tls(headers: &mut HeaderMap) {
    headers.insert(STRICT_TRANSPORT_SECURITY, TLS_ALONE);
}

/// Adds the headers to the reply to a request by `method` that has all others, those of CORS too.
pub(super) fn protect(method: &Method, headers: &mut HeaderMap) {
    let mut is_for_others = headers.contains_key(ACCESS_CONTROL_ALLOW_ORIGIN);
    let kind = headers.get(CONTENT_TYPE).map_or(b"".as_slice(), HeaderValue::as_bytes);
    if kind.starts_with(b"image/svg") {
        is_for_others |= *method == Method::GET || *method == Method::HEAD;
        headers.entry(CONTENT_SECURITY_POLICY).or_insert(PICTURE);
    } else if kind.starts_with(b"text/html") {
        headers.entry(CONTENT_SECURITY_POLICY).or_insert(PAGE);
        headers.insert(X_FRAME_OPTIONS, IN_NO_FRAME);
    }
    headers.insert(X_CONTENT_TYPE_OPTIONS, NOSNIFF);
    headers.insert(REFERRER_POLICY, NO_REFERRER);
    headers.insert(CROSS_ORIGIN_RESOURCE_POLICY, if is_for_others { FOR_ALL } else { FOR_OUR_OWN });
}
