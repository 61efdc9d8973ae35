//! The difference of two breakdowns: that it adds up, follows the pieces, and says the same of the mirrored board.

use centipawn::engine::chess::{Color, Game, Move, Position, Travel, parse_move};
use centipawn::engine::eval::breakdown::{Causes, Difference, FeatureChange, FeatureFate, Step, TermChange};
use centipawn::engine::eval::{Breakdown, Evaluator, EvaluatorKind};
use centipawn::engine::weights::Term;

use super::{evaluator, evaluators};
use crate::data::{perft_cases, position};

/// The position before and after a move, explained.
fn explained(evaluator: Evaluator, start: &Position, mv: Move) -> (Breakdown, Breakdown) {
    let mut game = Game::new(*start);
    let before = evaluator.explain(start, game.status());
    game.play(mv);
    (before, evaluator.explain(game.position(), game.status()))
}

fn check_sums(difference: &Difference<'_>) {
    let causes = difference.causes;
    assert_eq!(causes.features + causes.phase + causes.scale + causes.damping, difference.cp());
    assert_eq!(difference.terms.iter().map(TermChange::cp).sum::<i32>(), difference.cp());
    for term in &difference.terms {
        let features = &term.features;
        assert_eq!(features.iter().map(FeatureChange::cp).sum::<i32>(), term.cp(), "{:?}", term.term);
        assert!(features.iter().all(|change| change.fate().is_some()));
        assert!(features.is_sorted_by(|a, b| a.cp().abs() >= b.cp().abs()));
    }
}

#[test]
fn every_move_of_the_perft_positions_adds_up_and_mirrors() {
    for file in ["standard", "edge-cases", "en-passant-a", "chess960-extra-a"] {
        for case in perft_cases(&format!("perft/{file}.epd")).iter().step_by(7) {
            for (index, mv) in case.position.legal_moves().iter().enumerate() {
                check_move(&case.position, *mv, index);
            }
        }
    }
}

fn check_move(start: &Position, mv: Move, index: usize) {
    let mirrored = start.mirrored();
    let twin = *mirrored.legal_moves().iter().find(|other| is_mirror_of(**other, mv)).unwrap();
    // One evaluator a move, in turn: all of them for every move would take long.
    let evaluator = evaluators().nth(index % evaluators().count()).unwrap();
    let (before, after) = explained(evaluator, start, mv);
    let difference = Difference::between(&before, &after, &Travel::along(start, &[mv]));
    check_sums(&difference);
    let (before, after) = explained(evaluator, &mirrored, twin);
    let mirror = Difference::between(&before, &after, &Travel::along(&mirrored, &[twin]));
    check_sums(&mirror);
    assert_eq!(mirror.cp(), -difference.cp(), "{start:?} {mv:?}");
    assert_eq!(mirror.causes.features, -difference.causes.features, "{start:?} {mv:?}");
    for (term, other) in difference.terms.iter().zip(&mirror.terms) {
        let fates = |changes: &[FeatureChange<'_>]| {
            let mut fates: Vec<_> =
                changes.iter().map(|change| (change.feature, change.fate(), change.cp().abs())).collect();
            fates.sort_by_key(|(feature, fate, cp)| (*feature, format!("{fate:?}"), *cp));
            fates
        };
        assert_eq!(other.cp(), -term.cp(), "{start:?} {mv:?} {:?}", term.term);
        assert_eq!(fates(&other.features), fates(&term.features), "{start:?} {mv:?} {:?}", term.term);
    }
}

fn is_mirror_of(other: Move, mv: Move) -> bool {
    (other.from(), other.to(), other.promotion()) == (mv.from().flip(), mv.to().flip(), mv.promotion())
}

/// How an entry is expected to change: name, square before, square after, fate.
type Change<'a> = (&'a str, Option<&'a str>, Option<&'a str>, FeatureFate);

#[test]
fn entries_follow_their_pieces() {
    use FeatureFate::{Appeared, Changed, Vanished};
    let cases: [(&str, &str, Change<'_>); 7] = [
        ("4k3/8/8/8/8/5N2/8/4K3 w - - 0 1", "Ne5", ("knightPlacement", Some("f3"), Some("e5"), Changed)),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "O-O", ("rookMobility", Some("h1"), Some("f1"), Changed)),
        ("4k3/3n4/8/4P3/8/8/8/4K3 b - - 0 1", "Nxe5", ("pawnPlacement", Some("e5"), None, Vanished)),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6", ("pawnPlacement", Some("d5"), None, Vanished)),
        ("7k/P7/8/8/8/8/8/4K3 w - - 0 1", "a8=Q+", ("queenPlacement", None, Some("a8"), Appeared)),
        ("7k/P7/8/8/8/8/8/4K3 w - - 0 1", "a8=Q+", ("pawnPlacement", Some("a7"), None, Vanished)),
        ("4k3/8/8/8/8/8/P6P/R3K3 w - - 0 1", "Rb1", ("rookOnOpenFile", None, Some("b1"), Appeared)),
    ];
    for (fen, text, (name, from, to, fate)) in cases {
        let start = position(fen);
        let mv = parse_move(&start, text).unwrap();
        // The textbook's weights, which stay as they are when others are tuned.
        let kind = if name.ends_with("Placement") { EvaluatorKind::Psqt } else { EvaluatorKind::Pieces };
        let (before, after) = explained(evaluator(kind), &start, mv);
        let difference = Difference::between(&before, &after, &Travel::along(&start, &[mv]));
        let square = |line: Option<&centipawn::engine::eval::FeatureLine>| {
            line.and_then(|line| line.squares.first()).map(|square| square.to_string())
        };
        let found = difference.terms.iter().flat_map(|term| &term.features).any(|change| {
            (change.feature.name(), change.fate()) == (name, Some(fate))
                && (square(change.before).as_deref(), square(change.after).as_deref()) == (from, to)
        });
        assert!(found, "{fen} {text} {name}: {:#?}", difference.terms);
    }
}

