//! Every number of the search, by technique. Depths count in plies, margins in centipawns.

use super::MAX_PLY;

/// Half the width of the first window around the value of the iteration before.
pub(super) const ASPIRATION_MARGIN: i32 = 25;
/// From here on the window is opened to that side.
pub(super) const ASPIRATION_MARGIN_MAX: i32 = 400;
/// The first iteration with such a window.
pub(super) const ASPIRATION_DEPTH: usize = 4;

/// Razoring: at most this depth,
pub(super) const RAZORING_DEPTH: i32 = 3;
/// and so much below beta for each ply left.
pub(super) const RAZORING_MARGIN: i32 = 220;

/// Reverse futility: at most this depth,
pub(super) const REVERSE_FUTILITY_DEPTH: i32 = 8;
/// and so much above beta for each ply left, one less if the side to move is improving.
pub(super) const REVERSE_FUTILITY_MARGIN: i32 = 80;

/// Null move: at least this depth,
pub(super) const NULL_MOVE_DEPTH: i32 = 3;
/// reduced by so much,
pub(super) const NULL_MOVE_REDUCTION: i32 = 3;
/// by a ply more for every so many plies left,
pub(super) const NULL_MOVE_DEPTH_DIVISOR: i32 = 4;
/// and by a ply more for so much above beta,
pub(super) const NULL_MOVE_SURPLUS: i32 = 200;
/// so many at most.
pub(super) const NULL_MOVE_SURPLUS_MAX: i32 = 3;
/// From this depth on, the result is verified by a search without null moves.
pub(super) const NULL_MOVE_VERIFICATION_DEPTH: i32 = 8;

/// Late move pruning: after so many moves and the square of the depth; half as many if not improving.
pub(super) const LATE_MOVE_PRUNING_BASE: i32 = 4;

/// Futility: at most this depth, reductions taken off,
pub(super) const FUTILITY_DEPTH: i32 = 7;
/// with the static value so much below beta,
pub(super) const FUTILITY_BASE: i32 = 100;
/// and so much for each ply left.
pub(super) const FUTILITY_MARGIN: i32 = 90;

/// Pruning by exchange: captures at most at this depth,
pub(super) const CAPTURE_EXCHANGE_DEPTH: i32 = 6;
/// that lose so much for each ply left;
pub(super) const CAPTURE_EXCHANGE_MARGIN: i32 = 100;
/// quiet moves at most at this depth
pub(super) const QUIET_EXCHANGE_DEPTH: i32 = 8;
/// that lose so much for each ply left, reductions taken off.
pub(super) const QUIET_EXCHANGE_MARGIN: i32 = 60;

/// Late move reductions: at least this depth,
pub(super) const REDUCTION_DEPTH: i32 = 3;
/// from this move on, counted from 0.
pub(super) const REDUCTION_MOVES: i32 = 3;
/// In 1/256 of a ply: the constant part,
pub(super) const REDUCTION_BASE: i32 = 128;
/// and the part for each doubling of the depth times each doubling of the number of the move.
pub(super) const REDUCTION_SLOPE: i32 = 60;
/// History of a quiet move that changes its reduction by a ply.
pub(super) const REDUCTION_HISTORY: i32 = 10_000;

/// A node without a move from the table is searched a ply less from this depth on.
pub(super) const INTERNAL_REDUCTION_DEPTH: i32 = 4;

/// No extension beyond so many times the depth of the iteration.
pub(super) const EXTENSION_HORIZON: usize = 2;

/// The table is not believed with more plies than this since the last capture or pawn move: its keys know no
/// counters.
pub(super) const TABLE_HALFMOVES_MAX: u16 = 84;

/// A result this many plies shallower still replaces the older one of the same position.
pub(super) const TABLE_DEPTH_MARGIN: i32 = 3;
/// A generation of age weighs as much as this many plies of depth when a slot of the table is to be replaced.
pub(super) const TABLE_PLIES_PER_GENERATION: i32 = 8;

/// What the pieces count in exchanges, from pawn to king; a king is never exchanged.
pub(super) const EXCHANGE_WORTH: [i32; 6] = [100, 300, 300, 500, 900, 0];
/// A centipawn of what is captured counts as much in the order of captures as so much of history.
pub(super) const CAPTURE_WEIGHT: i32 = 32;

/// Bound of a history value.
pub(super) const HISTORY_MAX: i32 = 16_384;
/// History gained by a refutation for each ply of depth,
pub(super) const HISTORY_BONUS_PER_PLY: i32 = 150;
/// and at most.
pub(super) const HISTORY_BONUS_MAX: i32 = 1_500;

/// Quiescence skips a capture that leaves the side so much below alpha.
pub(super) const DELTA_MARGIN: i32 = 200;

/// The last iteration for an only move, if neither depth nor nodes were asked for.
pub(super) const ONLY_MOVE_DEPTH: usize = 10;

/// Exhaustive search for mates: of so many moves at most,
pub(super) const MATE_SEARCH_MOVES_MAX: i32 = 8;
/// where the side to move leads by so much,
pub(super) const MATE_SEARCH_LEAD: i32 = 300;
/// with one node of so many,
pub(super) const MATE_SEARCH_SHARE: u64 = 8;
/// or, where a shorter mate than the one found is looked for, always with so many.
pub(super) const MATE_SEARCH_NODES_MIN: u64 = 10_000;

/// Resolving the captures of a single position takes so many nodes at most,
pub(super) const QUIESCENCE_NODES: u64 = 20_000;
/// with lines no longer than the first of these that is possible, in plies.
pub(super) const QUIESCENCE_HORIZONS: [usize; 3] = [MAX_PLY, 6, 2];
/// A static value is quiet if it changes by no more than half a pawn.
pub(super) const QUIET_MARGIN: i32 = 50;

/// Corrections of the static value: so many slots for each side,
pub(super) const CORRECTION_SLOTS: usize = 16_384;
/// in such fractions of a centipawn,
pub(super) const CORRECTION_GRAIN: i32 = 256;
/// within so much,
pub(super) const CORRECTION_LIMIT: i32 = 128 * CORRECTION_GRAIN;
/// moved towards each error by its depth, up to so many 256ths.
pub(super) const CORRECTION_WEIGHT_MAX: i32 = 16;
