//! Depth, nodes and the stop flag end a search where they should.

use std::cmp::Reverse;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use super::{MEBIBYTES, find, game, run, to_depth, to_nodes};
use centipawn::engine::chess::{Game, Position};
use centipawn::engine::eval::{Evaluator, EvaluatorKind, PieceValues};
use centipawn::engine::search::{
    Bound, Elo, End, Handicap, Limits, Line, SearchRequest, SearchScore, TranspositionTable, greedy, search,
};

/// Queens face queens: captures never end.
const EXPLOSIVE: &str = "8/PPPPPPPP/nr4RN/qb4BQ/kb4BK/nr4RN/pppppppp/8 w - - 0 1";

const MIDDLEGAME: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

#[test]
fn depth_is_the_last_iteration() {
    let mut depths = Vec::new();
    let table = TranspositionTable::new(MEBIBYTES).unwrap();
    let request = SearchRequest::new(Game::new(Position::start()), Evaluator::default(), to_depth(6));
    let report = search(&request, &table, &AtomicBool::new(false), &mut |report| {
        assert_eq!(report.end, End::Running);
        depths.push(report.depth);
    });
    assert_eq!(depths, [1, 2, 3, 4, 5, 6]);
    assert_eq!((report.depth, report.end), (6, End::Depth));
    assert!(report.seldepth >= 6 && report.nodes > 100 && report.hashfull <= 1_000);
}

#[test]
fn nodes_are_counted_exactly_and_always_the_same() {
    for fen in [MIDDLEGAME, EXPLOSIVE] {
        for nodes in [1, 2, 1_000, 54_321] {
            let report = find(game(fen, ""), to_nodes(nodes));
            assert_eq!((report.nodes, report.end), (nodes, End::Nodes), "{fen}");
            assert!(game(fen, "").position().is_legal(report.best_move().unwrap()));
            assert_eq!(find(game(fen, ""), to_nodes(nodes)), report, "{fen}");
        }
    }
}

#[test]
fn a_line_is_not_given_up_for_a_bound_of_its_first_move() {
    let table = TranspositionTable::new(MEBIBYTES).unwrap();
    let mut news = 0;
    for nodes in (2_000..=60_000).step_by(2_000) {
        let request = SearchRequest::new(game(MIDDLEGAME, ""), Evaluator::default(), to_nodes(nodes));
        let mut known = None;
        let stop = AtomicBool::new(false);
        table.clear();
        let report = search(&request, &table, &stop, &mut |report| known = report.lines.first().cloned());
        let (line, known) = (&report.lines[0], known.expect("an iteration is finished"));
        assert_eq!(known.bound, Bound::Exact);
        if line.bound == Bound::Exact {
            assert!(line.moves.len() > 1, "{nodes}: {line:?}");
        } else {
            assert_ne!(line.moves[0], known.moves[0], "{nodes}");
        }
        news += usize::from(line.depth > known.depth);
    }
    assert!(news > 0, "none was stopped after a best move was found");
}

#[test]
fn the_stop_flag_is_obeyed_within_milliseconds() {
    for (lines, threads) in [(1, 1), (3, 1), (1, 3)] {
        let stop = AtomicBool::new(false);
        let table = TranspositionTable::new(MEBIBYTES).unwrap();
        let request = SearchRequest {
            multi_pv: NonZeroUsize::new(lines).unwrap(),
            threads: NonZeroUsize::new(threads).unwrap(),
            ..SearchRequest::new(game(EXPLOSIVE, ""), Evaluator::default(), Limits::default())
        };
        let waited = std::thread::scope(|scope| {
            let clock = scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(100));
                stop.store(true, Relaxed);
                Instant::now()
            });
            let report = search(&request, &table, &stop, &mut |_| ());
            assert_eq!(report.end, End::Stopped);
            assert!(report.best_move().is_some());
            clock.join().unwrap().elapsed()
        });
        assert!(waited < Duration::from_millis(50), "{waited:?}");
    }
}

#[test]
fn several_threads_end_with_the_first() {
    let three = NonZeroUsize::new(3).unwrap();
    let with = |limits| {
        let request = SearchRequest::new(game(MIDDLEGAME, ""), Evaluator::default(), limits);
        run(&SearchRequest { threads: three, ..request })
    };
    let report = with(to_depth(8));
    assert_eq!((report.depth, report.end), (8, End::Depth));
    assert!(game(MIDDLEGAME, "").position().is_legal(report.best_move().unwrap()));
    // A limit of nodes is one thread's, which visits the same nodes every time.
    assert_eq!(with(to_nodes(12_345)), find(game(MIDDLEGAME, ""), to_nodes(12_345)));
}

