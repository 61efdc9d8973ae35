//! Two games from one opening, with colours changed.

use std::sync::atomic::AtomicBool;

use centipawn::engine::chess::{Color, Game};
use centipawn::engine::eval::Evaluator;
use centipawn::engine::search::{
    Limits, Memory, Report, SearchRequest, SearchScore, TranspositionTable, search_on, search_with,
};
use centipawn::engine::weights::{Emphasis, Weights};

use super::arbiter::{MOST_PLIES, Outcome, Verdict, over};
use super::opening::Openings;
use super::options::Options;
use super::player::{Player, Weighed};
use super::score::Pair;
use super::shuffle::Generator;

/// The transposition table of each side, emptied before each game. Far more than the searches of a move fill.
const HASH_MEBIBYTES: usize = 4;

/// Between the first pairs of two seeds, so that neighbouring seeds play other games.
const SEEDS_APART: u64 = 0xd134_2543_de82_ef95;

/// After so many plies a game is drawn
const DRAW_FROM_PLY: u32 = 80;
/// in which both sides have seen no lead larger than this, in centipawns,
const DRAW_MARGIN: i32 = 10;
/// for so many plies.
const DRAW_PLIES: u32 = 10;

/// Plays pairs, one after the other.
pub(crate) struct Ring<'a> {
    options: &'a Options,
    openings: &'a Openings,
    tables: [TranspositionTable; 2],
}

impl<'a> Ring<'a> {
    pub(crate) fn new(options: &'a Options, openings: &'a Openings) -> Self {
        #[expect(clippy::expect_used, reason = "a few mebibytes are there, or nothing is")]
        let table = || TranspositionTable::new(HASH_MEBIBYTES).expect("memory for a small table");
        Self { options, openings, tables: [table(), table()] }
    }

    /// The pair of this number, told as the first contestant's result.
    pub(crate) fn play(&self, number: u32, contestants: [&Player; 2]) -> Pair {
        let mut lots = Generator::new(self.options.seed.wrapping_mul(SEEDS_APART) ^ u64::from(number));
        let opening = loop {
            if let Some(game) = self.openings.draw(&mut lots, self.options.random) {
                break game;
            }
        };
        let [first, second] = contestants;
        let as_white = self.game(opening.clone(), [first, second]);
        let as_black = self.game(opening, [second, first]);
        let points = |outcome, own| match outcome {
            Outcome::Draw => 1,
            outcome if outcome == own => 2,
            _ => 0,
        };
        Pair::new(points(as_white, Outcome::White) + points(as_black, Outcome::Black))
    }

    /// One game; White's player comes first.
    fn game(&self, mut game: Game, players: [&Player; 2]) -> Outcome {
        for table in &self.tables {
            table.clear();
        }
        let mut sides = players.map(Side::new);
        let mut verdict = Verdict::default();
        let mut calm = 0;
        for ply in 0..MOST_PLIES {
            let turn = game.position().turn();
            if let Some(outcome) = over(game.status(), turn) {
                return outcome;
            }
            let report = sides[turn.index()].search(&game, self.options.nodes, &self.tables[turn.index()]);
            let Some((mv, score)) = report.best_move().zip(report.score()) else { break };
            let white = match score {
                SearchScore::Mate(moves) => return Outcome::win(if moves > 0 { turn } else { !turn }),
                SearchScore::Cp(cp) => cp * turn.sign(),
            };
            calm = if white.abs() <= DRAW_MARGIN && ply >= DRAW_FROM_PLY { calm + 1 } else { 0 };
            if calm >= DRAW_PLIES {
                break;
            }
            if let Some(outcome) = verdict.after(white) {
                return outcome;
            }
            game.play(mv);
        }
        Outcome::Draw
    }
}

/// A player in a game.
struct Side<'a> {
    player: &'a Player,
    /// Its weights, if they are not the service's.
    weights: Option<Weights>,
    memory: Memory,
}

impl<'a> Side<'a> {
    fn new(player: &'a Player) -> Self {
        let emphasis = &player.emphasis;
        let weights = (*emphasis != Emphasis::PLAYED).then(|| Weights::fitted_with(emphasis));
        Self { player, weights, memory: Memory::new() }
    }

    fn search(&mut self, game: &Game, nodes: u64, table: &TranspositionTable) -> Report {
        let limits = Limits { depth: None, nodes: Some(nodes) };
        let request = SearchRequest {
            parameters: self.player.parameters,
            ..SearchRequest::new(game.clone(), Evaluator::default(), limits)
        };
        let (never, memory, observe) = (AtomicBool::new(false), &mut self.memory, &mut |_: &Report| ());
        match &self.weights {
            None => search_on(&request, table, memory, &never, observe),
            Some(weights) => search_with(Weighed(weights), &request, table, memory, &never, observe),
        }
    }
}

const _: () = assert!(Color::White.index() == 0, "players are given White's first");

#[cfg(test)]
mod tests {
    use centipawn::engine::search::Parameters;
    use clap::Parser;

    use super::{Openings, Options, Player, Ring};

    #[test]
    fn a_pair_of_equals_is_even_and_its_number_decides_it() {
        let options = Options::parse_from(["spar", "duel", "--nodes", "200", "--random", "8"]);
        let openings = Openings::start();
        let ring = Ring::new(&options, &openings);
        let same = Player::DEFAULT;
        let parameters = Parameters { reverse_futility_margin: 40, ..Parameters::DEFAULT };
        let mut other = Player { parameters, ..same };
        for number in 0..3 {
            assert_eq!(ring.play(number, [&same, &same]).points(), 2, "one game, seen from both sides");
            let [once, twice] = [0, 1].map(|_| ring.play(number, [&same, &other]));
            assert_eq!(once, twice);
            assert_eq!(ring.play(number, [&other, &same]).points(), 4 - once.points());
            other.emphasis.percents[0] = [120, 80];
        }
    }
}
