//! Every mate of the suites is found at its distance, and its line ends in mate.

use super::{find, game, position, run, to_depth, to_nodes};
use centipawn::engine::chess::{Game, Status, parse_move};
use centipawn::engine::eval::{Evaluator, EvaluatorKind, PieceValues};
use centipawn::engine::search::{Bound, End, Limits, Report, SearchRequest, SearchScore};

/// Searches deep enough for each mate: quiet keys of problems hide behind reductions.
const EXTRA_DEPTH: u8 = 32;

fn check_suite<'a>(lines: impl IntoIterator<Item = &'a str>) {
    for line in lines {
        let fen: Vec<_> = line.split_whitespace().take(4).collect();
        let (_, rest) = line.split_once("dm ").unwrap();
        let moves: i32 = rest.split(';').next().unwrap().parse().unwrap();
        let game = Game::new(position(&fen.join(" ")));
        let report = find(game.clone(), to_depth(2 * moves as u8 - 1 + EXTRA_DEPTH));
        assert_eq!(report.score(), Some(SearchScore::Mate(moves)), "{line}");
        assert_eq!(report.end, End::Mate, "{line}");
        check_mate(game, &report, line);
    }
}

/// The line of a mate is legal, as long as the score says, and ends in checkmate.
fn check_mate(mut game: Game, report: &Report, name: &str) {
    let line = &report.lines[0];
    let SearchScore::Mate(distance) = line.score else { panic!("no mate: {name}") };
    let plies = if distance > 0 { 2 * distance - 1 } else { -2 * distance };
    assert_eq!(line.bound, Bound::Exact, "{name}");
    assert_eq!(line.moves.len() as i32, plies, "{name}");
    for mv in &line.moves {
        assert!(game.position().is_legal(*mv), "{name}");
        game.play(*mv);
    }
    assert_eq!(game.status(), Status::Checkmate, "{name}");
}

#[test]
fn mates_in_one() {
    check_suite(include_str!("../../data/suites/mate-in-1.epd").lines());
}

#[test]
fn mates_in_two() {
    check_suite(include_str!("../../data/suites/mate-in-2.epd").lines());
}

#[test]
fn mates_in_three() {
    check_suite(include_str!("../../data/suites/mate-in-3.epd").lines());
}

/// Every second one: together they take half of the time of the engine's tests, which two cores can share.
fn check_mates_in_four(from: usize) {
    check_suite(include_str!("../../data/suites/mate-in-4.epd").lines().skip(from).step_by(2));
}

#[test]
fn even_mates_in_four() {
    check_mates_in_four(0);
}

#[test]
fn odd_mates_in_four() {
    check_mates_in_four(1);
}

/// The key is quiet and there is a queen to win, which is all that a search that prunes sees for millions of nodes.
#[test]
fn a_short_mate_is_not_overlooked() {
    let fen = "2R5/1N3Q2/2b1n1pr/b2k3P/3Bq2R/1Pn2B2/4Np2/5K2 w - - 0 1";
    let report = find(game(fen, ""), to_nodes(400_000));
    assert_eq!((report.score(), report.end), (Some(SearchScore::Mate(2)), End::Mate));
    check_mate(game(fen, ""), &report, fen);
}

#[test]
fn a_mate_that_comes_too_late_is_none() {
    // After Qg1 Kh8 a hundred plies are over; the pawn has to move first.
    let fen = "8/7k/5K2/8/8/8/P7/3Q4 w - - 98 90";
    let report = find(game(fen, ""), to_depth(9));
    assert!(matches!(report.score(), Some(SearchScore::Mate(3..))), "{report:?}");
    assert_eq!(report.best_move().map(|mv| mv.from().to_string()).as_deref(), Some("a2"));
}

#[test]
fn a_mate_by_way_of_a_repetition_is_none() {
    let fen = "8/7k/5K2/8/8/8/P7/3Q4 w - - 0 90";
    // With these moves Qg1 brings its position about for the third time, which draws.
    for (moves, score) in
        [("", SearchScore::Mate(2)), ("Qg1 Kh8 Qd1 Kh7 Qg1 Kh8 Qd1 Kh7", SearchScore::Cp(0))]
    {
        let game = game(fen, moves);
        let only = vec![parse_move(game.position(), "Qg1").unwrap()];
        let request = SearchRequest::new(game, Evaluator::default(), to_depth(9));
        let report = run(&SearchRequest { search_moves: only, ..request });
        assert_eq!(report.score(), Some(score), "{moves}");
    }
}

