//! Full lists of legal moves in both notations.

use centipawn::engine::chess::{Move, Variant, san, uci_move};

use super::data::{any_position, rows};

#[test]
fn uci_and_san_lists() {
    for [fen, chess960, count, uci_moves, san_moves] in rows("rules/legal-moves.tsv") {
        let variant = if chess960 == "1" { Variant::Chess960 } else { Variant::Standard };
        let position = any_position(&fen, variant);
        let mut moves: Vec<Move> = position.legal_moves().to_vec();
        moves.sort_by_key(|mv| uci_move::format(*mv, variant));
        assert_eq!(moves.len().to_string(), count, "{fen}");
        let written =
            |write: &dyn Fn(Move) -> String| moves.iter().map(|mv| write(*mv)).collect::<Vec<_>>().join(" ");
        assert_eq!(written(&|mv| uci_move::format(mv, variant)), uci_moves, "{fen}");
        assert_eq!(written(&|mv| san::format(&position, mv)), san_moves, "{fen}");
        for ((uci, san), mv) in uci_moves.split(' ').zip(san_moves.split(' ')).zip(&moves) {
            assert_eq!(uci_move::parse(&position, uci), Ok(*mv), "{fen}");
            assert_eq!(san::parse(&position, san), Ok(*mv), "{fen}");
        }
    }
}
