//! Every feature that only `full` has: a position, the entries that White must have of it, and the mirrored position for
//! Black. Their weights are tuned, so what is checked is what is counted and said, not the points.

use centipawn::engine::chess::{Bitboard, Color, Position, Square, Status};
use centipawn::engine::eval::EvaluatorKind;
use centipawn::engine::weights::{Feature, Score, TEXTBOOK, Term};

use super::evaluator;
use crate::data::position;

/// Squares and sentence of each entry.
type Entries = &'static [(&'static str, &'static str)];

/// White has exactly these entries in the position, and Black as many in the mirrored one.
fn check(fen: &str, feature: Feature, expected: &[(&str, &str)]) {
    let position = position(fen);
    let found = entries(&position, feature, Color::White);
    let wanted: Vec<_> = expected.iter().map(|(on, text)| (squares(on), (*text).to_owned())).collect();
    assert_eq!(found, wanted, "{fen} {feature:?}");

    let mut mirrored: Vec<_> =
        entries(&position.mirrored(), feature, Color::Black).iter().map(|(on, _)| on.flip().0).collect();
    let mut ours: Vec<_> = wanted.iter().map(|(on, _)| on.0).collect();
    mirrored.sort_unstable();
    ours.sort_unstable();
    assert_eq!(mirrored, ours, "{fen} mirrored, {feature:?}");
}

fn squares(names: &str) -> Bitboard {
    names.split_whitespace().map(|name| name.parse::<Square>().unwrap()).collect()
}

fn entries(position: &Position, feature: Feature, side: Color) -> Vec<(Bitboard, String)> {
    let breakdown = evaluator(EvaluatorKind::Full).explain(position, Status::Ongoing);
    let entries = breakdown.terms.into_iter().flat_map(|line| line.features);
    let ours = entries.filter(|entry| entry.feature == feature && entry.side == side);
    ours.map(|entry| (entry.squares, entry.text)).collect()
}

