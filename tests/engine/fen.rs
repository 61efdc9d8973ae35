//! Reading and writing FENs.

use centipawn::engine::chess::{Fen, FenError, FenStyle, FenWarning, Position, Square, Variant, fen};

use super::data::{any_position, position, position_of, rows};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

fn error(text: &str) -> FenError {
    match Fen::parse(text, Variant::Standard) {
        Err(error) => error,
        Ok(fen) => panic!("{text} was read as {:?}", fen.position),
    }
}

fn warnings(text: &str, variant: Variant) -> Vec<FenWarning> {
    Fen::parse(text, variant).unwrap_or_else(|error| panic!("{text}: {error}")).warnings
}

#[test]
fn the_start() {
    assert_eq!(position(START), Position::start());
    assert_eq!(fen::format(&Position::start(), FenStyle::XFen), START);
    assert_eq!(fen::format(&Position::start(), FenStyle::Shredder), START.replace("KQkq", "HAha"));
}

#[test]
fn what_is_tolerated() {
    let texts = [
        "  rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR  w\tKQkq  -  0  1 \n",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 0",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w qkQK - 0 1",
        "rnbqkbnr/pppppppp/44/161/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4; id \"a; b\"; c0 \"hmvc 9\";",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 400",
    ];
    for text in texts {
        assert_eq!(position(text), Position::start(), "{text}");
    }
}

#[test]
fn counters() {
    let cases = [
        ("12 34", (12, 34)),
        ("hmvc 12; fmvn 34;", (12, 34)),
        ("bm e4; fmvn 7", (0, 7)),
        ("400 500", (400, 500)),
    ];
    for (counters, expected) in cases {
        let position = position(&START.replace("0 1", counters));
        assert_eq!((position.halfmoves(), position.fullmoves()), expected, "{counters}");
    }
}

#[test]
fn an_en_passant_square_is_kept_only_for_a_legal_capture() {
    let legal = position("rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 2");
    assert_eq!(legal.ep_square(), Some(Square::E3));
    let useless = [
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
        // Taking would open the fourth rank to the rook.
        "8/8/8/8/k2pP2R/8/8/4K3 b - e3 0 1",
    ];
    for text in useless {
        let useless = position(text);
        assert_eq!(useless.ep_square(), None, "{text}");
        assert_eq!(useless.key(), position(&text.replace(" e3 ", " - ")).key());
    }
}

#[test]
fn impossible_en_passant_squares_are_ignored_with_a_warning() {
    let texts = [
        "k7/8/8/3pP3/8/7n/5K2/8 w - d6 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e6 0 1",
        "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e4 0 2",
        "rnbqkbnr/ppp1pppp/8/8/3pP3/4N3/PPPP1PPP/RNBQKB1R b KQkq e3 0 2",
        "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPPPPP1/RNBQKBNR b KQkq e3 0 2",
    ];
    for text in texts {
        assert_eq!(warnings(text, Variant::Standard), [FenWarning::EpSquareIgnored], "{text}");
    }
}

#[test]
fn castling_rights_without_king_or_rook_are_ignored_with_a_warning() {
    let ignored = [FenWarning::CastlingRightsIgnored];
    let text = "3qk1nb/1p3p2/p1r1p1p1/3p4/3P4/2N1BP2/PPPQ1P2/R3K3 w Qk - 0 15";
    let fen = Fen::parse(text, Variant::Standard).unwrap();
    assert_eq!(fen.warnings, ignored);
    assert_eq!(fen::format(&fen.position, FenStyle::XFen), text.replace("Qk", "Q"));
    let chess960 = "1rk3r1/pppppppp/8/8/8/8/PPPPPPPP/1RK3R1 w GBgb - 0 1";
    assert_eq!(warnings(chess960, Variant::Standard), ignored);
    assert_eq!(warnings(chess960, Variant::Chess960), []);
    assert_eq!(warnings("4k3/8/8/8/8/8/8/4K1RR w HG - 0 1", Variant::Chess960), ignored);
    assert_eq!(warnings("4k3/8/8/8/8/8/4K3/7R w K - 0 1", Variant::Chess960), ignored);
}

#[test]
fn x_fen_means_the_outermost_rook_and_names_an_inner_one() {
    let inner = position_of("4k3/8/8/8/8/8/8/4K1RR w G - 0 1", Variant::Chess960);
    let outer = position_of("4k3/8/8/8/8/8/8/4K1RR w K - 0 1", Variant::Chess960);
    assert_eq!(fen::format(&inner, FenStyle::XFen), "4k3/8/8/8/8/8/8/4K1RR w G - 0 1");
    assert_eq!(fen::format(&inner, FenStyle::Shredder), "4k3/8/8/8/8/8/8/4K1RR w G - 0 1");
    assert_eq!(fen::format(&outer, FenStyle::XFen), "4k3/8/8/8/8/8/8/4K1RR w K - 0 1");
    assert_eq!(fen::format(&outer, FenStyle::Shredder), "4k3/8/8/8/8/8/8/4K1RR w H - 0 1");
    assert_ne!(inner.key(), outer.key());
}

