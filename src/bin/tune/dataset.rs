//! From lines `FEN | cp | result | game` to the matrix and its three parts.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use centipawn::engine::chess::{Color, Fen, Position, Variant};
use centipawn::engine::eval::{Blend, Coefficients, Evaluate, Evaluator, EvaluatorKind, Full, endgames};
use sha2::{Digest, Sha256};

use super::matrix::{Entry, Facts, Matrix};
use super::model::{self, Pair};
use super::{parallel, register};

/// Lines that are read as one piece of work.
const LINES_OF_A_PIECE: usize = 8192;

/// How far the model may be from the evaluation, in centipawns: both round, king danger twice.
const TOLERANCE: f64 = 3.0;

/// Which part of the data a game belongs to: whole games, by their key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Split {
    /// What the gradient is taken over.
    Training,
    /// What says when to stop: a twentieth of the games.
    Validation,
    /// What nothing is decided by: a tenth of the games.
    HeldOut,
}

impl Split {
    /// The part of a game: held out if the key is a multiple of ten, validation if it is one more than a multiple of
    /// twenty.
    pub(crate) const fn of(game: u64) -> Self {
        match game % 20 {
            0 | 10 => Self::HeldOut,
            1 => Self::Validation,
            _ => Self::Training,
        }
    }
}

/// A file that was read.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    /// The name of the file without its folder.
    pub(crate) name: String,
    /// The SHA-256 of its content, in hexadecimal digits.
    pub(crate) digest: String,
    /// The positions in it.
    pub(crate) positions: usize,
}

/// Everything that was read.
#[derive(Debug, Default)]
pub(crate) struct DataSet {
    /// The positions.
    pub(crate) matrix: Matrix,
    /// Where they come from.
    pub(crate) sources: Vec<Source>,
    /// Positions that the engine does not accept.
    pub(crate) refused: usize,
    /// Positions whose evaluation is no sum of weights, such as known endgames.
    pub(crate) computed: usize,
    /// What each evaluator makes of the held-out positions, by [`EvaluatorKind::ALL`] and in the order of the rows.
    pub(crate) evaluations: Vec<[i32; EvaluatorKind::ALL.len()]>,
}

/// Why a file could not be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum DataError {
    /// It could not be read.
    #[error("{}: {error}", .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// It holds something else.
    #[error("{}, line {line}: not `FEN | cp | result | game`", .path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1.
        line: usize,
    },
}

impl DataSet {
    /// Reads files of plain text; `-` is the standard input.
    ///
    /// # Errors
    /// If a file cannot be read or a line has another form. Positions that the engine refuses are counted and left out.
    pub(crate) fn read(paths: &[PathBuf]) -> Result<Self, DataError> {
        let mut data = Self::default();
        for path in paths {
            let text = text_of(path).map_err(|error| DataError::Unreadable { path: path.clone(), error })?;
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let digest = hexadecimal(&Sha256::digest(&text));
            let positions =
                data.add(&text).map_err(|line| DataError::Malformed { path: path.clone(), line })?;
            data.sources.push(Source { name, digest, positions });
        }
        Ok(data)
    }

    /// The rows of a part, in the order of the data.
    pub(crate) fn rows(&self, split: Split) -> Vec<u32> {
        let rows = 0..self.matrix.len() as u32;
        rows.filter(|&row| Split::of(self.matrix.row(row).facts.game) == split).collect()
    }

    /// Adds the lines of a text and says how many positions that were; the number of the first malformed line if there
    /// is one.
    fn add(&mut self, text: &str) -> Result<usize, usize> {
        let lines: Vec<_> = text.lines().collect();
        let pieces: Vec<_> = lines.chunks(LINES_OF_A_PIECE).collect();
        let weights = register::played();
        let parts: Vec<Result<Self, usize>> = parallel::in_order(pieces.len(), |piece| {
            let mut part = Self::default();
            for (at, line) in pieces[piece].iter().enumerate() {
                let line = Line::parse(line).ok_or(piece * LINES_OF_A_PIECE + at + 1)?;
                part.push(&line, &weights);
            }
            Ok(part)
        });
        let before = self.matrix.len();
        for part in parts {
            let part = part?;
            self.matrix.append(part.matrix);
            self.refused += part.refused;
            self.computed += part.computed;
            self.evaluations.extend(part.evaluations);
        }
        Ok(self.matrix.len() - before)
    }

    fn push(&mut self, line: &Line<'_>, weights: &[Pair]) {
        let Ok(Fen { position, .. }) = Fen::parse(line.fen, Variant::Chess960) else {
            self.refused += 1;
            return;
        };
        // The weights of known endgames are not the tuner's.
        if endgames::known(&position).is_some() {
            self.computed += 1;
            return;
        }
        let blend = Full.kept(&position).1;
        let facts = Facts {
            blend: shares(blend),
            result: line.result,
            file_cp: line.cp,
            game: line.game,
            scaled: blend.reason.map(|reason| (reason.name(), blend.scale)),
            halfmoves: position.halfmoves(),
        };
        let Some((linear, danger)) = entries(&position) else {
            self.computed += 1;
            return;
        };
        let mut single = Matrix::default();
        single.push(linear.iter().copied(), danger.clone(), facts);
        let model = model::centipawns(single.row(0), weights, register::CURVE);
        if (model - f64::from(Full.evaluate(&position))).abs() > TOLERANCE {
            self.computed += 1;
            return;
        }
        self.matrix.append(single);
        if Split::of(line.game) == Split::HeldOut {
            self.evaluations.push(EvaluatorKind::ALL.map(|kind| Evaluator::from(kind).evaluate(&position)));
        }
    }
}

