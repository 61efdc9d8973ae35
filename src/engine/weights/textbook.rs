//! The textbook's values, in centipawns as (middlegame, endgame): the weights of every evaluator but `full`.
//!
//! Piece values and the sizes of the bonuses are the textbook ones; the curves of mobility are hand-set for this engine,
//! rising fast while a piece is short of squares.

use super::{Feature, Score, piece_square};

const PIECE_VALUES: &str = "Textbook values: classic 1 3 3 5 9; Max Euwe's 1 3 3 4.5 9.5.";
const OWN: &str = "Set by hand for this engine.";
const TEXTBOOK: &str = "Set by hand within the textbook range.";
const NONE: &str = "No textbook evaluator counts it.";

/// The row of a feature, and where it comes from; empty for a feature that only `full` has.
pub(super) const fn row(feature: Feature) -> (&'static [Score], &'static str) {
    match feature {
        Feature::PawnValue => (&PAWN_VALUE, PIECE_VALUES),
        Feature::KnightValue => (&KNIGHT_VALUE, PIECE_VALUES),
        Feature::BishopValue => (&BISHOP_VALUE, PIECE_VALUES),
        Feature::RookValue => (&ROOK_VALUE, PIECE_VALUES),
        Feature::QueenValue => (&QUEEN_VALUE, PIECE_VALUES),
        Feature::BishopPair => (&BISHOP_PAIR, TEXTBOOK),
        Feature::KnightAgainstBishop => (&KNIGHT_AGAINST_BISHOP, "Textbook formula: (pawns - 8) * 2."),
        Feature::PawnPlacement => (&piece_square::PAWN_PLACEMENT, OWN),
        Feature::KnightPlacement => (&piece_square::KNIGHT_PLACEMENT, OWN),
        Feature::BishopPlacement => (&piece_square::BISHOP_PLACEMENT, OWN),
        Feature::RookPlacement => (&piece_square::ROOK_PLACEMENT, OWN),
        Feature::QueenPlacement => (&piece_square::QUEEN_PLACEMENT, OWN),
        Feature::KingPlacement => (&piece_square::KING_PLACEMENT, OWN),
        Feature::KnightMobility => (&KNIGHT_MOBILITY, OWN),
        Feature::BishopMobility => (&BISHOP_MOBILITY, OWN),
        Feature::RookMobility => (&ROOK_MOBILITY, OWN),
        Feature::QueenMobility => (&QUEEN_MOBILITY, OWN),
        Feature::KnightOutpost => (&KNIGHT_OUTPOST, TEXTBOOK),
        Feature::BishopOutpost => (&BISHOP_OUTPOST, TEXTBOOK),
        Feature::RookOnOpenFile => (&ROOK_ON_OPEN_FILE, TEXTBOOK),
        Feature::RookOnSemiOpenFile => (&ROOK_ON_SEMI_OPEN_FILE, TEXTBOOK),
        Feature::RookOnSeventh => (&ROOK_ON_SEVENTH, TEXTBOOK),
        Feature::TrappedBishop => (&TRAPPED_BISHOP, TEXTBOOK),
        Feature::TrappedRook => (&TRAPPED_ROOK, TEXTBOOK),
        Feature::ConnectedRooks => (&CONNECTED_ROOKS, TEXTBOOK),
        Feature::FileBattery => (&FILE_BATTERY, OWN),
        Feature::DiagonalBattery => (&DIAGONAL_BATTERY, OWN),
        _ => (&[], NONE),
    }
}

const fn s(mg: i32, eg: i32) -> Score {
    Score::new(mg, eg)
}

/// By value set: classic, Euwe.
const PAWN_VALUE: [Score; 2] = [s(100, 100), s(100, 100)];
/// By value set.
const KNIGHT_VALUE: [Score; 2] = [s(300, 300), s(300, 300)];
/// By value set.
const BISHOP_VALUE: [Score; 2] = [s(300, 300), s(300, 300)];
/// By value set.
const ROOK_VALUE: [Score; 2] = [s(500, 500), s(450, 450)];
/// By value set.
const QUEEN_VALUE: [Score; 2] = [s(900, 900), s(950, 950)];

/// Two bishops or more.
const BISHOP_PAIR: [Score; 1] = [s(30, 50)];
/// For each knight that faces a bishop, times the number of pawns beyond eight.
const KNIGHT_AGAINST_BISHOP: [Score; 1] = [s(2, 2)];

/// By the safe squares a knight can go to.
const KNIGHT_MOBILITY: [Score; 9] = [
    s(-32, -36), s(-21, -25), s(-12, -15), s(-3, -6), s(4, 1), s(10, 8), s(15, 13), s(18, 16), s(20, 18),
];

/// By the safe squares a bishop can go to.
const BISHOP_MOBILITY: [Score; 14] = [
    s(-28, -32), s(-20, -23), s(-12, -14), s(-5, -6), s(1, 1), s(7, 8), s(12, 14), s(17, 19), s(21, 23),
    s(24, 27), s(26, 30), s(28, 32), s(30, 33), s(30, 34),
];

/// By the safe squares a rook can go to.
const ROOK_MOBILITY: [Score; 15] = [
    s(-20, -36), s(-16, -27), s(-11, -19), s(-7, -10), s(-3, -3), s(0, 5), s(4, 11), s(7, 18), s(10, 23),
    s(12, 29), s(15, 33), s(17, 37), s(18, 40), s(19, 43), s(20, 44),
];

/// By the safe squares a queen can go to.
const QUEEN_MOBILITY: [Score; 28] = [
    s(-16, -30), s(-14, -26), s(-12, -21), s(-10, -17), s(-8, -13), s(-7, -9), s(-5, -5), s(-3, -1),
    s(-1, 3), s(0, 6), s(2, 10), s(3, 13), s(5, 16), s(6, 19), s(7, 22), s(9, 25), s(10, 28), s(11, 30),
    s(12, 33), s(13, 35), s(14, 37), s(15, 39), s(16, 41), s(16, 42), s(17, 44), s(17, 45), s(18, 46),
    s(18, 46),
];

/// By rank: fourth, fifth, sixth.
const KNIGHT_OUTPOST: [Score; 3] = [s(25, 20), s(35, 25), s(40, 30)];
/// By rank: fourth, fifth, sixth.
const BISHOP_OUTPOST: [Score; 3] = [s(20, 20), s(25, 20), s(30, 25)];

/// No pawn on the rook's file.
const ROOK_ON_OPEN_FILE: [Score; 1] = [s(30, 20)];
/// Only enemy pawns on the rook's file.
const ROOK_ON_SEMI_OPEN_FILE: [Score; 1] = [s(15, 10)];
/// A rook on its seventh rank with something to do there.
const ROOK_ON_SEVENTH: [Score; 1] = [s(20, 30)];

/// A bishop shut in at the edge by a pawn.
const TRAPPED_BISHOP: [Score; 1] = [s(-100, -60)];
/// A rook shut in beside its own king.
const TRAPPED_ROOK: [Score; 1] = [s(-60, -30)];

/// Two rooks that protect each other.
const CONNECTED_ROOKS: [Score; 2] = [s(15, 10), s(15, 10)];
/// Queen and rook on one file with nothing between.
const FILE_BATTERY: [Score; 1] = [s(15, 10)];
/// Queen and bishop on one diagonal with nothing between.
const DIAGONAL_BATTERY: [Score; 1] = [s(12, 6)];
