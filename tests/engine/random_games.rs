//! Random games, every position of which is held against the rules' invariants and against cozy-chess.

use proptest::collection::vec;
use proptest::prelude::*;

use super::bodies;
use super::data::position;

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn from_curated_starts(kind in 0u8..64, number in any::<u8>(), choices in vec(any::<u8>(), 0..150)) {
        bodies::moves(&[&[kind, number][..], &choices].concat());
    }

    #[test]
    fn from_chess960_starts(kind in 64u8..=255, number in any::<u8>(), choices in vec(any::<u8>(), 0..150)) {
        bodies::moves(&[&[kind, number][..], &choices].concat());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn is_legal_is_membership(kind in any::<u8>(), number in any::<u8>(), choices in vec(any::<u8>(), 0..100)) {
        bodies::check_every_move_word(&bodies::play([kind, number], &choices));
    }
}

#[test]
fn the_key_after_a_move_is_known_before_it_but_for_what_the_doc_excludes() {
    let fens = [
        "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9",
        "1n4k1/P7/8/3Pp3/8/8/6p1/K6R w - e6 0 1",
        "1n4k1/P7/8/8/8/8/6p1/K6R b - - 0 1",
    ];
    for fen in fens {
        let before = position(fen);
        for mv in &before.legal_moves() {
            let mut after = before;
            after.play(*mv);
            if after.ep_square().is_none() && !mv.is_en_passant() {
                assert_eq!(before.likely_key_after(*mv), after.key(), "{fen} {mv:?}");
            }
        }
    }
}

#[test]
fn is_legal_is_membership_where_it_is_hard() {
    let fens = [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "r3k2r/1P4P1/8/8/8/8/1p4p1/R3K2R b KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
        "4k3/8/8/8/7b/8/5r2/4K2R w K - 0 1",
        "7k/8/8/8/8/8/6q1/7K w - - 0 1",
    ];
    for fen in fens {
        bodies::check_every_move_word(&position(fen));
    }
}
