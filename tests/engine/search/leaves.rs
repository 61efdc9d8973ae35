//! One ply and less: the greedy chooser, and the value once captures are resolved.

use std::sync::atomic::AtomicBool;

use super::{game, move_of, position};
use centipawn::engine::chess::{Game, Position};
use centipawn::engine::eval::{Evaluate, Evaluator, EvaluatorKind, PieceValues};
use centipawn::engine::search::{Quiescence, SearchScore, greedy};

fn count() -> Evaluator {
    Evaluator::new(EvaluatorKind::Count, PieceValues::Classic).unwrap()
}

/// Nobody stops it.
fn quiescence(position: &Position, evaluator: Evaluator) -> Quiescence {
    centipawn::engine::search::quiescence(position, evaluator, &AtomicBool::new(false))
}

#[test]
fn greedy_takes_the_first_of_equals() {
    let start = Game::new(Position::start());
    let line = greedy(&start, count());
    assert_eq!(line.moves, [start.position().legal_moves()[0]]);
    assert_eq!(line.score, SearchScore::Cp(0));
}

#[test]
fn greedy_takes_the_queen_even_if_it_is_defended() {
    let game = game("3qk3/8/8/8/3R4/8/8/4K3 w - - 0 1", "");
    let line = greedy(&game, count());
    assert_eq!(line.moves, [move_of(game.position(), "d4d8")]);
    assert_eq!(line.score, SearchScore::Cp(500));
}

#[test]
fn greedy_sees_mate_and_draws() {
    assert_eq!(greedy(&game("7k/8/6K1/8/8/8/8/R7 w - - 0 1", ""), count()).score, SearchScore::Mate(1));
    let over = greedy(&game("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", ""), count());
    assert!(over.moves.is_empty());
    // What may be claimed is a draw: after any move, or after the one that brings the position back.
    let late = greedy(&game("8/8/8/4k3/8/8/3R4/K7 w - - 99 90", ""), count());
    assert_eq!(late.score, SearchScore::Cp(0));
    let there_and_back = "d1g1 h7h8 g1d1 h8h7 d1g1 h7h8 g1d1 h8h7";
    let repeated = greedy(&game("8/7k/5K2/8/8/8/8/3Q4 w - - 0 90", there_and_back), count());
    assert_eq!(repeated.score, SearchScore::Cp(900));
}

#[test]
fn a_quiet_position_keeps_its_static_value() {
    for kind in EvaluatorKind::ALL {
        let evaluator = Evaluator::new(kind, PieceValues::Classic).unwrap();
        let result = quiescence(&Position::start(), evaluator);
        assert_eq!(result.score, SearchScore::Cp(evaluator.relative(&Position::start())));
        assert!(result.quiet);
    }
}

#[test]
fn a_hanging_queen_is_taken() {
    let hanging = position("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1");
    let result = quiescence(&hanging, count());
    assert_eq!(result.score, SearchScore::Cp(100));
    assert_eq!((result.quiet, result.line), (false, vec![move_of(&hanging, "e4d5")]));
}

#[test]
fn a_check_that_wins_the_queen_is_not_quiet() {
    let fork = position("q3k3/8/8/1N6/8/8/8/4K3 w - - 0 1");
    let result = quiescence(&fork, count());
    assert_eq!(result.score, SearchScore::Cp(-600));
    assert_eq!((result.quiet, result.line), (false, Vec::new()));
}

#[test]
fn exploding_captures_are_cut_short() {
    let explosive = position("8/PPPPPPPP/nr4RN/qb4BQ/kb4BK/nr4RN/pppppppp/8 w - - 0 1");
    assert!(!quiescence(&explosive, Evaluator::default()).quiet);
}

#[test]
fn who_is_stopped_has_the_static_value() {
    let hanging = position("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1");
    let stopped = centipawn::engine::search::quiescence(&hanging, count(), &AtomicBool::new(true));
    assert_eq!(stopped, Quiescence { score: SearchScore::Cp(-800), quiet: false, line: Vec::new() });
}
