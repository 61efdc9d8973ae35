//! Lines are legal and whole; several lines are what single searches would say.

use std::num::NonZeroUsize;

use super::{find, game, move_of, run, to_depth};
use centipawn::engine::chess::{Game, Position};
use centipawn::engine::eval::Evaluator;
use centipawn::engine::search::{Bound, Report, SearchRequest, SearchScore};

const POSITIONS: [&str; 6] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "3k4/3p4/8/K1P4r/8/8/8/8 b - - 0 1",
    "8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1",
];

/// Every move is legal, and the line goes at least half as deep as the search unless the game ends or repeats before: a node
/// for which the table knows no move is searched a ply less deep, and so may every second one be.
fn check_lines(game: &Game, report: &Report) {
    for line in &report.lines {
        let mut after = game.clone();
        for mv in &line.moves {
            assert!(after.position().is_legal(*mv), "{:?}", line.moves);
            after.play(*mv);
        }
        let drawn = line.score == SearchScore::Cp(0);
        let ended = after.status().is_over() || drawn;
        assert!(ended || 2 * line.moves.len() >= usize::from(line.depth), "{:?} {line:?}", game.position());
    }
}

fn with_lines(game: Game, depth: u8, lines: usize) -> Report {
    run(&SearchRequest {
        multi_pv: NonZeroUsize::new(lines).unwrap(),
        ..SearchRequest::new(game, Evaluator::default(), to_depth(depth))
    })
}

#[test]
fn lines_are_legal_and_whole() {
    for fen in POSITIONS {
        let game = game(fen, "");
        check_lines(&game, &find(game.clone(), to_depth(8)));
        check_lines(&game, &with_lines(game.clone(), 6, 4));
    }
}

#[test]
fn several_lines_are_sorted_and_different() {
    for fen in POSITIONS {
        let game = game(fen, "");
        let legal = game.position().legal_moves().len();
        let report = with_lines(game, 4, 500);
        assert_eq!(report.lines.len(), legal);
        let mut firsts: Vec<_> = report.lines.iter().map(|line| line.moves[0].bits()).collect();
        firsts.sort_unstable();
        firsts.dedup();
        assert_eq!(firsts.len(), legal);
        let centipawns = report.lines.iter().map(|line| match line.score {
            SearchScore::Cp(centipawns) => centipawns,
            SearchScore::Mate(moves) => moves.signum() * (100_000 - moves.abs()),
        });
        assert!(centipawns.is_sorted_by(|better, worse| better >= worse), "{fen}");
        assert!(report.lines.iter().all(|line| line.bound == Bound::Exact && line.depth == 4));
    }
}

#[test]
fn each_of_several_lines_is_what_a_search_of_its_move_says() {
    for fen in POSITIONS {
        let game = game(fen, "");
        for depth in 1..=2 {
            for line in with_lines(game.clone(), depth, 500).lines {
                let request = SearchRequest::new(game.clone(), Evaluator::default(), to_depth(depth));
                let alone = run(&SearchRequest { search_moves: vec![line.moves[0]], ..request });
                let same = match (alone.score(), line.score) {
                    // What was learnt from the lines before corrects static values, large ones more, and decides which
                    // replies come so late that they are left out.
                    (Some(SearchScore::Cp(one)), SearchScore::Cp(other)) => {
                        let learnt = (line.correction - alone.lines[0].correction).abs();
                        (one - other).abs() <= learnt + 40.max(one.abs() / 10)
                    }
                    (one, other) => one == Some(other),
                };
                assert!(same, "{fen} {line:?} depth {depth}: {:?}", alone.score());
            }
        }
    }
}

#[test]
fn only_the_moves_asked_for_are_searched() {
    let start = Position::start();
    let moves = vec![move_of(&start, "a2a3"), move_of(&start, "h2h4")];
    let request = SearchRequest::new(Game::new(start), Evaluator::default(), to_depth(4));
    let report = run(&SearchRequest { search_moves: moves.clone(), ..request.clone() });
    assert!(moves.contains(&report.best_move().unwrap()));
    let both = SearchRequest { multi_pv: NonZeroUsize::new(5).unwrap(), search_moves: moves, ..request };
    assert_eq!(run(&both).lines.len(), 2);
}

#[test]
fn a_chess960_castling_is_searched() {
    let fen = "4k3/8/8/8/8/8/8/RK5R w KQ - 0 1";
    let report = find(game(fen, ""), to_depth(6));
    assert!(report.best_move().is_some());
    check_lines(&game(fen, ""), &report);
}
