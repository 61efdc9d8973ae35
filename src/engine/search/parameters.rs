//! Every number of the search, by technique. Depths count in plies, margins in centipawns.

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
    /// Half the width of the first window around the value of the iteration before.
    aspiration_margin = 15, 5..=80;
    /// A root whose move is too good is searched again so many plies shallower.
    aspiration_reduction = 1, 0..=1;

    /// Razoring: so much below beta,
    razoring_base = 177, 80..=500;
    /// and so much for the square of the depth.
    razoring_square = 122, 40..=400;

    /// Reverse futility, where the node has not been one of a principal variation: at most this depth,
    reverse_futility_depth = 5, 3..=12;
    /// and so much above beta for each ply left, one less if the side to move is improving.
    reverse_futility_margin = 69, 30..=160;

    /// Null move: reduced by so much,
    null_move_reduction = 4, 1..=6;
    /// by a ply more for every so many plies left,
    null_move_depth_divisor = 3, 2..=8;
    /// and by a ply more for so much above beta,
    null_move_surplus = 140, 60..=500;
    /// so many at most.
    null_move_surplus_max = 7, 0..=8;
    /// Only where the static value is so much above beta,
    null_move_static = 98, 0..=300;
    /// less so much for each ply left
    null_move_static_depth = 8, 0..=40;
    /// and so much if the side to move is improving.
    null_move_static_improving = 24, 0..=100;
    /// From this depth on, the result is verified by a search without null moves.
    null_move_verification_depth = 14, 6..=20;

    /// Late move pruning: after so many moves and the square of the depth; half as many if not improving.
    late_move_pruning_base = 3, 1..=10;

    /// Futility: at most this depth, reductions taken off,
    futility_depth = 12, 3..=16;
    /// a ply added for so much history of the move,
    futility_history = 4500, 1000..=30000;
    /// with the static value so much below beta,
    futility_base = 43, 20..=250;
    /// and so much for each ply left.
    futility_margin = 58, 30..=200;
    /// Where quiet moves are futile even with so many plies added, they are not looked at one by one.
    futility_lead = 2, 0..=12;
    /// Futility of captures off the principal variation: with the static value and what is captured so much below beta,
    capture_futility_base = 85, 20..=300;
    /// and so much for each ply left, reductions taken off;
    capture_futility_margin = 90, 30..=300;
    /// so much history of the capture counts as a centipawn.
    capture_futility_history = 25, 10..=400;
    /// History of a quiet move after the moves before it: so bad for each ply of depth but one that it is not searched.
    history_pruning = 3000, 500..=9000;

    /// Pruning by exchange: captures at most at this depth,
    capture_exchange_depth = 6, 2..=12;
    /// that lose so much for each ply left;
    capture_exchange_margin = 107, 20..=200;
    /// quiet moves at most at this depth
    quiet_exchange_depth = 8, 2..=12;
    /// that lose so much for each ply left, reductions taken off.
    quiet_exchange_margin = 55, 15..=150;
    /// And checks, which nothing else prunes, that lose so much for each ply left.
    check_exchange_margin = 120, 40..=400;

    /// Probcut: a capture that reaches so much above beta by a shallower search,
    probcut_margin = 110, 40..=400;
    /// less so much if the side to move is improving.
    probcut_improving = 25, 0..=100;

    /// Late move reductions: at least this depth,
    reduction_depth = 3, 2..=5;
    /// from this move on, counted from 0;
    reduction_moves = 2, 1..=5;
    /// in 1/256 of a ply: the constant part,
    reduction_base = 300, 0..=500;
    /// and the part for each doubling of the depth times each doubling of the number of the move.
    reduction_slope = 53, 30..=110;
    /// History of a quiet move that changes its reduction by a ply.
    reduction_history = 8500, 3000..=30000;
    /// So much less for a capture or promotion,
    reduction_capture = 100, 0..=768;
    /// for every move of a principal node
    reduction_principal = 256, 0..=768;
    /// and where the node has been one of a principal variation.
    reduction_former = 384, 0..=768;
    /// So much more for a quiet move where the table's move captures,
    reduction_tactical = 256, 0..=768;
    /// where the node is expected to reach beta,
    reduction_cut = 384, 0..=768;
    /// and where the side is not improving, once the growing part is a ply.
    reduction_worsening = 256, 0..=512;
    /// A reduced move that reaches beta is searched again a ply deeper if it does so much better than the best so far,
    reduction_deeper_margin = 27, 0..=300;
    /// and so much for each ply that it was reduced by.
    reduction_deeper_ply = 5, 0..=40;

    /// Singular extension: from this depth on,
    singular_depth = 6, 4..=16;
    /// of a move from the table that all others are worse than by so many sixteenths of a centipawn for each ply of depth.
    singular_margin = 20, 4..=64;
    /// and by so many more off the principal variation, where the node has been one of it.
    singular_former = 7, 0..=64;
    /// Two plies deeper instead of one, where all others are worse by so much more.
    singular_double = 15, 0..=200;
    /// So many plies less for a move of which this is not so, although by the table it reaches beta.
    singular_negative = 2, 0..=4;
    /// The same for a node that is expected to reach beta, if by the table it does not.
    singular_cut = 1, 0..=3;

    /// A node without a move from the table is searched a ply less from this depth on.
    internal_reduction_depth = 4, 2..=8;
    /// One of the principal variation from here on.
    internal_reduction_principal = 3, 2..=12;

    /// History gained by a refutation for each ply of depth,
    history_bonus_per_ply = 282, 50..=400;
    /// for its square,
    history_square = 12, 0..=40;
    /// and at most.
    history_bonus_max = 1600, 500..=4000;
    /// Of this, in sixteenths: lost by moves that failed to refute,
    history_malus = 16, 4..=32;
    /// by one of the first moves of a node, as far as it depends on the moves before, when it is refuted,
    history_refuted = 16, 0..=32;
    /// gained by a quiet move with which the table refutes,
    history_table = 12, 0..=32;
    /// and by the move before a node that has no answer to it.
    history_prior = 10, 0..=32;

    /// Quiescence skips a capture that leaves the side so much below alpha.
    delta_margin = 252, 50..=400;

    /// Corrections of the static value, in 1/256: weight of those by pawns
    correction_pawns = 180, 0..=512;
    /// and of those by the pieces of each side.
    correction_pieces = 130, 0..=512;
}

