//! The search: what it finds, what it knows of draws, and how it ends.

mod draws;
mod endgames;
mod handicap;
mod leaves;
mod limits;
mod lines;
mod mates;
#[cfg(target_arch = "x86_64")]
mod tablebase;

use std::sync::atomic::AtomicBool;

use centipawn::engine::chess::{Fen, Game, Move, Position, Variant, parse_move};
use centipawn::engine::eval::Evaluator;
use centipawn::engine::search::{Limits, Report, SearchRequest, TranspositionTable, search};

/// Enough for every search of these tests.
const MEBIBYTES: usize = 16;

fn position(fen: &str) -> Position {
    Fen::parse(fen, Variant::Standard).unwrap().position
}

/// The game from a position by these moves, in UCI or SAN.
fn game(fen: &str, moves: &str) -> Game {
    let mut game = Game::new(position(fen));
    for text in moves.split_whitespace() {
        let mv = parse_move(game.position(), text).unwrap();
        game.play(mv);
    }
    game
}

fn move_of(position: &Position, text: &str) -> Move {
    parse_move(position, text).unwrap()
}

fn to_depth(depth: u8) -> Limits {
    Limits { depth: Some(depth), nodes: None }
}

fn to_nodes(nodes: u64) -> Limits {
    Limits { depth: None, nodes: Some(nodes) }
}

/// Searches with a fresh table, undisturbed.
fn run(request: &SearchRequest) -> Report {
    let table = TranspositionTable::new(MEBIBYTES).unwrap();
    search(request, &table, &AtomicBool::new(false), &mut |_| ())
}

/// The whole evaluator, one line, all moves.
fn find(game: Game, limits: Limits) -> Report {
    run(&SearchRequest::new(game, Evaluator::default(), limits))
}
