//! `centipawn openapi`: the contract, as the service serves it.

use std::io::Write;

use super::Failure;
use crate::api;

/// Writes the `OpenAPI` document as JSON.
pub(super) fn run(output: &mut impl Write) -> Result<(), Failure> {
    output.write_all(api::document().as_bytes())?;
    Ok(())
}
