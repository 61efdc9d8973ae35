//! Every feature by hand: a position, the entries that White must have of it, and the mirrored position for Black.

use centipawn::engine::chess::{Bitboard, Color, Position, Square, Status};
use centipawn::engine::eval::{Breakdown, EvaluatorKind};
use centipawn::engine::weights::{Feature, Term};

use super::evaluator;
use crate::data::position;

/// An entry of White's: the squares it is about, its middlegame and endgame worth, its sentence.
type Entry<'a> = (&'a str, i32, i32, &'a str);

/// White has exactly these entries of a feature in the position, and Black has them in the mirrored one.
fn check(fen: &str, feature: Feature, expected: &[Entry]) {
    let position = position(fen);
    let ours: Vec<(Bitboard, i32, i32)> =
        expected.iter().map(|(on, mg, eg, _)| (squares(on), *mg, *eg)).collect();
    let texts: Vec<&str> = expected.iter().map(|(.., text)| *text).collect();
    let (found, sentences) = entries(&position, feature, Color::White);
    assert_eq!(found, ours, "{fen} {feature:?}");
    assert_eq!(sentences, texts, "{fen} {feature:?}");

    let (mut mirrored, _) = entries(&position.mirrored(), feature, Color::Black);
    let mut theirs: Vec<_> = ours.iter().map(|(on, mg, eg)| (on.flip(), -mg, -eg)).collect();
    mirrored.sort_by_key(|entry| entry.0.0);
    theirs.sort_by_key(|entry| entry.0.0);
    assert_eq!(mirrored, theirs, "{fen} mirrored, {feature:?}");
}

fn squares(names: &str) -> Bitboard {
    names.split_whitespace().map(|name| name.parse::<Square>().unwrap()).collect()
}

fn entries(position: &Position, feature: Feature, side: Color) -> (Vec<(Bitboard, i32, i32)>, Vec<String>) {
    let breakdown: Breakdown = evaluator(kind(feature)).explain(position, Status::Ongoing);
    let entries = breakdown.terms.into_iter().flat_map(|line| line.features);
    entries
        .filter(|entry| entry.feature == feature && entry.side == side)
        .map(|entry| ((entry.squares, entry.score.mg(), entry.score.eg()), entry.text))
        .unzip()
}

/// The textbook evaluator that has the feature, whose weights are round numbers.
fn kind(feature: Feature) -> EvaluatorKind {
    match feature.term() {
        Term::Placement => EvaluatorKind::Psqt,
        _ => EvaluatorKind::Pieces,
    }
}

#[test]
fn piece_values() {
    let fen = "4k3/8/8/8/8/8/PP6/QRBNK3 w - - 0 1";
    check(fen, Feature::PawnValue, &[("a2 b2", 200, 200, "White has 2 pawns.")]);
    check(fen, Feature::KnightValue, &[("d1", 300, 300, "White has a knight.")]);
    check(fen, Feature::BishopValue, &[("c1", 300, 300, "White has a bishop.")]);
    check(fen, Feature::RookValue, &[("b1", 500, 500, "White has a rook.")]);
    check(fen, Feature::QueenValue, &[("a1", 900, 900, "White has a queen.")]);
}

#[test]
fn bishop_pair() {
    let sentence = "White has the bishop pair: the bishops on c1 and f1.";
    check("4k3/pp6/8/8/8/8/PP6/2B1KB2 w - - 0 1", Feature::BishopPair, &[("c1 f1", 30, 50, sentence)]);
    check("4k3/pp6/8/8/8/8/PP6/2B1KN2 w - - 0 1", Feature::BishopPair, &[]);
    let sentence = "White's bishops on d1 and f1 count as a pair, though both stand on light squares.";
    check("4k3/pp6/8/8/8/8/PP6/3BKB2 w - - 0 1", Feature::BishopPair, &[("d1 f1", 30, 50, sentence)]);
    let sentence = "White's bishops on a1, c1 and g1 count as a pair, though all stand on dark squares.";
    check("4k3/pp6/8/8/8/8/PP6/B1B1K1B1 w - - 0 1", Feature::BishopPair, &[("a1 c1 g1", 30, 50, sentence)]);
}

