//! Won endgames are won: against its own defence the search mates within fifty moves.

use super::{MEBIBYTES, game, to_nodes};
use centipawn::engine::chess::{Color, Status};
use centipawn::engine::eval::Evaluator;
use centipawn::engine::search::{SearchRequest, TranspositionTable, search};
use std::sync::atomic::AtomicBool;

/// Positions a move.
const NODES: u64 = 30_000;
const MOST_MOVES: usize = 50;

/// Both sides play until the game is over.
fn check(fen: &str, winner: Color) {
    let mut game = game(fen, "");
    let table = TranspositionTable::new(MEBIBYTES).unwrap();
    for _ in 0..2 * MOST_MOVES {
        if game.status().is_over() {
            break;
        }
        let request = SearchRequest::new(game.clone(), Evaluator::default(), to_nodes(NODES));
        let report = search(&request, &table, &AtomicBool::new(false), &mut |_| ());
        game.play(report.best_move().unwrap());
    }
    assert_eq!(
        (game.status(), !game.position().turn()),
        (Status::Checkmate, winner),
        "{:?}",
        game.position()
    );
}

#[test]
fn queen() {
    check("8/8/8/3k4/8/8/8/Q3K3 w - - 0 1", Color::White);
}

#[test]
fn rook() {
    check("8/8/8/3k4/8/8/8/R3K3 w - - 0 1", Color::White);
    check("r3k3/8/8/8/3K4/8/8/8 b - - 0 1", Color::Black);
}

#[test]
fn two_bishops() {
    check("8/8/8/3k4/8/8/8/2B1KB2 w - - 0 1", Color::White);
}

#[test]
fn bishop_and_knight() {
    check("8/8/8/3k4/8/8/8/2B1K1N1 w - - 0 1", Color::White);
    check("1n2kb2/8/8/8/3K4/8/8/8 b - - 0 1", Color::Black);
}

#[test]
fn pawn() {
    check("8/8/4k3/8/4K3/8/4P3/8 w - - 0 1", Color::White);
    check("8/4p3/8/4k3/8/4K3/8/8 b - - 0 1", Color::Black);
}