/// From here on the window is opened to that side.
pub(super) const ASPIRATION_MARGIN_MAX: i32 = 400;
/// The first iteration with such a window.
pub(super) const ASPIRATION_DEPTH: usize = 4;

/// Null move: at least this depth,
pub(super) const NULL_MOVE_DEPTH: i32 = 3;

/// Captures may be futile at less than this depth, reductions taken off.
pub(super) const CAPTURE_FUTILITY_DEPTH: i32 = 7;

/// Moves are left out by their history at less than this depth, reductions taken off.
pub(super) const HISTORY_PRUNING_DEPTH: i32 = 5;

/// Probcut: at least this depth,
pub(super) const PROBCUT_DEPTH: i32 = 5;
/// by a search so much shallower.
pub(super) const PROBCUT_REDUCTION: i32 = 4;

/// Singular extension: what the table knows of the node may be so many plies shallower.
pub(super) const SINGULAR_TABLE_MARGIN: i32 = 3;

/// No extension beyond so many times the depth of the iteration.
pub(super) const EXTENSION_HORIZON: usize = 2;

/// The table is not believed with more plies than this since the last capture or pawn move: its keys know no
/// counters.
pub(super) const TABLE_HALFMOVES_MAX: u16 = 84;

/// What the endgame tables say is worth so many plies of search.
pub(super) const TABLEBASE_DEPTH_BONUS: i32 = 6;

/// A result this many plies shallower still replaces the older one of the same position.
pub(super) const TABLE_DEPTH_MARGIN: i32 = 3;
/// A generation of age weighs as much as this many plies of depth when a slot of the table is to be replaced.
pub(super) const TABLE_PLIES_PER_GENERATION: i32 = 8;

/// What the pieces count in exchanges, from pawn to king; a king is never exchanged.
pub(super) const EXCHANGE_WORTH: [i32; 6] = [100, 300, 300, 500, 900, 0];
/// A centipawn of what is captured counts as much in the order of captures as so much of history.
pub(super) const CAPTURE_WEIGHT: i32 = 32;

/// A quiet move of a minor piece out of an attack by a cheaper one counts so much history more in the order of moves,
pub(super) const ESCAPE_BONUS: i32 = 14_000;
/// one into such an attack so much less; twice as much for a rook, three times for a queen.
pub(super) const ENTRY_MALUS: i32 = 4_000;

/// Bound of a history value.
pub(super) const HISTORY_MAX: i32 = 16_384;

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
pub(super) const CORRECTION_LIMIT: i32 = i16::MAX as i32;
/// moved towards each error by its depth, up to so many 256ths.
pub(super) const CORRECTION_WEIGHT_MAX: i32 = 16;
