//! Piece counting with the textbook values.

use centipawn::engine::chess::{Position, Status};
use centipawn::engine::eval::{Balance, Evaluate, Evaluator, EvaluatorKind, FixedPieceValues, PieceValues};

use crate::data::position;

#[test]
fn counts_the_pieces() {
    let cases = [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 0, 0),
        // King, three pawns, bishop and two queens against king, two pawns and knight: 19 points.
        ("4k1n1/5pp1/8/8/8/8/5PPP/1QQB2K1 w - - 0 1", 1900, 2000),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", 500, 450),
        ("3qk3/8/8/8/8/8/8/R3K2R b - - 0 1", 100, -50),
        ("4k3/p7/8/8/8/8/8/4K3 w - - 0 1", -100, -100),
        ("2b1k3/8/8/8/8/8/8/1N2K3 w - - 0 1", 0, 0),
    ];
    for (fen, classic, euwe) in cases {
        for (values, expected) in [(PieceValues::Classic, classic), (PieceValues::Euwe, euwe)] {
            let evaluator = Evaluator::new(EvaluatorKind::Count, values).unwrap();
            assert_eq!(evaluator.evaluate(&position(fen)), expected, "{fen} {values:?}");
            assert_eq!(evaluator.assess(&position(fen), Status::Ongoing), expected, "{fen} {values:?}");
        }
    }
}

/// Counted from scratch on the board, the pieces always equal those that the moves kept: through captures, castling,
/// en passant and promotion.
#[test]
fn counting_from_scratch_equals_the_kept_count() {
    let fens = [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    ];
    for fen in fens {
        walk(&position(fen), 3);
    }
}

fn walk(position: &Position, depth: u32) {
    for values in PieceValues::ALL {
        let evaluator = Evaluator::new(EvaluatorKind::Count, values).unwrap();
        let mut scratch = Balance::new(evaluator.weights());
        evaluator.post(position, &mut scratch);
        let (kept, _) = evaluator.kept(position);
        assert_eq!(kept, scratch.sum(), "{position:?}");
        assert_eq!(scratch.sum().mg(), evaluator.evaluate(position), "{position:?}");
    }
    if depth > 0 {
        for mv in &position.legal_moves() {
            let mut child = *position;
            child.play(*mv);
            walk(&child, depth - 1);
        }
    }
}

#[test]
fn only_the_simple_evaluators_take_other_piece_values() {
    for kind in EvaluatorKind::ALL {
        let simple = matches!(kind, EvaluatorKind::Count | EvaluatorKind::Material | EvaluatorKind::Psqt);
        let result = Evaluator::new(kind, PieceValues::Euwe);
        assert_eq!(result.err(), (!simple).then_some(FixedPieceValues(kind)));
    }
}

#[test]
fn every_evaluator_has_its_own_salt() {
    let mut salts: Vec<u64> = super::evaluators().map(|evaluator| evaluator.salt()).collect();
    salts.sort_unstable();
    salts.dedup();
    assert_eq!(salts.len(), super::evaluators().count());
}
