//! The types of request fields: each refuses what is out of bounds as it is read, and says its bounds in the schema.

mod bounded;
mod choices;
mod fen_text;
mod item_id;
mod marks;
mod move_text;
mod moves;
mod multi_pv;
mod parameters;

pub(crate) use bounded::{Depth, Elo, LineCount, Movetime, Nodes, TimeoutMs};
pub(crate) use choices::{
    EvaluatorName, Orientation, PieceValuesName, Pov, Strategy, ThemeName, VariantName,
};
pub(crate) use fen_text::FenText;
pub(crate) use item_id::ItemId;
pub(crate) use marks::{Arrows, LastMove};
pub(crate) use move_text::MoveText;
pub(crate) use moves::MoveTexts;
pub(crate) use multi_pv::MultiPv;
pub(crate) use parameters::query_parameters;
