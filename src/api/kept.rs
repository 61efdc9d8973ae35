//! Replies that stay the same as long as the service runs: hashed once, and compressed once.

use std::convert::Infallible;
use std::sync::{Arc, OnceLock};

use axum::body::{Body, Bytes};
use axum::http::header::{CONTENT_ENCODING, CONTENT_TYPE};
use axum::http::{HeaderMap, HeaderValue};
use axum::response::{IntoResponse, Response};
use http_body_util::BodyExt;
use tower_http::compression::CompressionBody;

use crate::api::problem::{Code, Problem};
use crate::api::validator::revalidated;

/// Such a reply.
#[derive(Debug)]
pub(crate) struct Kept {
    headers: HeaderMap,
    bytes: Bytes,
    /// The bytes as they were compressed for the first that wanted it.
    compressed: OnceLock<Bytes>,
}

impl Kept {
    pub(crate) fn new(media_type: HeaderValue, bytes: Bytes) -> Arc<Self> {
        let mut response = Response::new(Body::empty());
        response.headers_mut().insert(CONTENT_TYPE, media_type);
        let (parts, _) = revalidated(response, &bytes).into_parts();
        Arc::new(Self { headers: parts.headers, bytes, compressed: OnceLock::new() })
    }

    pub(crate) fn reply(self: &Arc<Self>) -> Response {
        let mut response = Response::new(Body::from(self.bytes.clone()));
        response.headers_mut().clone_from(&self.headers);
        response.extensions_mut().insert(Arc::clone(self));
        response
    }
}

/// What the compression layer makes of a reply; of one that is kept, it has to be made but once.
pub(crate) async fn compressed_once(
    response: Response<CompressionBody<Body>>,
) -> Result<Response, Infallible> {
    let kept = response.extensions().get::<Arc<Kept>>().cloned();
    let Some(kept) = kept.filter(|_| response.headers().contains_key(CONTENT_ENCODING)) else {
        return Ok(response.map(Body::new));
    };
    let (parts, body) = response.into_parts();
    let bytes = match kept.compressed.get() {
        Some(bytes) => bytes.clone(),
        None => match body.collect().await {
            Ok(collected) => kept.compressed.get_or_init(|| collected.to_bytes()).clone(),
            Err(error) => {
                let detail = format!("The reply cannot be compressed: {error}.");
                return Ok(Problem::new(Code::Internal, detail).into_response());
            }
        },
    };
    Ok(Response::from_parts(parts, Body::from(bytes)))
}

#[cfg(test)]
mod tests {
    use axum::Router;
    use axum::http::Request;
    use axum::http::header::{ACCEPT_ENCODING, ETAG};
    use axum::routing::get;
    use tower::ServiceExt;
    use tower::util::AndThenLayer;
    use tower_http::compression::CompressionLayer;

    use super::*;

    #[tokio::test]
    async fn it_is_compressed_once() {
        let kept = Kept::new(HeaderValue::from_static("text/plain"), Bytes::from("again and ".repeat(1_000)));
        let router = Router::new().route(
            "/",
            get(move || async move { kept.reply() })
                .layer((AndThenLayer::new(compressed_once), CompressionLayer::new())),
        );
        let ask = async |codings: &str| {
            let request = Request::get("/").header(ACCEPT_ENCODING, codings).body(Body::empty()).unwrap();
            let (parts, body) = router.clone().oneshot(request).await.unwrap().into_parts();
            let coding =
                parts.headers.get(CONTENT_ENCODING).map(|coding| coding.to_str().unwrap().to_owned());
            assert!(parts.headers.contains_key(ETAG) && parts.headers.contains_key(CONTENT_TYPE));
            (coding, body.collect().await.unwrap().to_bytes())
        };
        let [plain, first, second] = [ask("identity").await, ask("gzip").await, ask("gzip").await];
        assert_eq!((plain.0, plain.1.len()), (None, 10_000));
        assert_eq!(first.0.as_deref(), Some("gzip"));
        assert!(first.1.len() < 1_000 && first.1.starts_with(&[0x1f, 0x8b]));
        assert_eq!(first, second);
        assert_eq!(first.1.as_ptr(), second.1.as_ptr(), "the very bytes");
    }
}