#[test]
fn each_cause_is_told_apart() {
    // Position, move, and which of phase, scale and damping change the score.
    let cases = [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "e4", [false, false, false]),
        ("r3k3/5ppp/8/8/8/8/8/RQ2K3 w - - 0 1", "Rxa8+", [true, false, false]),
        ("4k3/8/8/8/8/8/4p3/4KB2 w - - 0 1", "Kxe2", [false, true, false]),
        ("r3k3/5ppp/8/8/8/8/3Q1PPP/4K3 w - - 60 90", "Qc2", [false, false, true]),
    ];
    for (fen, text, expected) in cases {
        let start = position(fen);
        let mv = parse_move(&start, text).unwrap();
        let (before, after) = explained(Evaluator::default(), &start, mv);
        let difference = Difference::between(&before, &after, &Travel::along(&start, &[mv]));
        let Causes { phase, scale, damping, .. } = difference.causes;
        assert_eq!([phase, scale, damping].map(|cp| cp != 0), expected, "{fen} {:?}", difference.causes);
    }
}

#[test]
fn a_summary_names_side_size_and_chief_reason() {
    // Position, move, what the first and some other sentence have to say.
    let cases = [
        ("4k3/8/3p4/8/8/8/5P2/4K1N1 w - - 0 1", "Nf3", "Ng1-f3 improves White by", "the knight on f3"),
        ("4k1n1/5p2/8/8/8/3P4/8/4K3 b - - 0 1", "Nf6", "Ng8-f6 improves Black by", "After it:"),
        ("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1", "exd5", "chiefly material (+", "No longer: Black has a queen."),
        (
            "7k/8/5KQ1/8/8/8/8/8 w - - 0 1",
            "Qg7#",
            "Qg6-g7# ends in checkmate.",
            "After it: Checkmate: White has won.",
        ),
        ("7k/8/5KQ1/8/8/8/8/8 w - - 0 1", "Qf7", "Qg6-f7 ends the game in a draw.", "drawn by stalemate"),
    ];
    for (fen, text, first, other) in cases {
        let start = position(fen);
        let mv = parse_move(&start, text).unwrap();
        let (before, after) = explained(Evaluator::default(), &start, mv);
        let difference = Difference::between(&before, &after, &Travel::along(&start, &[mv]));
        let name = centipawn::engine::chess::san::format_long(&start, mv);
        let summary = difference.summary(Step::Move(&name), start.turn(), Color::White);
        assert!(summary[0].contains(first), "{summary:?}");
        assert!(summary.iter().any(|sentence| sentence.contains(other)), "{summary:?}");
        assert!(summary.iter().all(|sentence| sentence.ends_with(['.', ')'])), "{summary:?}");
    }
}

/// Of several entries about the same piece those that name the same others belong together.
#[test]
fn entries_of_one_piece_keep_to_what_they_name() {
    let lines = |fen: &str, text: &str, name: &str| -> Vec<[Option<String>; 2]> {
        let start = position(fen);
        let mv = parse_move(&start, text).unwrap();
        let (before, after) = explained(Evaluator::default(), &start, mv);
        let difference = Difference::between(&before, &after, &Travel::along(&start, &[mv]));
        let changes = difference.terms.iter().flat_map(|term| &term.features);
        let ours = changes.filter(|change| change.feature.name() == name && change.side == Color::White);
        ours.map(|change| [change.before, change.after].map(|line| line.map(|line| line.text.clone())))
            .collect()
    };
    let rights = lines("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "Rg1", "castlingRight");
    let vanished: Vec<_> = rights.iter().filter(|[_, after]| after.is_none()).collect();
    assert_eq!(vanished, [&[Some("White may still castle kingside.".to_owned()), None]]);
    let shelter = lines("r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1", "O-O", "kingShelter");
    let pawn =
        |line: &Option<String>| line.as_ref().map(|text| text[text.len() - 3..text.len() - 1].to_owned());
    let pawns: Vec<_> = shelter.iter().map(|pair| pair.each_ref().map(pawn)).collect();
    assert!(pawns.len() >= 2, "{shelter:?}");
    for [before, after] in pawns {
        assert_eq!(before.as_deref() == Some("f2"), after.as_deref() == Some("f2"), "{shelter:?}");
    }
}

/// Where the parts cancel out none of them is the chief one.
#[test]
fn a_move_that_changes_nothing_has_no_chief_reason() {
    let mut found = 0;
    for case in perft_cases("perft/standard.epd") {
        for mv in &case.position.legal_moves() {
            let (before, after) = explained(Evaluator::default(), &case.position, *mv);
            let difference = Difference::between(&before, &after, &Travel::along(&case.position, &[*mv]));
            let parts = difference.terms.iter().filter(|change| change.term != Term::Tempo);
            let change: i32 = parts.map(TermChange::cp).sum();
            if change != 0 || before.status.is_drawn() || after.status.is_drawn() {
                continue;
            }
            let summary = difference.summary(Step::Move("it"), case.position.turn(), Color::White);
            assert!(summary.iter().all(|sentence| !sentence.contains("chiefly")), "{summary:?}");
            found += usize::from(summary.iter().any(|sentence| sentence.starts_with("For it: ")));
        }
    }
    assert!(found > 0, "no move with parts that cancel out");
}
