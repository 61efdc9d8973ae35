//! SAN: lenient in, canonical out.

use centipawn::engine::chess::{Move, MoveError, Reason, Square, Variant, parse_move, san, uci_move};

use super::data::{position, position_of};

const PROMOTION: &str = "3n3k/4P3/8/8/8/8/8/4K3 w - - 0 1";
const KNIGHTS: &str = "4k3/8/8/3p4/8/8/8/1N2K1N1 w - - 0 1";
const CASTLING: &str = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
const EN_PASSANT: &str = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1";
const B_FILE: &str = "4k3/8/8/8/2p5/1P6/B7/4K3 w - - 0 1";

#[test]
fn lenient_spellings() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let cases = [
        (start, "e2e4", "e4 e2e4 e2-e4 Pe4 pe4! e4!? e4?? e4+ e4# e2–e4 ♙e4 ♟e4"),
        (start, "g1f3", "Nf3 nf3 Ng1f3 Ngf3 N1f3 Ng1-f3 N-f3 g1f3 g1-f3 ♘f3 ♞f3 Nxf3"),
        (PROMOTION, "e7e8q", "e8=Q e8Q e8(Q) e8=q e8q e8/Q e8=Q+ e7e8Q e7-e8=Q"),
        (PROMOTION, "e7d8n", "exd8=N ed8N ed8n exd8(N) e7xd8=N e7d8n e7:d8N"),
        (CASTLING, "e1g1", "O-O 0-0 o-o OO 00 O-O! Ke1g1 Ke1-g1 e1-g1 e1g1"),
        (CASTLING, "e1c1", "O-O-O 0-0-0 o-o-o OOO 0-0-0+ Ke1c1 e1c1"),
        (EN_PASSANT, "e5d6", "exd6 ed6 exd6e.p. exd6ep exd6(ep) e5xd6 e5d6"),
        (B_FILE, "b3c4", "bxc4 b3xc4 b3c4 bc4"),
        (B_FILE, "a2b1", "Bb1 bb1 Ba2b1 ♗b1"),
    ];
    for (fen, uci, spellings) in cases {
        let position = position(fen);
        let mv = uci_move::parse(&position, uci).unwrap();
        for text in spellings.split(' ') {
            assert_eq!(parse_move(&position, text), Ok(mv), "{text} in {fen}");
        }
    }
    let position = position(EN_PASSANT);
    assert_eq!(san::parse(&position, " exd6+ e.p. ").map(Move::is_en_passant), Ok(true));
}

#[test]
fn a_lower_case_b_is_a_bishop_only_where_no_pawn_is_meant() {
    let both = position("4k3/8/8/8/2p5/1P1B4/8/4K3 w - - 0 1");
    assert_eq!(san::parse(&both, "bxc4").map(Move::from), Ok(Square::B3));
    assert_eq!(san::parse(&both, "Bxc4").map(Move::from), Ok(Square::D3));
    let error = san::parse(&both, "bc4").unwrap_err();
    assert_eq!(error.to_string(), "'bc4' is ambiguous; write bxc4 or Bxc4");
    let bishop = position("4k3/8/8/8/2p5/3B4/8/4K3 w - - 0 1");
    assert_eq!(san::parse(&bishop, "bxc4").map(Move::from), Ok(Square::D3));
}

#[test]
fn no_more_origin_than_needed() {
    let cases = [
        (KNIGHTS, "b1c3", "Nc3"),
        ("4k3/8/8/8/8/8/8/1N1NK3 w - - 0 1", "b1c3", "Nbc3"),
        ("4k3/8/8/8/8/1N6/8/1N2K3 w - - 0 1", "b1d2", "N1d2"),
        ("6k1/8/8/8/4Q2Q/8/8/K6Q w - - 0 1", "h4e1", "Qh4e1"),
        // The other knight is pinned and takes no part.
        ("4r1k1/8/8/8/8/4N3/8/N3K3 w - - 0 1", "a1c2", "Nc2"),
        ("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", "a1a8", "Ra8#"),
        ("6k1/5p1p/8/8/8/8/8/R3K3 w Q - 0 1", "a1a8", "Ra8+"),
        ("3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1", "O-O-O+"),
    ];
    for (fen, uci, expected) in cases {
        let position = position(fen);
        let mv = uci_move::parse(&position, uci).unwrap();
        assert_eq!(san::format(&position, mv), expected, "{fen}");
    }
}

#[test]
fn chess960_castling() {
    let position = position_of("4k3/8/8/8/8/8/8/1RK3R1 w GB - 0 1", Variant::Chess960);
    let king_side = uci_move::parse(&position, "c1g1").unwrap();
    assert_eq!(san::format(&position, king_side), "O-O");
    assert_eq!(san::parse(&position, "O-O"), Ok(king_side));
    let queen_side = uci_move::parse(&position, "c1b1").unwrap();
    assert_eq!(san::format(&position, queen_side), "O-O-O");
}

#[test]
fn refusals_say_what_to_do() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let check = "4k3/8/8/8/8/8/4r3/N3K3 w - - 0 1";
    let mate = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1";
    let cases = [
        (start, "Nf4", "no knight can go to f4"),
        (start, "e5", "no pawn can go to e5"),
        (start, "e7e5", "the piece on e7 cannot move because it is White's turn"),
        (start, "e3e4", "there is no piece on e3"),
        (start, "O-O", "castling is not possible"),
        (start, "e4=Q", "only a pawn on the last rank"),
        (start, "0000", "a side cannot pass"),
        (PROMOTION, "e8", "say what the pawn becomes"),
        (PROMOTION, "e7e8", "say what the pawn becomes"),
        (PROMOTION, "e7d8", "say what the pawn becomes"),
        (check, "Nb3", "the king is in check"),
        (mate, "Kg8", "the game is over"),
        ("4k3/8/8/8/8/8/8/1N1NK3 w - - 0 1", "Nc3", "is ambiguous; write Nbc3 or Ndc3"),
    ];
    for (fen, text, part) in cases {
        let error = parse_move(&position(fen), text).unwrap_err();
        assert!(!matches!(error, MoveError::Syntax(_)), "{text}: {error}");
        assert!(error.to_string().contains(part), "{text}: {error}");
    }
}

#[test]
fn what_is_no_move_at_all() {
    let position = position("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    for text in [
        "", " ", "--", "e", "e9", "i4", "Nf", "Xf3", "e2e4e5", "e8=K", "4e4", "Nf3Nf6", "♔", "é4", "e.p.",
        "x",
    ] {
        assert_eq!(parse_move(&position, text), Err(MoveError::Syntax(text.trim().to_owned())), "{text}");
    }
    let pass = Reason::Pass;
    assert_eq!(
        parse_move(&position, "0000"),
        Err(MoveError::Illegal { text: "0000".to_owned(), reason: pass })
    );
}
