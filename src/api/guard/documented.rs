//! The guard in the OpenAPI document: how a key is sent, and what happens without one and too often.

use utoipa::openapi::security::{ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::openapi::{OpenApi, SecurityRequirement};

use super::is_open;
use crate::api::problem::{problems, too_often};

/// The scheme of `Authorization: Bearer`.
const BEARER: &str = "bearer";
/// The scheme of `X-Api-Key`.
const HEADER: &str = "apiKey";

/// Says of the whole document that a key may be needed, and of what is open that none is.
pub(crate) fn document(document: &mut OpenApi) {
    let description = "An API key, where the server asks for keys; without them nobody needs one.";
    let bearer = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).description(Some(description)).build();
    let header = ApiKeyValue::with_description("X-Api-Key", description);
    let components = document.components.get_or_insert_default();
    components.add_security_scheme(BEARER, SecurityScheme::Http(bearer));
    components.add_security_scheme(HEADER, SecurityScheme::ApiKey(ApiKey::Header(header)));
    let none: [&str; 0] = [];
    let either = [BEARER, HEADER].map(|scheme| SecurityRequirement::new(scheme, none));
    // For the document as a whole, so that clients which are made from it need a key only where they are given one.
    document.security = Some([SecurityRequirement::default()].into_iter().chain(either).collect());
    for (path, item) in &mut document.paths.paths {
        for operation in [&mut item.get, &mut item.post].into_iter().flatten() {
            if is_open(path) {
                operation.security = Some(Vec::new());
            } else {
                let responses = &mut operation.responses.responses;
                let refusals = problems(&[401]).into_iter().chain(too_often());
                for (status, refusal) in refusals {
                    responses.entry(status).or_insert(refusal);
                }
            }
        }
    }
}
