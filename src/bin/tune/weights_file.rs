//! The tuned weights as source text of the engine, with where they come from.

use std::fmt::{self, Display, Write};
use std::time::SystemTime;

use centipawn::engine::weights::Feature;

use super::dataset::Source;
use super::model::Pair;
use super::register;

/// Columns of a line.
const WIDTH: usize = 110;
/// A row of so many weights, or of several times as many, is a board, with a rank on each line.
const BOARD: usize = 64;
const RANK: usize = 8;

/// Where the weights come from.
#[derive(Clone, Debug)]
pub(crate) struct Provenance<'run> {
    /// The files.
    pub(crate) sources: &'run [Source],
    /// The loss of each part.
    pub(crate) losses: &'run [Losses],
    /// The constant between centipawns and expected score.
    pub(crate) k: f64,
    /// What was predicted.
    pub(crate) labels: &'run str,
    /// When.
    pub(crate) date: SystemTime,
    /// The command line without the program; folders are left out.
    pub(crate) arguments: Vec<String>,
}

/// The loss of a part of the data, against the results.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Losses {
    /// What was done with the part.
    pub(crate) part: &'static str,
    /// Its size.
    pub(crate) positions: usize,
    /// With the weights of the start.
    pub(crate) before: f64,
    /// With the tuned weights.
    pub(crate) after: f64,
    /// With the tuned weights, rounded to integers.
    pub(crate) rounded: f64,
}

impl Display for Losses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { part, positions, before, after, rounded } = self;
        let positions = grouped(*positions);
        write!(
            f,
            "{part}: {positions} positions, loss {before:.6} before, {after:.6} after, {rounded:.6} rounded"
        )
    }
}

/// The text of the file, or the name of the feature of which a weight does not fit into 16 bits. A feature without any
/// weight is left out.
pub(crate) fn text(provenance: &Provenance<'_>, weights: &[Pair]) -> Result<String, &'static str> {
    let counting = Feature::ALL.into_iter().filter(|feature| {
        weights[register::places(*feature)].iter().flatten().any(|weight| weight.round().abs() > 0.0)
    });
    let arms = counting.map(|feature| arm(feature, weights)).collect::<Result<String, _>>()?;
    Ok(format!("{}{}{arms}{FOOT}", provenance, head(provenance)))
}

fn head(provenance: &Provenance<'_>) -> String {
    let positions: usize = provenance.losses.first().map_or(0, |losses| losses.positions);
    let labels = provenance.labels;
    format!(
        "
use super::{{Feature, Score}};

/// Where the numbers come from.
pub(super) const SOURCE: &str = \"Tuned on {labels}: {} positions.\";

const fn s(mg: i32, eg: i32) -> Score {{
    Score::new(mg, eg)
}}

/// The row of a feature; empty for one that `full` does not count or that came later.
pub(super) const fn row(feature: Feature) -> &'static [Score] {{
    match feature {{
",
        grouped(positions)
    )
}

const FOOT: &str = "        _ => &[],
    }
}
";

impl Display for Provenance<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "//! The tuned values, as (middlegame, endgame): written by `tune`, not by hand.\n//!")?;
        for Source { name, digest, positions } in self.sources {
            writeln!(f, "//! - Data: `{name}`, {} positions, SHA-256\n//!   {digest}", grouped(*positions))?;
        }
        for losses in self.losses {
            writeln!(f, "//! - {losses}")?;
        }
        writeln!(
            f,
            "//! - Loss: mean squared error of 1 / (1 + exp(-K * cp)) against the result, K = {:.7}",
            self.k
        )?;
        // Such as `Sun, 06 Nov 1994 08:49:37 GMT`.
        let date = httpdate::fmt_http_date(self.date);
        writeln!(f, "//! - Date: {}", date.get(5..16).unwrap_or(&date))?;
        writeln!(f, "//! - Command: `tune {}`", without_folders(&self.arguments))
    }
}

fn without_folders(arguments: &[String]) -> String {
    let name = |argument: &String| {
        let (option, path) =
            argument.split_once('=').map_or(("", argument.as_str()), |(option, path)| (option, path));
        let name = path.rsplit('/').next().unwrap_or(path);
        if option.is_empty() { name.to_owned() } else { format!("{option}={name}") }
    };
    arguments.iter().map(name).collect::<Vec<_>>().join(" ")
}