#[test]
fn a_search_stopped_at_once_has_a_legal_move() {
    let table = TranspositionTable::new(MEBIBYTES).unwrap();
    let request = SearchRequest::new(game(MIDDLEGAME, ""), Evaluator::default(), Limits::default());
    let report = search(&request, &table, &AtomicBool::new(true), &mut |_| ());
    assert_eq!((report.depth, report.nodes, report.end), (0, 0, End::Stopped));
    assert!(game(MIDDLEGAME, "").position().is_legal(report.best_move().unwrap()));
}

#[test]
fn moves_that_no_iteration_came_to_are_known_at_a_glance() {
    let position = game("7r/1k3p2/p1Nb1p1p/rPp1P3/2b4P/2K3PR/3n1P2/R5N1 b - - 6 38", "");
    let request = |nodes| SearchRequest {
        multi_pv: NonZeroUsize::MAX,
        ..SearchRequest::new(position.clone(), Evaluator::default(), to_nodes(nodes))
    };
    let worth = |line: &&Line| match line.score {
        SearchScore::Cp(centipawns) => centipawns,
        SearchScore::Mate(moves) => moves.signum() * 100_000 - moves,
    };
    let moves = position.position().legal_moves();
    for nodes in [1, 20, 500, 5_000] {
        let report = run(&request(nodes));
        assert_eq!(report.depth, 0, "{nodes}");
        let (searched, glances): (Vec<_>, Vec<_>) = report.lines.iter().partition(|line| line.depth > 0);
        assert!(report.lines.starts_with(&searched.iter().map(|line| (*line).clone()).collect::<Vec<_>>()));
        assert!(searched.iter().all(|line| line.depth == 1) && !glances.is_empty(), "{nodes}");
        for lines in [&searched, &glances] {
            assert!(lines.is_sorted_by_key(|line| Reverse(worth(line))), "{nodes}");
        }
        assert!(moves.iter().all(|mv| report.lines.iter().filter(|line| line.moves[0] == *mv).count() == 1));
        assert_eq!(report.lines.len(), moves.len(), "{nodes}");
    }
    let one = find(position.clone(), to_nodes(1));
    let greedy = greedy(&position, Evaluator::default());
    assert_eq!((one.best_move(), one.score()), (Some(greedy.moves[0]), Some(greedy.score)));
}

#[test]
fn an_only_move_is_not_thought_about_for_long_but_has_a_score() {
    let only = game("k7/8/8/8/8/8/5PP1/1r4K1 w - - 0 1", "");
    assert_eq!(only.position().legal_moves().len(), 1);
    let report = find(only.clone(), Limits::default());
    assert_eq!(report.end, End::OnlyMove);
    assert!(report.depth > 1);
    assert_eq!(find(only, to_depth(12)).depth, 12);
}

#[test]
fn a_table_never_mixes_evaluators() {
    let evaluators: Vec<_> = EvaluatorKind::ALL
        .into_iter()
        .flat_map(|kind| [PieceValues::Classic, PieceValues::Euwe].map(|values| Evaluator::new(kind, values)))
        .flatten()
        .collect();
    assert_eq!(evaluators.len(), 8);
    let shared = TranspositionTable::new(MEBIBYTES).unwrap();
    for evaluator in evaluators {
        let request = SearchRequest::new(game(MIDDLEGAME, ""), evaluator, to_depth(4));
        let after_others = search(&request, &shared, &AtomicBool::new(false), &mut |_| ());
        let alone = run(&request);
        assert_eq!((after_others.nodes, after_others.lines), (alone.nodes, alone.lines), "{evaluator:?}");
    }
}

#[test]
fn a_search_knows_nothing_of_those_before_it_on_its_thread() {
    let asked = |moves: &str, elo| {
        let handicap = Elo::new(elo).map(|elo| Handicap { elo, seed: 1 });
        let limits = to_nodes(20_000);
        SearchRequest {
            handicap,
            ..SearchRequest::new(game(MIDDLEGAME, moves), Evaluator::default(), limits)
        }
    };
    for elo in [0, 1_500] {
        let request = asked("", elo);
        let alone = std::thread::spawn({
            let request = request.clone();
            move || run(&request)
        });
        run(&asked("a2a3", 0));
        run(&asked("a2a3", 1_500));
        let after_others = run(&request);
        assert_eq!(after_others, alone.join().unwrap());
    }
}

#[test]
fn a_clear_table_is_a_fresh_one() {
    let table = TranspositionTable::new(MEBIBYTES).unwrap();
    let request = SearchRequest::new(game(MIDDLEGAME, ""), Evaluator::default(), to_depth(5));
    let mut reports = Vec::new();
    for _ in 0..2 {
        reports.push(search(&request, &table, &AtomicBool::new(false), &mut |_| ()));
        table.clear();
    }
    assert_eq!(reports[0], reports[1]);
}
