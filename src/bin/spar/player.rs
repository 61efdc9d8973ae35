//! What two sides of a game may differ in: the numbers of the search, and what the families of weights count.

use std::fmt;

use centipawn::engine::chess::Position;
use centipawn::engine::eval::{Balance, Blend, Evaluate, Full, Ledger};
use centipawn::engine::search::{Parameter, Parameters};
use centipawn::engine::weights::{Emphasis, Family, Score, Term, Weights};

/// A side of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Player {
    pub(crate) parameters: Parameters,
    pub(crate) emphasis: Emphasis,
}

impl Player {
    /// What the service plays with.
    pub(crate) const DEFAULT: Self = Self { parameters: Parameters::DEFAULT, emphasis: Emphasis::PLAYED };
}

/// A number in which players may differ.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Knob {
    /// A parameter of the search.
    Search(&'static Parameter),
    /// The percents of a family of weights, by its place among all, in one of the [`PHASES`].
    Weights { family: usize, phase: usize },
}

/// How the names of a family's percents end.
const PHASES: [&str; 2] = ["mg", "eg"];

impl Knob {
    /// All of them.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        let search = Parameters::ALL.iter().map(Self::Search);
        let families = 0..Family::ALL.len();
        search.chain(
            families.flat_map(|family| (0..PHASES.len()).map(move |phase| Self::Weights { family, phase })),
        )
    }

    /// The values that make sense.
    pub(crate) fn range(self) -> (i32, i32) {
        match self {
            Self::Search(parameter) => parameter.range,
            Self::Weights { .. } => (0, 250),
        }
    }

    /// Reads it.
    pub(crate) fn get(self, player: &Player) -> i32 {
        match self {
            Self::Search(parameter) => (parameter.get)(&player.parameters),
            Self::Weights { family, phase } => player.emphasis.percents[family][phase],
        }
    }

    /// Writes it.
    pub(crate) fn set(self, player: &mut Player, value: i32) {
        match self {
            Self::Search(parameter) => (parameter.set)(&mut player.parameters, value),
            Self::Weights { family, phase } => player.emphasis.percents[family][phase] = value,
        }
    }
}

impl fmt::Display for Knob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Search(parameter) => f.write_str(parameter.name),
            Self::Weights { family, phase } => write!(f, "{}_{}", Family::ALL[*family].name, PHASES[*phase]),
        }
    }
}

/// [`Full`] with other weights; slower, as caches keep sums of the service's own weights only.
#[derive(Clone, Copy)]
pub(crate) struct Weighed<'w>(pub(crate) &'w Weights);

impl Evaluate for Weighed<'_> {
    fn terms(&self) -> &'static [Term] {
        Full.terms()
    }

    fn weights(&self) -> &Weights {
        self.0
    }

    fn kept(&self, position: &Position) -> (Score, Blend) {
        let mut balance = Balance::new(self.0);
        self.post_kept(position, &mut balance);
        let (_, blend) = Full.kept(position);
        (balance.sum(), blend)
    }

    fn post_kept(&self, position: &Position, ledger: &mut impl Ledger) {
        Full.post_kept(position, ledger);
    }

    fn post_live(&self, position: &Position, ledger: &mut impl Ledger) {
        Full.post_live(position, ledger);
    }
}

#[cfg(test)]
mod tests {
    use centipawn::engine::chess::{Fen, Variant};
    use centipawn::engine::eval::{Evaluate, Full};
    use centipawn::engine::weights::TUNED;

    use super::{Knob, Player, Weighed};

    #[test]
    fn every_knob_has_its_own_name_and_place_and_a_default_within_its_range() {
        for knob in Knob::all() {
            let (low, high) = knob.range();
            let default = knob.get(&Player::DEFAULT);
            assert!((low..=high).contains(&default), "{knob}");
            let mut player = Player::DEFAULT;
            knob.set(&mut player, if default == high { low } else { high });
            let changed = Knob::all().filter(|other| other.get(&player) != other.get(&Player::DEFAULT));
            assert_eq!(changed.map(|other| other.to_string()).collect::<Vec<_>>(), [knob.to_string()]);
        }
    }

    #[test]
    fn the_services_weights_given_by_hand_say_what_the_service_says() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2NB1N2/PP3PPP/R1BQ1RK1 b - - 40 10",
            "8/8/4k3/8/8/3BN3/4K3/8 w - - 0 1",
            "8/5pk1/6p1/1P6/8/6P1/5PK1/8 b - - 0 1",
        ] {
            let position = Fen::parse(fen, Variant::Standard).unwrap().position;
            assert_eq!(Weighed(&TUNED).evaluate(&position), Full.evaluate(&position), "{fen}");
        }
    }
}
