//! Stalemate, repetition, 50 moves and insufficient material are worth nothing to either side.

use super::{find, game, move_of, to_depth};
use centipawn::engine::chess::Game;
use centipawn::engine::search::{End, SearchScore};

const DRAW: Option<SearchScore> = Some(SearchScore::Cp(0));

#[test]
fn a_rook_that_must_not_be_taken_draws() {
    let report = find(game("7k/8/8/8/8/6q1/8/R6K w - - 0 1", ""), to_depth(12));
    assert_eq!(report.score(), DRAW);
    assert_eq!(
        report.best_move(),
        Some(move_of(game("7k/8/8/8/8/6q1/8/R6K w - - 0 1", "").position(), "a1a8"))
    );
}

#[test]
fn a_perpetual_check_saves_the_weaker_side() {
    let report = find(game("6k1/6p1/5p2/7Q/8/1q6/1r6/7K w - - 0 1", ""), to_depth(10));
    assert_eq!(report.score(), DRAW);
}

#[test]
fn repetition_counts_the_moves_played() {
    let fen = "6k1/5p2/p6P/1N6/1PP1b3/8/P2q4/5K2 b - - 13 59";
    let shuffle = "d2d1 f1f2 d1d2 f2f1 d2d1 f1f2 d1d2";
    let with_history = find(game(fen, shuffle), to_depth(8));
    assert_eq!(with_history.score(), DRAW);
    let without_history = find(Game::new(*game(fen, shuffle).position()), to_depth(8));
    assert!(matches!(without_history.score(), Some(SearchScore::Cp(..-100))), "{without_history:?}");
}

#[test]
fn a_winning_side_avoids_the_third_time() {
    let fen = "6k1/8/8/8/8/8/1Q6/K7 w - - 0 1";
    let report = find(game(fen, "b2c2 g8f8 c2b2 f8g8 b2c2 g8f8 c2b2 f8g8"), to_depth(6));
    assert!(!matches!(report.score(), Some(SearchScore::Cp(..100))), "{report:?}");
}

#[test]
fn fifty_moves_without_progress_are_a_draw_unless_the_last_one_mates() {
    let quiet = find(game("8/8/8/8/8/2k5/8/K5r1 w - - 98 80", ""), to_depth(6));
    assert_eq!(quiet.score(), DRAW);
    let mate = find(game("8/8/8/8/8/1k6/7r/K7 b - - 99 80", ""), to_depth(6));
    assert_eq!(mate.score(), Some(SearchScore::Mate(1)));
    let too_late = find(game("8/8/8/8/8/1k6/7r/1K6 w - - 99 80", ""), to_depth(6));
    assert_eq!(too_late.score(), DRAW);
}

#[test]
fn a_draw_that_may_only_be_claimed_still_has_a_best_move() {
    let report = find(game("8/8/8/8/8/1k6/7r/1K6 w - - 100 80", ""), to_depth(6));
    assert_eq!((report.score(), report.end), (DRAW, End::Depth));
    assert!(report.best_move().is_some());
    let capture = find(game("8/8/8/8/8/k7/7r/K6R w - - 120 80", ""), to_depth(6));
    let best = move_of(game("8/8/8/8/8/k7/7r/K6R w - - 120 80", "").position(), "h1h2");
    assert_eq!(capture.best_move(), Some(best), "a capture starts the count anew");
}

#[test]
fn a_game_that_is_over_has_a_value_and_no_move() {
    let over = [
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", SearchScore::Cp(0)),
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", SearchScore::Mate(0)),
        ("8/8/8/8/8/2k5/8/K5n1 w - - 0 1", SearchScore::Cp(0)),
        ("8/8/8/8/8/2k5/7r/K7 w - - 150 99", SearchScore::Cp(0)),
    ];
    for (fen, score) in over {
        let report = find(game(fen, ""), to_depth(4));
        assert_eq!(
            (report.end, report.score(), report.best_move()),
            (End::Terminal, Some(score), None),
            "{fen}"
        );
    }
}

#[test]
fn taking_the_last_piece_that_could_mate_draws() {
    let report = find(game("8/8/8/8/3k4/8/1p6/B1K5 w - - 0 1", ""), to_depth(6));
    assert_eq!(report.score(), DRAW);
}