#[test]
fn knights_against_bishops() {
    let feature = Feature::KnightAgainstBishop;
    let many = "With 12 pawns on the board, the knight on b1 gains in worth against the bishop on c8.";
    check("2b1k3/pppppp2/8/8/8/8/PPPPPP2/1N2K3 w - - 0 1", feature, &[("b1", 8, 8, many)]);
    let few = "With only 2 pawns on the board, the knight on b1 loses in worth against the bishop on c8.";
    check("2b1k3/p7/8/8/8/8/P7/1N2K3 w - - 0 1", feature, &[("b1", -12, -12, few)]);
    check("2b1k3/pppp4/8/8/8/8/PPPP4/1N2K3 w - - 0 1", feature, &[]);
    check("2n1k3/pppppp2/8/8/8/8/PPPPPP2/1N2K3 w - - 0 1", feature, &[]);
}

#[test]
fn placement() {
    let fen = "4k3/8/8/8/4N3/P7/8/N3K3 w - - 0 1";
    let poor =
        "The knight on a1 stands on a poor square (-48 centipawns in the middlegame, -38 in the endgame).";
    let good =
        "The knight on e4 stands on a good square (+8 centipawns in the middlegame, +4 in the endgame).";
    check(fen, Feature::KnightPlacement, &[("a1", -48, -38, poor), ("e4", 8, 4, good)]);
    let pawn =
        "The pawn on a3 stands on an ordinary square (-2 centipawns in the middlegame, +3 in the endgame).";
    check(fen, Feature::PawnPlacement, &[("a3", -2, 3, pawn)]);
    let king = "The king on e1 stands on a good square for the middlegame but a poor one for the endgame \
                (+8 centipawns in the middlegame, -19 in the endgame).";
    check("4k3/8/8/8/8/8/8/4K3 w - - 0 1", Feature::KingPlacement, &[("e1", 8, -19, king)]);
}

#[test]
fn knight_mobility() {
    let feature = Feature::KnightMobility;
    let free = "The knight on f3 can go to 8 safe squares.";
    check("4k3/8/8/8/8/5N2/8/K7 w - - 0 1", feature, &[("f3", 20, 18, free)]);
    // d4 and h4 are attacked by pawns; d2 and h2 hold own pieces.
    let hampered = "The knight on f3 can go to 4 safe squares.";
    check("4k3/8/8/2p3p1/8/5N2/3P3P/K7 w - - 0 1", feature, &[("f3", 4, 1, hampered)]);
    let none = "The knight on a1 can go to no safe square.";
    check("4k3/8/8/8/p7/8/2P5/N2K4 w - - 0 1", feature, &[("a1", -32, -36, none)]);
    let pinned = "The knight on e3 is pinned; without the pin it could go to 8 safe squares.";
    check("4r1k1/8/8/8/8/4N3/8/4K3 w - - 0 1", feature, &[("e3", 20, 18, pinned)]);
}

#[test]
fn bishop_mobility() {
    let feature = Feature::BishopMobility;
    let free = "The bishop on d4 can go to 13 safe squares.";
    check("4k3/8/8/8/3B4/8/8/4K3 w - - 0 1", feature, &[("d4", 30, 34, free)]);
    let shut = "The bishop on c1 can go to no safe square.";
    check("4k3/8/8/8/8/8/1P1P4/2B1K3 w - - 0 1", feature, &[("c1", -28, -32, shut)]);
}

#[test]
fn rook_mobility() {
    let feature = Feature::RookMobility;
    let free = "The rook on a1 can go to 14 safe squares.";
    check("6k1/8/8/8/8/8/6K1/R7 w - - 0 1", feature, &[("a1", 20, 44, free)]);
    let one = "The rook on a1 can go to 1 safe square.";
    check(
        "6k1/8/8/8/8/8/P5K1/RN6 w - - 0 1",
        feature,
        &[("a1", -20, -36, "The rook on a1 can go to no safe square.")],
    );
    check("6k1/8/8/8/8/8/P5K1/R1N5 w - - 0 1", feature, &[("a1", -16, -27, one)]);
}

