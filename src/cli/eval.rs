//! `centipawn eval`: the breakdown of a position's static evaluation as a table in the terminal.

use std::io::{self, Write};

use clap::{Args, ValueEnum};

use super::Failure;
use super::position::PositionOptions;
use crate::engine::chess::{Color, Game};
use crate::engine::eval::{Blend, Breakdown, Evaluator, EvaluatorKind, PieceValues, ScaleReason, TermLine};
use crate::engine::weights::Score;

/// What to evaluate, by what, and how much of it to show.
#[derive(Args, Clone, Debug)]
pub(super) struct EvalOptions {
    #[command(flatten)]
    position: PositionOptions,

    /// Who evaluates
    #[arg(long, value_enum, default_value_t = EvaluatorName::Full)]
    evaluator: EvaluatorName,

    /// The worth of the pieces, for count, material and psqt
    #[arg(long, value_enum, default_value_t = PieceValuesName::Classic)]
    piece_values: PieceValuesName,

    /// How much to show
    #[arg(long, value_enum, default_value_t = Detail::Features)]
    detail: Detail,
}

/// The evaluators by their names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum EvaluatorName {
    /// Everything there is
    Full,
    /// Material and what the pieces do
    Pieces,
    /// Material and piece-square values
    Psqt,
    /// The material table
    Material,
    /// Piece counting
    Count,
}

/// Scales of piece values by their names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum PieceValuesName {
    /// 9 5 3 3 1
    Classic,
    /// 9.5 4.5 3 3 1
    Euwe,
}

/// How much of a breakdown is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Detail {
    /// A row for each term
    Terms,
    /// And a line for each entry of each term
    Features,
}

/// Prints the table.
pub(super) fn run(options: &EvalOptions, output: &mut impl Write) -> Result<(), Failure> {
    let evaluator = options.evaluator()?;
    let fen = options.position.read()?;
    for warning in &fen.warnings {
        writeln!(output, "warning: {}", warning.code())?;
    }
    let game = Game::new(fen.position);
    let breakdown = evaluator.explain(game.position(), game.status());
    for sentence in breakdown.summary(Color::White) {
        writeln!(output, "{sentence}")?;
    }
    table(&breakdown, options.detail, output)?;
    blending(&breakdown, output)?;
    Ok(())
}

impl EvalOptions {
    fn evaluator(&self) -> Result<Evaluator, Failure> {
        let kind = match self.evaluator {
            EvaluatorName::Full => EvaluatorKind::Full,
            EvaluatorName::Pieces => EvaluatorKind::Pieces,
            EvaluatorName::Psqt => EvaluatorKind::Psqt,
            EvaluatorName::Material => EvaluatorKind::Material,
            EvaluatorName::Count => EvaluatorKind::Count,
        };
        let values = match self.piece_values {
            PieceValuesName::Classic => PieceValues::Classic,
            PieceValuesName::Euwe => PieceValues::Euwe,
        };
        Ok(Evaluator::new(kind, values)?)
    }
}

/// The table's width in characters.
const WIDTH: usize = 76;

/// A row per term; middlegame and endgame values of each side from its own view, the rest from White's.
fn table(breakdown: &Breakdown, detail: Detail, output: &mut impl Write) -> io::Result<()> {
    let rule = "-".repeat(WIDTH);
    writeln!(output, "\n{:18}{:>16}{:>16}{:>16}{:>10}", "", "White", "Black", "Total", "Worth")?;
    writeln!(output, "{:18}{:>16}{:>16}{:>16}{:>10}", "Term", "mg    eg", "mg    eg", "mg    eg", "cp")?;
    writeln!(output, "{rule}")?;
    for line in &breakdown.terms {
        let (white, black, total) = (pair(line.white), pair(line.black), pair(line.total));
        writeln!(output, "{:18}{white:>16}{black:>16}{total:>16}{:>10}", line.term.title(), signed(line.cp))?;
        if detail == Detail::Features {
            features(line, output)?;
        }
    }
    let (sum, cp) = (pair(breakdown.blending.sum), signed(breakdown.cp));
    writeln!(output, "{rule}\n{:18}{:>16}{:>16}{sum:>16}{cp:>10}\n", "All", "", "")
}

/// A line per entry, its sentence last.
fn features(line: &TermLine, output: &mut impl Write) -> io::Result<()> {
    for feature in &line.features {
        let side = feature.side.name();
        writeln!(output, "{:>8}  {side}  {}", signed(feature.cp), feature.text)?;
    }
    Ok(())
}

/// How the sum became centipawns.
fn blending(breakdown: &Breakdown, output: &mut impl Write) -> io::Result<()> {
    let (phase, blend) = (breakdown.phase, breakdown.blending);
    writeln!(output, "Phase    {} of {} ({})", phase.value, Blend::FULL_PHASE, phase.name())?;
    writeln!(output, "Tapered  {}", signed(blend.tapered))?;
    let reason = blend.scale_reason.map_or_else(String::new, ScaleReason::sentence);
    writeln!(output, "Scale    {} of {}  {reason}", blend.scale, Blend::FULL_SCALE)?;
    let damping = Blend::FULL_DAMPING;
    writeln!(output, "Damping  {} of {damping} after {} quiet half-moves", blend.damping, blend.halfmoves)?;
    writeln!(output, "Worth    {} centipawns for White", signed(breakdown.cp))
}

fn pair(score: Score) -> String {
    format!("{:>5} {:>5}", signed(score.mg()), signed(score.eg()))
}

/// With its sign, and nothing before 0.
fn signed(number: i32) -> String {
    if number == 0 { "0".to_owned() } else { format!("{number:+}") }
}
