//! The sources of the search under test.

#[expect(dead_code, reason = "the table asks more of a slot")]
#[path = "../../../src/engine/search/slot.rs"]
mod slot;
pub(crate) mod slots;
