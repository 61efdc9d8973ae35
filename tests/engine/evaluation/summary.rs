//! Verdicts, phases and blends by hand.

use centipawn::engine::chess::{Color, Position, Status};
use centipawn::engine::eval::{Evaluate, EvaluatorKind, ScaleReason};
use centipawn::engine::weights::{Feature, TUNED};

use super::evaluator;
use crate::data::position;

#[test]
fn the_verdict_follows_the_score_and_the_status() {
    let cases = [
        (
            EvaluatorKind::Count,
            "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
            Status::Ongoing,
            "White is winning (+5.00).",
        ),
        (EvaluatorKind::Count, "4k3/p7/8/8/8/8/8/4K3 w - - 0 1", Status::Ongoing, "Black is better (-1.00)."),
        (
            EvaluatorKind::Count,
            "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
            Status::Ongoing,
            "The position is equal (0.00).",
        ),
        (
            EvaluatorKind::Full,
            "7k/5K2/6Q1/8/8/8/8/8 b - - 0 1",
            Status::Stalemate,
            "The game is drawn by stalemate.",
        ),
        (
            EvaluatorKind::Count,
            "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
            Status::Checkmate,
            "Checkmate: Black has won. Without the mate the position would count 0.00.",
        ),
    ];
    for (kind, fen, status, verdict) in cases {
        let breakdown = evaluator(kind).explain(&position(fen), status);
        assert_eq!(breakdown.verdict(Color::White), verdict, "{fen}");
    }
}

#[test]
fn numbers_carry_the_sign_of_the_viewer() {
    let breakdown = evaluator(EvaluatorKind::Count)
        .explain(&position("4k3/8/8/8/8/8/PP6/1N2K3 w - - 0 1"), Status::Ongoing);
    let cases = [
        (Color::White, ["White is winning (+5.00).", "Chief reason: material (+5.00)."]),
        (Color::Black, ["White is winning (-5.00).", "Chief reason: material (-5.00)."]),
    ];
    for (viewer, sentences) in cases {
        assert_eq!(breakdown.summary(viewer)[..2], sentences, "{viewer:?}");
    }
}

#[test]
fn material_is_named_by_its_difference() {
    let cases = [
        ("4k3/8/8/8/8/8/PP6/1N2K3 w - - 0 1", "White is a knight and 2 pawns up."),
        ("r3k3/8/8/8/8/8/8/1N2K3 w - - 0 1", "Black has a rook for a knight."),
    ];
    for (fen, sentence) in cases {
        let summary =
            evaluator(EvaluatorKind::Count).explain(&position(fen), Status::Ongoing).summary(Color::White);
        assert!(summary[1].starts_with("Chief reason: material ("), "{summary:?}");
        assert_eq!(summary[2], sentence, "{fen}");
    }
}

/// White leads by the kings alone, which are passed over; all other pieces speak for Black.
#[test]
fn nothing_is_quoted_that_speaks_for_the_other_side() {
    let breakdown =
        evaluator(EvaluatorKind::Psqt).explain(&position("7k/8/8/3n4/3K4/8/8/N7 w - - 0 1"), Status::Ongoing);
    let summary = breakdown.summary(Color::White);
    assert_eq!(summary[1..], ["Chief reason: piece placement (+0.04)."], "{summary:?}");
}

#[test]
fn phases_have_names() {
    let cases = [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 24, "opening"),
        ("r2qk2r/pppppppp/8/8/8/8/PPPPPPPP/R2QK2R w KQkq - 0 1", 16, "middlegame"),
        ("4k3/pppppppp/8/8/8/8/PPPPPPPP/R3K3 w Q - 0 1", 2, "endgame"),
    ];
    for (fen, value, name) in cases {
        let phase = evaluator(EvaluatorKind::Psqt).explain(&position(fen), Status::Ongoing).phase;
        assert_eq!((phase.value, phase.name()), (value, name), "{fen}");
    }
}

#[test]
fn full_is_damped_as_the_fifty_moves_run_out() {
    let at = |halfmoves: u16| {
        let fen = format!("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - {halfmoves} 90");
        let breakdown = evaluator(EvaluatorKind::Full).explain(&position(&fen), Status::Ongoing);
        (breakdown.blending.damping, breakdown.cp)
    };
    let (full, fresh) = at(0);
    assert_eq!((full, at(10)), (100, (100, fresh)));
    assert_eq!(at(60).0, 50);
    assert!((at(60).1 * 100 - fresh * 50).abs() <= 100);
    assert_eq!(at(100).0, 10);
}

#[test]
fn a_draw_that_is_near_is_told_of_a_win_that_is_not_damped() {
    let last = |halfmoves: u16, status| {
        let queen = position(&format!("8/8/8/8/8/4k3/8/K6Q b - - {halfmoves} 80"));
        let breakdown = evaluator(EvaluatorKind::Full).explain(&queen, status);
        assert_eq!(breakdown.blending.damping, 100);
        breakdown.summary(Color::White).pop().unwrap()
    };
    assert!(!last(79, Status::Ongoing).contains("claimed"));
    let told = "A draw can be claimed after 20 more plies without a capture or pawn move.";
    assert_eq!(last(80, Status::Ongoing), told);
    assert_eq!(last(99, Status::Ongoing), told.replace("20 more plies", "1 more ply"));
    assert!(!last(100, Status::FiftyMoves).contains("more"));
}

#[test]
fn scaled_and_drawn_positions_name_their_reason() {
    let rook_against_bishop = position("4k3/8/4b3/8/8/8/8/R3K3 w - - 0 1");
    let breakdown = evaluator(EvaluatorKind::Material).explain(&rook_against_bishop, Status::Ongoing);
    assert_eq!((breakdown.cp, breakdown.blending.scale, breakdown.blending.tapered), (22, 7, 200));
    assert_eq!(breakdown.blending.scale_reason.map(ScaleReason::name), Some("pawnlessLead"));

    let start = Position::start();
    let drawn = evaluator(EvaluatorKind::Full).explain(&start, Status::Fivefold);
    assert_eq!((drawn.cp, drawn.blending.scale), (0, 0));
    assert_eq!(drawn.blending.scale_reason.map(ScaleReason::name), Some("fivefold"));
    assert!(drawn.terms.iter().any(|line| line.white.mg() > 0), "the entries still show");
}

/// Only the mover differs: the start counts the tempo and nothing else.
#[test]
fn the_start_is_worth_the_tempo() {
    let breakdown = evaluator(EvaluatorKind::Full).explain(&Position::start(), Status::Ongoing);
    let tempo = TUNED.weight(Feature::Tempo, 0).mg();
    assert_eq!((breakdown.cp, breakdown.blending.tempo), (tempo, tempo));
    for kind in [EvaluatorKind::Pieces, EvaluatorKind::Psqt, EvaluatorKind::Material, EvaluatorKind::Count] {
        assert_eq!(evaluator(kind).evaluate(&Position::start()), 0, "{kind:?}");
    }
}
