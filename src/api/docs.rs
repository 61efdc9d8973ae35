//! `GET /docs/`: the API's browser (Swagger UI), served from the binary, so that it works without internet.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use axum::extract::Path;
use axum::extract::rejection::PathRejection;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Redirect, Response};
use utoipa_swagger_ui::Config;

use crate::api::kept::Kept;
use crate::api::problem::{Code, Problem};

/// Swagger UI's own code within a sentence covers parts of the lines above and below, and its choice of servers, of which
/// there is one, has no label.
const STYLE: &[u8] = b"
.swagger-ui .markdown code, .swagger-ui .renderedMarkdown code { padding: 0 4px !important }
.swagger-ui .schemes-server-container { display: none !important }
";

/// What the browser's tab is called, by Swagger UI and here.
const TITLES: (&str, &str) = ("<title>Swagger UI</title>", "<title>centipawn: the API</title>");

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
    // The badge of an online validator is the one outside address that Swagger UI would ask for; the bar of its other layout
    // asks for the address of another contract, which the policy forbids.
    static CONFIG: LazyLock<Arc<Config<'static>>> = LazyLock::new(|| {
        let config = Config::from("/openapi.json").validator_url("none").try_it_out_enabled(true);
        Arc::new(config.display_request_duration(true).use_base_layout())
    });
    /// Those that were asked for.
    static FILES: LazyLock<Mutex<HashMap<String, Arc<Kept>>>> = LazyLock::new(Mutex::default);
    let mut files = FILES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(file) = files.get(path) {
        return file.reply();
    }
    match utoipa_swagger_ui::serve(path, Arc::clone(&CONFIG)) {
        Ok(Some(file)) => {
            let mut bytes = file.bytes.into_owned();
            match path {
                "index.css" => bytes.extend_from_slice(STYLE),
                "index.html" => {
                    bytes = String::from_utf8_lossy(&bytes).replace(TITLES.0, TITLES.1).into_bytes();
                }
                _ => {}
            }
            // Each of them has a type of its own.
            let media_type = HeaderValue::try_from(file.content_type);
            let media_type = media_type.unwrap_or(HeaderValue::from_static("application/octet-stream"));
            let file = files.entry(path.to_owned()).or_insert(Kept::new(media_type, bytes.into()));
            file.reply()
        }
        Ok(None) => no_such_file().into_response(),
        Err(error) => {
            Problem::new(Code::Internal, format!("The API's browser is damaged: {error}.")).into_response()
        }
    }
}
