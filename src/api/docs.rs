//! `GET /docs/`: the API's browser (Swagger UI), served from the binary, so that it works without internet.

use std::sync::{Arc, LazyLock};

use axum::body::Bytes;
use axum::extract::Path;
use axum::extract::rejection::PathRejection;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Redirect, Response};
use utoipa_swagger_ui::Config;

use crate::api::problem::{Code, Problem};
use crate::api::validator::revalidated;

/// Swagger UI's own code within a sentence covers parts of the lines above and below.
const STYLE: &[u8] =
    b"\n.swagger-ui .markdown code, .swagger-ui .renderedMarkdown code { padding: 0 4px !important }\n";

/// What the page may load and do: its own files and requests to its own host. Swagger UI writes styles into its elements,
/// has its icons in its style sheet, and shows pictures from memory.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; \
                      connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// `/docs`, which is `/docs/`.
pub(crate) async fn redirect() -> Redirect {
    Redirect::temporary("/docs/")
}

/// The page itself.
pub(crate) async fn index() -> Response {
    let mut response = file("index.html");
    response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    response
}

/// What the page loads. No file has a name that is not text.
pub(crate) async fn asset(path: Result<Path<String>, PathRejection>) -> Response {
    path.map_or_else(|_| no_such_file().into_response(), |Path(path)| file(&path))
}

fn no_such_file() -> Problem {
    Problem::new(Code::NotFound, "The API's browser has no such file.")
}

fn file(path: &str) -> Response {
    // The badge of an online validator is the one outside address that Swagger UI would ask for.
    static CONFIG: LazyLock<Arc<Config<'static>>> = LazyLock::new(|| {
        let config = Config::from("/openapi.json").validator_url("none").try_it_out_enabled(true);
        Arc::new(config.display_request_duration(true))
    });
    match utoipa_swagger_ui::serve(path, Arc::clone(&CONFIG)) {
        Ok(Some(file)) => {
            let mut bytes = file.bytes.into_owned();
            if path == "index.css" {
                bytes.extend_from_slice(STYLE);
            }
            let bytes = Bytes::from(bytes);
            revalidated(([(header::CONTENT_TYPE, file.content_type)], bytes.clone()).into_response(), &bytes)
        }
        Ok(None) => no_such_file().into_response(),
        Err(error) => {
            Problem::new(Code::Internal, format!("The API's browser is damaged: {error}.")).into_response()
        }
    }
}
