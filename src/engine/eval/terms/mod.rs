//! The terms, one file a family. Each is generic over the ledger, and posts for the side whose view it is given.

pub(super) mod coordination;
pub(super) mod king_danger;
pub(super) mod king_relative;
pub(super) mod minors;
pub(super) mod mobility;
pub(super) mod outposts;
pub(super) mod passed_pawns;
pub(super) mod pawns;
pub(super) mod placement;
pub(super) mod rooks;
pub(super) mod shelter;
pub(super) mod space;
pub(super) mod tempo;
pub(super) mod threats;
pub(super) mod trapped;
