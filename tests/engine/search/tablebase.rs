//! The search with endgame tables: it plays and says what they know.

use std::num::NonZeroUsize;

use super::{find, game, move_of, run, to_depth};
use crate::tablebase::tables;
use centipawn::engine::chess::Game;
use centipawn::engine::eval::Evaluator;
use centipawn::engine::search::SearchScore::{Cp, Mate};
use centipawn::engine::search::{End, Report, SearchRequest, Wdl};

/// A search with tables.
fn request(game: Game, depth: u8) -> SearchRequest {
    let tablebase = Some(tables());
    SearchRequest { tablebase, ..SearchRequest::new(game, Evaluator::default(), to_depth(depth)) }
}

fn find_with_tables(game: Game, depth: u8) -> Report {
    run(&request(game, depth))
}

#[test]
fn the_move_that_keeps_the_result_is_found_and_scored_by_the_tables() {
    for (fen, best, score) in [
        ("8/8/8/4P3/5k2/8/8/5K2 w - - 0 1", "e5e6", Cp(20_000)),
        ("5K2/8/8/8/8/8/2k2P2/8 w - - 0 1", "f2f4", Cp(20_000)),
        ("3r4/3R4/8/8/K7/8/1k6/8 w - - 0 1", "d7d8", Cp(20_000)),
        ("8/7k/8/8/K7/8/2r4R/8 b - - 0 1", "c2h2", Cp(20_000)),
        ("8/8/8/8/8/1K1p4/8/k7 w - - 0 1", "b3c3", Cp(0)),
        ("8/6K1/2R5/1k6/8/8/8/8 b - - 0 1", "b5c6", Cp(0)),
        ("k7/8/1K6/8/8/8/8/6Q1 w - - 0 1", "g1g8", Mate(1)),
    ] {
        for depth in [1, 4] {
            let report = find_with_tables(game(fen, ""), depth);
            let best = move_of(game(fen, "").position(), best);
            assert_eq!(report.best_move(), Some(best), "{fen} {report:?}");
            let is_scored = report.score() == Some(score)
                || score == Cp(20_000) && matches!(report.score(), Some(Mate(1..)));
            assert!(is_scored && report.tbhits > 0, "{fen} {report:?}");
        }
    }
}

#[test]
fn a_loss_is_a_loss_and_a_draw_is_no_lead() {
    let lost = find_with_tables(game("8/8/8/3k4/8/8/8/R3K3 b - - 0 1", ""), 1);
    assert_eq!(lost.score(), Some(Cp(-20_000)));
    let drawn = find_with_tables(game("8/8/4k3/8/4PK2/8/8/8 w - - 0 1", ""), 4);
    assert_eq!(drawn.score(), Some(Cp(0)));
}

#[test]
fn a_win_by_the_tables_is_not_the_mate_that_is_wanted() {
    for fen in ["8/8/8/3k4/8/8/8/R3K3 w - - 0 1", "8/8/8/8/8/5k2/4p3/K7 b - - 0 1"] {
        let report = run(&SearchRequest { mate: Some(2), ..request(game(fen, ""), 6) });
        assert_eq!((report.depth, report.end), (6, End::Depth), "{fen} {report:?}");
    }
}

#[test]
fn the_fifty_move_rule_is_minded() {
    let score = |fen| find_with_tables(game(fen, ""), 2).score();
    assert_eq!(score("8/8/8/3k4/8/8/8/R3K3 w - - 40 90"), Some(Cp(20_000)));
    assert_eq!(score("8/8/8/3k4/8/8/8/R3K3 w - - 90 90"), Some(Cp(0)));
    assert_eq!(score("8/8/8/3k4/8/8/8/R3K3 b - - 90 90"), Some(Cp(0)));
    assert_eq!(score("8/8/8/4P3/5k2/8/8/5K2 w - - 99 90"), Some(Cp(20_000)), "a pawn move starts anew");
    let mate = game("7k/8/6K1/8/8/8/8/5Q2 w - - 100 90", "");
    assert_eq!(find_with_tables(mate, 2).score(), Some(Mate(1)), "mate ends the game before the rule does");
}

#[test]
fn who_has_repeated_goes_the_shortest_way() {
    let game = game("8/8/8/3k4/8/8/8/R3K3 w - - 0 1", "a1a2 d5d4 a2a1 d4d5");
    let best = find_with_tables(game.clone(), 4).best_move().unwrap();
    let distances = tables().distances(game.position()).unwrap();
    let shortest = distances.iter().map(|(_, plies)| *plies).filter(|plies| *plies > 0).min();
    assert_eq!(distances.iter().find(|(mv, _)| *mv == best).map(|(_, plies)| *plies), shortest);
}

#[test]
fn all_lines_are_told_those_that_keep_the_result_first() {
    for fen in ["3r4/3R4/8/8/K7/8/1k6/8 w - - 0 1", "8/8/8/4P3/5k2/8/8/5K2 w - - 0 1"] {
        let game = game(fen, "");
        let multi_pv = NonZeroUsize::new(256).unwrap();
        let report = run(&SearchRequest { multi_pv, ..request(game.clone(), 3) });
        let legal = game.position().legal_moves();
        let mut before = Wdl::Win;
        for line in &report.lines {
            let mut after = game.clone();
            after.play(line.moves[0]);
            let drawn = after.status().is_drawn().then_some(Wdl::Draw);
            let wdl = drawn.unwrap_or_else(|| tables().wdl(after.position()).unwrap().negated());
            let agrees = match line.score {
                Cp(20_000) | Mate(1..) => wdl == Wdl::Win,
                Cp(0) => wdl == Wdl::Draw,
                Cp(-20_000) | Mate(..=-1) => wdl == Wdl::Loss,
                _ => false,
            };
            assert!(agrees && wdl <= before, "{line:?} {wdl:?}");
            before = wdl;
        }
        assert_eq!(report.lines.len(), legal.len());
        assert!(legal.iter().all(|mv| report.lines.iter().any(|line| line.moves[0] == *mv)));
    }
}

#[test]
fn chosen_moves_are_kept_to() {
    let game = game("3r4/3R4/8/8/K7/8/1k6/8 w - - 0 1", "");
    let chosen = move_of(game.position(), "d7c7");
    let report = run(&SearchRequest { search_moves: vec![chosen], ..request(game, 3) });
    assert_eq!((report.best_move(), report.score()), (Some(chosen), Some(Cp(0))));
}

#[test]
fn captures_lead_into_the_tables() {
    for (fen, score) in
        [("8/6k1/8/8/8/8/3p3Q/K7 w - - 0 1", Cp(19_999)), ("8/8/8/8/6r1/8/3p3R/k1K5 w - - 0 1", Cp(0))]
    {
        let report = find_with_tables(game(fen, ""), 2);
        assert_eq!(report.score(), Some(score), "{report:?}");
        assert!(report.tbhits > 0);
    }
}

#[test]
fn tables_that_know_nothing_change_nothing() {
    let fen = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3";
    assert_eq!(find_with_tables(game(fen, ""), 6), find(game(fen, ""), to_depth(6)));
}

#[test]
fn helpers_have_the_tables_too() {
    let threads = NonZeroUsize::new(3).unwrap();
    let fen = "8/6k1/8/8/8/8/3p3Q/K7 w - - 0 1";
    let report = run(&SearchRequest { threads, ..request(game(fen, ""), 3) });
    assert!(report.tbhits > 0 && matches!(report.score(), Some(Cp(19_000..) | Mate(1..))), "{report:?}");
}
