//! Known endgames: every claim against tablebase truths, every entry and obstacle by hand.

use std::collections::BTreeMap;

use centipawn::engine::chess::{Color, Position, Status, Variant};
use centipawn::engine::eval::endgames::{Known, Verdict, known};
use centipawn::engine::eval::{Evaluate, EvaluatorKind, FeatureLine, ScaleReason};
use centipawn::engine::weights::Term;

use super::evaluator;
use crate::data::{any_position, position, rows};

/// What becomes of a position by the tablebase: 1 if White wins, 0, or -1 if Black wins.
fn outcome(position: &Position, wdl: &str) -> i32 {
    wdl.parse::<i32>().unwrap().signum() * position.turn().sign()
}

/// A claim is right and the value does not contradict it: what is drawn for certain is worth nothing, what is won is
/// worth more than any position that is not.
#[test]
fn claims_agree_with_the_tablebase() {
    let mut claims: BTreeMap<String, usize> = BTreeMap::new();
    for [material, fen, wdl] in rows::<3>("endgames/tablebase-truth.tsv") {
        let position = any_position(&fen, Variant::Standard);
        let truth = outcome(&position, &wdl);
        let value = evaluator(EvaluatorKind::Full).evaluate(&position);
        let Some(Known { strong, verdict, .. }) = known(&position) else { continue };
        match verdict {
            Verdict::Win => {
                assert_eq!(truth, strong.sign(), "{fen}");
                assert!(value * strong.sign() >= 400, "{fen}: {value}");
            }
            Verdict::Draw(_) => assert_eq!((truth, value), (0, 0), "{fen}"),
            Verdict::Promising | Verdict::Open(_) => {
                assert!(value * strong.sign() >= 0, "{fen}: {value}");
                continue;
            }
        }
        *claims.entry(material).or_default() += 1;
    }
    let enough = [("KPvK", 57), ("KQvK", 30), ("KRvK", 30), ("KRRvK", 30), ("KBBvK", 20), ("KBNvK", 10)];
    for (material, least) in
        enough.into_iter().chain([("KQvKP", 10), ("KNNvK", 10), ("KRvKP", 1), ("KBPvK", 1)])
    {
        assert!(claims.get(material).is_some_and(|claims| *claims >= least), "{material}: {claims:?}");
    }
}

/// King and pawn against king is claimed one way or the other, without exception.
#[test]
fn king_and_pawn_against_king_is_always_known() {
    for [material, fen, _] in rows::<3>("endgames/tablebase-truth.tsv") {
        if material == "KPvK" {
            let verdict = known(&any_position(&fen, Variant::Standard)).map(|known| known.verdict);
            assert!(matches!(verdict, Some(Verdict::Win | Verdict::Draw(_))), "{fen}: {verdict:?}");
        }
    }
}

#[test]
fn no_term_but_material_and_the_endgame_counts() {
    let breakdown =
        evaluator(EvaluatorKind::Full).explain(&position("8/8/8/3k4/8/8/8/R3K3 w - - 0 1"), Status::Ongoing);
    for line in &breakdown.terms {
        let counts = matches!(line.term, Term::Material | Term::Endgame);
        assert_eq!(!line.features.is_empty(), counts, "{line:?}");
    }
}

/// The entries of an endgame: feature, worth and sentence.
fn entries(fen: &str) -> Vec<(&'static str, i32, String)> {
    let breakdown = evaluator(EvaluatorKind::Full).explain(&position(fen), Status::Ongoing);
    let lines = breakdown.terms.into_iter().filter(|line| line.term == Term::Endgame);
    let features = lines.flat_map(|line| line.features);
    features.map(|FeatureLine { feature, score, text, .. }| (feature.name(), score.eg(), text)).collect()
}

fn check_entries(fen: &str, expected: &[(&str, i32, &str)]) {
    let found = entries(fen);
    let found: Vec<_> = found.iter().map(|(name, worth, text)| (*name, *worth, text.as_str())).collect();
    assert_eq!(found, expected, "{fen}");
}

/// The scale, its reason and the sentence.
fn check_scale(fen: &str, expected: Option<(i32, &str, &str)>) {
    let breakdown = evaluator(EvaluatorKind::Full).explain(&position(fen), Status::Ongoing);
    let reason = breakdown.blending.scale_reason;
    let found = reason.map(|reason| (breakdown.blending.scale, reason.name(), reason.sentence()));
    let found = found.as_ref().map(|(scale, name, sentence)| (*scale, *name, sentence.as_str()));
    assert_eq!(found, expected, "{fen}");
    let mirrored =
        evaluator(EvaluatorKind::Full).explain(&position(fen).mirrored(), Status::Ongoing).blending;
    assert_eq!(mirrored.scale_reason.map(ScaleReason::name), reason.map(ScaleReason::name), "{fen} mirrored");
    assert_eq!(mirrored.scale, breakdown.blending.scale, "{fen} mirrored");
}