/// Positions, and what White has there.
const CASES: &[(&str, &[(Feature, Entries)])] = &[
    (
        "4k3/p4p2/8/4p3/4P3/2P5/P1P2PP1/4K3 w - - 0 1",
        &[
            (Feature::PawnIslands, &[("", "White's pawns form 3 islands.")]),
            (
                Feature::PhalanxPawn,
                &[
                    ("f2", "The pawn on f2 stands side by side with the pawn on g2."),
                    ("g2", "The pawn on g2 stands side by side with the pawn on f2."),
                ],
            ),
            (Feature::RammedPawn, &[("e4", "The pawn on e4 is stopped by the enemy pawn on e5.")]),
            (
                Feature::IsolatedPawn,
                &[
                    ("a2", "The pawn on a2 is isolated: its side has no pawn on the files beside it."),
                    (
                        "c2",
                        "The pawn on c2 is isolated: its side has no pawn on the files beside it, and no enemy pawn stands ahead of it.",
                    ),
                    (
                        "c3",
                        "The pawn on c3 is isolated: its side has no pawn on the files beside it, and no enemy pawn stands ahead of it.",
                    ),
                ],
            ),
            (
                Feature::DoubledPawn,
                &[("c2", "The pawn on c2 is doubled behind the pawn on c3 and not protected by a pawn.")],
            ),
            (
                Feature::CandidatePawn,
                &[(
                    "g2",
                    "The pawn on g2 can become a passed pawn: only the pawn on f7 guards its way, and as many pawns can help it.",
                )],
            ),
            (
                Feature::PassedPawn,
                &[("c3", "The pawn on c3 is passed: no enemy pawn can stop or capture it.")],
            ),
            (
                Feature::FreePath,
                &[("c3", "The passed pawn on c3 has a free path: nothing stands on c4, c5, c6, c7 or c8.")],
            ),
            (
                Feature::SafePath,
                &[(
                    "c3",
                    "The passed pawn on c3 has a safe path: the enemy attacks none of c4, c5, c6, c7 and c8.",
                )],
            ),
            (Feature::SafeStep, &[("c3", "The passed pawn on c3 can safely step forward to c4.")]),
            (
                Feature::KingShelter,
                &[
                    ("e1", "The king on e1 has no pawn of its own ahead on the d-file."),
                    ("e1", "The king on e1 has the shelter of the pawn on e4."),
                    ("e1", "The king on e1 has the shelter of the pawn on f2."),
                ],
            ),
            (
                Feature::PawnStorm,
                &[
                    ("e1", "No enemy pawn stands ahead of the king on e1 on the d-file."),
                    ("e1", "The enemy pawn on e5 stands ahead of the king on e1, but is stopped by a pawn."),
                    ("e1", "The enemy pawn on f7 stands ahead of the king on e1."),
                ],
            ),
            (
                Feature::KingPawnDistance,
                &[("e1", "The king on e1 is 1 move away from the nearest pawn, on f2.")],
            ),
            (Feature::Tempo, &[("", "White is to move.")]),
        ],
    ),
    (
        "4k3/8/8/1p6/8/1PP5/P7/4K3 w - - 0 1",
        &[
            (Feature::SupportedPawn, &[("b3", "The pawn on b3 is protected by the pawn on a2.")]),
            (
                Feature::BackwardPawn,
                &[(
                    "c3",
                    "The pawn on c3 is backward: no pawn can protect it, the pawn on b5 guards the square in front of it, and no enemy pawn stands ahead of it.",
                )],
            ),
        ],
    ),
    (
        "8/2k5/8/1PPp4/8/8/8/R3K2r w - - 0 1",
        &[
            (
                Feature::DefendedStep,
                &[
                    ("b5", "The passed pawn on b5 has its step to b6 protected by its own side."),
                    ("c5", "The passed pawn on c5 has its step to c6 protected by its own side."),
                ],
            ),
            (
                Feature::PassedPawnOwnKing,
                &[
                    ("b5", "The white king on e1 is 5 moves from the square ahead of the passed pawn on b5."),
                    ("c5", "The white king on e1 is 5 moves from the square ahead of the passed pawn on c5."),
                ],
            ),
            (
                Feature::PassedPawnEnemyKing,
                &[
                    ("b5", "The black king on c7 is 1 move from the square ahead of the passed pawn on b5."),
                    ("c5", "The black king on c7 is 1 move from the square ahead of the passed pawn on c5."),
                ],
            ),
            (
                Feature::KingOnOpenFile,
                &[("e1", "The king on e1 stands on the open e-file while the enemy has rooks or queens.")],
            ),
            (Feature::BareKingFile, &[("c7", "Black has no pawn on 2 of the 3 files at its king.")]),
            (Feature::WithoutQueen, &[("c7", "White has no queen to attack the king with.")]),
            (
                Feature::KingExposure,
                &[("c7", "Before any attacker counts, the black king on c7 is in some danger.")],
            ),
        ],
    ),
    (
        "r3k3/8/1n6/1P6/2P5/8/8/4K3 w - - 0 1",
        &[
            (Feature::BlockedPassedPawn, &[("b5", "The passed pawn on b5 is blocked by the knight on b6.")]),
            (Feature::PawnPushThreat, &[("c5", "White can attack the knight on b6 by a pawn move to c5.")]),
        ],
    ),
    (
        "7k/7p/8/P7/8/8/8/K7 w - - 0 1",
        &[(
            Feature::UnstoppablePawn,
            &[("a5", "The passed pawn on a5 is unstoppable: the black king is too far away to catch it.")],
        )],
    ),
    (
        "1r4k1/8/8/8/1P6/8/1R6/6K1 w - - 0 1",
        &[(
            Feature::RookBehindPassedPawn,
            &[("b4", "The rook on b2 stands behind the passed pawn on b4 and supports it.")],
        )],
    ),
    (
        "r1bq1rk1/pp1n1ppp/2p1pn2/3p4/2PP4/2NBPN2/PP3PPP/R1BQK2R w KQ - 0 8",
        &[
            (
                Feature::MinorBehindPawn,
                &[
                    ("c3", "The knight on c3 stands right behind its own pawn on c4."),
                    ("d3", "The bishop on d3 stands right behind its own pawn on d4."),
                ],
            ),
            (
                Feature::PawnsOnBishopColor,
                &[
                    ("c1", "White's pawns on b2, f2, h2, e3 and d4 stand on the colour of the bishop on c1."),
                    ("d3", "White's pawns on a2, g2 and c4 stand on the colour of the bishop on d3."),
                ],
            ),
            (
                Feature::BishopFacesPawns,
                &[
                    ("c1", "Black's pawns on a7 and g7 stand on the colour of the bishop on c1."),
                    (
                        "d3",
                        "Black's pawns on d5, c6, e6, b7, f7 and h7 stand on the colour of the bishop on d3.",
                    ),
                ],
            ),
            (
                Feature::CastlingRight,
                &[("e1", "White may still castle kingside."), ("e1", "White may still castle queenside.")],
            ),
            (
                Feature::ContestedCheck,
                &[("d3", "The bishop on d3 can check the black king on g8 from h7, where it can be taken.")],
            ),
            (Feature::KnightGuard, &[("g8", "The knights on f6 and d7 guard the black king on g8.")]),
            (Feature::Space, &[("c2 d2 e2 c3 d3 f3 f4", "White has 7 squares of safe space in the centre.")]),
            (
                Feature::KingAttacker,
                &[("d3", "The bishop on d3 takes part in the attack on the black king on g8.")],
            ),
            (Feature::KingZoneAttack, &[("d3", "The bishop on d3 attacks h7 beside the black king on g8.")]),
        ],
    ),
    (
        "6k1/5ppp/8/8/2P5/4N1P1/5PBP/6K1 w - - 0 1",
        &[
            (
                Feature::LongDiagonal,
                &[("g2", "The bishop on g2 looks along the long diagonal at e4 and d5.")],
            ),
            (
                Feature::ReachableOutpost,
                &[
                    ("e3", "The knight on e3 can go to an outpost on d5."),
                    ("g2", "The bishop on g2 can go to an outpost on d5."),
                ],
            ),
        ],
    ),
    (
        "6k1/5p1p/6p1/4N2Q/8/3B4/5PPP/4R1K1 w - - 0 1",
        &[
            (Feature::MinorThreat, &[("e5", "The knight on e5 attacks the pawn on f7.")]),
            (
                Feature::WeakKingZone,
                &[(
                    "f7 h7",
                    "The squares f7 and h7 beside the black king on g8 are attacked and weakly protected.",
                )],
            ),
            (
                Feature::FlankAttack,
                &[
                    ("g4 h4 f5 g5 g6 h6 f7 h7", "White attacks 8 squares near the black king on g8."),
                    ("g4 f5 g6", "White attacks 3 squares near the black king on g8 more than once."),
                ],
            ),
            (
                Feature::FlankDefence,
                &[("f5 h5 g6 f7 g7 h7 f8 h8", "Black protects 8 squares near its king on g8.")],
            ),
        ],
    ),
    (
        "3r2k1/5ppp/8/8/8/8/1q3PPP/R2Q2K1 w - - 0 1",
        &[
            (Feature::HangingPiece, &[("d8", "The rook on d8 is attacked and not protected.")]),
            (Feature::QueenAttackSoon, &[("b1", "White's rook can attack the queen on b2 from b1.")]),
            (Feature::SafeCheck, &[("d1", "The queen on d1 can safely check the black king on g8 from d8.")]),
        ],
    ),
    (
        "4k3/8/8/2r1q3/1P1P1P2/2N5/8/4K2R w - - 0 1",
        &[(Feature::PawnThreat, &[("b4", "The pawn on b4 attacks the rook on c5.")])],
    ),
    (
        "3qk3/8/8/8/2N5/8/8/3RK3 w - - 0 1",
        &[
            (Feature::RookThreat, &[("d1", "The rook on d1 attacks the queen on d8.")]),
            (
                Feature::RestrictedSquare,
                &[("d1 d2 d3 d4 a5 d5 b6 d6 d8", "White restricts 9 squares that black pieces attack.")],
            ),
        ],
    ),
    (
        "2r3k1/5ppp/8/8/8/1Q6/5PPP/1K6 b - - 0 1",
        &[(Feature::PinnedToKing, &[("f7", "The pawn on f7 is pinned to the black king on g8.")])],
    ),
    (
        "1k6/8/8/2n5/1K6/8/8/8 w - - 0 1",
        &[(Feature::KingThreat, &[("b4", "The king on b4 attacks the knight on c5.")])],
    ),
];

