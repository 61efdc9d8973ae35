//! Which positions are legal, by the slow validator and by the statuses of another library.

use std::collections::BTreeSet;

use centipawn::engine::chess::{CastlingSide, Color, Fen, Variant};
use proptest::collection::vec;
use proptest::prelude::*;

use super::data::{lines, rows};
use super::slow_validator::{Sketch, Verdict};

fn engine_verdict(sketch: &Sketch) -> Verdict {
    let variant = if sketch.chess960 { Variant::Chess960 } else { Variant::Standard };
    let fen = match Fen::parse(&sketch.fen(), variant) {
        Err(error) => return Verdict::Refused(error.code()),
        Ok(fen) => fen,
    };
    let mut rights = BTreeSet::new();
    for color in Color::ALL {
        for side in CastlingSide::ALL {
            let king = if color == Color::White { 'K' } else { 'k' };
            rights.extend(
                fen.position.castling().rook(color, side).map(|rook| (king, rook.file().index() as i32)),
            );
        }
    }
    Verdict::Accepted { warnings: fen.warnings.iter().map(|warning| warning.code()).collect(), rights }
}

fn check(sketch: &Sketch) {
    assert_eq!(engine_verdict(sketch), sketch.verdict(), "{} {}", sketch.fen(), sketch.chess960);
}

/// The positions to damage: games of both variants, endings, and positions in which much is wrong already.
fn base_fens() -> Vec<String> {
    let files = [
        "perft/standard.epd",
        "perft/chess960-first480.epd",
        "perft/en-passant-a.epd",
        "perft/single-check-a.epd",
    ];
    files.iter().flat_map(|file| lines(file).into_iter().step_by(8)).collect()
}

fn damaged_position() -> impl Strategy<Value = Sketch> {
    let fens = base_fens();
    let piece = prop::sample::select("PNBRQKpnbrqk..............".chars().collect::<Vec<_>>());
    let changes = vec((0usize..8, 0usize..8, piece), 0..5);
    let castling =
        prop::sample::select(vec!["", "", "", "-", "KQkq", "Kk", "Qq", "HAha", "KQ", "Gb", "HGBA", "Cfc"]);
    let en_passant = prop::option::weighted(0.5, (0..8, prop::sample::select(vec![2, 5, 5, 2, 2, 5, 3])));
    (prop::sample::select(fens), changes, any::<bool>(), castling, en_passant, any::<bool>()).prop_map(
        |(fen, changes, flip, castling, en_passant, chess960)| {
            let mut sketch = Sketch::from_fen(&fen);
            for (rank, file, piece) in changes {
                sketch.squares[rank][file] = piece;
            }
            sketch.white_to_move ^= flip;
            if !castling.is_empty() {
                castling.clone_into(&mut sketch.castling);
            }
            if en_passant.is_some() {
                sketch.en_passant = en_passant;
            }
            sketch.chess960 = chess960;
            sketch
        },
    )
}

/// Few pieces at random, so that checks by several pieces and bare kings are common.
fn scattered_position() -> impl Strategy<Value = Sketch> {
    let piece = prop::sample::select("PNBRQpnbrq".chars().collect::<Vec<_>>());
    let place = || (0usize..8, 0usize..8);
    (vec((place(), piece), 0..12), place(), place(), any::<bool>()).prop_map(
        |(pieces, white, black, white_to_move)| {
            let mut sketch = Sketch::from_fen("8/8/8/8/8/8/8/8 w - -");
            for ((rank, file), piece) in pieces {
                sketch.squares[rank][file] = piece;
            }
            sketch.squares[white.0][white.1] = 'K';
            sketch.squares[black.0][black.1] = 'k';
            sketch.white_to_move = white_to_move;
            sketch
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn damaged_positions(sketch in damaged_position()) {
        check(&sketch);
    }

    #[test]
    fn scattered_positions(sketch in scattered_position()) {
        check(&sketch);
    }
}

#[test]
fn every_position_of_the_data_by_both() {
    for fen in base_fens() {
        for chess960 in [false, true] {
            check(&Sketch { chess960, ..Sketch::from_fen(&fen) });
        }
    }
}

/// The statuses of python-chess in `fen-robustness.tsv`, in the contract's words. Where we differ, `OURS` says why.
#[test]
fn robustness_file() {
    for [fen, _, status] in rows("fen-robustness.tsv") {
        let ours = match Fen::parse(&fen, Variant::Standard) {
            Err(error) => error.code(),
            Ok(fen) => fen.warnings.first().map_or("ok", |warning| warning.code()),
        };
        let theirs = match status.split([' ', '|']).next().unwrap_or_default() {
            "VALID" => "ok",
            "UNPARSABLE" => "fen_syntax",
            "BAD_CASTLING_RIGHTS" => "castling_rights_ignored",
            "TOO_MANY_WHITE_PIECES" | "TOO_MANY_BLACK_PIECES" => "too_much_material",
            "TOO_MANY_KINGS" => "too_many_kings",
            "NO_BLACK_KING" => "missing_king",
            "PAWNS_ON_BACKRANK" => "pawns_on_backrank",
            "OPPOSITE_CHECK" => "opposite_check",
            other => panic!("{fen}: {other}"),
        };
        let expected = OURS.iter().find(|(part, _)| fen.contains(part)).map_or(theirs, |(_, code)| code);
        assert_eq!(ours, expected, "{fen}");
    }
}

/// Where the contract and that library part.
const OURS: [(&str, &str); 5] = [
    // It counts pieces but not promotions: 13 promoted knights or 14 queens, and only eight pawns to make them from.
    ("nnnnknnn/nnnnnnnn", "too_much_material"),
    ("qqqqkqqq/qqqqqqqq", "too_much_material"),
    // Ten promoted pieces; it complains about castling rights, which come later with us.
    ("rnbnkbnn/bbbbnnnn", "too_much_material"),
    // It reads letters of files only for Chess960 and refuses this mixture; we leave out the right without a rook.
    ("w KQAb -", "castling_rights_ignored"),
    // It does not read EPD operations after the counters.
    (" 0 1 bm ", "ok"),
];
