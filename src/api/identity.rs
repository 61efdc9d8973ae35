//! Which engine gave the numbers.

use std::sync::LazyLock;

use axum::http::{HeaderValue, header};
use axum::response::Response;

use crate::api::reply::EngineIdentity;
use crate::engine::weights::{TEXTBOOK, TUNED, Weights};

/// Name, version and weights of this engine.
pub(crate) fn identity() -> EngineIdentity {
    static EVAL_ID: LazyLock<String> = LazyLock::new(|| {
        let numbers = [&TUNED, &TEXTBOOK]
            .into_iter()
            .flat_map(Weights::row)
            .flat_map(|weight| [weight.mg(), weight.eg()]);
        format!("{:016x}", fingerprint(numbers.flat_map(i32::to_le_bytes)))
    });
    EngineIdentity { name: env!("CARGO_PKG_NAME"), version: env!("CARGO_PKG_VERSION"), eval_id: &EVAL_ID }
}

/// A hash that is the same on every machine and in every version (64-bit FNV-1a).
fn fingerprint(bytes: impl IntoIterator<Item = u8>) -> u64 {
    const OFFSET_BASIS: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0100_0000_01b3;
    bytes.into_iter().fold(OFFSET_BASIS, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(PRIME))
}

/// A response with a strong validator of its bytes, which are the same for the same request on every machine.
pub(crate) fn tagged(mut response: Response, bytes: &[u8]) -> Response {
    let tag = format!("\"{:016x}\"", fingerprint(bytes.iter().copied()));
    if let Ok(tag) = HeaderValue::try_from(tag) {
        response.headers_mut().insert(header::ETAG, tag);
    }
    response
}
