//! The search: which move, what it is worth, and by which line.

mod limits;
mod report;
mod table;
mod value;

pub use limits::Limits;
pub use report::{Bound, End, Line, Report, SearchScore};
pub use table::{TableError, TranspositionTable};

/// No line is followed further than this from the root, in plies; it is the greatest depth too.
pub const MAX_PLY: usize = 127;
