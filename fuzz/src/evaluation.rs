//! What must be true of the evaluation of any position: all ways to it agree, the breakdown adds up to the centipawn, and
//! a mirrored position has the negated value.

use centipawn::engine::chess::{Bitboard, Color, Position, Status};
use centipawn::engine::eval::{
    Balance, Breakdown, Coefficients, Evaluate, Evaluator, EvaluatorKind, Journal, PieceValues,
};
use centipawn::engine::weights::{Score, Term};

/// How a game may stand; whether it does is not the evaluation's business.
pub const STATUSES: [Status; 8] = [
    Status::Ongoing,
    Status::Checkmate,
    Status::Stalemate,
    Status::InsufficientMaterial,
    Status::FiftyMoves,
    Status::SeventyFiveMoves,
    Status::Threefold,
    Status::Fivefold,
];

/// Every evaluator with every set of piece values that it takes.
pub fn evaluators() -> impl Iterator<Item = Evaluator> {
    EvaluatorKind::ALL
        .into_iter()
        .flat_map(|kind| PieceValues::ALL.map(|values| Evaluator::new(kind, values)))
        .flatten()
}

/// Every evaluator on one position, as it stands.
pub fn check(position: &Position) {
    for evaluator in evaluators() {
        check_ledgers(position, evaluator);
        check_breakdown(position, evaluator, Status::of(position, 1));
    }
}

/// All ledgers agree, from caches and from scratch, and the mirrored position has the negated value.
pub fn check_ledgers(position: &Position, evaluator: Evaluator) {
    let mut scratch = Balance::new(evaluator.weights());
    evaluator.post(position, &mut scratch);
    let mut coefficients = Coefficients::default();
    evaluator.post(position, &mut coefficients);
    let mut journal = Journal::new(evaluator.weights());
    evaluator.post(position, &mut journal);
    let recorded = journal.records().iter().fold(Score::ZERO, |sum, record| sum + record.score());
    let (kept, blend) = evaluator.kept(position);
    let mut live = Balance::new(evaluator.weights());
    evaluator.post_live(position, &mut live);

    assert_eq!(kept + live.sum(), scratch.sum(), "{position:?} {evaluator:?}");
    assert_eq!(coefficients.sum(evaluator.weights()), scratch.sum(), "{position:?} {evaluator:?}");
    assert_eq!(recorded, scratch.sum(), "{position:?} {evaluator:?}");
    assert_eq!(evaluator.evaluate(position), blend.centipawns(scratch.sum()), "{position:?} {evaluator:?}");
    assert_eq!(evaluator.evaluate(&position.mirrored()), -evaluator.evaluate(position), "{position:?}");
    assert_eq!(evaluator.relative(position), position.turn().sign() * evaluator.evaluate(position));
}

/// The breakdown is the assessment, taken apart without a rest; mirrored, every number is negated.
pub fn check_breakdown(position: &Position, evaluator: Evaluator, status: Status) {
    let breakdown = evaluator.explain(position, status);
    assert_eq!(breakdown.cp, evaluator.assess(position, status), "{position:?} {evaluator:?} {status:?}");
    check_sums(&breakdown, evaluator);
    check_texts(&breakdown);
    let mirrored = evaluator.explain(&position.mirrored(), status);
    assert_eq!(mirrored.cp, -breakdown.cp);
    assert_eq!(
        entries(&mirrored, Mirror::Undone),
        entries(&breakdown, Mirror::None),
        "{position:?} {evaluator:?}"
    );
    if status.is_drawn() {
        assert_eq!((breakdown.cp, breakdown.blending.scale), (0, 0), "{position:?} {status:?}");
    }
}

fn check_sums(breakdown: &Breakdown, evaluator: Evaluator) {
    let terms: Vec<Term> = breakdown.terms.iter().map(|line| line.term).collect();
    assert_eq!(terms, evaluator.terms());
    assert_eq!(breakdown.terms.iter().map(|line| line.cp).sum::<i32>(), breakdown.cp, "{breakdown:#?}");
    let sum = breakdown.terms.iter().fold(Score::ZERO, |sum, line| sum + line.total);
    assert_eq!(sum, breakdown.blending.sum);
    for line in &breakdown.terms {
        assert_eq!(line.features.iter().map(|entry| entry.cp).sum::<i32>(), line.cp, "{line:#?}");
        assert_eq!(line.total, line.white - line.black);
        let of = |side| {
            let entries = line.features.iter().filter(|entry| entry.side == side);
            entries.fold(Score::ZERO, |sum, entry| sum + entry.score)
        };
        assert_eq!((of(Color::White), of(Color::Black)), (line.white, -line.black));
    }
}

fn check_texts(breakdown: &Breakdown) {
    let texts = breakdown.terms.iter().flat_map(|line| &line.features).map(|entry| &entry.text);
    let summary = breakdown.summary(Color::Black);
    assert!(!summary.is_empty());
    for text in texts.chain(&summary) {
        assert!(text.ends_with('.') && text.starts_with(|letter: char| letter.is_uppercase()), "{text}");
        assert!(!text.contains("  ") && !text.contains(" ."), "{text}");
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mirror {
    None,
    Undone,
}

/// Feature, side and squares of each entry, and what it counts, in order.
fn entries(breakdown: &Breakdown, mirror: Mirror) -> Vec<(usize, Color, u64, [i32; 3])> {
    let entries = breakdown.terms.iter().flat_map(|line| &line.features);
    let mut entries: Vec<_> = entries
        .map(|entry| {
            let (side, squares, sign): (Color, Bitboard, i32) = match mirror {
                Mirror::None => (entry.side, entry.squares, 1),
                Mirror::Undone => (!entry.side, entry.squares.flip(), -1),
            };
            let worth = [entry.score.mg(), entry.score.eg(), entry.cp].map(|number| sign * number);
            (entry.feature as usize, side, squares.0, worth)
        })
        .collect();
    entries.sort_unstable();
    entries
}