#[test]
fn every_reason_has_its_code_and_says_where() {
    let cases = [
        ("", "fen_syntax", "empty"),
        ("hello", "fen_syntax", "'hello' has 1 rank instead of 8"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", "fen_syntax", "before the side to move"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w", "fen_syntax", "before the castling rights"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq", "fen_syntax", "before the en-passant square"),
        ("rnbqkbnr/ppppippp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "fen_syntax", "'i' on rank 7"),
        ("rnbqk0nr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "fen_syntax", "'0' on rank 8"),
        ("rnbqkbnr/pppp♟ppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "fen_syntax", "'♟' on rank 7"),
        ("rnbqkbnr/pppppppp/8/6/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "fen_syntax", "rank 5 has 6 squares"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPPP/RNBQKBNR w KQkq - 0 1", "fen_syntax", "rank 2 has 9 squares"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1", "fen_syntax", "side to move is 'x'"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KX - 0 1", "fen_syntax", "castling rights are 'KX'"),
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e9 0 1",
            "fen_syntax",
            "en-passant square is 'e9'",
        ),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - -1 1", "fen_syntax", "halfmove clock is '-1'"),
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 70000",
            "fen_syntax",
            "move number is '70000'",
        ),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 moves e2e4", "fen_syntax", "moves"),
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 2",
            "fen_syntax",
            "'2' after the position",
        ),
        ("8/8/8/8/8/8/4K3/8 w - - 0 1", "missing_king", "Black has no king"),
        ("rnkqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1", "too_many_kings", "Black has 2 kings"),
        ("4k3/8/8/8/8/8/8/P3K3 w - - 0 1", "pawns_on_backrank", "a1"),
        ("4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1", "too_much_material", "9 pawns"),
        ("rnbqkbnr/ppppNNpp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "too_much_material", "18 pieces"),
        ("8/pp5p/kqp5/2P1Br2/5Pb1/P1NQ4/1P4PP/2K2BbR w - - 0 1", "opposite_check", "a6"),
        ("4k3/8/8/8/8/8/4K3/4k3 w - - 0 1", "too_many_kings", "Black"),
        ("8/8/8/8/8/4k3/4K3/8 w - - 0 1", "opposite_check", "e3"),
        ("B6b/8/8/8/2K5/5k2/8/b6B b - - 0 1", "impossible_check", "h1, a8"),
        ("4k3/8/8/8/1b2r3/8/8/4K2r w - - 0 1", "impossible_check", "e1 is attacked from h1, b4, e4"),
    ];
    for (text, code, part) in cases {
        let error = error(text);
        assert_eq!(error.code(), code, "{text}: {error}");
        assert!(error.to_string().contains(part), "{text}: {error}");
    }
    assert_eq!(error(&"8".repeat(2_000)).code(), "fen_syntax");
}

#[test]
fn what_only_promotion_can_explain_is_named() {
    for (text, part) in [
        (
            "4k3/8/8/8/8/8/PPPPPPPP/2B1KB1B w - - 0 1",
            "2 bishops on light squares; only promotion can explain 1 of them, but no pawn is missing",
        ),
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNQBKBNR w KQkq - 0 1",
            "White has 2 bishops on light squares; only promotion can explain 1 of them",
        ),
        (
            "4k3/8/8/8/8/8/PPPPPPP1/3QKQ1Q w - - 0 1",
            "3 queens; only promotion can explain 2 of them, but only 1 pawn is missing",
        ),
        (
            "2bnkbn1/qqnp4/2p5/1p6/p7/2p3pp/8/4K3 b - - 0 1",
            "3 knights and 2 queens; only promotion can explain 2 of them, but only 1 pawn is missing",
        ),
    ] {
        let error = error(text);
        assert_eq!(error.code(), "too_much_material", "{text}: {error}");
        assert!(error.to_string().contains(part), "{text}: {error}");
    }
}

#[test]
fn canonical_fens_survive() {
    for [fen, chess960, ..] in rows::<5>("rules/legal-moves.tsv") {
        let (variant, style) = match chess960.as_str() {
            "1" => (Variant::Chess960, FenStyle::Shredder),
            _ => (Variant::Standard, FenStyle::XFen),
        };
        let position = any_position(&fen, variant);
        let written = fen::format(&position, style);
        // The file keeps every possible en-passant square, we only those that matter.
        let ep = position.ep_square().map_or("-".to_owned(), |square| square.to_string());
        let mut fields: Vec<&str> = fen.split(' ').collect();
        fields[3] = &ep;
        assert_eq!(written, fields.join(" "));
    }
}