/// A won endgame grows with every step towards mate, so that a search has something to climb.
#[test]
fn progress_towards_mate_is_worth_more() {
    let chains: [&[&str]; 3] = [
        // A rook: the bare king from the centre to the corner, the other king behind it.
        &[
            "8/8/8/3k4/8/8/8/R3K3 w - - 0 1",
            "8/8/3k4/8/3K4/8/8/R7 w - - 0 1",
            "3k4/8/3K4/8/8/8/8/R7 w - - 0 1",
            "k7/8/1K6/8/8/8/8/7R b - - 0 1",
        ],
        // Bishop and knight: from the wrong corner along the edge to the right one.
        &[
            "7k/5K2/7N/8/8/5B2/8/8 w - - 0 1",
            "4k3/8/4K3/4N3/8/5B2/8/8 w - - 0 1",
            "2k5/8/2K5/4N3/8/5B2/8/8 w - - 0 1",
            "k7/8/1K6/4N3/8/7B/8/8 w - - 0 1",
        ],
        // A pawn on its way.
        &[
            "8/8/8/8/4k3/8/4K2P/8 w - - 0 1",
            "8/8/8/7P/4k3/8/4K3/8 w - - 0 1",
            "8/7P/8/8/4k3/8/4K3/8 w - - 0 1",
        ],
    ];
    for chain in chains {
        let values: Vec<i32> =
            chain.iter().map(|fen| evaluator(EvaluatorKind::Full).evaluate(&position(fen))).collect();
        assert!(values.is_sorted_by(|a, b| a < b), "{chain:?}: {values:?}");
    }
}

#[test]
fn the_side_that_is_known_to_win_may_be_black() {
    let known = known(&position("3k4/3p4/8/8/8/8/8/K7 b - - 0 1")).unwrap();
    assert_eq!((known.strong, known.verdict), (Color::Black, Verdict::Win));
}

#[test]
fn mating_the_bare_king() {
    check_entries(
        "8/8/8/3k4/8/8/8/R3K3 w - - 0 1",
        &[
            ("knownWin", 200, "White wins: the bare black king on d5 has nothing against the rook on a1."),
            ("kingToEdge", 0, "The black king on d5 stands in the centre."),
            ("kingsClose", 45, "The kings on e1 and d5 stand 4 steps apart."),
        ],
    );
    check_entries(
        "k7/8/1K6/8/8/8/3B4/6N1 b - - 0 1",
        &[
            (
                "knownWin",
                200,
                "White wins: bishop and knight mate the bare king in a corner of the bishop's colour, a1 or h8.",
            ),
            ("kingToEdge", 60, "The black king on a8 stands in a corner."),
            ("kingsClose", 75, "The kings on b6 and a8 stand 2 steps apart."),
            (
                "kingToMatingCorner",
                0,
                "The black king on a8 stands on the diagonal between a8 and h1, the corners that the bishop cannot reach.",
            ),
        ],
    );
}

#[test]
fn pawns_and_pieces() {
    check_entries(
        "8/8/8/7P/4k3/8/4K3/8 w - - 0 1",
        &[
            (
                "knownWin",
                500,
                "White wins: with White to move the black king on e4 cannot hold the pawn on h5.",
            ),
            ("pawnOnItsWay", 45, "The pawn on h5 has come 3 ranks."),
        ],
    );
    check_entries(
        "8/8/8/2Q5/8/4p3/3k4/7K w - - 0 1",
        &[
            ("promisingEndgame", 350, "White should win: the queen stops the black pawn on e3 as a rule."),
            ("kingToEnemyPawn", 40, "The white king on h1 is 3 steps from the pawn on e3."),
        ],
    );
    check_entries(
        "8/8/8/4p3/8/2k5/4K3/7R w - - 0 1",
        &[
            ("knownWin", 500, "White wins: the rook on h1 and the king on e2 stop the black pawn on e5."),
            ("kingToEnemyPawn", 40, "The white king on e2 is 3 steps from the pawn on e5."),
        ],
    );
    check_entries(
        "8/8/8/2n1k3/8/8/8/R3K3 w - - 0 1",
        &[
            ("kingToEdge", 0, "The black king on e5 stands in the centre."),
            ("knightAstray", 20, "The black knight on c5 is 2 steps from its king on e5."),
        ],
    );
}

