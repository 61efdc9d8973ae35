//! How positions and games stand.

use centipawn::engine::chess::{Status, is_insufficient_material};

use super::data::{position, rows};

#[test]
fn insufficient_material() {
    for [fen, automatic_draw, white_can_mate, black_can_mate] in rows("rules/insufficient-material.tsv") {
        let position = position(&fen);
        assert_eq!(is_insufficient_material(&position), automatic_draw == "1", "{fen}");
        assert_eq!(automatic_draw == "1", (white_can_mate + &black_can_mate) == "00", "the file, {fen}");
    }
}

#[test]
fn terminal_states() {
    for [fen, state, legal_moves, in_check] in rows("rules/terminal-states.tsv") {
        let position = position(&fen);
        assert_eq!(position.legal_moves().len().to_string(), legal_moves, "{fen}");
        assert_eq!(position.in_check(), in_check == "1", "{fen}");
        let expected = match state.as_str() {
            "checkmate" => Status::Checkmate,
            "stalemate" => Status::Stalemate,
            "insufficient_material" => Status::InsufficientMaterial,
            "seventyfive_moves" => Status::SeventyFiveMoves,
            // The file knows no claims.
            "ongoing" if position.halfmoves() >= 100 => Status::FiftyMoves,
            "ongoing" => Status::Ongoing,
            other => panic!("{fen}: {other}"),
        };
        assert_eq!(Status::of(&position, 1), expected, "{fen}");
    }
}

#[test]
fn pieces_that_cannot_mate() {
    let draws = [
        "8/8/4k3/8/8/8/3K4/8 w - - 0 1",
        "8/8/4k3/8/8/8/3KN3/8 w - - 0 1",
        "8/8/4k3/4b3/8/3KB3/8/8 w - - 0 1",
    ];
    let games = [
        "8/8/4k3/4b3/8/8/3KB3/8 w - - 0 1",
        "8/8/4k3/4b3/8/8/3KN3/8 w - - 0 1",
        "8/8/4k3/8/8/8/3KNN2/8 w - - 0 1",
        "8/8/4k3/4p3/8/8/3K4/8 w - - 0 1",
        "8/8/4k3/4n3/8/8/3KN3/8 w - - 0 1",
    ];
    assert!(!draws.map(position).iter().any(|position| Status::of(position, 1) == Status::Ongoing));
    assert!(games.map(position).iter().all(|position| Status::of(position, 1) == Status::Ongoing));
}

#[test]
fn counters_and_repetitions_in_order() {
    let cases = [
        ("8/8/4k3/4p3/8/8/3K4/8 w - - 99 100", 1, Status::Ongoing),
        ("8/8/4k3/4p3/8/8/3K4/8 w - - 100 100", 1, Status::FiftyMoves),
        ("8/8/4k3/4p3/8/8/3K4/8 w - - 100 100", 3, Status::Threefold),
        ("8/8/4k3/4p3/8/8/3K4/8 w - - 149 100", 2, Status::FiftyMoves),
        ("8/8/4k3/4p3/8/8/3K4/8 w - - 150 100", 1, Status::SeventyFiveMoves),
        ("8/8/4k3/4p3/8/8/3K4/8 w - - 20 100", 4, Status::Threefold),
        ("8/8/4k3/4p3/8/8/3K4/8 w - - 20 100", 5, Status::Fivefold),
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 100 100", 1, Status::Checkmate),
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 150 100", 1, Status::Checkmate),
        ("7k/5K2/6Q1/8/8/8/8/8 b - - 150 100", 1, Status::Stalemate),
    ];
    for (fen, occurrence, status) in cases {
        assert_eq!(Status::of(&position(fen), occurrence), status, "{fen}");
    }
}

#[test]
fn a_claim_does_not_end_a_game() {
    let over = [
        Status::Checkmate,
        Status::Stalemate,
        Status::InsufficientMaterial,
        Status::SeventyFiveMoves,
        Status::Fivefold,
    ];
    assert!(over.into_iter().all(Status::is_over));
    assert!(![Status::Ongoing, Status::FiftyMoves, Status::Threefold].into_iter().any(Status::is_over));
}