#[test]
fn queen_mobility() {
    let free = "The queen on d4 can go to 27 safe squares.";
    check("6k1/8/8/8/3Q4/8/7K/8 w - - 0 1", Feature::QueenMobility, &[("d4", 18, 46, free)]);
    let one = "The queen on a1 can go to 1 safe square.";
    check("6k1/8/8/8/8/P7/1P4K1/QN6 w - - 0 1", Feature::QueenMobility, &[("a1", -14, -26, one)]);
}

#[test]
fn knight_outposts() {
    let feature = Feature::KnightOutpost;
    let sentence =
        "The knight on d5 is an outpost: no black pawn can attack it and the pawn on c4 protects it.";
    check("4k3/3p4/8/3N4/2P5/8/8/4K3 w - - 0 1", feature, &[("d5", 35, 25, sentence)]);
    let two =
        "The knight on d6 is an outpost: no black pawn can attack it and the pawns on c5 and e5 protect it.";
    check("7k/8/3N4/2P1P3/8/8/8/4K3 w - - 0 1", feature, &[("d6", 40, 30, two)]);
    let fourth =
        "The knight on e4 is an outpost: no black pawn can attack it and the pawn on d3 protects it.";
    check("4k3/8/8/8/4N3/3P4/8/4K3 w - - 0 1", feature, &[("e4", 25, 20, fourth)]);
    // A pawn on c7 or e7 can come to attack d5; an unprotected knight and one on the seventh rank are no outposts.
    check("4k3/2p5/8/3N4/2P5/8/8/4K3 w - - 0 1", feature, &[]);
    check("4k3/8/8/3N4/8/8/8/4K3 w - - 0 1", feature, &[]);
    check("6k1/3N4/2P5/8/8/8/8/4K3 w - - 0 1", feature, &[]);
    // A pawn that has gone by attacks nothing any more.
    check("4k3/8/8/3N4/2P1p3/8/8/4K3 w - - 0 1", feature, &[("d5", 35, 25, sentence)]);
}

#[test]
fn bishop_outposts() {
    let sentence =
        "The bishop on d5 is an outpost: no black pawn can attack it and the pawn on e4 protects it.";
    check("4k3/8/8/3B4/4P3/8/8/4K3 w - - 0 1", Feature::BishopOutpost, &[("d5", 25, 20, sentence)]);
    check("4k3/4p3/8/3B4/4P3/8/8/4K3 w - - 0 1", Feature::BishopOutpost, &[]);
}

#[test]
fn rooks_on_files() {
    let open = "The rook on d1 stands on the open d-file.";
    check("6k1/8/8/8/8/8/8/3R2K1 w - - 0 1", Feature::RookOnOpenFile, &[("d1", 30, 20, open)]);
    let semi = "The rook on d1 stands on the semi-open d-file: the only pawn on it is Black's on d6.";
    let fen = "6k1/8/3p4/8/8/8/8/3R2K1 w - - 0 1";
    check(fen, Feature::RookOnSemiOpenFile, &[("d1", 15, 10, semi)]);
    check(fen, Feature::RookOnOpenFile, &[]);
    let two = "The rook on d1 stands on the semi-open d-file: the only pawns on it are Black's on d6 and d7.";
    check("6k1/3p4/3p4/8/8/8/8/3R2K1 w - - 0 1", Feature::RookOnSemiOpenFile, &[("d1", 15, 10, two)]);
    let closed = "6k1/8/3p4/8/8/3P4/8/3R2K1 w - - 0 1";
    check(closed, Feature::RookOnOpenFile, &[]);
    check(closed, Feature::RookOnSemiOpenFile, &[]);
}

