//! The whole run, from the options to the written file.

use std::fs;
use std::io::{self, Write};
use std::time::SystemTime;

use centipawn::engine::weights::Feature;

use super::dataset::{DataError, DataSet, Split};
use super::model::Pair;
use super::objective::{Label, Objective};
use super::options::{Anchor, Options, Start};
use super::training::{Epoch, Task, train};
use super::weights_file::{self, Losses, Provenance};
use super::{register, report, scale};

/// Units of king danger from which the descent starts where there are none.
const FIRST_UNITS: Pair = [16.0, 16.0];

/// Why nothing came out.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// The data.
    #[error(transparent)]
    Data(#[from] DataError),
    /// One of the parts has no position.
    #[error("no position to {0}")]
    NoPositions(&'static str),
    /// A weight has become too large to be stored.
    #[error("a weight of {0} does not fit into 16 bits")]
    TooLarge(&'static str),
    /// The file or the standard output.
    #[error("cannot write: {0}")]
    Output(#[from] io::Error),
}

/// Tunes, reports and writes.
///
/// # Errors
/// If the data cannot be used or the result not be written.
pub(crate) fn run(options: &Options) -> Result<(), Failure> {
    let data = DataSet::read(&options.data)?;
    describe(&data);
    let rows = |split, purpose| {
        let rows = data.rows(split);
        if rows.is_empty() { Err(Failure::NoPositions(purpose)) } else { Ok(rows) }
    };
    let training = rows(Split::Training, "train on")?;
    let validation = rows(Split::Validation, "validate with")?;
    let held_out = rows(Split::HeldOut, "hold out")?;
    let mut start = start(options);
    let occurrences = occurrences(&data, &training, start.len());
    let objective = objective(options, &data, &training, &mut start, &occurrences);
    let mut out = io::stdout().lock();
    if options.ablate {
        report::ablation(&mut out, &Objective { label: Label::Result, ..objective }, &validation, &start)?;
        return Ok(());
    }
    if options.scales {
        report::scales(&mut out, &objective, &start)?;
        return Ok(());
    }

    let free = free(options, &occurrences);
    let anchor = match options.anchor {
        Anchor::Start => start.clone(),
        Anchor::Zero => vec![[0.0; 2]; start.len()],
    };
    let weights = free.iter().filter(|free| **free).count();
    eprintln!("{weights} of {} pairs of weights are tuned, K = {:.6}", start.len(), objective.k);
    let task = Task { objective, training: &training, validation: &validation, free: &free, anchor: &anchor };
    let tuned = train(&task, &start, &options.plan(), show);
    let rounded = round(&tuned, &occurrences);

    let judge = Objective { label: Label::Result, ..objective };
    let losses = [("trained on", &training), ("early stop", &validation), ("held out", &held_out)].map(
        |(part, rows)| Losses {
            part,
            positions: rows.len(),
            before: judge.loss(rows, &start),
            after: judge.loss(rows, &tuned),
            rounded: judge.loss(rows, &rounded),
        },
    );
    for losses in &losses {
        writeln!(out, "{losses}")?;
    }
    let named: [(&str, &[Pair]); 3] =
        [("full, before", &start), ("full, tuned", &tuned), ("full, rounded", &rounded)];
    report::evaluators(&mut out, &data, &objective, &named)?;
    if options.dry_run {
        return Ok(());
    }
    let provenance = Provenance {
        sources: &data.sources,
        losses: &losses,
        k: objective.k,
        labels: &options.labels,
        date: SystemTime::now(),
        arguments: std::env::args().skip(1).collect(),
    };
    let text = weights_file::text(&provenance, &rounded).map_err(Failure::TooLarge)?;
    Ok(fs::write(&options.output, text)?)
}

/// Whole weights. What the evaluation never counts has no worth, whatever the textbook says of it.
fn round(tuned: &[Pair], occurrences: &[u32]) -> Vec<Pair> {
    let mut rounded: Vec<_> = tuned.iter().map(|pair| pair.map(f64::round)).collect();
    for places in Feature::ALL.map(register::places) {
        if occurrences[places.clone()].iter().all(|count| *count == 0) {
            rounded[places].fill([0.0; 2]);
        }
    }
    rounded
}

fn describe(data: &DataSet) {
    for source in &data.sources {
        eprintln!("{}: {} positions, SHA-256 {}", source.name, source.positions, source.digest);
    }
    let rows = [Split::Training, Split::Validation, Split::HeldOut].map(|split| data.rows(split).len());
    eprintln!(
        "{} trained on, {} for early stop, {} held out; {:.1} entries a position; left out: {} that the engine refuses, \
         {} whose evaluation is no sum of weights",
        rows[0],
        rows[1],
        rows[2],
        data.matrix.entries() as f64 / data.matrix.len().max(1) as f64,
        data.refused,
        data.computed
    );
}

fn show(epoch: Epoch) {
    eprintln!(
        "epoch {:3}  training {:.6}  validation {:.6}{}  {:6.1} s",
        epoch.number,
        epoch.training,
        epoch.validation,
        if epoch.best { " *" } else { "  " },
        epoch.seconds
    );
}

/// The weights before anything is tuned: what is not free stays as last written.
fn start(options: &Options) -> Vec<Pair> {
    let mut weights = register::fitted();
    let (textbook, played) = (register::textbook(), register::played());
    let features = || Feature::ALL.into_iter().filter(|feature| register::is_danger(*feature));
    let is_dead =
        features().flat_map(register::places).all(|place| weights[place].iter().all(|half| half.abs() < 1.0));
    for feature in Feature::ALL.into_iter().filter(|feature| options.allows(*feature)) {
        for place in register::places(feature) {
            match options.start {
                // The curve is flat at zero, so units that all count nothing would never begin to count.
                _ if register::is_danger(feature) && is_dead => weights[place] = FIRST_UNITS,
                Start::Played => weights[place] = played[place],
                _ if register::is_danger(feature) => {}
                Start::Tuned => {}
                Start::Textbook => weights[place] = textbook[place],
                Start::Zero => weights[place] = [0.0; 2],
            }
        }
    }
    weights
}

/// Which weights may move: those of the features that the options allow, and that count often enough to be judged.
fn free(options: &Options, occurrences: &[u32]) -> Vec<bool> {
    let mut free = vec![false; register::fitted().len()];
    for place in
        Feature::ALL.into_iter().filter(|feature| options.allows(*feature)).flat_map(register::places)
    {
        free[place] = occurrences[place] > 0;
    }
    free
}

/// In how many positions each weight counts.
fn occurrences(data: &DataSet, rows: &[u32], weights: usize) -> Vec<u32> {
    let mut occurrences = vec![0; weights];
    for &row in rows {
        let row = data.matrix.row(row);
        for entry in [row.linear, row.danger[0], row.danger[1]].into_iter().flatten() {
            occurrences[usize::from(entry.index)] += 1;
        }
    }
    occurrences
}

/// The objective of the options. Its K is fitted to the training data; where it is given, the weights are brought to its
/// scale instead.
fn objective<'data>(
    options: &Options,
    data: &'data DataSet,
    training: &[u32],
    start: &mut [Pair],
    occurrences: &[u32],
) -> Objective<'data> {
    let curve = register::CURVE;
    let common = options.common;
    let unscaled = Objective { matrix: &data.matrix, curve, k: 1.0, label: Label::Result, common };
    let results = report::results(data, training);
    // Zero weights say nothing about the scale, so it is that of the weights last written.
    let written = register::fitted();
    let weights = if options.start == Start::Zero { &written } else { &*start };
    let centipawns = unscaled.centipawns(training, weights);
    let fitted = scale::least(|k| Objective { k, ..unscaled }.loss_of(training, &centipawns));
    let k = options.scale.map_or(fitted, |scale| std::f64::consts::LN_10 / scale);
    bring_to_scale(start, fitted / k, occurrences);
    let label = if options.blend_eval > 0.0 {
        let file: Vec<_> =
            training.iter().map(|&row| f64::from(data.matrix.row(row).facts.file_cp)).collect();
        Label::Mixed { share: options.blend_eval, k: scale::fitted(&file, &results) }
    } else {
        Label::Result
    };
    Objective { k, label, ..unscaled }
}

/// Makes the evaluation so many times as large, wherever a weight counts. What units of king danger are worth in the
/// middlegame grows with their square.
fn bring_to_scale(weights: &mut [Pair], factor: f64, occurrences: &[u32]) {
    for feature in Feature::ALL {
        let [mg, eg] = if register::is_danger(feature) { [factor.sqrt(), factor] } else { [factor; 2] };
        for place in register::places(feature).filter(|place| occurrences[*place] > 0) {
            weights[place][0] *= mg;
            weights[place][1] *= eg;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Pair, bring_to_scale, register};
    use centipawn::engine::weights::Feature;

    #[test]
    fn the_scale_is_that_of_centipawns() {
        let (linear, danger) =
            (Feature::Tempo, *Feature::ALL.iter().find(|each| register::is_danger(**each)).unwrap());
        let mut weights: Vec<Pair> = vec![[100.0, 200.0]; register::fitted().len()];
        let mut occurrences = vec![1; weights.len()];
        let never = register::places(Feature::PawnValue).start;
        occurrences[never] = 0;
        bring_to_scale(&mut weights, 0.25, &occurrences);
        assert_eq!(weights[register::places(linear).start], [25.0, 50.0]);
        assert_eq!(weights[never], [100.0, 200.0]);
        let worth = |units| register::CURVE.value(units);
        let (before, after) = (worth([100.0, 200.0]), worth(weights[register::places(danger).start]));
        assert!((after[0] / before[0] - 0.25).abs() < 1e-9 && (after[1] / before[1] - 0.25).abs() < 1e-9);
    }
}