/// More positions for features whose sentence has several wordings.
const WORDINGS: &[(&str, &[(Feature, Entries)])] = &[
    (
        "6k1/8/8/8/5p1K/8/8/4n3 b - - 0 1",
        &[(
            Feature::PawnStorm,
            &[
                ("h4", "The enemy pawn on f4 stands level with the king on h4."),
                ("h4", "No enemy pawn stands ahead of the king on h4 on the g-file."),
                ("h4", "No enemy pawn stands ahead of the king on h4 on the h-file."),
            ],
        )],
    ),
    (
        "r5k1/pp1n1ppp/8/8/1n6/3Q4/8/K7 w - - 0 1",
        &[(Feature::KnightGuard, &[("g8", "The knight on d7 guards the black king on g8.")])],
    ),
    (
        "4k3/8/2p5/2N5/8/8/8/4K3 w - - 0 1",
        &[(
            Feature::MinorBehindPawn,
            &[("c5", "The knight on c5 has the black pawn on c6 right in front of it.")],
        )],
    ),
    (
        "4q1k1/p7/8/8/8/8/P7/3R1K2 w - - 0 1",
        &[(
            Feature::ContestedCheck,
            &[(
                "d1",
                "The rook on d1 could check the black king on g8 from d8, where it can be taken, if the queen on e8 were not in between.",
            )],
        )],
    ),
    (
        "4r1k1/p7/8/8/4N3/8/P7/4K3 w - - 0 1",
        &[(
            Feature::SafeCheck,
            &[(
                "e4",
                "The knight on e4 could safely check the black king on g8 from f6, if it were not pinned.",
            )],
        )],
    ),
];