#[test]
fn the_mated_side_resists_as_long_as_it_can() {
    let positions = [
        ("k7/2K5/8/8/8/8/8/1R6 b - - 0 1", SearchScore::Mate(-1)),
        ("3k4/8/4K3/8/8/8/8/2R5 b - - 0 1", SearchScore::Mate(-1)),
    ];
    for (fen, score) in positions {
        let report = find(game(fen, ""), to_depth(12));
        assert_eq!((report.score(), report.end), (Some(score), End::Mate), "{fen}");
        check_mate(game(fen, ""), &report, fen);
    }
}

#[test]
fn a_mate_that_cannot_be_proved_the_shortest_does_not_hold_up_the_search() {
    let mate = "rn3r2/pbppq1pk/1p2pb2/4N3/3PN3/3B4/PPP2PPP/R3K2R w KQkq - 0 12";
    let report = find(game(mate, ""), to_depth(16));
    assert_eq!((report.score(), report.depth), (Some(SearchScore::Mate(6)), 16));
    assert!(report.nodes < 1_000_000, "{}", report.nodes);
    let mated = "8/8/8/8/k6K/4Q3/8/8 b - - 0 1";
    let report = find(game(mated, ""), to_depth(24));
    assert!(matches!(report.score(), Some(SearchScore::Mate(..=-1))) && report.depth == 24, "{report:?}");
    assert!(report.nodes < 3_000_000, "{}", report.nodes);
}

#[test]
fn every_evaluator_finds_a_short_mate() {
    let fen = "6k1/5ppp/8/8/8/8/5PPP/3RR1K1 w - - 0 1";
    for kind in EvaluatorKind::ALL {
        let evaluator = Evaluator::new(kind, PieceValues::Classic).unwrap();
        let report = run(&SearchRequest::new(game(fen, ""), evaluator, to_depth(6)));
        assert_eq!(report.score(), Some(SearchScore::Mate(1)), "{kind:?}");
    }
}

#[test]
fn a_mate_ends_a_search_without_limits() {
    let report = find(game("8/8/8/8/8/1k6/7r/K7 b - - 0 1", ""), Limits::default());
    assert_eq!((report.score(), report.end), (Some(SearchScore::Mate(1)), End::Mate));
}

#[test]
fn a_mate_that_is_wanted_is_enough_whatever_else_there_is() {
    // White is a pawn behind, and its first move is quiet: 1. h3 gxh4+ 2. Kf4 g5+ 3. Kf5 g4 4. hxg4#.
    let behind = game("8/8/6pp/6pk/7P/6K1/7P/8 w - - 0 1", "");
    let wanting = |game: &Game, mate, limits| {
        let request = SearchRequest::new(game.clone(), Evaluator::default(), limits);
        run(&SearchRequest { mate: Some(mate), ..request })
    };
    for wanted in [4, 5, u8::MAX] {
        let report = wanting(&behind, wanted, to_nodes(20_000));
        assert_eq!((report.score(), report.end), (Some(SearchScore::Mate(4)), End::Mate), "{wanted}");
        check_mate(behind.clone(), &report, "behind");
    }
    // There is no shorter one, so that this is a search as any other; but to the end of its depth.
    let report = wanting(&behind, 3, to_depth(4));
    assert_eq!((report.depth, report.end), (4, End::Depth));
    // The shortest takes two moves, and any other will do.
    let winning = game("8/7k/5K2/8/8/8/P7/3Q4 w - - 0 90", "");
    let report = wanting(&winning, 9, to_nodes(1_000_000));
    assert!(
        matches!(report.score(), Some(SearchScore::Mate(2..=9))) && report.end == End::Mate,
        "{report:?}"
    );
    assert!(report.nodes < 20_000, "{report:?}");
}