#[test]
fn obstacles_of_one_side() {
    check_scale(
        "8/8/8/8/4k3/8/4P3/4K3 w - - 0 1",
        Some((0, "pawnIsHeld", "Black holds the draw: the table of king and pawn against king is exact.")),
    );
    check_scale(
        "k7/8/8/P7/8/8/3B4/6K1 w - - 0 1",
        Some((0, "cornerHeld", "The black king holds the corner a8, and White has nothing to drive it out.")),
    );
    check_scale(
        "k7/7p/8/P7/8/8/3B4/6K1 w - - 0 1",
        Some((
            4,
            "cornerInReach",
            "The black king stands in the corner a8, and White has nothing to drive it out.",
        )),
    );
    check_scale(
        "1k6/7p/8/P7/8/8/3B4/6K1 w - - 0 1",
        Some((
            4,
            "cornerInReach",
            "The black king is near the corner a8, and once there White has nothing to drive it out.",
        )),
    );
    // The bishop reaches a8.
    check_scale("k7/8/8/P7/8/8/4B3/6K1 w - - 0 1", None);
    check_scale(
        "8/8/8/8/3Q3K/8/p7/1k6 w - - 0 1",
        Some((
            6,
            "pawnOnTheSeventh",
            "With its king beside it the pawn on a2 often draws against the queen, by stalemate.",
        )),
    );
    check_scale(
        "7K/8/8/8/3pk3/8/8/R7 w - - 0 1",
        Some((8, "pawnLedByKing", "The pawn on d4 has its king beside it and often costs the rook.")),
    );
}

#[test]
fn obstacles_on_both_sides() {
    check_scale(
        "4k3/8/r7/4P3/4K3/8/8/7R w - - 0 1",
        Some((14, "kingInFrontOfPawn", "The king on e8 stands in the way of the pawn on e5, the last one.")),
    );
    check_scale(
        "4k3/5pp1/8/8/3b4/8/4BPPP/4K3 w - - 0 1",
        Some((
            10,
            "oppositeBishops",
            "Bishops of opposite colours and pawns alone are hard to win: neither bishop can contest the other's squares.",
        )),
    );
    // Bishops of one colour.
    check_scale("4k3/pp3pp1/8/4b3/8/8/PP1B1PPP/4K3 w - - 0 1", None);
    check_scale(
        "r3k3/pp3pp1/8/8/3b4/8/PP2BPPP/R3K3 w - - 0 1",
        Some((
            54,
            "oppositeBishopsAmongOthers",
            "With bishops of opposite colours a lead is harder to turn into a win.",
        )),
    );
    // A rook ahead.
    check_scale("4k3/pp3pp1/8/8/3b4/8/PP2BPPP/R3K3 w - - 0 1", None);
    check_scale(
        "r5k1/5pp1/8/8/8/8/5PPP/R5K1 w - - 0 1",
        Some((
            20,
            "rooksAndOneWing",
            "Rook endings with all pawns on one wing and at most one pawn more are often drawn.",
        )),
    );
    check_scale("r5k1/p4pp1/8/8/8/8/P4PPP/R5K1 w - - 0 1", None);
    check_scale(
        "6k1/5p2/4n3/8/8/8/1P3P2/4N1K1 w - - 0 1",
        Some((48, "fewPawns", "White has more material but only 2 pawns left, which makes winning harder.")),
    );
    check_scale("6k1/5pp1/4n3/8/8/8/1P3PP1/4N1K1 w - - 0 1", None);
    check_scale(
        "6k1/2p5/r3b3/8/8/8/5P2/R3N1K1 w - - 0 1",
        Some((
            24,
            "evenWithFewPawns",
            "Material is even and neither side has more than one pawn left to win with.",
        )),
    );
    check_scale(
        "6k1/8/r3b3/8/8/8/8/R3N1K1 w - - 0 1",
        Some((
            6,
            "evenWithFewPawns",
            "Material is even and no pawn is left, so that there is hardly anything to win with.",
        )),
    );
}

#[test]
fn pawns_on_one_wing() {
    let reason = "All pawns stand on one wing, where the other side can hold them more easily.";
    check_scale("3q2k1/5ppp/8/8/8/8/5PPP/3Q2K1 w - - 0 1", Some((44, "oneWing", reason)));
    check_scale("3q2k1/5ppp/4n3/8/8/8/5PPP/3QR1K1 w - - 0 1", Some((44, "oneWing", reason)));
    // On both wings; kings, pawns and a minor piece each; a rook more.
    check_scale("3q2k1/p4ppp/8/8/8/8/P4PPP/3Q2K1 w - - 0 1", None);
    check_scale("6k1/4nppp/8/8/8/8/4NPPP/6K1 w - - 0 1", None);
    check_scale("3q2k1/5ppp/8/8/8/8/5PPP/3QR1K1 w - - 0 1", None);
}

/// A side with more material that cannot mate with it, as long as the other side's pawns are no danger.
#[test]
fn a_lead_that_forces_no_mate() {
    let reason = "The side with more material has no pawn and not the pieces to force mate.";
    for fen in ["7k/8/8/3p4/8/8/4N3/4K3 w - - 0 1", "7k/8/8/3pp3/8/8/4B3/4K3 w - - 0 1"] {
        check_scale(fen, Some((4, "noMatingForce", reason)));
    }
    // A pawn that has come so far may win: Black does here, with the move.
    let fen = "N6K/8/8/8/8/2k5/1p6/8 b - - 0 1";
    check_scale(fen, None);
    assert!(evaluator(EvaluatorKind::Full).evaluate(&position(fen)) < 0);
}
