//! The command line.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use clap::{Parser, Subcommand};

use super::player::{Knob, Player};

/// Plays the search against itself, under two sets of its parameters, or with families of the evaluation's weights scaled.
///
/// Games come in pairs from one opening, with colours changed. A move gets a fixed number of nodes, so the figures do not
/// depend on the machine.
#[derive(Clone, Debug, Parser)]
#[command(name = "spar", max_term_width = 110)]
pub(crate) struct Options {
    #[command(subcommand)]
    pub(crate) command: Command,

    /// How many pairs of games
    #[arg(long, default_value_t = 500, value_parser = clap::value_parser!(u32).range(1..), global = true)]
    pub(crate) pairs: u32,

    /// Positions that each search may visit
    #[arg(long, default_value_t = 4000, value_parser = clap::value_parser!(u64).range(1..), global = true)]
    pub(crate) nodes: u64,

    /// A file with one FEN or EPD a line, to begin from one of them by lot; the start position otherwise
    #[arg(long, global = true)]
    pub(crate) openings: Option<PathBuf>,

    /// Moves by lot before the game begins
    #[arg(long, default_value_t = 1, value_name = "PLIES", global = true)]
    pub(crate) random: u32,

    /// Decides all lots
    #[arg(long, default_value_t = 1, global = true)]
    pub(crate) seed: u64,
}

#[derive(Clone, Debug, Subcommand)]
pub(crate) enum Command {
    /// Tells how much stronger one set of parameters is than another
    Duel {
        /// Where the first differs from what the service plays with: `name=value,name=value`
        #[arg(long, default_value = "")]
        a: Changes,
        /// Where the second differs
        #[arg(long, default_value = "")]
        b: Changes,
        /// Ends as soon as the first is found to be stronger by the second of these, in Elo, or not even by the first
        #[arg(long, num_args = 2, value_names = ["ELO0", "ELO1"], allow_negative_numbers = true)]
        sprt: Option<Vec<f64>>,
    },
    /// Tells what each of many changes is worth, from the same games: each pair gives every change to one side by lot
    Screen {
        /// A change, of one parameter or several: `name=value,name=value`, or with `/name=value` after it what the side plays
        /// with that does not have it; once for each
        #[arg(long = "change", required = true)]
        choices: Vec<Choice>,
    },
    /// Looks for better parameters: simultaneous perturbation stochastic approximation (Spall, 1992)
    Spsa {
        /// The numbers to change, by default all parameters of the search
        #[arg(long, value_delimiter = ',')]
        only: Vec<Knob>,
        /// How far one won game in the last pairs moves a parameter, in parts of its own perturbation
        #[arg(long, default_value_t = 0.02)]
        rate: f64,
    },
}

impl FromStr for Knob {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let names = || Self::all().map(|knob| knob.to_string()).collect::<Vec<_>>().join(", ");
        let known = Self::all().find(|knob| knob.to_string() == text);
        known.ok_or_else(|| format!("there is no parameter '{text}', but {}", names()))
    }
}

/// What differs from the default.
#[derive(Clone, Debug)]
pub(crate) struct Changes(Vec<(Knob, i32)>);

impl Changes {
    /// The default with these changes.
    pub(crate) fn player(&self) -> Player {
        let mut player = Player::DEFAULT;
        self.apply(&mut player);
        player
    }

    /// Makes these changes.
    pub(crate) fn apply(&self, player: &mut Player) {
        for (knob, value) in &self.0 {
            knob.set(player, *value);
        }
    }
}

impl fmt::Display for Changes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let changes: Vec<_> = self.0.iter().map(|(knob, value)| format!("{knob}={value}")).collect();
        f.write_str(&changes.join(","))
    }
}

impl FromStr for Changes {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let change = |text: &str| {
            let (name, value) = text.split_once('=').ok_or_else(|| format!("'{text}' is not name=value"))?;
            let value = value.parse().map_err(|_| format!("'{value}' is not a number"))?;
            Ok((name.parse()?, value))
        };
        text.split(',').filter(|part| !part.is_empty()).map(change).collect::<Result<_, _>>().map(Self)
    }
}

/// Some changes, or others instead; nothing instead if there are none.
#[derive(Clone, Debug)]
pub(crate) struct Choice {
    changes: Changes,
    instead: Option<Changes>,
}

impl Choice {
    /// Makes the changes, or those instead of them.
    pub(crate) fn apply(&self, player: &mut Player, has: bool) {
        if let Some(changes) = if has { Some(&self.changes) } else { self.instead.as_ref() } {
            changes.apply(player);
        }
    }
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.changes.fmt(f)?;
        self.instead.iter().try_for_each(|changes| write!(f, "/{changes}"))
    }
}

impl FromStr for Choice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (changes, instead) = text.split_once('/').map_or((text, None), |(one, other)| (one, Some(other)));
        Ok(Self { changes: changes.parse()?, instead: instead.map(str::parse).transpose()? })
    }
}

#[cfg(test)]
mod tests {
    use centipawn::engine::search::Parameters;
    use centipawn::engine::weights::Family;
    use clap::CommandFactory;

    use super::{Changes, Choice, Options};
    use crate::player::Player;

    #[test]
    fn the_command_line_is_sound() {
        Options::command().debug_assert();
    }

    #[test]
    fn changes_are_taken_over_and_what_is_none_is_refused() {
        let changes: Changes = "delta_margin=123,probcut_margin=150,tempo_eg=70".parse().unwrap();
        let mut expected = Player {
            parameters: Parameters { delta_margin: 123, probcut_margin: 150, ..Parameters::DEFAULT },
            ..Player::DEFAULT
        };
        expected.emphasis.percents[Family::ALL.len() - 1][1] = 70;
        assert_eq!(changes.player(), expected);
        for wrong in ["delta_margin", "delta_margin=x", "delta_margine=1", "tempo=1"] {
            assert!(wrong.parse::<Changes>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_side_without_a_change_plays_as_before_or_with_the_other() {
        let delta_margin = |choice: &str, has| {
            let mut player = Player::DEFAULT;
            let choice: Choice = choice.parse().unwrap();
            choice.apply(&mut player, has);
            let parameters = player.parameters;
            assert_eq!(
                Parameters { delta_margin: 0, ..parameters },
                Parameters { delta_margin: 0, ..Parameters::DEFAULT }
            );
            (parameters.delta_margin, choice.to_string())
        };
        let (alone, contrast) = ("delta_margin=123", "delta_margin=123/delta_margin=45");
        for choice in [alone, contrast] {
            assert_eq!(delta_margin(choice, true), (123, choice.to_owned()));
        }
        assert_eq!(delta_margin(alone, false).0, Parameters::DEFAULT.delta_margin);
        assert_eq!(delta_margin(contrast, false).0, 45);
        assert!("delta_margin=1/wrong".parse::<Choice>().is_err());
    }
}
