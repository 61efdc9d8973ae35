//! Games with their history.

use centipawn::engine::chess::{Game, Position, Status, parse_move};

use super::data::position;

fn play(game: &mut Game, moves: &str) {
    for text in moves.split(' ') {
        let mv = parse_move(game.position(), text).unwrap_or_else(|error| panic!("{error}"));
        game.play(mv);
    }
}

#[test]
fn threefold_and_fivefold() {
    let mut game = Game::new(Position::start());
    for expected in [Status::Ongoing, Status::Threefold, Status::Threefold, Status::Fivefold] {
        play(&mut game, "Nf3 Nf6 Ng1 Ng8");
        assert_eq!(game.status(), expected);
    }
    assert_eq!(game.keys().len(), 16);
    play(&mut game, "e4");
    assert_eq!((game.keys().len(), game.status()), (0, Status::Ongoing));
}

#[test]
fn lost_castling_rights_make_another_position() {
    let mut game = Game::new(position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"));
    play(&mut game, "Ke2 Ke7 Ke1 Ke8 Ke2 Ke7 Ke1 Ke8");
    assert_eq!(game.status(), Status::Ongoing);
    play(&mut game, "Ke2 Ke7 Ke1 Ke8");
    assert_eq!(game.status(), Status::Threefold);
}

#[test]
fn an_en_passant_square_counts_only_if_a_capture_is_legal() {
    // After e4 no black pawn can take, so the position is the same without the square.
    let mut game = Game::new(Position::start());
    play(&mut game, "e4 Nf6 Nf3 Ng8 Ng1 Nf6 Nf3 Ng8 Ng1");
    assert_eq!(game.status(), Status::Threefold);
    let mut game = Game::new(position("4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1"));
    play(&mut game, "e4 Kd8 Kd1 Ke8 Ke1 Kd8 Kd1 Ke8 Ke1");
    assert_eq!(game.occurrence(), 2);
}

#[test]
fn mate_on_the_last_ply_wins_over_the_draw() {
    for (halfmoves, quiet) in [(99, Status::FiftyMoves), (149, Status::SeventyFiveMoves)] {
        let start = position(&format!("7k/8/6K1/8/8/8/8/R7 w - - {halfmoves} 200"));
        let mut mate = Game::new(start);
        play(&mut mate, "Ra8#");
        assert_eq!(mate.status(), Status::Checkmate);
        let mut draw = Game::new(start);
        play(&mut draw, "Ra7");
        assert_eq!(draw.status(), quiet);
    }
}

/// From the contract: the repetition is seen only by who knows the moves before.
#[test]
fn a_position_alone_knows_no_repetition() {
    let fen = "6k1/5p2/p6P/1N6/1PP1b3/8/P2q4/5K2 b - - 13 59";
    assert_eq!(Game::new(position(fen)).status(), Status::Ongoing);
    let mut game = Game::new(position(fen));
    play(&mut game, "Qd1+ Kf2 Qd2+ Kf1 Qd1+ Kf2 Qd2+ Kf1");
    assert_eq!(game.status(), Status::Threefold);
}