#[test]
fn rook_on_the_seventh() {
    let feature = Feature::RookOnSeventh;
    let both = "The rook on d7 stands on its seventh rank against the pawns on a7 and b7 and the king on g8.";
    check("6k1/pp1R4/8/8/8/8/8/6K1 w - - 0 1", feature, &[("d7", 20, 30, both)]);
    let king = "The rook on a7 stands on its seventh rank against the king on g8.";
    check("6k1/R7/8/8/8/8/8/6K1 w - - 0 1", feature, &[("a7", 20, 30, king)]);
    let pawn = "The rook on d7 stands on its seventh rank against the pawn on a7.";
    check("8/p2R4/6k1/8/8/8/8/6K1 w - - 0 1", feature, &[("d7", 20, 30, pawn)]);
    check("8/3R4/6k1/8/8/8/8/6K1 w - - 0 1", feature, &[]);
}

#[test]
fn trapped_bishop() {
    let feature = Feature::TrappedBishop;
    let a7 = "The bishop on a7 is shut in by the pawn on b6.";
    check("6k1/B1p5/1p6/8/8/8/8/6K1 w - - 0 1", feature, &[("a7", -100, -60, a7)]);
    let h7 = "The bishop on h7 is shut in by the pawn on g6.";
    check("2k5/5p1B/6p1/8/8/8/8/6K1 w - - 0 1", feature, &[("h7", -100, -60, h7)]);
    check("6k1/B1p5/8/8/8/8/8/6K1 w - - 0 1", feature, &[]);
    check("6k1/2p5/1p6/B7/8/8/8/6K1 w - - 0 1", feature, &[]);
}

#[test]
fn trapped_rook() {
    let feature = Feature::TrappedRook;
    let kingside = "The rook on h1 is shut in by its own king on g1.";
    check("4k3/8/8/8/8/8/5PPP/6KR w - - 0 1", feature, &[("h1", -60, -30, kingside)]);
    let queenside = "The rook on a1 is shut in by its own king on c1.";
    check("4k3/8/8/8/8/8/PPP5/R1K5 w - - 0 1", feature, &[("a1", -60, -30, queenside)]);
    // Out by the open file; castled; still able to castle.
    check("4k3/8/8/8/8/8/5PP1/6KR w - - 0 1", feature, &[]);
    check("4k3/8/8/8/8/8/5PPP/5RK1 w - - 0 1", feature, &[]);
    check("4k3/8/8/8/8/8/5PPP/4K2R w K - 0 1", feature, &[]);
}

#[test]
fn connected_rooks() {
    let feature = Feature::ConnectedRooks;
    let rank = "The rooks on a1 and f1 protect each other.";
    check("4k3/8/8/8/8/8/PPP5/R4RK1 w - - 0 1", feature, &[("a1 f1", 15, 10, rank)]);
    let file = "The rooks on d1 and d7 protect each other.";
    check("6k1/3R4/8/8/8/8/8/3R2K1 w - - 0 1", feature, &[("d1 d7", 15, 10, file)]);
    check("4k3/8/8/8/8/8/8/R1B2RK1 w - - 0 1", feature, &[]);
    check("4k3/8/8/8/8/8/R7/5RK1 w - - 0 1", feature, &[]);
}

#[test]
fn batteries() {
    let file = "The queen on d1 and the rook on d2 form a battery on the d-file.";
    check("6k1/8/8/8/8/8/3R4/3Q2K1 w - - 0 1", Feature::FileBattery, &[("d1 d2", 15, 10, file)]);
    check("6k1/8/8/8/8/3R4/3P4/3Q2K1 w - - 0 1", Feature::FileBattery, &[]);
    check("6k1/8/8/8/8/8/8/R2Q2K1 w - - 0 1", Feature::FileBattery, &[]);
    let diagonal = "The queen on c2 and the bishop on d3 form a battery on the diagonal from b1 to h7.";
    let feature = Feature::DiagonalBattery;
    check("6k1/8/8/8/8/3B4/2Q5/6K1 w - - 0 1", feature, &[("c2 d3", 12, 6, diagonal)]);
    check("6k1/8/8/8/3B4/3P4/2Q5/6K1 w - - 0 1", feature, &[]);
}
