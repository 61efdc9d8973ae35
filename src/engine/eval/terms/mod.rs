//! The terms, one file a family. Each is generic over the side and the ledger, and posts.

pub(super) mod coordination;
pub(super) mod mobility;
pub(super) mod outposts;
pub(super) mod placement;
pub(super) mod rooks;
pub(super) mod tempo;
pub(super) mod trapped;
