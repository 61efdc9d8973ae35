//! The tables at the end: what each evaluator and each term is worth.

use std::collections::BTreeMap;
use std::io::{self, Write};

use centipawn::engine::eval::{Blend, EvaluatorKind};
use centipawn::engine::weights::{Feature, Term};

use super::dataset::{DataSet, Split};
use super::matrix::Facts;
use super::model::Pair;
use super::objective::Objective;
use super::{register, scale};

/// Prints the held-out loss of every evaluator as built, and of `full` with the given weights, K fitted for each.
///
/// # Errors
/// If the output is closed.
pub(crate) fn evaluators(
    out: &mut impl Write,
    data: &DataSet,
    objective: &Objective<'_>,
    tuned: &[(&str, &[Pair])],
) -> io::Result<()> {
    let rows = data.rows(Split::HeldOut);
    if rows.is_empty() {
        return writeln!(out, "no position is held out");
    }
    let results = results(data, &rows);
    writeln!(out, "held out: {} positions, K fitted for each", rows.len())?;
    writeln!(out, "{:<24} {:>9} {:>9}", "evaluator", "loss", "K")?;
    let mut line = |name: &str, centipawns: &[f64]| {
        let k = scale::fitted(centipawns, &results);
        writeln!(out, "{name:<24} {:>9.6} {k:>9.6}", scale::loss(k, centipawns, &results))
    };
    for (at, kind) in EvaluatorKind::ALL.into_iter().enumerate().rev() {
        let centipawns: Vec<_> = data.evaluations.iter().map(|each| f64::from(each[at])).collect();
        line(kind.name(), &centipawns)?;
    }
    for (name, weights) in tuned {
        line(name, &objective.centipawns(&rows, weights))?;
    }
    let file: Vec<_> = rows.iter().map(|&row| f64::from(data.matrix.row(row).facts.file_cp)).collect();
    line("the file's evaluation", &file)
}

/// Prints the validation loss without each term and then without each feature, nothing tuned anew, the most valuable
/// first.
///
/// # Errors
/// If the output is closed.
pub(crate) fn ablation(
    out: &mut impl Write,
    objective: &Objective<'_>,
    rows: &[u32],
    weights: &[Pair],
) -> io::Result<()> {
    let whole = objective.loss(rows, weights);
    writeln!(out, "validation loss of all terms: {whole:.6}, {} positions", rows.len())?;
    let terms = Term::ALL.map(|term| (term.id(), register::places_of_term(term).collect()));
    let features = Feature::ALL.map(|feature| (feature.name(), register::places(feature).collect()));
    for groups in [Vec::from(terms), Vec::from(features)] {
        let mut lines: Vec<_> = groups
            .into_iter()
            .map(|(name, places): (_, Vec<usize>)| {
                let mut without = weights.to_vec();
                for place in &places {
                    without[*place] = [0.0; 2];
                }
                (objective.loss(rows, &without) - whole, places.len(), name)
            })
            .collect();
        lines.sort_by(|a, b| b.0.total_cmp(&a.0));
        writeln!(out, "\n{:<24} {:>8} {:>10}", "without", "weights", "more loss")?;
        for (more, places, name) in lines {
            writeln!(out, "{name:<24} {places:>8} {more:>+10.6}")?;
        }
    }
    Ok(())
}

/// Prints how large the scores of some kinds of positions should be, by the results of all games: those scaled for a
/// reason, and those so many plies away from the last capture or pawn move. One is what the average score should be.
///
/// # Errors
/// If the output is closed.
pub(crate) fn scales(out: &mut impl Write, objective: &Objective<'_>, weights: &[Pair]) -> io::Result<()> {
    let rows: Vec<_> = (0..objective.matrix.len() as u32).collect();
    let centipawns = objective.centipawns(&rows, weights);
    let facts = || rows.iter().map(|row| objective.matrix.row(*row).facts);
    let results: Vec<_> = facts().map(|facts| f64::from(facts.result)).collect();
    let k = scale::fitted(&centipawns, &results);
    writeln!(out, "{:<34} {:>9} {:>7} {:>7}", "kind", "positions", "factor", "scale")?;
    for kind in [Kind::by_reason, Kind::by_halfmoves] {
        let mut groups: BTreeMap<_, (Vec<f64>, Vec<f64>)> = BTreeMap::new();
        for (facts, (cp, result)) in facts().zip(centipawns.iter().zip(&results)) {
            let (of_group, results) = groups.entry(kind(facts)).or_default();
            of_group.push(*cp);
            results.push(*result);
        }
        for (Kind { name, scale: set }, (centipawns, results)) in groups {
            let factor = scale::fitted(&centipawns, &results) / k;
            let name = format!("{name}, {set}");
            writeln!(out, "{name:<34} {:>9} {factor:>7.2} {:>7.1}", results.len(), factor * f64::from(set))?;
        }
    }
    Ok(())
}

/// A kind of positions, and the scale of their scores, of 64.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Kind {
    name: String,
    scale: i32,
}

impl Kind {
    fn by_reason(facts: &Facts) -> Self {
        let (name, scale) = facts.scaled.unwrap_or(("not scaled", Blend::FULL_SCALE));
        Self { name: name.to_owned(), scale }
    }

    fn by_halfmoves(facts: &Facts) -> Self {
        let [first, last] = [0, 9].map(|place| facts.halfmoves / 10 * 10 + place);
        Self { name: format!("{first:>3} to {last:>3} plies without progress"), scale: Blend::FULL_SCALE }
    }
}

/// The points of some rows.
pub(crate) fn results(data: &DataSet, rows: &[u32]) -> Vec<f64> {
    rows.iter().map(|&row| f64::from(data.matrix.row(row).facts.result)).collect()
}