/// A feature's row as an arm of the `match`.
fn arm(feature: Feature, weights: &[Pair]) -> Result<String, &'static str> {
    let places = register::places(feature);
    let pairs = weights[places].iter().map(literal).collect::<Option<Vec<_>>>().ok_or(feature.name())?;
    let mut arm = String::new();
    let by = if feature.slot().is_empty() { String::new() } else { format!(", by {}", feature.slot()) };
    let _ = writeln!(arm, "        // {}{by}", feature.title());
    let single = format!("        Feature::{feature:?} => const {{ &[{}] }},", pairs.join(", "));
    if single.len() <= WIDTH {
        let _ = writeln!(arm, "{single}");
        return Ok(arm);
    }
    let _ = writeln!(arm, "        Feature::{feature:?} => const {{ &[");
    for line in lines(&pairs) {
        let _ = writeln!(arm, "            {line}");
    }
    let _ = writeln!(arm, "        ] }},");
    Ok(arm)
}

fn lines(pairs: &[String]) -> Vec<String> {
    if pairs.len().is_multiple_of(BOARD) {
        return pairs.chunks(RANK).map(|rank| format!("{},", rank.join(", "))).collect();
    }
    let mut lines = vec![String::new()];
    for pair in pairs {
        let last = lines.last().map_or(0, String::len);
        if last + pair.len() + 14 > WIDTH {
            lines.push(String::new());
        }
        if let Some(line) = lines.last_mut() {
            let gap = if line.is_empty() { "" } else { " " };
            let _ = write!(line, "{gap}{pair},");
        }
    }
    lines
}

fn literal(pair: &Pair) -> Option<String> {
    let [mg, eg] = pair.map(f64::round);
    let fits = |half: f64| (-f64::from(i16::MAX)..=f64::from(i16::MAX)).contains(&half);
    // Adding 0 turns a negative zero into a positive one.
    (fits(mg) && fits(eg)).then(|| format!("s({}, {})", mg + 0.0, eg + 0.0))
}

/// A number with commas between its thousands.
pub(crate) fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{Losses, Provenance, grouped, literal, text, without_folders};
    use crate::dataset::Source;
    use crate::register;
    use std::time::{Duration, SystemTime};

    fn written(weights: &[[f64; 2]]) -> Result<String, &'static str> {
        let provenance = Provenance {
            sources: &[Source {
                name: "games.txt".to_owned(),
                digest: "ab".repeat(32),
                positions: 1_234_567,
            }],
            losses: &[Losses {
                part: "trained on",
                positions: 1234,
                before: 0.25,
                after: 0.125,
                rounded: 0.126,
            }],
            k: 0.004,
            labels: "the results of games",
            date: SystemTime::UNIX_EPOCH + Duration::from_secs(784_111_777),
            arguments: ["--rate", "1", "/home/her/games.txt"].map(str::to_owned).to_vec(),
        };
        text(&provenance, weights)
    }

    #[test]
    fn what_is_written_reads_back_as_the_weights() {
        let weights: Vec<_> = (0..register::fitted().len() as i32)
            .map(|index| [f64::from(index - 300), f64::from(-(index % 997))])
            .collect();
        let text = written(&weights).unwrap();
        let pairs = text.split("s(").filter_map(|rest| {
            let (mg, eg) = rest.split_once(')')?.0.split_once(", ")?;
            Some([mg.parse::<f64>().ok()?, eg.parse::<f64>().ok()?])
        });
        assert_eq!(pairs.collect::<Vec<_>>(), weights);
        assert_eq!(text.matches('{').count(), text.matches('}').count());
        assert!(text.lines().all(|line| line.len() <= 160), "{text}");
    }

    #[test]
    fn the_provenance_is_told() {
        let text = written(&register::fitted()).unwrap();
        for part in [
            "`games.txt`, 1,234,567 positions",
            "trained on: 1,234 positions, loss 0.250000 before, 0.125000 after, 0.126000 rounded",
            "K = 0.0040000",
            "\"Tuned on the results of games: 1,234 positions.\"",
            "Date: 06 Nov 1994\n",
            "Command: `tune --rate 1 games.txt`",
            &"ab".repeat(32),
        ] {
            assert!(text.contains(part), "{part}:\n{text}");
        }
    }

    #[test]
    fn a_weight_too_large_is_named() {
        let mut weights = register::fitted();
        weights[0] = [40_000.0, 0.0];
        assert_eq!(written(&weights), Err("pawnValue"));
        for (pair, expected) in [
            ([-0.2, 0.6], Some("s(0, 1)")),
            ([-12.5, 3.4], Some("s(-13, 3)")),
            ([0.0, -33_000.0], None),
            ([f64::NAN, 0.0], None),
        ] {
            assert_eq!(literal(&pair).as_deref(), expected, "{pair:?}");
        }
    }

    #[test]
    fn numbers_and_names_are_for_people() {
        for (number, text) in [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")] {
            assert_eq!(grouped(number), text);
        }
        assert_eq!(without_folders(&["-".to_owned(), "a/b.txt".to_owned()]), "- b.txt");
        assert_eq!(without_folders(&["--output=a/b.rs".to_owned()]), "--output=b.rs");
    }
}
