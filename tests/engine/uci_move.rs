//! Moves as UCI writes them.

use centipawn::engine::chess::{MoveError, Variant, uci_move};

use super::data::{position, position_of};

#[test]
fn both_spellings_of_castling() {
    let position = position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    for (standard, chess960) in [("e1g1", "e1h1"), ("e1c1", "e1a1")] {
        let mv = uci_move::parse(&position, standard).unwrap();
        assert_eq!(uci_move::parse(&position, chess960), Ok(mv));
        assert_eq!(uci_move::format(mv, Variant::Standard), standard);
        assert_eq!(uci_move::format(mv, Variant::Chess960), chess960);
    }
}

#[test]
fn a_king_beside_its_castled_square_moves_alone() {
    let position = position_of("4k3/8/8/8/8/8/8/5K1R w H - 0 1", Variant::Chess960);
    assert!(!uci_move::parse(&position, "f1g1").unwrap().is_castle());
    assert!(uci_move::parse(&position, "f1h1").unwrap().is_castle());
}

#[test]
fn promotions_in_either_case() {
    let position = position("3n3k/4P3/8/8/8/8/8/4K3 w - - 0 1");
    for letter in "qrbn".chars() {
        let mv = uci_move::parse(&position, &format!("e7d8{letter}")).unwrap();
        assert_eq!(uci_move::parse(&position, &format!("e7d8{}", letter.to_ascii_uppercase())), Ok(mv));
        assert_eq!(uci_move::format(mv, Variant::Standard), format!("e7d8{letter}"));
    }
}

#[test]
fn other_texts_are_refused() {
    let position = position("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    for text in ["", "e2", "e2e", "e2e9", "e4", "e2e4x", "e2e4qq", "E2E4", "e2-e4", "é2e4"] {
        assert_eq!(uci_move::parse(&position, text), Err(MoveError::Syntax(text.to_owned())));
    }
    for text in ["0000", "e2e5", "e1g1", "e7e5", "e2e4q", "a1a1"] {
        let result = uci_move::parse(&position, text);
        assert!(matches!(result, Err(MoveError::Illegal { .. })), "{text}: {result:?}");
    }
}
