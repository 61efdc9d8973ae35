//! What material alone knows.

use centipawn::engine::chess::Color;
use centipawn::engine::eval::PieceValues;
use centipawn::engine::eval::material::{self, DrawKnowledge, Endgame, Entry, Signature, Source};

fn entry(signature: &str) -> Entry {
    material::entry(signature.parse::<Signature>().unwrap().key())
}

/// The constellation with the sides exchanged.
fn exchanged(signature: &str) -> String {
    let (white, black) = signature.split_once('v').unwrap();
    format!("{black}v{white}")
}

#[test]
fn values_of_both_sets() {
    let cases = [
        ("KQRRBBNNPPPPPPPPvKQRRBBNNPPPPPPPP", 0, 0),
        ("KRPvKR", 100, 100),
        ("KBBvKNP", 200, 200),
        ("KQvKRR", -100, 50),
        ("KQQvKRRR", 300, 550),
    ];
    for (signature, classic, euwe) in cases {
        for (text, sign) in [(signature.to_owned(), 1), (exchanged(signature), -1)] {
            for (values, centipawns) in [(PieceValues::Classic, classic), (PieceValues::Euwe, euwe)] {
                let value = entry(&text).value(values);
                assert_eq!(
                    (value.mg(), value.eg()),
                    (sign * centipawns, sign * centipawns),
                    "{text} {values:?}"
                );
            }
        }
    }
}

#[test]
fn knights_gain_with_pawns_and_bishops_without() {
    let cases = [
        ("KNPPPPPPPPvKBPPPPPPPP", 16),
        ("KNPPPPPPvKBPPPPPP", 8),
        ("KNPPPPvKBPPPP", 0),
        ("KNPPPvKBPPP", -4),
        ("KNPvKB", -14),
        ("KNNPPPPPPPPvKBNPPPPPPPP", 16),
        ("KNBPPPPPPPPvKBNPPPPPPPP", 0),
        ("KNPPPPPPPPvKNPPPPPPPP", 0),
    ];
    for (signature, centipawns) in cases {
        for (text, sign) in [(signature.to_owned(), 1), (exchanged(signature), -1)] {
            let imbalance = entry(&text).imbalance();
            assert_eq!((imbalance.mg(), imbalance.eg()), (sign * centipawns, sign * centipawns), "{text}");
        }
    }
}

#[test]
fn the_bishop_pair_counts() {
    for (signature, pairs) in [("KBBPvKBNP", 1), ("KBBPvKBBP", 0), ("KBPvKBP", 0), ("KNBPvKBBP", -1)] {
        let pair = material::bishop_pair(signature.parse::<Signature>().unwrap().key());
        assert_eq!((pair.mg(), pair.eg()), (pairs * 30, pairs * 50), "{signature}");
    }
}

#[test]
fn draws_and_hard_wins() {
    let cases = [
        ("KvK", Some(DrawKnowledge::InsufficientMaterial)),
        ("KNvK", Some(DrawKnowledge::InsufficientMaterial)),
        ("KBvK", Some(DrawKnowledge::InsufficientMaterial)),
        ("KNNvK", Some(DrawKnowledge::TwoKnights)),
        ("KNvKN", Some(DrawKnowledge::SingleMinors)),
        ("KBvKN", Some(DrawKnowledge::SingleMinors)),
        ("KBvKB", Some(DrawKnowledge::SingleMinors)),
        ("KNvKP", Some(DrawKnowledge::NoMatingForce)),
        ("KBvKPP", Some(DrawKnowledge::NoMatingForce)),
        ("KNNvKP", Some(DrawKnowledge::NoMatingForce)),
        ("KRvKR", Some(DrawKnowledge::EqualMajors)),
        ("KQvKQ", Some(DrawKnowledge::EqualMajors)),
        ("KBBvKN", Some(DrawKnowledge::LongWin)),
        ("KQvKBN", Some(DrawKnowledge::LongWin)),
        ("KQvKBB", Some(DrawKnowledge::LongWin)),
        ("KRvKB", Some(DrawKnowledge::PawnlessLead)),
        ("KRvKN", Some(DrawKnowledge::PawnlessLead)),
        ("KRNvKR", Some(DrawKnowledge::PawnlessLead)),
        ("KQvKNN", Some(DrawKnowledge::PawnlessLead)),
        ("KQvKRB", Some(DrawKnowledge::PawnlessLead)),
        ("KBNvKB", Some(DrawKnowledge::PawnlessLead)),
        ("KRvKBP", Some(DrawKnowledge::PawnlessLead)),
        ("KNPvKB", Some(DrawKnowledge::LastPawn)),
        ("KRBPvKRN", Some(DrawKnowledge::LastPawn)),
        ("KRBPvKBBN", Some(DrawKnowledge::LastPawn)),
        ("KPvK", None),
        ("KRvK", None),
        ("KBBvK", None),
        ("KBNvK", None),
        ("KQvKR", None),
        ("KQvKP", None),
        ("KRvKP", None),
        ("KRPvKR", None),
        ("KBPvK", None),
        ("KNPPvKB", None),
        ("KQQvKQ", None),
        ("KQRRBBNNPPPPPPPPvKQRRBBNNPPPPPPPP", None),
    ];
    for (signature, knowledge) in cases {
        for text in [signature.to_owned(), exchanged(signature)] {
            let entry = entry(&text);
            assert_eq!(entry.draw(), knowledge, "{text}");
            assert_eq!(entry.scale(), knowledge.map_or(64, DrawKnowledge::scale), "{text}");
        }
    }
}

#[test]
fn named_endgames_and_their_stronger_side() {
    let cases = [
        ("KPvK", Some(Endgame::PawnAgainstKing)),
        ("KBNvK", Some(Endgame::BishopAndKnightMate)),
        ("KRvK", Some(Endgame::BareKing)),
        ("KBBvK", Some(Endgame::BareKing)),
        ("KNNvK", Some(Endgame::TwoKnights)),
        ("KBPPvK", Some(Endgame::BishopAndPawns)),
        ("KQvKP", Some(Endgame::QueenAgainstPawn)),
        ("KQvKR", Some(Endgame::QueenAgainstRook)),
        ("KRvKP", Some(Endgame::RookAgainstPawn)),
        ("KRvKB", Some(Endgame::RookAgainstBishop)),
        ("KRvKN", Some(Endgame::RookAgainstKnight)),
        ("KRPvKR", Some(Endgame::RookAndPawnAgainstRook)),
        ("KNPvK", None),
        ("KRPvKRP", None),
    ];
    for (signature, endgame) in cases {
        assert_eq!(entry(signature).endgame(), endgame.map(|endgame| (endgame, Color::White)), "{signature}");
        let exchanged = exchanged(signature);
        assert_eq!(
            entry(&exchanged).endgame(),
            endgame.map(|endgame| (endgame, Color::Black)),
            "{exchanged}"
        );
    }
}

#[test]
fn phase_and_source() {
    let cases = [
        ("KQRRBBNNPPPPPPPPvKQRRBBNNPPPPPPPP", 24, Source::Table),
        ("KPvK", 0, Source::Table),
        ("KRPvKR", 4, Source::Table),
        ("KBBvKNP", 3, Source::Table),
        ("KQQvK", 8, Source::Hash),
        ("KNNNvK", 3, Source::Hash),
        ("KQQQQQQQQQvKQQQQQQQQQ", 24, Source::Hash),
    ];
    for (signature, phase, source) in cases {
        assert_eq!(entry(signature).phase(), phase, "{signature}");
        assert_eq!(Source::of(signature.parse::<Signature>().unwrap().key()), source, "{signature}");
    }
}
