//! `GET /`: the analysis page, served from the binary: it asks nothing of any other host.
//!
//! The files in the folder `site` are plain ES modules and one style sheet, embedded as they are: no build step. They stand
//! below a folder that is named after their content, so they may be kept for ever, and the page itself, which names that
//! folder, is asked for anew each time. The pieces are those of the [pictures](crate::api::picture), drawn into the page.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

use axum::extract::Path;
use axum::extract::rejection::PathRejection;
use axum::http::HeaderValue;
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY};
use axum::response::{IntoResponse, Response};

use crate::api::kept::Kept;
use crate::api::picture;
use crate::api::problem::{Code, Problem};
use crate::api::validator::{digest, hexadecimal};

/// A file of the page: its name, its media type and its text.
type File = (&'static str, &'static str, &'static str);

macro_rules! files {
    ($media_type:expr; $($name:literal),*) => {
        [$(($name, $media_type, include_str!(concat!("site/", $name)))),*]
    };
}

/// The modules, the first being the one that the page starts.
const MODULES: [File; 17] = files!(
    "text/javascript; charset=utf-8";
    "app.js", "address.js", "analysis.js", "board.js", "chart.js", "curl.js", "dom.js", "game.js", "key.js", "moves.js", "opening.js",
    "review.js", "rules.js", "service.js", "terms.js", "why.js", "worth.js"
);
const STYLES: [File; 1] = files!("text/css; charset=utf-8"; "page.css");
const PICTURES: [File; 1] = files!("image/svg+xml"; "icon.svg");
const PAGE: &str = include_str!("site/index.html");

/// What the page may load and do: its own files and requests to its own host. Nothing that is read becomes markup, and no
/// other page shows it in a frame.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; \
                      trusted-types 'none'";

/// A file has another address when one of the files changes.
const KEPT: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");

/// What is made once.
struct Site {
    /// The name of the folder of the files.
    folder: String,
    page: Arc<Kept>,
    files: HashMap<&'static str, Arc<Kept>>,
}

static SITE: LazyLock<Site> = LazyLock::new(Site::new);

/// The page.
pub(crate) async fn page() -> Response {
    let mut response = SITE.page.reply();
    response.headers_mut().insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    response
}

/// A file of the page. One of another version, which a page still open asks for, is answered with that of today.
pub(crate) async fn file(path: Result<Path<(String, String)>, PathRejection>) -> Response {
    // No file has a name that is not text.
    let known = path.ok().and_then(|Path((folder, name))| Some((folder, SITE.files.get(&*name)?)));
    let Some((folder, file)) = known else {
        return Problem::new(Code::NotFound, "The page has no such file.").into_response();
    };
    let mut response = file.reply();
    if folder == SITE.folder {
        response.headers_mut().insert(CACHE_CONTROL, KEPT);
    }
    response
}

fn files() -> impl Iterator<Item = File> {
    MODULES.into_iter().chain(STYLES).chain(PICTURES)
}

impl Site {
    fn new() -> Self {
        let content: Vec<_> = files().flat_map(|(name, _, text)| [name, text]).collect();
        let folder: String =
            hexadecimal(digest(content.concat().as_bytes())).map(char::from).iter().collect();
        let preload =
            |(name, ..): File| format!("<link rel=\"modulepreload\" href=\"page/{folder}/{name}\">");
        let page = PAGE
            .replace("{assets}", &format!("page/{folder}"))
            .replace("{preloads}", &MODULES.map(preload).join("\n"))
            .replace("{pieces}", &picture::symbols());
        let kept = |media_type, text| Kept::new(HeaderValue::from_static(media_type), text);
        let files = files().map(|(name, media_type, text)| (name, kept(media_type, text.into())));
        Self { folder, page: kept("text/html; charset=utf-8", page.into()), files: files.collect() }
    }
}
