//! What the fuzz targets check, as functions that the ordinary tests call too: bytes in, a panic if something is wrong.

mod conversation;
pub mod evaluation;
mod games;
mod invariants;
mod oracle;
mod requests;
mod starts;
mod words;

pub use conversation::conversation;
pub use games::pgn;
pub use invariants::check_every_move_word;
pub use requests::{json, router};
pub use words::words;

use centipawn::engine::chess::{Fen, FenStyle, Game, History, Position, Variant, fen};

/// Reads the bytes as a FEN, in both variants. Nothing may panic; an accepted position must survive its own FEN, and agree
/// with cozy-chess if that accepts it too.
pub fn fen(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    for variant in [Variant::Standard, Variant::Chess960] {
        match Fen::parse(&text, variant) {
            Ok(fen) => {
                assert!(Fen::parse_with(&text, variant, History::Any).is_ok());
                check(&fen.position, variant);
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
}

/// Plays a game and checks every position on the way; see [`play`].
pub fn moves(data: &[u8]) {
    if let Some((start, choices)) = data.split_first_chunk() {
        play(*start, choices);
    }
}

/// Plays the game in which two bytes choose the start and each further one a legal move; returns where it ends.
pub fn play(start: [u8; 2], choices: &[u8]) -> Position {
    let start = starts::choose(start);
    let mut game = Game::with_variant(start.position, start.variant);
    let mut history = vec![game.position().key()];
    for choice in choices {
        check(game.position(), start.variant);
        let moves = game.position().legal_moves();
        if moves.is_empty() || game.status().is_over() {
            break;
        }
        let mv = moves[usize::from(*choice) % moves.len()];
        let child = invariants::check_move(game.position(), mv);
        game.play(mv);
        assert_eq!(*game.position(), child, "a game plays moves as its position does");
        history.push(child.key());
        let occurrence = history.iter().filter(|key| **key == child.key()).count();
        assert_eq!(game.occurrence(), occurrence, "{child:?}");
    }
    check(game.position(), start.variant);
    *game.position()
}

/// The start that two bytes choose.
pub fn start(bytes: [u8; 2]) -> Position {
    starts::choose(bytes).position
}

/// Plays the game of [`moves`] and checks on the way that all evaluations agree; at its end that every breakdown adds up,
/// as the game stands and as if it stood as the first byte says.
pub fn breakdown(data: &[u8]) {
    let Some((start, choices)) = data.split_first_chunk::<2>() else { return };
    let mut position = self::start(*start);
    for choice in choices {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        position.play(moves[usize::from(*choice) % moves.len()]);
        for evaluator in evaluation::evaluators() {
            evaluation::check_ledgers(&position, evaluator);
        }
    }
    evaluation::check(&position);
    let status = evaluation::STATUSES[usize::from(start[0]) % evaluation::STATUSES.len()];
    for evaluator in evaluation::evaluators() {
        evaluation::check_breakdown(&position, evaluator, status);
    }
}

fn check(position: &Position, variant: Variant) {
    invariants::check(position);
    check_fen_round_trip(position, variant);
    if let Some(board) = oracle::board(position) {
        oracle::compare(position, &board);
    }
}

fn check_fen_round_trip(position: &Position, variant: Variant) {
    for style in [FenStyle::XFen, FenStyle::Shredder] {
        let text = fen::format(position, style);
        // A game from an impossible position goes on to others.
        match Fen::parse_with(&text, variant, History::Any) {
            Ok(again) => {
                assert_eq!(again.position, *position, "{text}");
                assert!(again.warnings.is_empty(), "{text}: {:?}", again.warnings);
            }
            Err(error) => panic!("{text}: {error}"),
        }
    }
}
