//! Two games from one opening, with colours changed.

use std::sync::atomic::AtomicBool;

use centipawn::engine::chess::{Color, Game};
use centipawn::engine::eval::Evaluator;
use centipawn::engine::search::{
    Limits, Memory, Parameters, SearchRequest, SearchScore, TranspositionTable, search_on,
};

use super::arbiter::{MOST_PLIES, Outcome, Verdict, over};
use super::opening::Openings;
use super::options::Options;
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
    pub(crate) fn play(&self, number: u32, contestants: [&Parameters; 2]) -> Pair {
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

    /// One game; the players are White's and Black's parameters.
    fn game(&self, mut game: Game, players: [&Parameters; 2]) -> Outcome {
        for table in &self.tables {
            table.clear();
        }
        let mut memories = [Memory::new(), Memory::new()];
        let mut verdict = Verdict::default();
        let mut calm = 0;
        for ply in 0..MOST_PLIES {
            let turn = game.position().turn();
            if let Some(outcome) = over(game.status(), turn) {
                return outcome;
            }
            let limits = Limits { depth: None, nodes: Some(self.options.nodes) };
            let parameters = *players[turn.index()];
            let request = SearchRequest {
                parameters,
                ..SearchRequest::new(game.clone(), Evaluator::default(), limits)
            };
            let memory = &mut memories[turn.index()];
            let report =
                search_on(&request, &self.tables[turn.index()], memory, &AtomicBool::new(false), &mut |_| ());
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

const _: () = assert!(Color::White.index() == 0, "players are given White's first");

#[cfg(test)]
mod tests {
    use centipawn::engine::search::Parameters;
    use clap::Parser;

    use super::{Openings, Options, Ring};

    #[test]
    fn a_pair_of_equals_is_even_and_its_number_decides_it() {
        let options = Options::parse_from(["spar", "duel", "--nodes", "200", "--random", "8"]);
        let openings = Openings::start();
        let ring = Ring::new(&options, &openings);
        let same = Parameters::DEFAULT;
        let other = Parameters { reverse_futility_margin: 40, ..same };
        for number in 0..3 {
            assert_eq!(ring.play(number, [&same, &same]).points(), 2, "one game, seen from both sides");
            let [once, twice] = [0, 1].map(|_| ring.play(number, [&same, &other]));
            assert_eq!(once, twice);
            assert_eq!(ring.play(number, [&other, &same]).points(), 4 - once.points());
        }
    }
}