struct Line<'text> {
    fen: &'text str,
    cp: i16,
    result: f32,
    game: u64,
}

impl<'text> Line<'text> {
    fn parse(line: &'text str) -> Option<Self> {
        let mut fields = line.split('|').map(str::trim);
        let (fen, cp, result, game) = (fields.next()?, fields.next()?, fields.next()?, fields.next()?);
        let result = result.parse().ok().filter(|result| (0.0..=1.0).contains(result))?;
        let game = u64::from_str_radix(game, 16).ok()?;
        fields.next().is_none().then_some(Self { fen, cp: cp.parse().ok()?, result, game })
    }
}

/// What the ledger of a position holds, in the form of the matrix.
fn entries(position: &Position) -> Option<(Vec<Entry>, [Vec<Entry>; 2])> {
    let mut coefficients = Coefficients::default();
    Full.post(position, &mut coefficients);
    let packed = |entries: Vec<(usize, i32)>| {
        entries.into_iter().map(|(index, count)| Entry::new(index, count)).collect::<Option<Vec<_>>>()
    };
    let danger = [Color::White, Color::Black].map(|attacker| packed(coefficients.danger(attacker)));
    let [white, black] = danger;
    Some((packed(coefficients.linear())?, [white?, black?]))
}

/// What a point of the middlegame and one of the endgame are worth in centipawns.
fn shares(blend: Blend) -> [f32; 2] {
    let factor = f64::from(blend.scale) / f64::from(Blend::FULL_SCALE) * f64::from(blend.damping)
        / f64::from(Blend::FULL_DAMPING);
    [blend.phase, Blend::FULL_PHASE - blend.phase]
        .map(|phase| (f64::from(phase) / f64::from(Blend::FULL_PHASE) * factor) as f32)
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes
        .iter()
        .flat_map(|byte| [byte >> 4, byte & 15])
        .filter_map(|digit| char::from_digit(digit.into(), 16))
        .collect()
}

fn text_of(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    if path == Path::new("-") {
        io::stdin().lock().read_to_string(&mut text)?;
    } else {
        File::open(path)?.read_to_string(&mut text)?;
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::{DataSet, Line, Split, hexadecimal};
    use sha2::{Digest, Sha256};

    const QUIET: &str = "r2qkbnr/pbpp1ppp/1p2p3/8/1n1PP3/2NB1N2/PPP2PPP/R1BQK2R w KQkq - 4 6 | 68 | 0.5 | 0a\n\
        rqbk1nrb/ppp1pppp/3n4/3p4/3P4/2P5/PP2PPPP/RQBKNNRB w GAga - 1 3 | 87 | 1.0 | 01\n\
        r1bq1rk1/pp3ppp/2n1pn2/2pp4/1bPP4/2NBPN2/PP3PPP/R1BQ1RK1 w - - 25 8 | -12 | 0.0 | be0eb17eec\n";

    #[test]
    fn positions_are_read_and_the_model_agrees_with_the_engine() {
        let mut data = DataSet::default();
        assert_eq!(data.add(QUIET), Ok(3));
        assert_eq!((data.refused, data.computed), (0, 0));
        assert_eq!(data.rows(Split::HeldOut), [0]);
        assert_eq!(data.rows(Split::Validation), [1]);
        assert_eq!(data.rows(Split::Training), [2]);
        assert_eq!(data.evaluations.len(), 1);
        let facts = data.matrix.row(2).facts;
        assert_eq!((facts.result, facts.file_cp, facts.game), (0.0, -12, 0xbe_0eb1_7eec));
        // Every piece on the board but the pawns' share, damped by fifteen plies.
        assert_eq!(facts.blend, [0.85, 0.0]);
    }

    #[test]
    fn malformed_lines_are_named() {
        let start = "8/8/8/8/8/4k3/4p3/4K3 b - - 0 1";
        for bad in [
            "",
            start,
            &format!("{start} | 1 | 0.5"),
            &format!("{start} | 1 | 1.5 | aa"),
            &format!("{start} | x | 0.5 | aa"),
            &format!("{start} | 1 | 0.5 | xyz"),
            &format!("{start} | 1 | 0.5 | aa | more"),
        ] {
            assert!(Line::parse(bad).is_none(), "{bad}");
            assert_eq!(DataSet::default().add(&format!("{QUIET}{bad}\n")), Err(4), "{bad}");
        }
    }

    #[test]
    fn what_the_engine_refuses_is_counted() {
        let mut data = DataSet::default();
        assert_eq!(data.add("9/8/8/8/8/8/8/8 w - - 0 1 | 0 | 0.5 | 02\n"), Ok(0));
        assert_eq!((data.refused, data.matrix.len()), (1, 0));
    }

    #[test]
    fn digests_are_written_as_others_write_them() {
        let digest = hexadecimal(&Sha256::digest("abc"));
        assert_eq!(digest, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }

    #[test]
    fn a_game_is_in_one_part_and_the_parts_have_their_sizes() {
        let count = |part| (0..20).filter(|game| Split::of(*game) == part).count();
        assert_eq!([Split::Training, Split::Validation, Split::HeldOut].map(count), [17, 1, 2]);
    }
}
