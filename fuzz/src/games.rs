//! Any bytes as PGN.

use std::sync::atomic::AtomicBool;

use centipawn::engine::chess::Variant;
use centipawn::game::pgn::{self, Caps};

const CAPS: Caps = Caps { games: 8, plies: 200, moves: 100_000, tags: 100, comments: 100_000, depth: 4 };

/// Reads the bytes as PGN. Nothing may panic; what is refused has a place in the text, and what was read survives being
/// written.
pub fn pgn(data: &[u8]) {
    let text = pgn::decode(data);
    match read(&text) {
        Err(error) => {
            let lines = text.split(['\n', '\r']).count();
            assert!((1..=lines).contains(&error.place.line) && error.place.column >= 1, "{error}");
        }
        Ok(games) => {
            assert!(games.len() <= CAPS.games);
            for game in &games {
                let written = pgn::write(game);
                let again = read(&written).unwrap_or_else(|error| panic!("{error}\n{written}"));
                assert_eq!(again.len(), 1, "{written}");
                let moves = |record: &pgn::Record| record.moves.iter().map(|ply| ply.mv).collect::<Vec<_>>();
                assert_eq!(moves(&again[0]), moves(game), "{written}");
                assert_eq!(pgn::write(&again[0]), written);
            }
        }
    }
}

fn read(text: &str) -> Result<Vec<pgn::Record>, pgn::PgnError> {
    pgn::read(text, Variant::Standard, CAPS, &AtomicBool::new(false))
}
