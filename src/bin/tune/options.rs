//! The command line.

use std::path::PathBuf;

use centipawn::engine::weights::Feature;
use clap::{Parser, ValueEnum};

use super::register;
use super::training::Plan;

/// Tunes the weights of the evaluation `full` on labelled positions.
///
/// Texel's method: the weights that make the mean squared error between the expected score, 1 / (1 + exp(-K * cp)), and
/// the result of the game, or the points that the label lets expect, smallest, found by Adam. A tenth of the games, those
/// whose key is a multiple of ten, is never trained on and decides nothing; a twentieth, keys one above a multiple of
/// twenty, says when to stop. The same data and options give the same weights on every machine of one kind.
///
/// xzcat positions.txt.xz | tune -
#[derive(Clone, Debug, Parser)]
#[command(name = "tune", max_term_width = 110)]
pub(crate) struct Options {
    /// Files of lines `FEN | cp | result | game`: the evaluation in centipawns and the points, both White's, and the
    /// game's key in hexadecimal digits; `-` is the standard input. The points may be those to be expected, such as 0.62
    #[arg(required = true)]
    pub(crate) data: Vec<PathBuf>,

    /// Where the weights are written
    #[arg(long, default_value = "src/engine/weights/tuned.rs")]
    pub(crate) output: PathBuf,

    /// Writes no file
    #[arg(long)]
    pub(crate) dry_run: bool,

    /// Prints what each term and each feature is worth, by the validation loss without it and without tuning anew, and
    /// stops
    #[arg(long)]
    pub(crate) ablate: bool,

    /// Prints, for each reason to scale a score and for the nearness of the 50-move rule, how large the score should be by
    /// the results of all positions, and stops
    #[arg(long, conflicts_with = "ablate")]
    pub(crate) scales: bool,

    /// At most so many times through the data; the rate falls over them along a cosine
    #[arg(long, default_value_t = 20)]
    pub(crate) epochs: u32,

    /// Epochs without a better validation loss before it stops
    #[arg(long, default_value_t = 8)]
    pub(crate) patience: u32,

    /// How far a step moves a weight at first, in centipawns
    #[arg(long, default_value_t = 1.0)]
    pub(crate) rate: f64,

    /// Positions of a step
    #[arg(long, default_value_t = 16_384, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) batch: u32,

    /// Decides the order of the positions
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,

    /// Tunes these features alone: names of features or terms, separated by commas
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', value_parser = features)]
    pub(crate) only: Vec<Group>,

    /// Leaves these features as they are
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', value_parser = features)]
    pub(crate) freeze: Vec<Group>,

    /// The weights to start from; those that are not tuned stay as built in
    #[arg(long, value_enum, default_value_t = Start::Tuned)]
    pub(crate) start: Start,

    /// How strongly each weight is held to its anchor: as strongly as by so many positions
    #[arg(long, default_value_t = 300.0, value_name = "POSITIONS")]
    pub(crate) lambda: f64,

    /// What --lambda holds the weights to
    #[arg(long, value_enum, default_value_t = Anchor::Start)]
    pub(crate) anchor: Anchor,

    /// What the labels are, for the sentence that the service tells of the weights' source: "Tuned on THESE: N positions."
    #[arg(long, value_name = "THESE", default_value = "the results of games")]
    pub(crate) labels: String,

    /// The share of the file's evaluation in what is to be predicted, from 0 to 1; the rest is the result
    #[arg(long, default_value_t = 0.3, value_name = "SHARE", value_parser = share)]
    pub(crate) blend_eval: f64,

    /// Compares positions with each other: the share of the mean error of a group that counts, from 0 to 1. A group are the lines of
    /// a game that stand together, such as the ends of the lines after several moves of one position
    #[arg(long, default_value_t = 1.0, value_name = "SHARE", value_parser = share)]
    pub(crate) common: f64,

    /// The centipawns that make ten to one: K is ln(10) / SCALE, and the weights are brought to that scale before they
    /// are tuned; otherwise K is the one that suits them best
    #[arg(long, value_name = "CENTIPAWNS", value_parser = positive)]
    pub(crate) scale: Option<f64>,
}

/// Features that were named by one name.
#[derive(Clone, Debug)]
pub(crate) struct Group(pub(crate) Vec<Feature>);

/// The weights to start from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Start {
    /// Those the tuner was built with
    Tuned,
    /// The same, scaled as the engine plays with them: what is written then needs no scaling, the percents of its families are 100
    Played,
    /// Nothing; units of king danger stay as built in, as the curve is flat at zero
    Zero,
    /// The textbook values, and the units of king danger as built in
    Textbook,
}

/// Where weights are held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Anchor {
    /// Where they start
    Start,
    /// Nothing
    Zero,
}

impl Options {
    /// How to train.
    pub(crate) fn plan(&self) -> Plan {
        Plan {
            epochs: self.epochs,
            patience: self.patience,
            rate: self.rate,
            batch: self.batch as usize,
            seed: self.seed,
            lambda: self.lambda,
        }
    }

    /// Whether the names allow a feature to be tuned.
    pub(crate) fn allows(&self, feature: Feature) -> bool {
        let within = |groups: &[Group]| groups.iter().any(|group| group.0.contains(&feature));
        (self.only.is_empty() || within(&self.only)) && !within(&self.freeze)
    }
}

fn share(text: &str) -> Result<f64, String> {
    let number = number(text)?;
    if (0.0..=1.0).contains(&number) { Ok(number) } else { Err("it is a number from 0 to 1".to_owned()) }
}

fn positive(text: &str) -> Result<f64, String> {
    let number = number(text)?;
    if number > 0.0 && number.is_finite() { Ok(number) } else { Err("it is more than 0".to_owned()) }
}

fn number(text: &str) -> Result<f64, String> {
    text.parse().map_err(|_| "it is no number".to_owned())
}

fn features(name: &str) -> Result<Group, String> {
    register::named(name).map(Group)
}

#[cfg(test)]
mod tests {
    use super::Options;
    use centipawn::engine::weights::Feature;
    use clap::{CommandFactory, Parser};

    #[test]
    fn the_command_line_is_sound() {
        Options::command().debug_assert();
    }

    #[test]
    fn features_and_terms_are_chosen_by_name() {
        let allowed = |arguments: &[&str]| {
            let options = Options::try_parse_from(["tune", "data.txt"].iter().chain(arguments)).unwrap();
            [Feature::KnightMobility, Feature::RookMobility, Feature::Tempo]
                .map(|feature| options.allows(feature))
        };
        for (arguments, expected) in [
            (&[][..], [true, true, true]),
            (&["--only", "mobility"], [true, true, false]),
            (&["--only", "mobility,tempo", "--freeze", "rookMobility"], [true, false, true]),
            (&["--freeze", "tempo"], [true, true, false]),
        ] {
            assert_eq!(allowed(arguments), expected, "{arguments:?}");
        }
        for refused in [["--only", "luck"], ["--scale", "0"], ["--scale", "NaN"], ["--blend-eval", "1.5"]] {
            assert!(Options::try_parse_from(["tune", "data.txt"].into_iter().chain(refused)).is_err());
        }
    }
}
