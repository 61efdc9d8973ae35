//! Portable Game Notation: lenient in, plain out.
//!
//! Reading takes what programs and people write: comments, nested variations, glyphs, commands such as `[%eval 0.17]`,
//! positions of their own, Chess960, moves in SAN, UCI or long algebraic notation with or without numbers, several games in
//! a text, a byte-order mark, any line ends, UTF-8 or Latin-1. What cannot be read is an error with its line and column,
//! never a move left out: the main line has to be legal to its end. Only a side line is cut where it goes wrong, with a notice; what
//! is left of it becomes a comment.
//!
//! Source: "Portable Game Notation Specification and Implementation Guide" (1994), and what is found in the wild.

mod commands;
mod error;
mod glyph;
mod lexer;
mod reader;
mod record;
mod setup;
mod text;
mod writer;

pub use commands::{Eval, add_eval, clock, eval, has_eval, without_eval};
pub use error::{Fault, PgnError, Place};
pub use glyph::Nag;
pub use reader::{Caps, read};
pub use record::{Line, Notice, Ply, Record, Tags, Termination};
pub use setup::is_supported_variant;
pub use text::decode;
pub use writer::write;
