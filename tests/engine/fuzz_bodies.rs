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
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn evaluations_of_any_game(bytes in vec(any::<u8>(), 2..120)) {
        bodies::breakdown(&bytes);
    }
}
