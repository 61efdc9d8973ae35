//! The bodies of the fuzz targets on bounded random input.

use proptest::collection::vec;
use proptest::prelude::*;

use super::bodies;
use super::data::lines;

proptest! {
    #![proptest_config(ProptestConfig { cases: 3_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_as_a_fen(bytes in vec(any::<u8>(), 0..120)) {
        bodies::fen(&bytes);
    }

    #[test]
    fn letters_of_a_fen(text in "[pnbrqkPNBRQK1-8/]{15,71} [wb] [KQkqA-Ha-h-]{1,5} (-|[a-h][36]) [0-9]{1,3} [0-9]{1,3}") {
        bodies::fen(text.as_bytes());
    }

    #[test]
    fn damaged_fens(which in any::<prop::sample::Index>(), at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let fens = lines("perft/standard.epd");
        let mut bytes = fens[which.index(fens.len())].clone().into_bytes();
        let at = at.index(bytes.len());
        bytes[at] = byte;
        bodies::fen(&bytes);
    }

    #[test]
    fn words_of_a_game(words in vec(prop::sample::select(PGN_WORDS.to_vec()), 0..40)) {
        bodies::pgn(words.concat().as_bytes());
    }
}

/// What games are made of, and what should not be in them.
const PGN_WORDS: [&str; 36] = [
    " ",
    "\n",
    "\n\n",
    "1.",
    "1... ",
    "e4 ",
    "e5 ",
    "Nf3 ",
    "Nc6 ",
    "d4!? ",
    "d2d4 ",
    "O-O ",
    "0-0-0 ",
    "-- ",
    "$1 ",
    "!? ",
    "+- ",
    "(",
    ")",
    "{",
    "}",
    "{[%eval 0.3]}",
    ";",
    "%",
    "[White \"",
    "\"]",
    "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n",
    "[Variant \"Chess960\"]\n",
    "* ",
    "1-0 ",
    "1/2-1/2 ",
    "\\",
    "é",
    "\u{feff}",
    "<x>",
    "e8(Q)",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn evaluations_of_any_game(bytes in vec(any::<u8>(), 2..120)) {
        bodies::breakdown(&bytes);
    }
}
