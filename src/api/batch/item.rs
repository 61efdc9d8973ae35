//! What stands in a batch and what it is answered.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::api::evaluate::Evaluation;
use crate::api::fields::{Depth, ItemId, Movetime, Nodes};
use crate::api::problem::ProblemBody;
use crate::api::subject::position_request;

position_request! {
    /// A position of a batch.
    pub(crate) struct BatchItem {
        /// Repeated in the answer.
        pub(crate) id: Option<ItemId>,
        /// Also evaluate after captures are resolved. By default false. With a search it is part of the search's time, and
        /// comes first.
        pub(crate) quiescence: Option<bool>,
        /// Also search this deep. At most one of `depth`, `nodes` and `movetime`.
        pub(crate) depth: Option<Depth>,
        /// Also search so many positions.
        pub(crate) nodes: Option<Nodes>,
        /// Also search this long, in milliseconds from when the search of this item begins.
        pub(crate) movetime: Option<Movetime>,
    }
}

/// The `id` of an item alone, for those whose other fields cannot be read.
#[derive(Deserialize)]
pub(super) struct IdOnly {
    #[serde(default)]
    pub(super) id: Option<ItemId>,
}

/// What the answer to an item begins with.
#[derive(Serialize, ToSchema)]
pub(super) struct Label<'a> {
    /// The `id` of the item, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = ItemId, nullable = false, required = false)]
    pub(super) id: Option<&'a ItemId>,
    /// With `unordered`: the number of the item, from 0; of the line, where there is an item a line.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, required = false, minimum = 0)]
    pub(super) index: Option<u64>,
}

/// The answer to an item: an evaluation, or an error for this item alone.
#[derive(ToSchema)]
#[schema(as = BatchAnswer)]
#[serde(untagged)]
#[expect(dead_code, reason = "the document's view; answers are written piece by piece")]
pub(crate) enum BatchAnswer<'a> {
    Evaluated(EvaluatedItem<'a>),
    Failed(FailedItem<'a>),
}

/// The evaluation of an item.
#[derive(ToSchema)]
#[expect(dead_code, reason = "the document's view; answers are written piece by piece")]
pub(crate) struct EvaluatedItem<'a> {
    #[serde(flatten)]
    #[schema(inline)]
    label: Label<'a>,
    #[serde(flatten)]
    evaluation: Evaluation,
}

/// The error of an item.
#[derive(ToSchema)]
#[expect(dead_code, reason = "the document's view; answers are written piece by piece")]
pub(crate) struct FailedItem<'a> {
    #[serde(flatten)]
    #[schema(inline)]
    label: Label<'a>,
    #[serde(flatten)]
    problem: ProblemBody<'a>,
}
