//! The evaluators, each in its file: the steps by which the field teaches evaluation.

mod count;
mod full;
mod material;
mod pieces;
mod psqt;

pub use count::Count;
pub use full::Full;
pub(super) use full::post_material;
pub use material::Material;
pub use pieces::Pieces;
pub use psqt::Psqt;
