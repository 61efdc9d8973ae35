//! Any bytes as a move, as people and programs write it.

use centipawn::engine::chess::{parse_move, san};

/// Two bytes choose a start, those up to a zero the moves from there, and the rest is a word that is read as a move. Nothing
/// may panic; a move that is read is legal, and is read again from its own SAN.
pub fn words(data: &[u8]) {
    let Some((start, rest)) = data.split_first_chunk::<2>() else { return };
    let mut parts = rest.splitn(2, |byte| *byte == 0);
    let (choices, word) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let mut position = super::start(*start);
    for choice in choices.iter().take(64) {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        position.play(moves[usize::from(*choice) % moves.len()]);
    }
    let word = String::from_utf8_lossy(word);
    for read in [san::parse(&position, &word).ok(), parse_move(&position, &word).ok()].into_iter().flatten() {
        assert!(position.is_legal(read), "{word} in {position:?}");
        let written = san::format(&position, read);
        assert_eq!(san::parse(&position, &written), Ok(read), "{word} is {written} in {position:?}");
    }
}