#[test]
fn entries_and_sentences() {
    for (fen, features) in CASES.iter().chain(WORDINGS) {
        for (feature, expected) in *features {
            assert!(!expected.is_empty(), "{feature:?}");
            check(fen, *feature, expected);
        }
    }
}

#[test]
fn what_looks_alike_does_not_count() {
    for (fen, feature) in [
        // An enemy pawn ahead on its file: no rook can attack it.
        ("4k3/8/8/1p6/2p5/1PP5/P7/4K3 w - - 0 1", Feature::BackwardPawn),
        // The pawn behind it protects it.
        ("4k3/8/8/1p6/8/2P5/1P6/4K3 w - - 0 1", Feature::BackwardPawn),
    ] {
        check(fen, feature, &[]);
    }
}

#[test]
fn every_feature_of_full_alone_has_a_case() {
    let cases: Vec<Feature> =
        CASES.iter().flat_map(|(_, features)| features.iter().map(|(feature, _)| *feature)).collect();
    for feature in Feature::ALL {
        let by_hand = TEXTBOOK.of(feature).iter().any(|weight| *weight != Score::ZERO);
        let by_king = feature.term() == Term::Placement;
        let by_endgame = feature.term() == Term::Endgame;
        assert!(by_hand || by_king || by_endgame || cases.contains(&feature), "{feature:?}");
    }
}

#[test]
fn placement_by_the_kings() {
    let fen = "6k1/8/8/8/4N3/8/8/1K6 w - - 0 1";
    let [own, enemy] = [Feature::KnightByOwnKing, Feature::KnightByEnemyKing].map(|feature| {
        let entries = entries(&position(fen), feature, Color::White);
        assert_eq!(entries.len(), 1, "{feature:?}");
        assert_eq!(entries[0].0, squares("e4"));
        entries[0].1.clone()
    });
    assert!(
        own.starts_with("With its own king on b1 the knight on e4 is worth ")
            && own.ends_with(" in the endgame."),
        "{own}"
    );
    assert!(enemy.starts_with("With the black king on g8 the knight on e4 is worth "), "{enemy}");
}
