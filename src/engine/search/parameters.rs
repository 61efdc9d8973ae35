//! Every number of the search, by technique. Depths count in plies, margins in centipawns.
//!
//! Source: they began with the values of Stockfish 15.1, 2.7 of its units to a centipawn, and were moved by own games, in which lots
//! gave each parameter a higher value on one side and a lower one on the other: two rounds of `spar screen` at 30,000 nodes a move,
//! 3,976 pairs, and a third at 100,000, 1,536 pairs; what threats add to a margin came from another at 10,000 nodes, and what the
//! history of a move by itself gains, what weighs six plies before, and who else is treated as improving from one at 20,000, 2,600
//! pairs; how fast reductions grow from one at 60,000, 704 pairs. How deep reverse futility goes was chosen by puzzles, as games saw
//! no difference. What none of them moved, or tried, such as the constants below the table, is still where it began.

use super::MAX_PLY;

/// A number that games can tune.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// As it is called in [`Parameters`].
    pub name: &'static str,
    /// The values that make sense.
    pub range: (i32, i32),
    /// Reads it.
    pub get: fn(&Parameters) -> i32,
    /// Writes it.
    pub set: fn(&mut Parameters, i32),
}

macro_rules! parameters {
    ($($(#[doc = $meaning:literal])+ $name:ident = $value:literal, $low:literal..=$high:literal;)+) => {
        /// The numbers that games can tune; the others are constants.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct Parameters {
            $($(#[doc = $meaning])+ pub $name: i32,)+
        }

        impl Parameters {
            /// What the service plays with.
            pub const DEFAULT: Self = Self { $($name: $value,)+ };

            /// Each of them, with the values that make sense.
            pub const ALL: &[Parameter] = &[$(Parameter {
                name: stringify!($name),
                range: ($low, $high),
                get: |parameters| parameters.$name,
                set: |parameters, value| parameters.$name = value,
            }),+];
        }
    };
}

parameters! {
    /// Half the width of the first window around the value of the iteration before,
    aspiration_margin = 7, 2..=80;
    /// and a centipawn more for so many of its square.
    aspiration_square = 5800, 1000..=40_000;

    /// Razoring: so much below beta,
    razoring_base = 122, 60..=500;
    /// and so much for the square of the depth.
    razoring_square = 92, 40..=400;

    /// Reverse futility, where the node has not been one of a principal variation: at most this depth,
    reverse_futility_depth = 3, 1..=12;
    /// and so much above beta for each ply left, one less if the side to move is improving.
    reverse_futility_margin = 60, 30..=160;
    /// So much history of the move before counts as a centipawn.
    reverse_futility_history = 760, 100..=10_000;
    /// So much more where a piece of the side to move is attacked by a cheaper one,
    reverse_futility_threat = 125, 0..=300;
    /// and so much for each officer but one that attacks squares around its king, with a queen among the enemies.
    reverse_futility_siege = 40, 0..=150;

    /// Null move: reduced by so much,
    null_move_reduction = 3, 1..=6;
    /// by a ply more for every so many plies left,
    null_move_depth_divisor = 3, 2..=8;
    /// and by a ply more for so much above beta,
    null_move_surplus = 67, 30..=500;
    /// so many at most.
    null_move_surplus_max = 7, 0..=8;
    /// Only where the static value is so much above beta,
    null_move_static = 92, 0..=300;
    /// less so much for each ply left
    null_move_static_depth = 8, 0..=40;
    /// and a centipawn for so much that the side to move has improved.
    null_move_static_improvement = 13, 2..=100;
    /// Not after a move with more history than this.
    null_move_history = 16_000, 0..=100_000;
    /// From this depth on, the result is verified by a search without null moves.
    null_move_verification_depth = 13, 6..=20;

    /// Late move pruning: after so many moves and the square of the depth; half as many if not improving.
    late_move_pruning_base = 2, 1..=10;

    /// Futility: at most this depth, reductions taken off,
    futility_depth = 12, 3..=16;
    /// with the static value so much below beta,
    futility_base = 35, 10..=250;
    /// and so much for each ply left;
    futility_margin = 51, 20..=200;
    /// so much history of the move counts as a centipawn.
    futility_history = 145, 20..=1000;
    /// Futility of captures off the principal variation: with the static value and what is captured so much below beta,
    capture_futility_base = 73, 20..=300;
    /// and so much for each ply left, reductions taken off;
    capture_futility_margin = 76, 20..=300;
    /// so much history of the capture counts as a centipawn.
    capture_futility_history = 18, 4..=400;
    /// Only at less than this depth, reductions taken off.
    capture_futility_depth = 7, 3..=12;
    /// History of a quiet move after the moves before it: so bad for each ply of depth but one that it is not searched.
    history_pruning = 3800, 500..=15_000;
    /// Only at less than this depth, reductions taken off.
    history_pruning_depth = 5, 2..=10;

    /// Pruning by exchange: captures and checks that lose so much for each ply left;
    capture_exchange_margin = 78, 20..=200;
    /// quiet moves that lose so much for each ply left, reductions taken off,
    quiet_exchange_margin = 6, 0..=150;
    /// and so much for its square.
    quiet_exchange_square = 13, 0..=60;

    /// Probcut: a capture that reaches so much above beta by a shallower search,
    probcut_margin = 67, 30..=400;
    /// less so much if the side to move is improving.
    probcut_improving = 26, 0..=100;
    /// In check, one that by the table reaches so much above beta.
    probcut_check = 175, 60..=500;
    /// It is tried from this depth on,
    probcut_depth = 5, 4..=10;
    /// by a search so many plies shallower.
    probcut_reduction = 4, 2..=6;

    /// Late move reductions: at least this depth,
    reduction_depth = 2, 2..=5;
    /// from this move on, counted from 0;
    reduction_moves = 1, 1..=5;
    /// in 1/256 of a ply: the constant part,
    reduction_base = 400, 0..=700;
    /// less so much where the window is as wide as at the root, in proportion elsewhere,
    reduction_window = 240, 0..=768;
    /// and the part for each doubling of the depth times each doubling of the number of the move.
    reduction_slope = 48, 30..=110;
    /// So much more where the side is not improving,
    reduction_worsening = 235, 0..=512;
    /// once the growing part is so much.
    reduction_worsening_from = 210, 0..=768;
    /// History of a move that changes its reduction by a ply,
    reduction_history = 10_700, 3000..=60_000;
    /// with as much more at middle depths,
    reduction_history_middle = 5300, 0..=20_000;
    /// counted from this on.
    reduction_history_base = 5600, 0..=20_000;
    /// So much less for every move of a principal node,
    reduction_principal = 180, 0..=768;
    /// where the node is or has been one of a principal variation, unless the table doubts it,
    reduction_former = 365, 0..=768;
    /// where the move before came late,
    reduction_late = 250, 0..=768;
    /// after more than so many others,
    reduction_late_from = 6, 2..=20;
    /// and where the table's move, a quiet one, is the only good one.
    reduction_alone = 295, 0..=768;
    /// So much more where the table's move captures,
    reduction_tactical = 310, 0..=768;
    /// where the node is expected to reach beta,
    reduction_cut = 420, 0..=1024;
    /// and where many of the nodes below have reached beta,
    reduction_cutoffs = 415, 0..=768;
    /// more than so many with the same grandparent.
    reduction_cutoffs_from = 3, 1..=8;
    /// A reduced move that reaches beta is searched again a ply deeper if it does so much better,
    reduction_deeper_margin = 25, 0..=300;
    /// and so much for each ply that it was reduced by;
    reduction_deeper_ply = 4, 0..=40;
    /// a ply less deep if it is better than the best so far by less than so many sixteenths for each ply left.
    reduction_shallower = 6, 0..=64;

    /// Check extension: up to this depth.
    check_depth = 8, 0..=60;

    /// Singular extension: from this depth on,
    singular_depth = 4, 4..=16;
    /// so much more where a node of the principal variation has been one before;
    singular_depth_principal = 2, 0..=4;
    /// of a move from the table that all others are worse than by so many sixteenths of a centipawn for each ply of depth.
    singular_margin = 20, 4..=64;
    /// and by so many more off the principal variation, where the node has been one of it.
    singular_former = 7, 0..=64;
    /// Two plies deeper instead of one, where all others are worse by so much more,
    singular_double = 14, 0..=200;
    /// but no more than so many times in a line.
    singular_doubles = 15, 0..=30;
    /// So many plies less for a move of which this is not so, although by the table it reaches beta.
    singular_negative = 2, 0..=4;
    /// The same if by the table it does not reach alpha, nor what the others do.
    singular_low = 1, 0..=3;

    /// A node that is expected to reach beta without a move from the table is searched two plies less from this depth on.
    internal_reduction_depth = 10, 2..=16;
    /// One of the principal variation, a ply less from here on.
    internal_reduction_principal = 3, 2..=12;

    /// History gained by a refutation for each ply of depth,
    history_bonus_per_ply = 355, 50..=400;
    /// for its square,
    history_square = 14, 0..=40;
    /// less so much,
    history_bonus_base = 190, 0..=1000;
    /// and at most.
    history_bonus_max = 1560, 500..=4000;
    /// History of a move by itself gains so many hundredths of that,
    history_alone = 140, 0..=400;
    /// and so much for each centipawn that the static value is better after the move than before.
    history_static = 50, 0..=200;
    /// A refutation by so much more than beta counts as one of a ply more.
    history_clear = 37, 0..=400;
    /// The move before a node gains twice as much if it is so much below beta for each ply of depth.
    history_hopeless = 25, 0..=100;
    /// The move before a node that stays below beta gains history from this depth on, or if the node is one of the principal
    /// variation.
    history_prior_depth = 5, 2..=8;

    /// A node that stays below beta is near a principal variation from this depth on, if the one above is.
    former_depth = 4, 2..=8;

    /// A side of which nothing earlier is known is taken to have improved by so much.
    unknown_improvement = 78, -50..=200;
    /// So much above beta a side that has not improved is treated as one that has, off the principal variation.
    improving_surplus = 35, 0..=400;

    /// Order of captures: a centipawn of what is captured counts as much as so much of history,
    order_victim = 16, 4..=64;
    /// and so much in that order counts as a centipawn that a capture may lose and still come early.
    order_slack = 39, 10..=200;
    /// Order of quiet moves: history after the move six plies before counts in so many sixteenths.
    order_sixth = 22, 0..=64;
    /// A minor piece, a rook or a queen out of an attack by a cheaper one to where none is counts so much
    /// history for each centipawn of its worth in exchanges,
    order_escape = 51, 0..=100;
    /// and a move that gives check so much.
    order_check = 15_900, 0..=50_000;

    /// Quiescence skips a capture that leaves the side so much below alpha.
    delta_margin = 45, 20..=400;

    /// Corrections of the static value, in 1/256: weight of those by pawns
    correction_pawns = 115, 0..=512;
    /// and of those by the pieces of each side.
    correction_pieces = 125, 0..=512;
}

/// From here on the window is opened to that side.
pub(super) const ASPIRATION_MARGIN_MAX: i32 = 400;
/// The first iteration with such a window.
pub(super) const ASPIRATION_DEPTH: usize = 4;

/// Singular extension: what the table knows of the node may be so many plies shallower.
pub(super) const SINGULAR_TABLE_MARGIN: i32 = 3;

/// No extension beyond so many times the depth of the iteration.
pub(super) const EXTENSION_HORIZON: usize = 2;

/// The table's keys know the plies since the last capture or pawn move from so many on,
pub(super) const TABLE_CLOCK_FROM: u16 = 14;
/// so many together.
pub(super) const TABLE_CLOCK_STEP: u16 = 8;
/// The table is not believed with more of these plies: the 50-move rule is too near.
pub(super) const TABLE_HALFMOVES_MAX: u16 = 84;

/// What the endgame tables say is worth so many plies of search.
pub(super) const TABLEBASE_DEPTH_BONUS: i32 = 6;

/// A result this many plies shallower still replaces the older one of the same position;
pub(super) const TABLE_DEPTH_MARGIN: i32 = 3;
/// so many more, if it is one of the principal variation.
pub(super) const TABLE_PRINCIPAL_MARGIN: i32 = 2;
/// A generation of age weighs as much as this many plies of depth when a slot of the table is to be replaced.
pub(super) const TABLE_PLIES_PER_GENERATION: i32 = 8;

/// What the pieces count in exchanges, from pawn to king; a king is never exchanged.
pub(super) const EXCHANGE_WORTH: [i32; 6] = [100, 300, 300, 500, 900, 0];
/// What a change of the static value adds to the history of a move, at most.
pub(super) const HISTORY_STATIC_MAX: i32 = 1900;
/// Bounds of the history of quiet moves by themselves,
pub(super) const BUTTERFLY_MAX: i32 = 7_200;
/// after another move,
pub(super) const CONTINUATION_MAX: i32 = 30_000;
/// and of captures.
pub(super) const CAPTURE_MAX: i32 = 10_700;

/// The last iteration for an only move, if neither depth nor nodes were asked for.
pub(super) const ONLY_MOVE_DEPTH: usize = 10;

/// Search for mates that prunes nothing: where the side to move leads by so much,
pub(super) const MATE_SEARCH_LEAD: i32 = 300;
/// with one node of so many,
pub(super) const MATE_SEARCH_SHARE: u64 = 4;
/// for mates within so many moves until so many nodes are spent, then for any;
pub(super) const MATE_SEARCH_BOUNDS: [(u64, u8); 3] = [(100_000, 6), (1_000_000, 9), (u64::MAX, 14)];
/// where a mate is known, with one node of so many, to find the shortest one and prove it,
pub(super) const MATE_PROOF_SHARE: u64 = 2;
/// and in each iteration with so many nodes at least.
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
pub(super) const CORRECTION_LIMIT: i32 = i16::MAX as i32;
/// moved towards each error by its depth, up to so many 256ths.
pub(super) const CORRECTION_WEIGHT_MAX: i32 = 16;
